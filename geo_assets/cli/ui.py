"""`geo ui`: the Dagster UI, daemon and code server on the profile's own instance."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack

import click

from geo_assets.cli.common import data_option, settings_of


@click.command()
@data_option
@click.option("--port", type=int, default=3000, show_default=True)
@click.option("--host", default="127.0.0.1", show_default=True)
def ui(data_dir: str | None, port: int, host: str) -> None:
    """The Dagster UI with schedule, sensors and daemon. In the simulated profile the simulator runs beside it."""
    from geo_assets.cli.home import child_environment, prepare_home
    from geo_assets.configuration.loader import load_project
    from geo_assets.platforms.registry import connector

    settings = settings_of(data_dir)
    if _taken(host, port):
        msg = f"port {port} is taken; choose another with --port"
        raise click.UsageError(msg)
    project = load_project(settings.data_dir, dialects=connector)
    home = prepare_home(settings)
    with ExitStack() as stack:
        url = None
        if settings.simulated:
            from geo_assets.simulator.embedded import running_simulator

            url = stack.enter_context(running_simulator(settings, project))
        click.echo(f"Dagster UI at http://{host}:{port} ({settings.profile}; instance in {home}; Ctrl-C stops)")
        process = subprocess.Popen(  # noqa: S603 - our own interpreter
            [sys.executable, "-m", "dagster", "dev", "-m", "geo_assets.definitions", "-p", str(port), "-h", host],
            env=child_environment(settings, url),
            # A shell that starts us in the background sets SIGINT to ignored, and `dagster dev` then never stops.
            preexec_fn=_default_signals if os.name == "posix" else None,  # noqa: PLW1509
        )
        # A service manager ends us with SIGTERM, and a shell may have had SIGINT ignored: both must stop the stack.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            code = process.wait()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            code = process.wait()
    sys.exit(code)


def _default_signals() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _taken(host: str, port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((host, port)) == 0
