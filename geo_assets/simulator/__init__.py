"""A local server that speaks the platforms' real wire formats, so that everything runs without a key.

What belongs here: the simulated platforms (dialects, limits, answers, faults), their append-only call log, and the ways
to start the server. What does not: anything of `geo_assets.platforms`. Connectors and simulator are written from the
same facts but apart, so that each checks the other.
"""
