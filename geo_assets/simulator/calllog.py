"""The append-only call log: what the platforms saw, one JSON line per request, written before the reply goes out.

It is the independent witness against which the ledger is checked, so nothing here knows of the ledger.
"""

import json
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """One request at a simulated platform.

    `kind` is submit, poll, cancel, fetch, delete or other. `accepted`: the platform took the question and runs it.
    `duplicate` marks the second taking of one request. `status` is the status sent or meant to be sent, 0 where the
    connection goes down instead. `time` in seconds since 1970 (UTC). `job` holds what a background job needs to live
    on after a restart.
    """

    sequence: int
    time: float
    platform: str
    method: str
    path: str
    kind: str
    accepted: bool
    status: int
    sample: str | None = None
    attempt: str | None = None
    question: str | None = None
    day: str | None = None
    fault: str | None = None
    limited: bool = False
    duplicate: bool = False
    upstream_id: str | None = None
    job: Mapping[str, Any] | None = None


_FIELDS = frozenset(field.name for field in fields(Call))


def read_call_log(path: Path) -> Iterator[Call]:
    """All calls in the order of the file. A line that a crash left in pieces is passed over."""
    if not path.exists():
        return
    with path.open("rb") as lines:
        for line in lines:
            try:
                row = json.loads(line)
            except ValueError:
                continue
            yield Call(**{name: value for name, value in row.items() if name in _FIELDS})


def accepted_submits(path: Path, platform: str | None = None) -> list[Call]:
    """The questions that platforms took, second takings of one request left out."""
    return [
        call
        for call in read_call_log(path)
        if call.kind == "submit" and call.accepted and not call.duplicate and platform in {None, call.platform}
    ]


class CallLog:
    """Appends calls to a file; one `write` per line to a descriptor opened with O_APPEND, so that lines stay whole.

    Several simulators may write to one file: lines do not mix, and only `sequence` is then counted per simulator.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._past = list(read_call_log(path)) if path else []
        self._sequence = self._past[-1].sequence if self._past else 0
        self._descriptor: int | None = None
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            if not _ends_whole(path):
                os.write(self._descriptor, b"\n")

    def take_past(self) -> list[Call]:
        """The calls of earlier lives, once: they are not kept."""
        past, self._past = self._past, []
        return past

    def append(self, **values: Any) -> Call:
        """Write one call and return it; `sequence` and `time` are filled in here."""
        self._sequence += 1
        call = Call(sequence=self._sequence, time=time.time(), **values)
        if self._descriptor is not None:
            shown = {name: value for name, value in values.items() if value is not None and value is not False}
            row = {"sequence": call.sequence, "time": call.time, **shown, "accepted": call.accepted}
            os.write(self._descriptor, (json.dumps(row, ensure_ascii=False) + "\n").encode())
        return call

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _ends_whole(path: Path) -> bool:
    """Whether the last line of the file is complete (or there is none)."""
    with path.open("rb") as file:
        if not file.seek(0, os.SEEK_END):
            return True
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
