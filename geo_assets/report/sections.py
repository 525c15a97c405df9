"""Sections of the page that come from answers, mentions, citations and the books, as data for the template.

What belongs here: picking, counting and ordering rows for readers. What does not: rates and intervals (`headline`),
markup. Texts of answers are untrusted: they leave here as plain text whose control characters are signs.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from geo_assets.analysis.safe import safe_terminal
from geo_assets.model.readings import Stance
from geo_assets.model.states import RECEIVED, Outcome
from geo_assets.report.inputs import MonitorInput, Row
from geo_assets.report.numbers import money
from geo_assets.report.texts import OUTCOMES, SOURCE_TYPES, WORDS, Text, reason

Item = dict[str, Any]

MAX_DOMAINS, MAX_QUESTIONS, MAX_GHOSTS = 12, 15, 8
_NOT_ASKED = {Outcome.WITHDRAWN, Outcome.CANCELLED, Outcome.OVER_BUDGET, Outcome.NOT_CAPTURED, Outcome.OPEN}


_MARKS = re.compile(r"\*\*|__|`+|(?:^|\s)#{1,6}(?=\s)")


def excerpt(text: str | None, length: int = 180) -> str:
    """Untrusted text as one line of plain text, cut with an ellipsis.

    Control and bidi characters become signs, marks of emphasis and headings go; the template escapes it.
    """
    line = " ".join(_MARKS.sub("", safe_terminal(text or "")).split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def outcome_tone(outcome: str) -> str:
    """Colour class of an exclusion state: good, received, lost, or idle (never asked)."""
    if outcome == Outcome.COUNTED:
        return "good"
    if outcome in _NOT_ASKED:
        return "idle"
    return "received" if outcome in RECEIVED else "lost"


def ledger(monitor: MonitorInput) -> list[Item]:
    """Per platform: where planned samples went, largest group first within the fixed order of states."""
    result = []
    for platform in monitor.platforms:
        numbers = {
            str(r["metric"]).partition(":")[2]: int(r["value"] or 0)
            for r in monitor.daily
            if r["platform"] == platform.id and r["window"] == "date" and str(r["metric"]).startswith("exclusion:")
        }
        parts = [
            {"name": name, "number": numbers[state], "tone": outcome_tone(state), "state": state}
            for state, name in OUTCOMES.items()
            if numbers.get(state)
        ]
        planned = sum(numbers.values())
        health = next(iter(monitor.health.get(platform.id, ())), None)
        result.append(
            {
                "platform": platform,
                "planned": planned,
                "counted": numbers.get(Outcome.COUNTED.value, 0),
                "parts": parts,
                "reason": reason(health["reason"] if health and not planned else None),
            }
        )
    return result


def _counted(rows: Mapping[str, Sequence[Row]]) -> Iterator[tuple[str, Row]]:
    for platform, table in rows.items():
        for row in table:
            if row["outcome"] == Outcome.COUNTED:
                yield platform, row


def domains(monitor: MonitorInput, basis: str) -> Item:
    """Most cited domains of one basis: answers per platform, distinct pages, and whose they are."""
    cited: dict[str, set[tuple[str, str]]] = defaultdict(set)
    pages: dict[str, set[str]] = defaultdict(set)
    about: dict[str, Row] = {}
    for platform, row in _counted(monitor.citations):
        if row["citation_basis"] == basis:
            name = str(row["domain"] or row["host"] or "")
            cited[name].add((platform, str(row["sample_id"])))
            pages[name].add(str(row["page_key"] or row["url"]))
            known = about.get(name)
            if known is None or (row["owner"] and not known["owner"]):
                about[name] = row
    names = {b.id: b.name for b in monitor.dictionary.brands}
    order = sorted(cited, key=lambda d: (-len(cited[d]), d))
    platforms = [p for p in monitor.platforms if any(p.id == c[0] for d in cited.values() for c in d)]
    shown = platforms if len(platforms) > 1 else []
    top = max((len(c) for c in cited.values()), default=1)
    items = []
    for name in order[:MAX_DOMAINS]:
        kind = excerpt(str(about[name]["source_type"]), 30)
        per_platform = Counter(p for p, _ in cited[name])
        items.append(
            {
                "domain": excerpt(name, 60) or WORDS["no_host"],
                "type": SOURCE_TYPES.get(kind, Text(kind, kind)),
                "owner_class": about[name]["owner_class"],
                "owner": names.get(about[name]["owner"] or "", ""),
                "answers": len(cited[name]),
                "share": len(cited[name]) / top,
                "pages": len(pages[name]),
                "per_platform": [per_platform[p.id] for p in shown],
            }
        )
    return {
        "basis": basis,
        "platforms": shown,
        "of": platforms,
        "rows": items,
        "more": max(0, len(order) - MAX_DOMAINS),
    }


def _questions(monitor: MonitorInput) -> dict[tuple[str, str], str]:
    return {
        (platform, str(r["sample_id"])): str(r["question_text"])
        for platform, rows in monitor.answers.items()
        for r in rows
    }


def ghosts(monitor: MonitorInput) -> Item:
    """Counted answers that cite a page of the own brand without naming it."""
    own = monitor.dictionary.own.id
    named = {
        (p, r["sample_id"])
        for p, r in _counted(monitor.mentions)
        if r["brand"] == own and r["mentioned"] and r["stance"] != Stance.ABSENT
    }
    texts = _questions(monitor)
    found: dict[tuple[str, str], Row] = {}
    for platform, row in _counted(monitor.citations):
        key = (platform, str(row["sample_id"]))
        if row["owner"] == own and key not in named:
            found.setdefault(key, row)
    rows = [
        {"platform": p, "question": excerpt(texts.get((p, s), ""), 120), "url": excerpt(str(r["url"]), 90)}
        for (p, s), r in sorted(found.items())
    ]
    return {"number": len(rows), "rows": rows[:MAX_GHOSTS], "more": max(0, len(rows) - MAX_GHOSTS)}


def missing_questions(monitor: MonitorInput) -> Item:
    """Questions naming no brand of which no counted answer names the own brand, and some answer names a competitor."""
    own = monitor.dictionary.own.id
    rivals = {b.id: b.name for b in monitor.dictionary.tracked if b.id != own}
    texts = _questions(monitor)
    seen: dict[str, dict[str, Any]] = {}
    for platform, row in _counted(monitor.mentions):
        if row["question_scope"] != "nonbrand":
            continue
        entry = seen.setdefault(
            str(row["question_revision"]),
            {"own": 0, "answers": set(), "rivals": Counter(), "platforms": set(), "excerpt": None, "text": ""},
        )
        entry["answers"].add((platform, row["sample_id"]))
        entry["text"] = entry["text"] or texts.get((platform, str(row["sample_id"])), "")
        if row["mentioned"] and row["stance"] != Stance.ABSENT:
            entry["own"] += row["brand"] == own
            if row["brand"] in rivals:
                entry["rivals"][row["brand"]] += 1
                entry["platforms"].add(platform)
                place = (row["tracked_rank"] or 99, platform, str(row["sample_id"]))
                if row["context"] and (entry["excerpt"] is None or place < entry["excerpt"][0]):
                    entry["excerpt"] = (place, platform, row["context"])
    lost = [e for e in seen.values() if not e["own"] and e["rivals"]]
    lost.sort(key=lambda e: (-sum(e["rivals"].values()), e["text"]))
    rows = [
        {
            "question": excerpt(e["text"], 160),
            "answers": len(e["answers"]),
            "rivals": [
                {"name": rivals[b], "number": n}
                for b, n in sorted(e["rivals"].items(), key=lambda i: (-i[1], rivals[i[0]]))
            ],
            "excerpt": excerpt(e["excerpt"][2]) if e["excerpt"] else "",
            "platform": e["excerpt"][1] if e["excerpt"] else "",
        }
        for e in lost
    ]
    return {"rows": rows[:MAX_QUESTIONS], "more": max(0, len(rows) - MAX_QUESTIONS)}


def spending(monitor: MonitorInput) -> Item:
    """The books of the day per platform and currency, and a total per currency (currencies are never added up)."""
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    rows = []
    for platform in monitor.platforms:
        for row in monitor.spend.get(platform.id, ()):
            currency = str(row["currency"])
            amounts = {k: int(row[f"{k}_micros"]) for k in ("quoted", "charged", "unreconciled")}
            totals[currency].update(amounts)
            rows.append({"platform": platform, **{k: money(v, currency) for k, v in amounts.items()}})
    return {
        "rows": rows,
        "totals": [
            {k: money(t[k], c) for k in ("quoted", "charged", "unreconciled")} for c, t in sorted(totals.items())
        ],
    }
