"""A collector in a process of its own, to be killed; forked from a server that has everything imported."""

import os
import time
from pathlib import Path
from typing import Any

from geo_assets.collection import collector  # noqa: F401 - imported before the fork
from geo_assets.evidence.store import EvidenceStore
from geo_assets.ledger import open_ledger
from geo_assets_tests.collection.settings import collect, platform, request


def work(given: dict[str, Any]) -> None:
    """Collect once. `barrier`: wait for this file to appear after having made one beside it."""
    if given.get("fault"):
        os.environ["GEO_FAULT"] = given["fault"]
    of = platform(given.get("dialect", "openai-chat"), **given.get("platform", {}))
    if given.get("barrier"):
        Path(f"{given['barrier']}.{given['name']}").touch()
        while not Path(given["barrier"]).exists():
            time.sleep(0.002)
    asked = request(of, given["base_url"], **given.get("request", {}))
    with open_ledger(given["ledger"]) as ledger:
        collect(ledger, EvidenceStore(given["evidence"]), asked)
