"""Projections: from ledger and evidence to the rows of each table, streamed in key order.

What belongs here: one module per table or small family of tables, reading only what the table is made from. What does
not: Dagster, Parquet mechanics, and any write to the ledger: tables can be thrown away and made again.
"""
