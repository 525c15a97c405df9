"""Evidence: entities as received and as sent, immutable and content-addressed, and what is made from them.

What belongs here: the store, the sidecars that carry an answer over a crash, archives. What does not: reading answers,
and any state that changes (the ledger has that).
"""
