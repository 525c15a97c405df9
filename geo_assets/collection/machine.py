"""Who this process is, and whether another one on the same machine still lives."""

import os
import secrets
import socket
from pathlib import Path

from geo_assets.ledger.leases import WorkerRow


def boot_id() -> str:
    """Changes when the machine starts anew; empty where the system has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def process_start(pid: int) -> str:
    """When a process began (clock ticks since boot); empty where it cannot be seen or has ended.

    A pid that is used again is not taken for the same process.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
    fields = text.rpartition(")")[2].split()
    return "" if fields[0] == "Z" else fields[19]


def this_worker() -> WorkerRow:
    """A fresh worker identity for this process."""
    pid = os.getpid()
    worker_id = f"w-{pid}-{secrets.token_hex(6)}"
    return WorkerRow(worker_id, socket.gethostname(), pid, boot_id(), process_start(pid), 0)


def is_gone(worker: WorkerRow) -> bool:
    """Whether the worker's process is known to have ended. Of other hosts nothing is known."""
    if worker.host != socket.gethostname():
        return False
    if worker.boot_id != boot_id():
        return True
    if worker.process_start:
        return process_start(worker.pid) != worker.process_start
    try:
        os.kill(worker.pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
