"""Resources: thin Dagster wrappers around the domain's objects, one per thing that a run opens and closes.

What belongs here: configuration of a resource and its life within a run. What does not: behaviour; that is in the
domain, which never sees a Dagster type.
"""
