"""What the heads of a table say about a brand in it: a column of picks, a column or row of verdicts.

Here: which words of a table belong to a brand by their place. Not here: what the words mean (`verdicts`), nor the
places of the rows (`rank`).
"""

from typing import NamedTuple

from geo_assets.analysis.structure import Line, LineKind, Structure


class Cell(NamedTuple):
    """A cell that is about a brand: its offset in the answer, its title and its text, without emphasis."""

    offset: int
    title: str
    text: str


def column_title(structure: Structure, index: int, offset: int) -> str:
    """The head of the column that a place in a row of a table stands in; empty in the first and without a head."""
    line = structure.lines[index]
    column = line.column_at(offset)
    header = structure.block_of(line)[0]
    if not column or header.kind is not LineKind.HEADER or column >= len(header.cells):
        return ""
    return _cell(structure, header, column)


def cells_about(structure: Structure, index: int, offset: int) -> list[Cell]:
    """The titled cells beside a name in a row of a table, or below a name at the head of a column."""
    line = structure.lines[index]
    rows = structure.block_of(line)
    column = line.column_at(offset)
    if column is None or rows[0].kind is not LineKind.HEADER:
        return []
    if line.kind is LineKind.ROW:
        return [
            Cell(line.cells[i][0], _cell(structure, rows[0], i), _cell(structure, line, i))
            for i in range(column + 1, min(len(line.cells), len(rows[0].cells)))
        ]
    return [
        Cell(row.cells[column][0], _cell(structure, row, 0), _cell(structure, row, column))
        for row in rows[1:]
        if 0 < column < len(row.cells)
    ]


def _cell(structure: Structure, line: Line, column: int) -> str:
    a, b = line.cells[column]
    return structure.text[a:b].strip(" *_")
