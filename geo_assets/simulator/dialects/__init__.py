"""The wire formats, one per file, and the table that finds them by name."""

from geo_assets.simulator.dialects.base import Dialect
from geo_assets.simulator.dialects.openai_chat import OpenAIChat
from geo_assets.simulator.dialects.tencent_tokenhub import TencentTokenHub

DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in (TencentTokenHub(), OpenAIChat())}
"""Dialect name (as in the platforms' configuration) → dialect."""
