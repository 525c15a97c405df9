"""What can be wrong with a configuration file, said so that a person can put it right.

Belongs here: the shapes of findings and problems, the one exception, and the did-you-mean. Does not: any rule.
"""

import difflib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath

Path = tuple[str | int, ...]
"""Where a value stands in a document: keys and list indices from the top, `("competitors", 1, "aliases", 0)`."""

MAX_LISTED = 20


class Severity(StrEnum):
    """`error`: the file (or platform) is left out. `warning`: it works, perhaps not as meant."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found in a typed configuration, before it is placed in a file."""

    path: Path
    message: str
    remedy: str
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding in its file. `line` and `column` count from 1, None where the whole file is meant.

    `file` is relative to the data folder, with forward slashes.
    """

    file: str
    line: int | None
    column: int | None
    field: str
    message: str
    remedy: str
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}:{self.column}"
        subject = f"{self.field}: " if self.field else ""
        return f"{place}: {self.severity}: {subject}{self.message}. {self.remedy}"


class ConfigurationError(Exception):
    """The configuration cannot be used; `problems` says where and what to do."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        lines = [str(problem) for problem in self.problems[:MAX_LISTED]]
        if len(self.problems) > MAX_LISTED:
            lines.append(f"... and {len(self.problems) - MAX_LISTED} more")
        super().__init__("\n".join(lines))


def file_problem(file: str | PurePath, message: str, remedy: str) -> Problem:
    """A problem of a whole file."""
    return Problem(str(file), None, None, "", message, remedy)


def field_name(path: Path) -> str:
    """A path as people write it: `competitors[1].aliases[0]`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def errors_of(problems: Iterable[Problem]) -> list[Problem]:
    """Those problems that are more than warnings."""
    return [problem for problem in problems if problem.severity is Severity.ERROR]


def did_you_mean(word: str, known: Collection[str]) -> str:
    """A remedy that offers the nearest known word, or all of them where none is near."""
    near = difflib.get_close_matches(word.casefold(), {name.casefold(): name for name in known}, n=1, cutoff=0.6)
    listed = ", ".join(sorted(known)) or "none"
    if near:
        match = next(name for name in known if name.casefold() == near[0])
        return f"Did you mean `{match}`? Known: {listed}" if len(known) <= MAX_LISTED else f"Did you mean `{match}`?"
    return f"Known: {listed}" if len(known) <= MAX_LISTED else "See docs/configuration.md for what is known"
