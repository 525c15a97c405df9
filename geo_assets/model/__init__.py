"""The vocabulary: monitors, plans, states, errors, money, answers.

What belongs here: plain types and pure functions that every other room of the house uses. What does not: I/O, clocks,
randomness, Dagster, and anything that imports another package of ours.
"""
