"""Assets: thin bodies over the projections, with the metadata a person wants to see in the Dagster UI.

What belongs here: names, descriptions, partitions, dependencies, metadata. What does not: domain logic.
"""
