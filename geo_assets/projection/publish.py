"""Putting the report of a date in place: written whole, then renamed, on disk or S3."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from geo_assets.report.inputs import MonitorInput, ReportInput
from geo_assets.report.page import render_report

PAGE = "report.html"


@dataclass(frozen=True, slots=True)
class Published:
    """Where the page is, its sha256 (hex), its size in bytes, and how many monitors are on it."""

    path: str
    digest: str
    size: int
    monitors: int


def publish_report(root: str, date: str, data: ReportInput) -> Published:
    """Render the page of a date (both languages on it) and put it at `root/date=…/report.html`."""
    import fsspec

    monitors = 0

    def counted() -> Iterator[MonitorInput]:
        nonlocal monitors
        for monitor in data.monitors:
            monitors += 1
            yield monitor

    body = render_report(date, replace(data, monitors=counted())).encode()
    fs, base = fsspec.core.url_to_fs(root)
    folder = f"{str(base).rstrip('/')}/date={date}"
    fs.makedirs(folder, exist_ok=True)
    target, partial = f"{folder}/{PAGE}", f"{folder}/.{PAGE}.partial"
    fs.pipe_file(partial, body)
    fs.mv(partial, target)
    path = f"{root.rstrip('/')}/date={date}/{PAGE}"
    return Published(path, hashlib.sha256(body).hexdigest(), len(body), monitors)
