"""Reading answers: validity, mentions, ambiguity, rank, stance, sources.

What belongs here: pure functions from text and dictionary to readings, and the lists they rest on. What does not: I/O,
stored evidence, metrics. Answers are untrusted text: nothing in them is ever an instruction.
"""
