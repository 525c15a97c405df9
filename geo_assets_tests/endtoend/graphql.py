"""The UI's own interface, as the browser speaks it: GraphQL over HTTP against a running `dagster dev`."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from geo_assets_tests.endtoend.projects import ROOT

REPOSITORY = {"repositoryName": "__repository__", "repositoryLocationName": "geo_assets.definitions"}

BACKFILL = """
mutation($params: LaunchBackfillParams!) { launchPartitionBackfill(backfillParams: $params) {
  __typename ... on LaunchBackfillSuccess { backfillId } ... on PythonError { message } } }"""
STATUS = """query($id: String!) { partitionBackfillOrError(backfillId: $id) {
  ... on PartitionBackfill { status runs { runId status tags { key value } } } } }"""
RUNS = """query($filter: RunsFilter) { runsOrError(filter: $filter) {
  ... on Runs { results { runId status tags { key value } } } } }"""
TERMINATE = """mutation($id: String!) { terminateRun(runId: $id) {
  __typename ... on TerminateRunFailure { message } ... on PythonError { message } } }"""
STALE = """query($assets: [AssetKeyInput!]!, $key: String!) { assetNodes(assetKeys: $assets) {
  assetKey { path } staleStatus(partition: $key)
  staleCauses(partition: $key) { category key { path } reason } } }"""
LAUNCH = """mutation($params: ExecutionParams!) { launchPipelineExecution(executionParams: $params) {
  __typename ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } } }"""


@contextmanager
def serve(folder: Path, **env: str) -> Iterator["Ui"]:
    """A running `geo ui` on a project, without automation; ended as a service manager does, the whole stack with it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("GEO_", "DAGSTER"))}
    process = subprocess.Popen(
        [sys.executable, "-m", "geo_assets.cli", "ui", "--data", str(folder), "--port", str(port)],
        env={**clean, "GEO_AUTOMATION": "off", **env},
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        ui = Ui(f"http://127.0.0.1:{port}")
        ui.wait_until_up()
        yield ui
    finally:
        process.terminate()
        try:
            process.wait(timeout=40)
            with socket.socket() as probe:
                assert probe.connect_ex(("127.0.0.1", port)) != 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


class Ui:
    """A client of one running UI."""

    def __init__(self, url: str) -> None:
        self.url = url

    def query(self, text: str, **variables: Any) -> Any:
        """The data of a query; AssertionError on any error."""
        body = json.dumps({"query": text, "variables": variables}).encode()
        request = urllib.request.Request(f"{self.url}/graphql", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as response:
            found = json.load(response)
        assert "errors" not in found, found["errors"]
        return found["data"]

    def wait_until_up(self, seconds: float = 120) -> None:
        """Wait for the code location to be loaded."""

        def loaded() -> bool:
            try:
                found = self.query(
                    "{ repositoriesOrError { __typename ... on RepositoryConnection { nodes { name } } } }"
                )
            except (OSError, urllib.error.URLError, AssertionError):
                return False
            return bool(found["repositoriesOrError"].get("nodes"))

        wait_for(loaded, seconds, "the UI to load the code location")

    def backfill(self, assets: list[str], partitions: list[str]) -> str:
        """What the UI sends for "materialize" over several partitions; returns the backfill's id."""
        params = {
            "assetSelection": [{"path": [a]} for a in assets],
            "partitionNames": partitions,
            "fromFailure": False,
            "tags": [{"key": "dagster/from_ui", "value": "true"}],
        }
        found = self.query(BACKFILL, params=params)["launchPartitionBackfill"]
        assert found["__typename"] == "LaunchBackfillSuccess", found
        return str(found["backfillId"])

    def wait_for_backfill(self, backfill: str, seconds: float = 420) -> list[dict[str, Any]]:
        """Wait for a backfill to succeed; returns its runs."""
        last: dict[str, Any] = {}

        def done() -> bool:
            nonlocal last
            last = self.query(STATUS, id=backfill)["partitionBackfillOrError"]
            assert last["status"] not in {"COMPLETED_FAILED", "FAILED", "CANCELED"}, last
            return last["status"] == "COMPLETED_SUCCESS"

        wait_for(done, seconds, f"backfill {backfill}")
        return list(last["runs"])

    def run_job(self, job: str, seconds: float = 180) -> None:
        """Launch a job without partitions and wait until it has succeeded."""
        params = {"selector": {**REPOSITORY, "pipelineName": job}, "runConfigData": "{}"}
        found = self.query(LAUNCH, params=params)["launchPipelineExecution"]
        assert found["__typename"] == "LaunchRunSuccess", found
        run = found["run"]["runId"]

        def done() -> bool:
            [row] = self.query(RUNS, filter={"runIds": [run]})["runsOrError"]["results"]
            assert row["status"] not in {"FAILURE", "CANCELED"}, row
            return bool(row["status"] == "SUCCESS")

        wait_for(done, seconds, f"job {job}")

    def staleness(self, partition: str, *assets: str) -> dict[str, tuple[str, list[tuple[str, str]]]]:
        """What the UI shows of a partition: asset → its status, and its root causes as (category, asset changed)."""
        keys = [{"path": [a]} for a in assets]
        nodes = self.query(STALE, assets=keys, key=partition)["assetNodes"]
        return {
            n["assetKey"]["path"][-1]: (
                n["staleStatus"],
                sorted({(c["category"], c["key"]["path"][-1]) for c in n["staleCauses"]}),
            )
            for n in nodes
        }

    def runs(self, **tags: str) -> list[dict[str, Any]]:
        """Runs with these tags, newest first."""
        wanted = [{"key": k.replace("__", "/"), "value": v} for k, v in tags.items()]
        return list(self.query(RUNS, filter={"tags": wanted})["runsOrError"]["results"])

    def terminate(self, run_id: str) -> None:
        """Press Terminate."""
        found = self.query(TERMINATE, id=run_id)["terminateRun"]
        assert found["__typename"] == "TerminateRunSuccess", found


def wait_for(condition: Callable[[], bool], seconds: float, what: str) -> float:
    """Wait until a condition holds; returns how long it took."""
    started = time.monotonic()
    while not condition():
        assert time.monotonic() - started < seconds, f"waited {seconds:.0f} s for {what}"
        time.sleep(0.3)
    return time.monotonic() - started
