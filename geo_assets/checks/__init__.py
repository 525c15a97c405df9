"""Checks of a day: pure functions over the lake, reported as asset checks of the daily assets.

A check of a partitioned asset has one result per asset (the latest wins), so per-platform detail stands in the metadata
of day-level results.
"""
