"""`geo uncertain`, `geo resolve`, `geo cancel`, `geo resume`: decisions of people, recorded with who and why."""

import getpass
from typing import TYPE_CHECKING, Any

import click

from geo_assets.cli.common import (
    capture_day,
    data_option,
    emit_json,
    json_option,
    local_time,
    project_of,
    settings_of,
    table,
)
from geo_assets.settings import Settings

if TYPE_CHECKING:
    from geo_assets.configuration.loader import LoadedProject
    from geo_assets.ledger import Ledger

_WHO = click.option("--who", default=getpass.getuser, show_default="your user name", help="Who decides.")
_WHY = click.option("--why", required=True, help="The reason; it is recorded.")
_DECISIONS = ("ask_again", "not_executed", "charged", "give_up")


@click.command()
@data_option
@click.option("--date", metavar="YYYY-MM-DD", help="Only this date (default: all).")
@click.option("--platform", help="Only this platform.")
@json_option
def uncertain(data_dir: str | None, date: str | None, platform: str | None, as_json: bool) -> None:
    """Samples that the platform may or may not have executed, oldest first."""
    from geo_assets.ledger import open_ledger

    settings = settings_of(data_dir)
    project = project_of(settings)
    day = capture_day(date, project) if date else None
    rows: list[dict[str, Any]] = []
    with open_ledger(settings.ledger_url) as ledger:
        for sample_id in ledger.uncertain(day, platform):
            history = ledger.sample(sample_id)
            last = history.attempts[-1] if history.attempts else None
            rows.append(
                {
                    "sample": sample_id,
                    "date": history.sample.planned.date,
                    "platform": history.sample.planned.platform,
                    "monitor": history.sample.planned.monitor,
                    "outcome": history.sample.outcome.value,
                    "last try": local_time(last.asked_at or last.claimed_at, project) if last else None,
                    "error": last.error_class if last else None,
                    "message": last.error_message if last else None,
                    "question": history.sample.planned.question_text,
                }
            )
    if as_json:
        emit_json(rows)
    elif rows:
        names = ("sample", "date", "platform", "monitor", "outcome", "last try", "error", "message", "question")
        table(rows, {n: n for n in names})
        click.echo(f"decide with: geo resolve SAMPLE {{{'|'.join(_DECISIONS)}}} --why …")
    else:
        click.echo("nothing is uncertain")


@click.command()
@click.argument("sample")
@click.argument("decision", type=click.Choice(_DECISIONS))
@data_option
@_WHO
@_WHY
@json_option
def resolve(sample: str, decision: str, data_dir: str | None, who: str, why: str, as_json: bool) -> None:
    r"""Decide an uncertain SAMPLE.

    \b
    ask_again     ask once more (on its capture date only)
    not_executed  the platform did not run it: failed, the reserve is given back
    charged       the platform ran it, the answer is lost: failed, the reserve becomes a charge
    give_up       failed, the money stays unreconciled
    """
    from geo_assets.ledger import Decision, open_ledger

    settings = settings_of(data_dir)
    today = capture_day(None, project_of(settings))
    with open_ledger(settings.ledger_url) as ledger:
        ledger.resolve(sample, Decision(decision), reason=why, who=who, today=today)
        found = ledger.sample(sample).sample
    if as_json:
        emit_json({"sample": found.sample_id, "outcome": found.outcome.value, "reason": found.outcome_reason})
    else:
        click.echo(f"{found.sample_id}: {found.outcome.value} ({found.outcome_reason or 'due again'})")


@click.command()
@click.argument("sample", required=False)
@data_option
@click.option("--date", metavar="YYYY-MM-DD", help="Cancel open samples of this date …")
@click.option("--platform", help="… on this platform,")
@click.option("--monitor", help="… of this monitor.")
@_WHO
@_WHY
@json_option
def cancel(
    sample: str | None,
    data_dir: str | None,
    date: str | None,
    platform: str | None,
    monitor: str | None,
    who: str,
    why: str,
    as_json: bool,
) -> None:
    """Cancel a SAMPLE, or the open samples of a date on a platform or of a monitor.

    What was not submitted is withdrawn; accepted jobs are cancelled at the platform where it can do that. Nothing is
    refunded by itself.
    """
    from geo_assets.configuration.loader import load_project
    from geo_assets.ledger import open_ledger

    settings = settings_of(data_dir)
    if sample is None and (date is None or (platform is None and monitor is None)):
        msg = "say what to cancel: a SAMPLE, or --date with --platform or --monitor"
        raise click.UsageError(msg)
    project = load_project(settings.data_dir)
    day = capture_day(date, project.project) if date else None
    with open_ledger(settings.ledger_url) as ledger:
        tenant = None
        if monitor is not None:
            known = {b.monitor: b.tenant for b in ledger.batches(day or "")}
            if monitor not in known:
                msg = f"monitor `{monitor}` has no plan on {day}; planned: {', '.join(sorted(known)) or 'none'}"
                raise click.UsageError(msg)
            tenant = known[monitor]
        done = ledger.cancel(
            who=who,
            reason=why,
            sample_id=sample,
            date=day,
            platform=platform,
            monitor=(tenant, monitor) if tenant and monitor else None,
        )
        upstream = _cancel_upstream(settings, project, ledger, done.jobs)
    if as_json:
        emit_json({"withdrawn": done.withdrawn, "jobs": upstream})
        return
    click.echo(f"{done.withdrawn} samples ended here")
    for line in upstream:
        click.echo(f"{line['platform']}: {line['cancelled']} of {line['jobs']} accepted jobs cancelled. {line['note']}")


def _cancel_upstream(
    settings: Settings, project: "LoadedProject", ledger: "Ledger", jobs: tuple[tuple[str, str, str], ...]
) -> list[dict[str, Any]]:
    """Ask the platforms to cancel accepted jobs; says for each platform how many it took."""
    if not jobs:
        return []
    from geo_assets.collection.cancelling import cancel_upstream
    from geo_assets.collection.requests import Slice, collect_request, keys_of
    from geo_assets.evidence.store import EvidenceStore
    from geo_assets.platforms.registry import connector
    from geo_assets.simulator.settings import SIMULATED_KEY, simulated_base_url

    by_partition: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    for job in jobs:
        planned = ledger.sample(job[0]).sample.planned
        by_partition.setdefault((planned.date, planned.platform), []).append(job)
    lines: list[dict[str, Any]] = []
    for (date, name), mine in sorted(by_partition.items()):
        platform = project.platform(name)
        url = settings.simulator_url if settings.simulated else None
        if settings.simulated and url is None:
            lines.append({"platform": name, "jobs": len(mine), "cancelled": 0, "note": "GEO_SIMULATOR_URL is not set"})
            continue
        request = collect_request(
            project,
            platform,
            date,
            Slice(),
            base_url=simulated_base_url(url, platform) if url else platform.base_url,
            keys=keys_of(platform, settings.profile, SIMULATED_KEY),
        )
        taken = cancel_upstream(
            request, ledger, EvidenceStore(settings.evidence_root), connector(platform.dialect), mine
        )
        note = "" if taken == len(mine) else "the rest runs on and is billed"
        lines.append({"platform": name, "jobs": len(mine), "cancelled": taken, "note": note})
    return lines


@click.command()
@click.argument("platform")
@click.option("--account", default="main", show_default=True)
@data_option
@_WHO
@_WHY
def resume(platform: str, account: str, data_dir: str | None, who: str, why: str) -> None:
    """Let a PLATFORM's account go on that was stopped (wrong key, no quota) or whose breaker is open."""
    from geo_assets.ledger import open_ledger

    with open_ledger(settings_of(data_dir).ledger_url) as ledger:
        ledger.resume_account(platform, account, who=who, reason=why)
    click.echo(f"{platform}/{account} may be asked again")
