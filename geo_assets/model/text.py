"""Normalising question text and content hashes, in one place because ids hang on them."""

import hashlib
import json
import unicodedata
from typing import Any


def normalise_question(text: str) -> str:
    """Trim, NFC, and fold runs of white space to one blank. Nothing else: a question is asked as it was written."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no blanks: equal values give equal text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def content_hash(value: Any) -> str:
    """sha256 (hex) of the canonical JSON of `value`."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def question_revision(text: str) -> str:
    """The revision of a question: the first 16 hex digits of the hash of its normalised text."""
    return hashlib.sha256(normalise_question(text).encode()).hexdigest()[:16]
