import re
from pathlib import Path

import duckdb
import pytest

from geo_assets.lake.contracts import TABLES
from geo_assets.lake.store import Lake, Partition, stage

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("docs/analysts.md", "README.md", "README.zh-CN.md")
LAKE = "data/simulated/lake"


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every table without rows: enough to see whether a statement fits the columns."""
    root = tmp_path_factory.mktemp("lake")
    for table in TABLES.values():
        partition = Partition("2026-11-29", "qwen" if "platform" in table.partition else None)
        staged = stage(table, partition, [], tenants=["acme"])
        Lake(str(root)).publish(staged)
        staged.close()
    return root


def statements(page: str) -> list[str]:
    blocks = re.findall(r"```sql\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    return [statement for block in blocks for statement in block.split(";") if statement.strip()]


@pytest.mark.parametrize("page", PAGES)
def test_every_sql_statement_of_the_pages_fits_the_tables(page: str, lake: Path) -> None:
    found = statements(page)
    assert found
    with duckdb.connect() as connection:
        for statement in found:
            connection.execute(statement.replace(LAKE, str(lake))).fetchall()


def test_both_readmes_show_the_same_statements() -> None:
    def bare(page: str) -> list[str]:
        return [re.sub(r"--.*", "", s).strip() for s in statements(page)]

    assert bare("README.md") == bare("README.zh-CN.md")
