from pathlib import Path

from geo_assets.lake.contracts import TABLES
from geo_assets.lake.dictionary import CHINESE, main, page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "data-dictionary.md"


def test_the_page_in_the_repository_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make docs`"


def test_every_table_stands_on_the_page_in_both_languages() -> None:
    assert CHINESE.keys() == TABLES.keys()
    text = page()
    for name, table in TABLES.items():
        assert text.count(f"\n## {name}\n\n{table.description}\n\n{CHINESE[name]}\n") == 1


def test_every_column_has_one_row_with_its_type_and_meaning() -> None:
    sections = page().split("\n## ")[1:]
    assert [s.split("\n", 1)[0] for s in sections] == list(TABLES)
    for section, table in zip(sections, TABLES.values(), strict=True):
        rows = [line for line in section.splitlines() if line.startswith("| `")]
        assert [row.split("`")[1] for row in rows] == list(table.names)
        for row, column in zip(rows, table.columns, strict=True):
            cells = [cell.strip() for cell in row.strip("|").split(" | ")]
            assert cells[1] == f"`{column.type}`"
            assert cells[-1] == column.description
            assert ("yes" in cells[3]) == column.nullable


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    target = tmp_path / "page.md"
    main([str(target)])
    assert target.read_text(encoding="utf-8") == page()
