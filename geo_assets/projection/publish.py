"""Putting the report of a date in place: written whole, then renamed, on disk or S3."""

import hashlib
from dataclasses import dataclass

from geo_assets.report.inputs import ReportInput
from geo_assets.report.page import render_report

PAGE = "report.html"


@dataclass(frozen=True, slots=True)
class Published:
    """Where the page is, its sha256 (hex) and its size in bytes."""

    path: str
    digest: str
    size: int


def publish_report(root: str, date: str, data: ReportInput) -> Published:
    """Render the page of a date (both languages on it) and put it at `root/date=…/report.html`."""
    import fsspec

    body = render_report(date, data).encode()
    fs, base = fsspec.core.url_to_fs(root)
    folder = f"{str(base).rstrip('/')}/date={date}"
    fs.makedirs(folder, exist_ok=True)
    target, partial = f"{folder}/{PAGE}", f"{folder}/.{PAGE}.partial"
    fs.pipe_file(partial, body)
    fs.mv(partial, target)
    return Published(f"{root.rstrip('/')}/date={date}/{PAGE}", hashlib.sha256(body).hexdigest(), len(body))
