"""`geo status` and `geo show`: what the ledger and the evidence store have."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from geo_assets.cli.common import (
    capture_day,
    data_option,
    date_option,
    emit_json,
    json_option,
    local_time,
    project_of,
    settings_of,
    table,
)

if TYPE_CHECKING:
    from geo_assets.ledger.alerts import Delivery
    from geo_assets.ledger.queries import SampleHistory
    from geo_assets.model.answers import Reply
    from geo_assets.model.configuration import Project

_LAYERS = ("submission", "collection", "evidence", "outcomes")


@click.command()
@data_option
@date_option
@json_option
def status(data_dir: str | None, date: str | None, as_json: bool) -> None:
    """The four state layers of a date, per platform, and what is due next."""
    from geo_assets.analysis.safe import safe_terminal
    from geo_assets.configuration.loader import load_platforms
    from geo_assets.ledger import open_ledger

    settings = settings_of(data_dir)
    project = project_of(settings)
    day = capture_day(date, project)
    with open_ledger(settings.ledger_url) as ledger:
        found = [ledger.status(day, p.id) for p in load_platforms(settings.data_dir)]
        whole = ledger.status(day)
        reasons = ledger.day_reasons(day)
        alerts = ledger.alerts(day)
    if as_json:
        rows = [{**asdict(s), "next_due_at": local_time(s.next_due_at, project)} for s in [*found, whole]]
        told = [
            {
                **asdict(a),
                "raised_at": local_time(a.raised_at, project),
                "deliveries": [_delivery(d, project) for d in a.deliveries],
            }
            for a in alerts
        ]
        emit_json({"date": day, "profile": settings.profile, "platforms": rows[:-1], "day": rows[-1], "alerts": told})
        return

    def line(name: str, item: Any) -> dict[str, Any]:
        counts = {layer: getattr(item, layer) for layer in _LAYERS}
        return {
            "platform": name,
            "state": item.state.value,
            "planned": item.planned,
            "received": item.received,
            "open": item.open,
            "late": item.late,
            "attempts": item.attempts,
            **{layer: ", ".join(f"{k} {v}" for k, v in sorted(c.items()) if v) for layer, c in counts.items()},
            "next": local_time(item.next_due_at, project) or "; ".join(item.blocked),
        }

    columns = ("platform", "state", "planned", "received", "open", "late", "attempts", *_LAYERS, "next")
    rows = [line(s.platform or "", s) for s in found] + [line("all", whole)]
    table(rows, {c: c for c in columns}, title=f"{day} ({settings.profile})")
    for (tenant, monitor, platform), reason in sorted(reasons.items()):
        click.echo(f"{platform}: {tenant}/{monitor} not planned: {reason}")
    for alert in alerts:
        told_to = ", ".join(_told(d, project) for d in alert.deliveries) or "nobody told"
        click.echo(f"ALERT {local_time(alert.raised_at, project)} {safe_terminal(str(alert.alert))} ({told_to})")


def _delivery(delivery: "Delivery", project: "Project") -> dict[str, Any]:
    return {**asdict(delivery), "delivered_at": local_time(delivery.delivered_at, project)}


def _told(delivery: "Delivery", project: "Project") -> str:
    when = local_time(delivery.delivered_at, project)
    return f"{delivery.destination} {when}" if when else f"{delivery.destination} not yet: {delivery.error}"


@click.command()
@click.argument("sample")
@data_option
@json_option
def show(sample: str, data_dir: str | None, as_json: bool) -> None:
    """One sample: question, answer as safe text, citations, attempts and exchanges, cost.

    SAMPLE is a sample id or an unambiguous beginning of one.
    """
    from geo_assets.evidence.store import EvidenceStore
    from geo_assets.ledger import open_ledger
    from geo_assets.projection.sample import read_sample

    settings = settings_of(data_dir)
    project = project_of(settings)
    with open_ledger(settings.ledger_url) as ledger:
        history = ledger.sample(sample)
        reply = read_sample(ledger, EvidenceStore(settings.evidence_root).read, history)
    if as_json:
        emit_json({**asdict(history), "reply": None if reply is None else asdict(reply)})
        return
    _print_sample(history, reply, project)


def _print_sample(history: "SampleHistory", reply: "Reply | None", project: "Project") -> None:
    from geo_assets.analysis.safe import safe_terminal
    from geo_assets.model.answers import Completed
    from geo_assets.model.money import format_micros

    s, p = history.sample, history.sample.planned
    mark = "  [SIMULATED]" if p.simulated else ""
    click.echo(f"sample    {p.sample_id}{mark}")
    click.echo(f"question  {safe_terminal(p.question_text)}")
    click.echo(f"asked by  {p.tenant}/{p.monitor} on {p.date} at {p.platform} ({p.model}), repeat {p.repeat_index}")
    state = s.state
    click.echo(f"state     {state.submission.value} · {state.collection.value} · {state.evidence.value}")
    reason = f" ({safe_terminal(s.outcome_reason)})" if s.outcome_reason else ""
    click.echo(f"outcome   {s.outcome.value}{reason}{', late' if s.late else ''}")
    if isinstance(reply, Completed):
        answer = reply.answer
        click.echo(
            f"answer    {answer.finish_reason.value}, search {answer.search_state.value}, {len(answer.text)} chars"
        )
        click.echo("\n" + safe_terminal(answer.text) + "\n")
        cited = [{"n": c.order, "basis": c.basis.value, "title": c.title, "url": c.url} for c in answer.citations or ()]
        if answer.citations is None:
            click.echo("citations: the platform shows none")
        else:
            table(cited, {"n": "n", "basis": "basis", "title": "title", "url": "url"}, title="citations")
    elif reply is not None:
        click.echo(f"reply     {safe_terminal(str(reply))}")
    attempts = [
        {
            "attempt": a.attempt_id,
            "state": a.state,
            "asked": local_time(a.asked_at, project),
            "answered": local_time(a.answered_at, project),
            "error": a.error_class,
            "message": (a.error_message or "")[:80],
            "charged": format_micros(a.charged_micros or 0, a.currency),
        }
        for a in history.attempts
    ]
    headings = ("attempt", "state", "asked", "answered", "error", "message", "charged")
    table(attempts, {h: h for h in headings}, title="attempts")
    exchanges = [
        {
            "attempt": x.attempt_id,
            "leg": x.leg,
            "kind": x.kind,
            "status": x.http_status,
            "bytes": x.response_bytes,
            "digest": (x.response_digest or "")[:16],
            "error": x.error,
        }
        for x in history.exchanges
    ]
    names = ("attempt", "leg", "kind", "status", "bytes", "digest", "error")
    table(exchanges, {h: h for h in names}, title="exchanges")
    entries = [
        {"kind": e.kind, "amount": format_micros(e.amount_micros, e.currency), "note": e.note} for e in history.entries
    ]
    table(entries, {"kind": "entry", "amount": "amount", "note": "note"}, title="cost book")
