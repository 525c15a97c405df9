"""Who runs a run: host, pid and boot id as run tags, so that a run whose owner is dead can be told and ended.

A run started in a process of ours and killed with -9 stays STARTED for ever and would hold its platform's slot.
"""

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import dagster as dg

HOST_TAG, PID_TAG, BOOT_TAG, START_TAG = "geo/host", "geo/pid", "geo/boot_id", "geo/pid_start"
LIVE = (dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.CANCELING)


def boot_id() -> str:
    """An id of this boot of this machine (Linux), else an empty string."""
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return ""


def start_time(pid: int) -> str:
    """When a process started, in the kernel's ticks since boot (Linux): tells a recycled pid. Empty if unknown."""
    with suppress(OSError, IndexError):
        # Field 22 of /proc/[pid]/stat, counted after the parenthesised name, which may hold blanks.
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[19]
    return ""


def owner_tags(pid: int | None = None) -> dict[str, str]:
    """Tags that name a process of this machine (default: this one) as a run's owner."""
    pid = pid or os.getpid()
    return {HOST_TAG: socket.gethostname(), PID_TAG: str(pid), BOOT_TAG: boot_id(), START_TAG: start_time(pid)}


def owner_is_dead(tags: Mapping[str, str]) -> bool:
    """True only if the tags name a process of this machine that is surely gone; another machine's is never judged."""
    if tags.get(HOST_TAG) != socket.gethostname() or not tags.get(PID_TAG, "").isdigit():
        return False
    if tags.get(BOOT_TAG) != boot_id():
        return True
    pid = int(tags[PID_TAG])
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return bool(tags.get(START_TAG)) and start_time(pid) != tags[START_TAG]


def dead_runs(instance: dg.DagsterInstance) -> Iterator[dg.DagsterRun]:
    """Runs that claim to be alive and whose owner is dead."""
    for run in instance.get_runs(filters=dg.RunsFilter(statuses=list(LIVE))):
        if owner_is_dead(run.tags):
            yield run


def fail_dead_runs(instance: dg.DagsterInstance) -> list[str]:
    """End runs of dead owners as failed; returns their ids. Their open samples stand in the ledger and go on."""
    ended = []
    for run in dead_runs(instance):
        instance.report_run_failed(run, "The process that ran this run is gone; open samples go on in the next run.")
        ended.append(run.run_id)
    return ended


class RunOwner(dg.ConfigurableResource["RunOwner"]):
    """Tags the run with its owner. Assets that work for long require it."""

    def setup_for_execution(self, context: dg.InitResourceContext) -> None:
        """Write the tags as soon as the run has a process."""
        if context.run and context.instance:
            context.instance.add_run_tags(context.run.run_id, owner_tags())
