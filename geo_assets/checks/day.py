"""What must hold of a day, over all platforms: complete, unique, reconciled, and the sums equal the plan."""

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import Any

from geo_assets.lake.store import Lake, Partition
from geo_assets.model.states import Outcome

COMPLETE = 0.8
SAMPLED_DIGESTS = 50


@dataclass(slots=True)
class Finding:
    """The result of one check of a day. `detail`: platform (or place) → what is wrong, empty where nothing is."""

    name: str
    detail: dict[str, str] = field(default_factory=dict)
    seen: int = 0

    @property
    def passed(self) -> bool:
        """Whether nothing was found."""
        return not self.detail


def completeness(lake: Lake, date: str, platforms: Iterable[str]) -> Finding:
    """Every platform has counted at least 80 % of its plan; nothing is open. A warning, not an error: days are late."""
    found = Finding("completeness")
    for name in platforms:
        outcomes = Counter(r["outcome"] for _, r in _rows(lake, "answers", date, name, ["outcome"]))
        planned = sum(outcomes.values()) - outcomes[Outcome.WITHDRAWN.value]
        if not planned:
            continue
        found.seen += planned
        counted, still_open = outcomes[Outcome.COUNTED.value], outcomes[Outcome.OPEN.value]
        if still_open:
            found.detail[name] = f"{still_open} of {planned} open"
        elif counted < COMPLETE * planned:
            found.detail[name] = f"counted {counted} of {planned}"
    return found


def one_row_per_sample(lake: Lake, date: str, platforms: Iterable[str]) -> Finding:
    """Plan, responses and answers have exactly the same samples, each once."""
    found = Finding("one_row_per_sample")
    tables = ("sampling_plan", "raw_responses", "answers")
    for name in platforms:
        streams = [_samples(lake, table, date, name) for table in tables]
        twice: list[str] = []
        odd: list[str] = []
        # All tables are in the order of tenant, monitor and sample, so they are compared in step.
        for (_, _, sample), group in groupby(heapq.merge(*streams), key=lambda item: item[:3]):
            present = [table for *_, table in group]
            found.seen += present.count("sampling_plan")
            if len(present) > len(set(present)):
                twice.append(sample)
            elif len(present) < len(tables):
                odd.append(sample)
        if twice:
            found.detail[name] = f"{len(twice)} samples stand twice, first {twice[0]}"
        elif odd:
            found.detail[name] = f"{len(odd)} samples are not in all tables, first {odd[0]}"
    return found


def exclusions_sum_to_plan(lake: Lake, date: str, platforms: Iterable[str]) -> Finding:
    """The published exclusion rows of every monitor sum to its plan, and every state is a known one."""
    found = Finding("exclusions_sum_to_plan")
    known = {f"exclusion:{o.value}" for o in Outcome}
    for name in platforms:
        planned = Counter((t, r["monitor"]) for t, r in _rows(lake, "sampling_plan", date, name, ["monitor"]))
        sums: Counter[tuple[str, str]] = Counter()
        columns = ["monitor", "metric", "segment", "question_scope", "search_scope", "value", "numerator"]
        for tenant, row in _rows(lake, "visibility_metrics", date, name, columns):
            whole = row["segment"] == "all" and row["question_scope"] == "all" and row["search_scope"] == "all"
            if not row["metric"].startswith("exclusion:") or not whole:
                continue
            if row["metric"] not in known:
                found.detail[name] = f"unknown state {row['metric']}"
            sums[tenant, row["monitor"]] += int(row["numerator"] or 0)
        found.seen += sum(planned.values())
        for key, n in planned.items():
            if sums[key] != n:
                found.detail[name] = f"{'/'.join(key)}: exclusions sum to {sums[key]}, the plan has {n}"
    return found


def books_balance(lake: Lake, date: str, platforms: Iterable[str]) -> Finding:
    """Every attempt is explained by its cost entries."""
    found = Finding("books_balance")
    for name in platforms:
        for tenant, row in _rows(lake, "spend", date, name, ["monitor", "attempts", "unexplained"]):
            found.seen += row["attempts"]
            if row["unexplained"]:
                found.detail[f"{name}/{tenant}/{row['monitor']}"] = f"{row['unexplained']} attempts without entries"
    return found


def evidence_is_whole(
    lake: Lake, date: str, platforms: Iterable[str], read: Callable[[str], bytes], *, limit: int = SAMPLED_DIGESTS
) -> Finding:
    """Entities that counted answers were read from are there and have their digest (a spread sample per platform)."""
    found = Finding("evidence_is_whole")
    for name in platforms:
        rows = lake.read_or_empty("answers", Partition(date, name))
        step = max(1, -(-rows.count() // limit))
        spread = islice(rows.rows(["evidence_digest"]), 0, None, step)
        for digest in sorted({r["evidence_digest"] for _, r in spread} - {None}):
            found.seen += 1
            try:
                read(digest)
            except Exception as error:  # noqa: BLE001 - whatever the store says is the finding
                found.detail[name] = f"{type(error).__name__}: {error}"
    return found


def profiles_do_not_mix(lake: Lake, date: str, platforms: Iterable[str], *, simulated: bool) -> Finding:
    """Every row carries the mark of this profile."""
    found = Finding("profiles_do_not_mix")
    for name in platforms:
        for _, row in _rows(lake, "answers", date, name, ["simulated"]):
            found.seen += 1
            if row["simulated"] != simulated:
                found.detail[name] = "rows of the other profile"
    return found


def _samples(lake: Lake, table: str, date: str, platform: str) -> Iterator[tuple[str, str, str, str]]:
    """(tenant, monitor, sample id, table) of every row, in table order."""
    for tenant, row in _rows(lake, table, date, platform, ["monitor", "sample_id"]):
        yield tenant, row["monitor"], row["sample_id"], table


def _rows(lake: Lake, table: str, date: str, platform: str, columns: list[str]) -> Iterable[tuple[str, dict[str, Any]]]:
    return lake.read_or_empty(table, Partition(date, platform)).rows(columns)
