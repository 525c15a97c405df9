"""Lists that reading answers rests on, as package data: phrases of notices and refusals, tracking parameters, hosts.

What belongs here: the data files and the two ways to read them. What does not: any decision. A file is UTF-8 text
with `[section]` headings, one entry a line; `#` starts a comment line. Entries are general wordings written for this
project.
"""

import re
from functools import cache
from importlib.resources import files


@cache
def sections(name: str) -> dict[str, tuple[str, ...]]:
    """The entries of list `name` (a file `<name>.txt` in this folder) by section, in file order.

    Raises:
        FileNotFoundError: there is no such list.
        ValueError: an entry stands before the first heading.
    """
    found: dict[str, list[str]] = {}
    current: list[str] | None = None
    text = (files(__name__) / f"{name}.txt").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        entry = line.strip()
        if not entry or entry.startswith("#"):
            continue
        if heading := re.fullmatch(r"\[([a-z0-9_.:-]+)\]", entry):
            current = found.setdefault(heading[1], [])
        elif current is None:
            raise ValueError(f"{name}.txt, line {number}: an entry before the first [section]")
        else:
            current.append(entry)
    return {section: tuple(entries) for section, entries in found.items()}


@cache
def pattern(name: str, section: str) -> re.Pattern[str]:
    """One pattern, ignoring case, that finds any entry (a regular expression each) of a section."""
    return re.compile("|".join(f"(?:{entry})" for entry in sections(name)[section]), re.IGNORECASE)
