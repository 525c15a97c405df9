"""`geo simulate`: the platform simulator alone, in the foreground."""

import click

from geo_assets.cli.common import data_option, emit_json, json_option, settings_of


@click.command()
@data_option
@click.option("--port", type=int, default=8777, show_default=True, help="0 takes a free port.")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option(
    "--answers",
    type=click.Path(exists=True, dir_okay=False),
    envvar="GEO_ANSWERS",
    help="Recorded answers to replay, JSON Lines with question and answer_text.",
)
@click.option(
    "--faults",
    type=click.Path(exists=True, dir_okay=False),
    envvar="GEO_FAULT_PLAN",
    help="Faults to inject, JSON (see docs/operations.md).",
)
@json_option
def simulate(
    data_dir: str | None, port: int, host: str, answers: str | None, faults: str | None, as_json: bool
) -> None:
    """Serve the configured platforms over their real wire formats until interrupted.

    Point other processes at it with GEO_SIMULATOR_URL. Keys: the word `simulated`.
    """
    from dataclasses import replace
    from pathlib import Path

    from geo_assets.configuration.loader import load_project
    from geo_assets.simulator.embedded import simulator_config
    from geo_assets.simulator.server import serve

    settings = settings_of(data_dir)
    settings = replace(
        settings,
        answers_file=Path(answers).resolve() if answers else None,
        fault_plan=Path(faults).resolve() if faults else None,
    )
    project = load_project(settings.data_dir)
    settings.call_log.parent.mkdir(parents=True, exist_ok=True)

    def ready(url: str) -> None:
        if as_json:
            emit_json({"url": url, "platforms": [p.id for p in project.platforms], "call_log": str(settings.call_log)})
            return
        click.echo(f"Simulating {len(project.platforms)} platforms at {url} (Ctrl-C stops)")
        click.echo(f"  GEO_SIMULATOR_URL={url}")
        click.echo(f"  calls are logged to {settings.call_log}")

    serve(simulator_config(settings, project), host, port, ready)
