"""Real texts through real wire formats: every answer arrives as it was, under transient faults, in all dialects.

Answers come from the reference corpus beside the checkout; where it is absent, the demo's own simulated answers of one
dialect are recorded and replayed through all of them.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from geo_assets.collection.collector import collect_partition
from geo_assets.collection.planning import plan_partition
from geo_assets.collection.requests import Slice, collect_request
from geo_assets.configuration.loader import LoadedProject, load_project
from geo_assets.evidence.store import EvidenceStore
from geo_assets.ledger import Ledger, open_ledger
from geo_assets.model.answers import Completed
from geo_assets.model.text import normalise_question
from geo_assets.platforms.registry import connector
from geo_assets.projection.sample import read_sample
from geo_assets.simulator.calllog import read_call_log
from geo_assets.simulator.faults import Fault, FaultKind, FaultPlan, FaultRule
from geo_assets.simulator.process import SimulatorProcess
from geo_assets.simulator.settings import (
    SIMULATED_KEY,
    AnswerRates,
    SimulatorConfig,
    simulated_base_url,
    simulated_platforms,
)
from geo_assets_tests.endtoend.projects import ROOT, make_project, write

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

CORPUS = ROOT / "../shared/corpus"
QUESTIONS = 100
BRANDS = 6


def corpus_rows() -> list[dict[str, Any]]:
    """One answer per distinct question, both languages in turn, short enough to travel fast."""
    found: dict[str, dict[str, Any]] = {}
    for line in (CORPUS / "answers.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        question = normalise_question(row["question"])
        if question not in found and row["answer_text"].strip() and len(question) < 300:
            found[question] = row
    chinese = [r for r in found.values() if r["language"] == "zh"]
    english = [r for r in found.values() if r["language"] == "en"]
    half = QUESTIONS // 2
    return chinese[:half] + english[: QUESTIONS - len(chinese[:half])]


def demo_rows() -> list[dict[str, Any]]:
    """Answers of our own where the corpus is absent: long, mixed, with what breaks formats."""
    monitors = load_project(ROOT / "data").monitors
    odd = "“引号”、emoji 🙂、tab\there、反斜杠 \\n、{json}、[1] 与 **粗体**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    return [
        {"question": q.text, "answer_text": f"{m.brand.name} · {q.id}\n{odd}", "citations": [], "language": m.language}
        for m in monitors.values()
        for q in m.questions
    ]


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return corpus_rows() if (CORPUS / "answers.jsonl").is_file() else demo_rows()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]) -> Path:
    folder = make_project(tmp_path_factory.mktemp("corpus") / "data", monitors=())
    gold = CORPUS / "mentions_gold.jsonl"
    names = ["Samsonite", "Rimowa"]
    if gold.is_file():
        counted = Counter(json.loads(line)["brand"]["name"] for line in gold.read_text("utf-8").splitlines())
        names = [name for name, _ in counted.most_common(BRANDS)]
    platforms = [p.id for p in load_project(folder).platforms]
    for language in ("zh", "en"):
        mine = [r for r in rows if r["language"] == language]
        monitor = {
            "id": f"corpus-{language}",
            "tenant": "corpus",
            "language": language,
            "brand": {"id": "brand-0", "name": names[0]},
            "competitors": [{"id": f"brand-{n}", "name": name} for n, name in enumerate(names[1:], start=1)],
            "questions": [{"id": f"q{n}", "text": r["question"]} for n, r in enumerate(mine)],
            "platforms": [{"id": p} for p in platforms],
        }
        write(folder / "monitors" / f"corpus-{language}.yaml", monitor)
    return folder


def test_every_answer_arrives_equal_once_and_the_call_log_equals_the_ledger(
    project: Path, rows: list[dict[str, Any]], tmp_path: Path
) -> None:
    loaded = load_project(project, dialects=connector)
    assert [str(p) for p in loaded.problems if p.severity == "error"] == []
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), "utf-8")
    transient = (FaultKind.RATE_LIMITED, FaultKind.SERVER_ERROR, FaultKind.RESET_BEFORE, FaultKind.RESET_AFTER)
    config = SimulatorConfig(
        platforms=simulated_platforms(loaded.platforms),
        rates=AnswerRates(refused=0, empty=0, truncated=0, unsearched=0),
        faults=FaultPlan(
            rules=tuple(FaultRule(fault=Fault(kind=k, seconds=0.2), rate=0.05) for k in transient), max_per_sample=2
        ),
        answers=answers,
        call_log=tmp_path / "calls.jsonl",
    )
    texts = {normalise_question(r["question"]): r["answer_text"] for r in rows}
    store = EvidenceStore(str(tmp_path / "evidence"))
    with SimulatorProcess(config) as simulator, open_ledger(f"sqlite:///{tmp_path / 'ledger.db'}") as ledger:
        date = today(loaded, ledger)
        for platform in loaded.platforms:
            collect(loaded, ledger, store, date, platform.id, simulator.url)
        seen = 0
        for sample in ledger.samples(date):
            reply = read_sample(ledger, store.read, ledger.sample(sample.sample_id))
            assert isinstance(reply, Completed), (sample.planned.platform, sample.outcome, sample.outcome_reason)
            assert reply.answer.text == texts[sample.planned.question_text], sample.planned.platform
            seen += 1
        assert seen == len(texts) * len(loaded.platforms)
        attempts = Counter(a.platform for a in ledger.attempts(date) if a.state != "given_back")
        log = [c for c in read_call_log(tmp_path / "calls.jsonl") if c.kind == "submit"]
        assert Counter(c.platform for c in log) == attempts
        answered = Counter(a.platform for a in ledger.attempts(date) if a.state == "answered")
        lost = Counter(c.platform for c in log if c.accepted and c.fault == FaultKind.RESET_AFTER.value)
        assert Counter(c.platform for c in log if c.accepted) == answered + lost
        assert sum(lost.values()) > 0
        assert sum(r.unexplained_attempts for r in ledger.reconcile(date)) == 0


def today(loaded: LoadedProject, ledger: Ledger) -> str:
    from datetime import UTC, datetime

    from geo_assets.configuration.clock import capture_date, zone_of

    date = capture_date(datetime.now(UTC), zone_of(loaded.project))
    for platform in loaded.platforms:
        plan_partition(ledger, loaded, "simulated", date, platform.id)
    return date


def collect(loaded: LoadedProject, ledger: Ledger, store: EvidenceStore, date: str, name: str, url: str) -> None:
    platform = loaded.platform(name)
    fast = platform.model_copy(update={"limits": FAST, "timeouts": platform.timeouts.model_copy(update={"read": 10.0})})
    request = collect_request(
        loaded,
        fast,
        date,
        Slice(minutes=-1),
        base_url=simulated_base_url(url, platform),
        keys={a.id: SIMULATED_KEY for a in platform.accounts},
    )
    collect_partition(request, ledger=ledger, evidence=store, connector=connector(platform.dialect))


def _fast() -> Any:
    from geo_assets.model.configuration import Lane, Limits

    lane = Lane(per_second=200.0, burst=20, concurrency=16)
    return Limits(submit=lane, poll=lane, download=lane)


FAST = _fast()
