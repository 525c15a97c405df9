"""Draws that depend on their key alone: the same key gives the same number, whatever ran before or beside it."""

import hashlib
import random


def digest(*key: object) -> bytes:
    """32 bytes that depend on `key` alone (parts are told apart, so `("ab", "c")` is not `("a", "bc")`)."""
    return hashlib.sha256("\x1f".join(map(str, key)).encode()).digest()


def unit(*key: object) -> float:
    """A number in [0, 1), uniform over keys."""
    return int.from_bytes(digest(*key)[:7], "big") / (1 << 56)


def token(length: int, *key: object) -> str:
    """`length` (at most 64) hex digits that depend on `key` alone."""
    return digest(*key).hex()[:length]


def generator(*key: object) -> random.Random:
    """A random generator seeded by `key`."""
    return random.Random(int.from_bytes(digest(*key)[:8], "big"))  # noqa: S311 - texts, not secrets
