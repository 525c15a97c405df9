"""Reading, checking and planning from the YAML files of a data folder.

Belongs here: files with their lines, rules over several fields, the project's clock, prices, dictionaries, plans. Does
not: what stands in a field by itself (`model.configuration`), dialects, the ledger, Dagster.
"""

from geo_assets.configuration.dictionaries import dictionary
from geo_assets.configuration.loader import (
    LoadedProject,
    check_folder,
    load_platforms,
    load_project,
    load_project_settings,
)
from geo_assets.configuration.planning import QuoteLine, plan_batches, quote, quote_lines
from geo_assets.configuration.prices import PriceMissingError, price_for
from geo_assets.configuration.problems import ConfigurationError, Problem, Severity

__all__ = [
    "ConfigurationError",
    "LoadedProject",
    "PriceMissingError",
    "Problem",
    "QuoteLine",
    "Severity",
    "check_folder",
    "dictionary",
    "load_platforms",
    "load_project",
    "load_project_settings",
    "plan_batches",
    "price_for",
    "quote",
    "quote_lines",
]
