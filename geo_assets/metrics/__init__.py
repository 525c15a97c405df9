"""Metrics: from readings to numbers with intervals, in a tall table where one row is one number.

What belongs here: definitions of metrics, scopes, exclusion sums, intervals, windows and verdicts on changes, all as
pure functions over rows. What does not: I/O, reading texts, charts. A metric is one row of `catalogue.METRICS`.
"""
