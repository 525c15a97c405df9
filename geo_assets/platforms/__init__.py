"""Connectors: one module per wire format (dialect). A platform is data (`platforms.yaml`), not code.

What belongs here: building requests and reading responses. What does not: sockets, clocks, retries, Dagster.
"""
