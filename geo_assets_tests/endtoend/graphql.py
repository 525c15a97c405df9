"""The UI's own interface, as the browser speaks it: GraphQL over HTTP against a running `dagster dev`."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

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
