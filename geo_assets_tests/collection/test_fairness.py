"""Shares of a platform between tenants: from project.yaml to the order in which a platform is really asked."""

from pathlib import Path

import pytest

from geo_assets.collection.planning import plan_partition, tenant_weights
from geo_assets.collection.requests import Slice, collect_request
from geo_assets.configuration.clock import capture_date, zone_of
from geo_assets.configuration.loader import LoadedProject, load_project
from geo_assets.ledger import Ledger, open_ledger
from geo_assets.ledger.rows import to_datetime
from geo_assets.model.configuration import Lane, Limits
from geo_assets.simulator.calllog import read_call_log
from geo_assets_tests.collection import settings
from geo_assets_tests.collection.settings import base_url, platform
from geo_assets_tests.configuration.folders import MONITOR, PROJECT, change, write_folder
from geo_assets_tests.ledger import builders as b


def monitor_of(tenant: str, questions: int) -> str:
    listed = "\n".join(f"  - {{id: q{n}, text: Which chair is best in year {n}?}}" for n in range(questions))
    text = change(MONITOR, "id: chairs\ntenant: acme", f"id: {tenant}-chairs\ntenant: {tenant}")
    before, _, after = text.partition("questions:\n")
    return before + "questions:\n" + listed + "\n" + after[after.index("platforms:") :]


def project_of(folder: Path, tenants: str) -> LoadedProject:
    monitors = {f"{name}-chairs.yaml": monitor_of(name, 40) for name in ("one", "three")}
    return load_project(write_folder(folder, project=PROJECT + tenants, monitors=monitors), today="2026-11-29")


@pytest.mark.parametrize(("tenants", "share"), [("", 20), ("tenants: {three: {weight: 3}}\n", 10)])
def test_a_tenants_weight_in_the_file_is_its_share_of_the_claims(tmp_path: Path, tenants: str, share: int) -> None:
    project = project_of(tmp_path / "data", tenants)
    with open_ledger(f"sqlite:///{tmp_path / 'ledger.db'}") as ledger:
        now = to_datetime(ledger.now())
        assert now is not None
        date = capture_date(now, zone_of(project.project))
        plan_partition(ledger, project, "simulated", date, "alpha", now=now)
        b.worker(ledger)
        order = [c.planned.tenant for c in b.claim(ledger, 40, date=date, platform="alpha")]
    assert abs(order.count("one") - share) <= 1


def test_weights_go_with_every_request_so_that_later_plans_are_arranged_alike(tmp_path: Path) -> None:
    project = project_of(tmp_path, "tenants: {three: {weight: 3}, one: {weight: 1}}\n")
    request = collect_request(project, project.platform("alpha"), "2026-11-29", Slice(), base_url="http://x", keys={})
    assert request.tenant_weights == tenant_weights(project.project) == {"three": 3.0}


def test_a_tenant_without_monitors_is_warned_of(tmp_path: Path) -> None:
    [problem] = project_of(tmp_path, "tenants: {thre: {weight: 3}}\n").problems
    assert (problem.file, problem.field, problem.severity) == ("project.yaml", "tenants.thre", "warning")
    assert "Did you mean `three`?" in problem.remedy


def test_a_tenant_with_a_hundred_times_the_questions_delays_anothers_first_answers_by_no_more_than_its_share(
    tmp_path: Path,
) -> None:
    lane = Lane(per_second=40, burst=1, concurrency=4)
    of = platform(limits=Limits(submit=lane))
    with settings.simulator(tmp_path, of) as process, open_ledger(f"sqlite:///{tmp_path / 'ledger.db'}") as ledger:
        settings.plan(ledger, of, 300, tenant="big")
        settings.plan(ledger, of, 3, tenant="small")
        asked = settings.request(of, base_url(process, of), slice_seconds=4.0)
        settings.collect(ledger, settings.EvidenceStore(tmp_path / "evidence"), asked)
        tenants = tenants_by_call(ledger, tmp_path)
    assert len(tenants) > 10
    places = [place for place, tenant in enumerate(tenants) if tenant == "small"]
    assert len(places) == 3
    # Calls that are under way together may overtake each other where the machine is too busy to send one in its slot.
    assert all(place <= 2 * number + 1 + lane.concurrency for number, place in enumerate(places)), places


def tenants_by_call(ledger: Ledger, folder: Path) -> list[str]:
    """Whose question each call of the platform's own log was, in the order of the calls."""
    owner = {s.planned.sample_id: s.planned.tenant for s in ledger.samples(settings.today(), "qwen")}
    calls = sorted(read_call_log(folder / "calls.jsonl"), key=lambda call: call.time)
    return [owner[call.sample] for call in calls if call.sample]
