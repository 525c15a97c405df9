"""The version of the reading rules, alone in a module that costs nothing to import (for code versions)."""

READER = "rules/5"
"""Raise it with every change of rules or bundled lists that can change a reading: tables become stale in the UI."""
