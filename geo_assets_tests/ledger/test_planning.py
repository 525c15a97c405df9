"""Planning: the first plan wins, a re-plan only adds and withdraws, turns are fair."""

import pytest

from geo_assets.ledger import Ledger
from geo_assets.model.states import Outcome
from geo_assets.model.transitions import Event
from geo_assets_tests.ledger import builders as b


def test_the_first_plan_of_a_day_wins_whatever_comes_later(ledger: Ledger) -> None:
    first = ledger.plan(b.batch(b.questions(3)))
    assert (first.created, first.planned, first.added) == (True, 3, 3)
    again = ledger.plan(b.batch(b.questions(3)))
    assert (again.created, again.planned, again.added) == (False, 3, 0)
    other = ledger.plan(b.batch(b.questions(7)))
    assert (other.created, other.planned, other.snapshot_hash) == (False, 3, first.snapshot_hash)
    (stored,) = ledger.batches(b.DATE)
    assert (stored.revision, stored.tenant, stored.simulated) == (0, "acme", True)
    assert ledger.snapshot(stored.snapshot_hash)["questions"] == [s.question_text for s in b.questions(3)]


def test_samples_come_back_as_they_were_planned_in_a_fixed_order(ledger: Ledger) -> None:
    planned = b.plan(ledger, 5) + b.plan(ledger, 2, tenant="Zeta", monitor="m2") + b.plan(ledger, 1, tenant="éa")
    rows = list(ledger.samples(b.DATE, "qwen"))
    expected = sorted(planned, key=lambda s: (s.tenant.encode(), s.monitor.encode(), s.sample_id))
    assert [row.planned for row in rows] == expected
    assert {row.outcome for row in rows} == {Outcome.OPEN}


def test_a_replan_adds_and_withdraws_but_never_touches_what_was_submitted(ledger: Ledger) -> None:
    b.plan(ledger, 4)
    b.worker(ledger)
    (taken,) = b.claim(ledger, 1)
    kept = [taken.planned, *(s for s in b.questions(4) if s.sample_id != taken.sample_id)][1:3]
    result = ledger.plan(b.batch([*kept, b.sample(9)], snapshot={"v": 2}), replan=True)
    assert (result.revision, result.added, result.withdrawn, result.planned) == (1, 1, 1, 4)
    status = ledger.status(b.DATE, "qwen")
    assert status.outcomes == {"open": 4, "withdrawn": 1}
    assert ledger.sample(taken.sample_id).sample.state.submission == "submitting"
    assert [batch.revision for batch in ledger.batches(b.DATE)] == [0, 1]


def test_platforms_planned_apart_share_one_plan(ledger: Ledger) -> None:
    snapshot = {"platforms": ["qwen", "kimi"]}
    ledger.plan(b.batch(b.questions(2), snapshot=snapshot, skipped={"kimi": "no_key"}))
    result = ledger.plan(b.batch(b.questions(2, platform="kimi"), snapshot=snapshot))
    assert (result.revision, result.added, result.planned) == (0, 2, 4)
    assert len(ledger.batches(b.DATE)) == 1
    assert ledger.day_reasons(b.DATE) == {("acme", "washers", "kimi"): "no_key"}


def test_a_platform_new_in_the_configuration_waits_for_a_replan(ledger: Ledger) -> None:
    ledger.plan(b.batch(b.questions(2), snapshot={"v": 1}))
    both = [*b.questions(2), *b.questions(2, platform="kimi")]
    assert ledger.plan(b.batch(both, snapshot={"v": 2})).added == 0
    assert ledger.plan(b.batch(both, snapshot={"v": 2}), replan=True).added == 2


def test_the_quote_is_booked_once_as_an_estimate(ledger: Ledger) -> None:
    b.plan(ledger, 3)
    b.plan(ledger, 3)
    (entry,) = ledger.entries(b.DATE)
    assert (entry.kind, entry.amount_micros, entry.currency) == ("estimate", 3000, "CNY")
    (line,) = ledger.reconcile(b.DATE)
    assert (line.estimated, line.committed, line.attempts) == (3000, 0, 0)


def test_reasons_of_a_day_are_kept_as_first_recorded(ledger: Ledger) -> None:
    key = ("acme", "washers", "kimi")
    ledger.record_reasons(b.DATE, {key: "missed"})
    ledger.record_reasons(b.DATE, {key: "no_key"})
    assert ledger.day_reasons(b.DATE) == {key: "missed"}
    assert ledger.day_reasons("2026-11-28") == {}


def test_a_tenant_with_many_questions_delays_another_by_no_more_than_its_share(ledger: Ledger) -> None:
    b.plan(ledger, 300, tenant="big")
    b.plan(ledger, 3, tenant="small")
    b.worker(ledger)
    order = [claim.planned.tenant for claim in b.claim(ledger, 20)]
    assert order[:6].count("small") == 3


def test_weights_share_the_platform_between_tenants(ledger: Ledger) -> None:
    ledger.plan(b.batch(b.questions(40, tenant="one")))
    ledger.plan(b.batch(b.questions(40, tenant="three")))
    assert ledger.arrange(b.DATE, "qwen", {"three": 3.0})
    assert not ledger.arrange(b.DATE, "qwen", {"three": 3.0})
    b.worker(ledger)
    order = [claim.planned.tenant for claim in b.claim(ledger, 40)]
    assert 9 <= order.count("one") <= 11


def test_a_high_priority_goes_first_and_a_low_one_is_not_starved(ledger: Ledger) -> None:
    ledger.plan(b.batch(b.questions(200, monitor="high", priority=8)))
    ledger.plan(b.batch(b.questions(200, monitor="low", priority=2)))
    ledger.arrange(b.DATE, "qwen")
    b.worker(ledger)
    order = [claim.planned.monitor for claim in b.claim(ledger, 200)]
    assert order[:50].count("high") == 50
    assert 1 <= order.count("low") <= 5


def test_rounds_of_repeats_go_one_after_the_other(ledger: Ledger) -> None:
    samples = [b.sample(position, repeat=repeat) for position in range(3) for repeat in range(2)]
    ledger.plan(b.batch(samples))
    ledger.arrange(b.DATE, "qwen")
    b.worker(ledger)
    order = [(claim.planned.repeat_index, claim.planned.position) for claim in b.claim(ledger, 6)]
    assert order == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]


def test_an_urgent_monitor_goes_to_the_front(ledger: Ledger) -> None:
    b.plan(ledger, 50, monitor="long")
    b.plan(ledger, 2, monitor="urgent", priority=0)
    ledger.expedite(b.DATE, "qwen", [("acme", "urgent")])
    b.worker(ledger)
    assert [claim.planned.monitor for claim in b.claim(ledger, 3)] == ["urgent", "urgent", "long"]


def test_withdrawn_samples_stay_withdrawn(ledger: Ledger) -> None:
    b.plan(ledger, 2)
    ledger.plan(b.batch(b.questions(1), snapshot={"v": 2}), replan=True)
    ledger.plan(b.batch(b.questions(2), snapshot={"v": 3}), replan=True)
    assert ledger.status(b.DATE, "qwen").outcomes == {"open": 1, "withdrawn": 1}


@pytest.mark.parametrize("settled", [Event.ANSWER, Event.FAIL, Event.RETRY])
def test_a_sample_that_was_tried_is_never_withdrawn(ledger: Ledger, settled: Event) -> None:
    b.plan(ledger, 1)
    b.worker(ledger)
    (taken,) = b.claim(ledger)
    ledger.settle([b.settlement(taken, settled)])
    result = ledger.plan(b.batch([b.sample(5)], snapshot={"v": 2}), replan=True)
    assert result.withdrawn == 0
