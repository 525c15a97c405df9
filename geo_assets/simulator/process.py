"""The simulator as a process of its own, for tests, benchmarks and the local run."""

import os
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from geo_assets.simulator.settings import SimulatorConfig

_READY = "ready "


class SimulatorProcess:
    """Starts a simulator on a free port and stops it again; it also stops when this process is gone.

    Use it as a context manager, or call `start` and `stop`. `url` has neither path nor trailing slash.
    """

    def __init__(self, config: SimulatorConfig, *, port: int = 0, start_timeout: float = 30.0) -> None:
        self.config = config
        self.call_log: Path | None = config.call_log
        self.url = ""
        self._port = port
        self._start_timeout = start_timeout
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> Self:
        """Start and wait until it listens. Raises RuntimeError with its last words if it does not come up."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "simulator.json"
            file.write_text(self.config.model_dump_json(), encoding="utf-8")
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                [
                    sys.executable, "-m", "geo_assets.simulator",
                    "--config", str(file), "--port", str(self._port), "--parent-pid", str(os.getpid()),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,  # Ctrl-C reaches the one who started us, who then stops us
            )  # fmt: skip
            self.url = self._wait_until_ready(self._process)
        return self

    def stop(self) -> None:
        """Stop it; a second call does nothing."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout:
            process.stdout.close()

    def kill(self) -> None:
        """End it without any chance to tidy up, as a crash would."""
        if self._process is not None:
            self._process.kill()
        self.stop()

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._process.pid if self._process else None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _wait_until_ready(self, process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        deadline = time.monotonic() + self._start_timeout
        while time.monotonic() < deadline:
            readable, _, _ = select.select([process.stdout], [], [], 0.2)
            if readable:
                line = process.stdout.readline()
                if line.startswith(_READY):
                    return line.removeprefix(_READY).strip()
                if not line:
                    break
        self.stop()
        message = f"the simulator did not start within {self._start_timeout:g} s (its messages are on standard error)"
        raise RuntimeError(message)
