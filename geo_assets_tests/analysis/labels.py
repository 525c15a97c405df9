"""The labels of the hand-labelled sets, and which stance of the reader answers to which."""

_LABEL = {"recommended": "yes", "listed": "yes", "neutral": "neutral", "advised_against": "negative"}


def label(stance):
    """yes, neutral or negative; no where there is no stance, or the text only says that there is nothing."""
    return _LABEL.get(stance, "no")
