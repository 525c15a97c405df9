"""The page: `render_report` puts the sections into the template. One file, no scripts, nothing loaded from outside."""

from collections.abc import Mapping
from typing import Any

from geo_assets.metrics.names import NAMES
from geo_assets.report import headline, readings, sections
from geo_assets.report.inputs import MonitorInput, ReportInput
from geo_assets.report.texts import CHANNELS, WORDS, Text

EXPLAINED = (
    "mention_rate",
    "sov_answers",
    "first_mention_rate",
    "reciprocal_rank",
    "mean_rank",
    "recommended_rate",
    "negative_rate",
    "citation_rate",
    "ghost_rate",
)


def monitor_view(monitor: MonitorInput, date: str) -> dict[str, Any]:
    """Everything that the template shows of one monitor."""
    numbers = headline.Numbers(monitor.daily)
    bases = {str(r["citation_basis"]) for rows in monitor.citations.values() for r in rows}
    questions = {r["question_revision"] for rows in monitor.answers.values() for r in rows}
    versions = {
        str(r["reading_version"]) for r in monitor.daily if r["window"] == "date" and r["platform"] != headline.ALL
    }
    return {
        "id": monitor.monitor,
        "own": monitor.dictionary.own.name,
        "questions": len(questions),
        "platforms": [
            {
                "name": headline.platform_name(p),
                "channel": CHANNELS.get(p.channel, Text(p.channel, p.channel)),
                "model": p.model,
            }
            for p in monitor.platforms
        ],
        "names": headline.platform_names(monitor),
        "columns": [headline.platform_name(p) for p in headline.columns(monitor)],
        "leads": headline.leads(monitor, numbers),
        "cards": headline.cards(monitor, numbers),
        "who": headline.who(monitor, numbers),
        "more_brands": max(0, len(monitor.dictionary.tracked) - headline.MAX_BRANDS),
        "standing": headline.standing(monitor, numbers),
        "trend": headline.trends(monitor, date),
        "verdicts": headline.verdicts(monitor),
        "domains": [sections.domains(monitor, basis) for basis in ("cited", "retrieved") if basis in bases],
        "ghosts": sections.ghosts(monitor),
        "ledger": sections.ledger(monitor),
        "missing": sections.missing_questions(monitor),
        "untracked": readings.untracked(monitor),
        "reviews": readings.reviews(monitor),
        "spend": sections.spending(monitor),
        "readings": sorted(versions),
    }


def render_report(date: str, data: ReportInput, *, language: str | None = None) -> str:
    """The report of one date as a self-contained HTML page.

    Both languages are on the page; a switch without scripts shows one. The same input gives the same bytes.

    Args:
        date: the capture date, YYYY-MM-DD.
        data: rows of the tables.
        language: the language shown first, zh or en; the first monitor's where None.

    Raises:
        ValueError: rows of another profile than the page's, for simulated and live numbers never share a page.
    """
    import jinja2

    shown: list[dict[str, Any]] = []
    first = language
    for monitor in data.monitors:
        if any(bool(r["simulated"]) != data.simulated for r in monitor.daily):
            raise ValueError(
                f"{monitor.monitor}: simulated and live rows on one page; build the report from the lake of one profile"
            )
        shown.append(monitor_view(monitor, date))
        first = first or monitor.language
        del monitor  # before the next one is read
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("geo_assets.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.j2").render(
        date=date,
        project=data.project,
        simulated=data.simulated,
        timezone=data.timezone,
        language=first or "zh",
        monitors=shown,
        words=WORDS,
        explained=[explanation(name) for name in EXPLAINED],
    )


def explanation(metric: str) -> Mapping[str, Text]:
    """A metric's name and meaning, for the page's notes."""
    entry = NAMES[metric]
    return {"name": Text(entry.zh, entry.en), "means": Text(entry.means_zh, entry.means_en)}
