"""The lake: table contracts, and reading and writing them as Parquet.

A projection of ledger and evidence: every file can be deleted and made again, byte for byte. What belongs here: column
names, types, units, and the mechanics of hive-style Parquet on local disk and S3. What does not: where rows come from.
"""
