"""`docs/platforms.md` names every dialect and every option."""

from pathlib import Path

import pytest

from geo_assets.platforms.registry import DIALECTS, connector

PAGE = (Path(__file__).resolve().parents[2] / "docs/platforms.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_option_stands_in_its_dialects_section(dialect: str) -> None:
    _, _, rest = PAGE.partition(f"\n### {dialect}\n")
    section = rest.partition("\n## ")[0].partition("\n### ")[0]
    missing = {name for name in connector(dialect).capabilities({}).option_names if f"`{name}`" not in section}
    assert section
    assert missing == set()
