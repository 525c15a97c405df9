"""The `geo` command. Commands are imported when they are called, so that `geo --help` costs next to nothing.

What belongs here: the list of commands and what all of them share. What does not: what a command does; each lives in a
module of its own beside this one.
"""

import importlib
import sys
from typing import Any

import click

COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("run:run", "Ask today's questions and publish the day; asks nothing twice."),
    "ui": ("ui:ui", "The Dagster UI with schedule, sensors and daemon."),
    "check": ("config:check", "Check all configuration files: file, line, field, remedy."),
    "plan": ("config:plan", "What would be asked on a date, and its quote; stores nothing."),
    "status": ("inspect:status", "The four state layers of a date, per platform."),
    "show": ("inspect:show", "One sample: question, answer, citations, attempts, cost."),
    "uncertain": ("operate:uncertain", "Samples that the platform may or may not have executed."),
    "resolve": ("operate:resolve", "Decide an uncertain sample, with a reason that is recorded."),
    "cancel": ("operate:cancel", "Withdraw or cancel samples of a sample id, a monitor or a partition."),
    "resume": ("operate:resume", "Let a stopped account go on."),
    "simulate": ("simulate:simulate", "The platform simulator alone."),
    "read": ("read:read", "Read texts of your own: mentions, validity, urls, domains (JSON Lines)."),
    "review": ("review:review", "Cases in doubt: export them, decide them, import decisions."),
    "diff": ("review:diff", "What changed between two readings of a date."),
}


class _LazyGroup(click.Group):
    """A group that knows its commands' one-line help without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(f"geo_assets.cli.{module}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="geo-assets", message="geo %(version)s")
def cli() -> None:
    """Brand visibility in AI answers: ask, keep the evidence, read it, publish the numbers.

    Every command takes --data DIR: a folder with project.yaml, platforms.yaml and monitors/. Outputs go below it, one
    folder per profile. GEO_PROFILE=live asks the real platforms with keys from the environment.
    """


def main(argv: list[str] | None = None) -> Any:
    """Entry point of `geo`. Known errors become one clear message and exit code 2, without a traceback."""
    from geo_assets.cli.errors import explain

    try:
        return cli.main(args=argv, prog_name="geo")
    except Exception as error:
        message = explain(error)
        if message is None:
            raise
        from geo_assets.analysis.safe import safe_terminal

        click.echo(safe_terminal(message), err=True)  # it may quote what a platform sent
        sys.exit(2)
