"""The dialects by name. A dialect is imported when it is first asked for."""

from functools import cache
from importlib import import_module
from types import MappingProxyType

from geo_assets.platforms.connector import Connector

_CLASSES = MappingProxyType(
    {
        "ark-responses": ("ark_responses", "ArkResponses"),
        "dashscope": ("dashscope", "DashScope"),
        "openai-chat": ("openai_chat", "OpenAIChat"),
        "openai-responses": ("openai_responses", "OpenAIResponses"),
        "tencent-tokenhub": ("tencent_tokenhub", "TencentTokenHub"),
    }
)
DIALECTS: tuple[str, ...] = tuple(_CLASSES)
"""Names of all dialects, sorted."""


class UnknownDialectError(LookupError):
    """A platform names a dialect that does not exist."""


@cache
def connector(dialect: str) -> Connector:
    """The connector of a dialect (one shared, stateless object); raises UnknownDialectError listing the known ones."""
    if dialect not in _CLASSES:
        raise UnknownDialectError(f"unknown dialect {dialect!r}; known dialects: {', '.join(DIALECTS)}")
    module, name = _CLASSES[dialect]
    made: Connector = getattr(import_module(f"geo_assets.platforms.{module}"), name)()
    return made
