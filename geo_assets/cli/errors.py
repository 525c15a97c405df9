"""Errors that are the user's to mend, told apart from faults of ours without importing the rooms they come from."""

_USERS = {
    "ConfigurationError",
    "SettingsError",
    "NoSuchSample",
    "MissingPartitionError",
    "UnknownMonitorError",
    "EvidenceMissing",
    "EvidenceCorrupt",
    "BadRowError",
    "DecisionError",
    "TransitionRefused",
    "LedgerUnavailable",
    "LedgerTooNew",
}


def explain(error: BaseException) -> str | None:
    """The message of an error that the user can mend, None for any other."""
    names = {kind.__name__ for kind in type(error).__mro__}
    return f"geo: {error}" if names & _USERS else None
