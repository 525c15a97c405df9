"""The wire formats, one per file, and the table that finds them by name."""

from geo_assets.simulator.dialects.ark_responses import ArkResponses
from geo_assets.simulator.dialects.base import Dialect
from geo_assets.simulator.dialects.dashscope import DashScope
from geo_assets.simulator.dialects.dashscope_compatible import DashScopeCompatible
from geo_assets.simulator.dialects.openai_chat import OpenAIChat
from geo_assets.simulator.dialects.openai_responses import OpenAIResponses
from geo_assets.simulator.dialects.tencent_tokenhub import TencentTokenHub

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        TencentTokenHub(),
        DashScope(),
        DashScopeCompatible(),
        ArkResponses(),
        OpenAIResponses(),
        OpenAIChat(),
    )
}
"""Dialect name (as in the platforms' configuration) → dialect."""
