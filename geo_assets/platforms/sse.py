"""Server-sent events as platforms really send them: comments that carry a status, no blank after the colon, cut ends.

Source of the format: HTML Living Standard, section 9.2 (event stream interpretation).
"""

import re
from dataclasses import dataclass

DONE = "[DONE]"
_FIELD = re.compile(r"(?:data|event|id|retry)?:")
_LINE_END = re.compile(r"\r\n|\r|\n")
_STATUS = re.compile(r"HTTP_STATUS/(\d{3})")


@dataclass(frozen=True, slots=True)
class Event:
    """One event. `status` comes from a comment such as `:HTTP_STATUS/400`; data lines are joined by line feeds."""

    name: str
    data: str
    status: int | None = None


def looks_like_events(content: str) -> bool:
    """Whether the first line is one of an event stream."""
    return _FIELD.match(content) is not None


def parse_events(content: str) -> tuple[Event, ...]:
    """All events with data. A last event without its blank line counts too: connections are cut in such places."""
    events: list[Event] = []
    name, data, status = "", list[str](), None
    for line in [*_LINE_END.split(content), ""]:
        if not line:
            if data:
                events.append(Event(name, "\n".join(data), status))
            name, data, status = "", [], None
        elif line.startswith(":"):
            found = _STATUS.search(line)
            status = int(found[1]) if found else status
        else:
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "data":
                data.append(value)
            elif field == "event":
                name = value
    return tuple(events)
