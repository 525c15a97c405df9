"""Sections of the page about the reading itself: cases for people to decide, names that nobody tracks.

What belongs here: picking and ordering rows for readers. What does not: finding doubts (`analysis.review`) and names
(`analysis.candidates`), markup. Texts of answers are untrusted: they leave here as plain text, whole
answers as what the sanitiser leaves of them.
"""

from typing import Any

from markupsafe import Markup

from geo_assets.analysis.folding import fold
from geo_assets.analysis.review import ReviewItem
from geo_assets.analysis.safe import safe_html
from geo_assets.model.review import CHOICES, ReviewField
from geo_assets.report.inputs import MonitorInput, Row
from geo_assets.report.numbers import percent
from geo_assets.report.sections import excerpt
from geo_assets.report.texts import OUTCOMES, WORDS, Text

Item = dict[str, Any]

MAX_REVIEWS, MAX_NAMES = 15, 12
_ID = 16
"""Digits of a sample id that are shown; commands take any unambiguous beginning."""


def reviews(monitor: MonitorInput) -> Item:
    """Undecided cases, the own brand's first, then other brands', then whole answers; surest guesses last."""
    own = monitor.dictionary.own.id
    cases = sorted(
        ((p.id, item) for p in monitor.platforms for item in monitor.doubts.get(p.id, ())),
        key=lambda c: (not c[1].brand, c[1].brand != own, c[1].confidence, c[1].brand, c[0], c[1].sample_id),
    )
    names = {b.id: b.name for b in monitor.dictionary.brands}
    rows = [
        {
            "platform": platform,
            "about": Text(name, name) if (name := names.get(item.brand, item.brand)) else WORDS["whole_answer"],
            "guess": _guess(item),
            "sure": percent(item.confidence),
            "question": excerpt(item.question, 120),
            "context": excerpt(item.context, 400),
            "reason": excerpt(item.reason, 120),
            "answer": Markup(safe_html(item.answer)),  # noqa: S704 - made inert
            "choices": " · ".join(CHOICES[item.field]),
            "command": _command(item),
        }
        for platform, item in cases[:MAX_REVIEWS]
    ]
    return {"rows": rows, "more": max(0, len(cases) - MAX_REVIEWS), "number": len(cases)}


def _guess(item: ReviewItem) -> Text:
    if item.field is ReviewField.MENTIONED:
        return WORDS["guess_named" if item.guess == "yes" else "guess_not"]
    shown = excerpt(item.guess, 30)
    known = Text(shown, shown)
    return WORDS["guess"].fill(value=WORDS["usable"] if item.guess == "ok" else OUTCOMES.get(item.guess, known))


def _command(item: ReviewItem) -> str:
    """What a person completes and runs; as it stands it is refused. Ids are the project's own, no text of an answer."""
    about = f" --brand {item.brand}" if item.brand else ""
    return f'geo review decide {item.sample_id[:_ID]}{about} --decision "" --who "" --why ""'


def untracked(monitor: MonitorInput) -> Item:
    """Names that nobody tracks, by answers over all platforms; spellings that read alike are one."""
    found: dict[str, list[tuple[str, Row]]] = {}
    for platform in monitor.platforms:
        for row in monitor.untracked_names.get(platform.id, ()):
            found.setdefault(fold(row["name"]), []).append((platform.id, row))
    order = sorted(found.values(), key=lambda rows: (-sum(r["answers"] for _, r in rows), rows[0][1]["name"]))
    shown = []
    for rows in order[:MAX_NAMES]:
        best = min(rows, key=lambda r: (r[1]["best_list_rank"] is None, r[1]["best_list_rank"], -r[1]["answers"]))
        shown.append(
            {
                "name": excerpt(rows[0][1]["name"], 60),
                "answers": sum(r["answers"] for _, r in rows),
                "per_platform": [
                    {"platform": platform, "share": f"{r['answers']}/{r['answers_read']}"} for platform, r in rows
                ],
                "place": best[1]["best_list_rank"],
                "example": excerpt(best[1]["example_context"], 160),
                "platform": best[0],
            }
        )
    return {"rows": shown, "more": max(0, len(order) - MAX_NAMES)}
