"""What a re-reading changes, recorded before the old rows are replaced: mentions gained, lost and changed.

One JSON Lines file per change of a partition, named after the two contents, beside the other outputs:
`reading-changes/date=…/platform=…/<old>-<new>.jsonl`. It is history, not a projection: deleting the lake leaves it.
"""

from geo_assets.analysis.diff import Change, MentionChange
from geo_assets.analysis.safe import safe_json
from geo_assets.lake.store import Lake, PartitionReader, StagedTable
from geo_assets.projection.rereading import changes_between
from geo_assets.settings import Settings

COLUMNS = [
    "monitor",
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
    changes = changes_between(
        stored.rows(COLUMNS), staged.reader().rows(COLUMNS), answers.rows(["monitor", "sample_id", "text"])
    )
    folder = (
        settings.outputs / "reading-changes" / f"date={staged.partition.date}" / f"platform={staged.partition.platform}"
    )
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{_short(before)}-{_short(staged.digests)}.jsonl"
    partial = folder / f".{name}.partial"
    versions = {"from": _versions(stored), "to": _versions(staged.reader())}
    counts: dict[Change, int] = {}
    with partial.open("w", encoding="utf-8", newline="\n") as file:
        for change in changes:
            counts[change.change] = counts.get(change.change, 0) + 1
            file.write(_line(change, versions))
    if counts:
        partial.replace(folder / name)
    else:
        partial.unlink()
    return counts


def _line(change: MentionChange, versions: dict[str, str]) -> str:
    row = {
        "sample_id": change.sample_id,
        "brand": change.brand,
        "change": change.change.value,
        "fields": {name: list(pair) for name, pair in change.fields.items()},
        "context": change.context,
        **versions,
    }
    return safe_json(row) + "\n"


def _versions(reader: PartitionReader) -> str:
    """What the rows were read with: usually one version."""
    found = {f"{r['reader']}+{r['dictionary_hash'][:12]}" for _, r in reader.rows(["reader", "dictionary_hash"])}
    return " ".join(sorted(found))


def _short(digests: dict[str, str]) -> str:
    import hashlib

    lines = "".join(f"{tenant} {digest}\n" for tenant, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode()).hexdigest()[:12]
