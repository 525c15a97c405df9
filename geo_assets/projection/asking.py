"""The question as the connector was asked it, rebuilt from a plan's row and the frozen snapshot."""

from collections.abc import Callable, Mapping
from typing import Any

from geo_assets.model.answers import Ask
from geo_assets.platforms.connector import Connector


class AskBuilder:
    """Rebuilds `Ask`s for reading stored evidence. Snapshots are read once each."""

    def __init__(self, snapshot: Callable[[str], Mapping[str, Any]], connector: Callable[[str], Connector]) -> None:
        self._snapshot, self._connector = snapshot, connector
        self._platforms: dict[tuple[str, str], Mapping[str, Any]] = {}

    def ask(self, plan: Mapping[str, Any], platform: str, attempt_id: str) -> tuple[Ask, Connector]:
        """The ask and its connector. Raises LookupError where the snapshot is not in the ledger."""
        key = plan["snapshot_hash"], platform
        if key not in self._platforms:
            self._platforms[key] = self._snapshot(key[0])["platforms"][platform]
        frozen = self._platforms[key]
        ask = Ask(
            platform=platform,
            base_url=frozen["base_url"],
            model=plan["model_asked"],
            question=plan["question_text"],
            language=plan["language"],
            search=plan["search_asked"],
            attempt_id=attempt_id,
            idempotency_key=attempt_id,
            region=plan["region"],
            device=plan["device"],
            mode=plan["mode"],
            options=frozen["options"],
        )
        return ask, self._connector(frozen["dialect"])
