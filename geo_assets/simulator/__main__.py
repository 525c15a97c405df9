"""`python -m geo_assets.simulator`: the simulator alone, configured by files, options and environment variables."""

import json
from pathlib import Path
from typing import Any

import click
from pydantic import ValidationError

from geo_assets.simulator.server import serve
from geo_assets.simulator.settings import SimulatorConfig


@click.command()
@click.option(
    "--config", "config_file", type=click.Path(exists=True, path_type=Path), help="Whole configuration, JSON."
)
@click.option("--platforms", type=click.Path(exists=True, path_type=Path), help="List of simulated platforms, JSON.")
@click.option("--markets", type=click.Path(exists=True, path_type=Path), help="List of markets, JSON.")
@click.option("--faults", envvar="GEO_SIMULATOR_FAULTS", help="Fault plan: JSON, or a file that holds it.")
@click.option("--answers", type=click.Path(exists=True, path_type=Path), help="Recorded answers to replay, JSON Lines.")
@click.option("--call-log", type=click.Path(path_type=Path), help="Where the calls are logged, JSON Lines.")
@click.option("--seed", type=int, help="Another seed gives other answers.")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=int, default=0, help="0 takes a free port.")
@click.option("--parent-pid", type=int, hidden=True)
def main(
    config_file: Path | None,
    platforms: Path | None,
    markets: Path | None,
    faults: str | None,
    answers: Path | None,
    call_log: Path | None,
    seed: int | None,
    host: str,
    port: int,
    parent_pid: int | None,
) -> None:
    """Serve simulated AI platforms over their real wire formats. Prints `ready URL` once it listens."""
    document: dict[str, Any] = _read(config_file) if config_file else {}
    for name, file in (("platforms", platforms), ("markets", markets)):
        if file:
            document[name] = _read(file)
    if faults:
        document["faults"] = json.loads(faults) if faults.lstrip().startswith("{") else _read(Path(faults))
    for name, value in (("answers", answers), ("call_log", call_log), ("seed", seed)):
        if value is not None:
            document[name] = str(value) if isinstance(value, Path) else value
    try:
        config = SimulatorConfig.model_validate_json(json.dumps(document))
    except ValidationError as error:
        problems = "\n".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise click.ClickException(problems) from error
    serve(config, host, port, lambda url: click.echo(f"ready {url}"), parent_pid=parent_pid)


def _read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
