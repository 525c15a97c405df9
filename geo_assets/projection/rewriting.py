"""What a re-reading changes, recorded before the old rows are replaced: mentions gained, lost and changed.

One JSON Lines file per change of a partition, named after the two contents, beside the other outputs:
`reading-changes/date=…/platform=…/<old>-<new>.jsonl`. It is history, not a projection: deleting the lake leaves it.
"""

import json
from collections.abc import Iterator
from typing import Any

from geo_assets.analysis.diff import Change, MentionChange, diff_readings
from geo_assets.lake.store import Lake, PartitionReader, StagedTable
from geo_assets.settings import Settings

COLUMNS = [
    "sample_id",
    "brand",
    "mentioned",
    "count",
    "own_count",
    "tracked_rank",
    "list_rank",
    "stance",
    "review",
    "occurrences",
    "reader",
    "dictionary_hash",
]


def record_changes(settings: Settings, lake: Lake, staged: StagedTable, answers: PartitionReader) -> dict[Change, int]:
    """Write what `staged` brand_mentions change in the stored partition; counts by kind, empty where nothing does."""
    stored = lake.read_or_empty(staged.table.name, staged.partition)
    before = stored.digests()
    if not before or before == staged.digests:
        return {}
    old = [row for _, row in stored.rows(COLUMNS)]
    new = [row for _, row in staged.reader().rows(COLUMNS)]
    changed = {c.sample_id for c in diff_readings(old, new, lambda _: None)}
    texts = {r["sample_id"]: r["text"] for _, r in answers.rows(["sample_id", "text"]) if r["sample_id"] in changed}
    changes = list(diff_readings(old, new, texts.get))
    if not changes:
        return {}
    versions = {"from": _version(old), "to": _version(new)}
    folder = (
        settings.outputs / "reading-changes" / f"date={staged.partition.date}" / f"platform={staged.partition.platform}"
    )
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{_short(before)}-{_short(staged.digests)}.jsonl"
    partial = folder / f".{name}.partial"
    partial.write_text("".join(_lines(changes, versions)), encoding="utf-8")
    partial.replace(folder / name)
    counts: dict[Change, int] = {}
    for change in changes:
        counts[change.change] = counts.get(change.change, 0) + 1
    return counts


def _lines(changes: list[MentionChange], versions: dict[str, str]) -> Iterator[str]:
    for change in changes:
        row = {
            "sample_id": change.sample_id,
            "brand": change.brand,
            "change": change.change.value,
            "fields": {name: list(pair) for name, pair in change.fields.items()},
            "context": change.context,
            **versions,
        }
        yield json.dumps(row, ensure_ascii=False) + "\n"


def _version(rows: list[dict[str, Any]]) -> str:
    return " ".join(sorted({f"{r['reader']}+{r['dictionary_hash'][:12]}" for r in rows}))


def _short(digests: dict[str, str]) -> str:
    import hashlib

    lines = "".join(f"{tenant} {digest}\n" for tenant, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode()).hexdigest()[:12]
