"""The `geo` command as people type it: what it prints, what it refuses, and what it leaves alone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from geo_assets.cli import COMMANDS, cli, main
from geo_assets_tests.endtoend.projects import make_project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("GEO_DATA", "GEO_PROFILE", "GEO_LEDGER_URL", "GEO_SIMULATOR_URL", "DASHSCOPE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return make_project(tmp_path / "data", platforms=("qwen", "chatgpt"), monitors=("luggage-en",))


def geo(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def test_help_lists_every_command_and_imports_nothing_heavy() -> None:
    script = (
        "import sys\nfrom geo_assets.cli import cli\n"
        "try: cli.main(['--help'], prog_name='geo')\nexcept SystemExit: pass\n"
        "print(sorted({'dagster', 'pyarrow', 'sqlalchemy', 'pandas', 'httpx', 'numpy', 'pydantic'} & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert out.rstrip().endswith("[]")
    for name, (_, text) in COMMANDS.items():
        assert name in out
        assert text.split(";")[0][:40] in out


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_explains_itself(name: str) -> None:
    result = geo(name, "--help")
    assert result.exit_code == 0
    assert "Usage: " in result.output


def test_check_names_file_line_field_and_remedy_and_fails_on_errors(project: Path) -> None:
    assert geo("check", "--data", str(project)).exit_code == 0
    monitor = project / "monitors/luggage-en.yaml"
    monitor.write_text(monitor.read_text("utf-8").replace("language: en", "langauge: en"), "utf-8")
    result = geo("check", "--data", str(project))
    assert result.exit_code == 1
    assert "monitors/luggage-en.yaml:" in result.output
    assert "langauge" in result.output
    assert "language" in result.output.split("langauge", 1)[1]
    assert json.loads(geo("check", "--data", str(project), "--json").output)[0]["severity"] == "error"


def test_check_warns_of_a_name_that_is_an_everyday_word_without_a_market(project: Path) -> None:
    monitor = project / "monitors/luggage-en.yaml"
    found = yaml.safe_load(monitor.read_text("utf-8"))
    del found["context"], found["brand"]["context"]
    monitor.write_text(yaml.safe_dump(found, allow_unicode=True), "utf-8")
    result = geo("check", "--data", str(project))
    assert "`Away` is an everyday word" in result.output
    assert result.exit_code == 0


def test_plan_previews_and_stores_nothing(project: Path) -> None:
    result = geo("plan", "--data", str(project), "--date", "2026-11-29", "--json")
    found = json.loads(result.output)
    assert [(line["platform"], line["samples"]) for line in found["lines"]] == [("chatgpt", 4), ("qwen", 4)]
    assert all(line["quote_micros"] > 0 for line in found["lines"])
    assert not (project / "simulated").exists()


def test_unknown_names_are_answered_with_the_known_ones(project: Path) -> None:
    result = geo("plan", "--data", str(project), "--monitor", "lugage-en")
    assert result.exit_code == 2
    assert "Did you mean `luggage-en`?" in result.output
    result = geo("run", "--data", str(project), "--platform", "kimi")
    assert result.exit_code == 2
    assert "chatgpt, qwen" in result.output


def test_a_date_that_is_none_is_refused(project: Path) -> None:
    result = geo("status", "--data", str(project), "--date", "29.11.2026")
    assert result.exit_code == 2
    assert "write it as YYYY-MM-DD" in result.output


def test_live_without_keys_names_the_variables_and_asks_nobody(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEO_PROFILE", "live")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    result = geo("run", "--data", str(project))
    assert result.exit_code == 2
    assert "qwen: skipped, no key: set the environment variable DASHSCOPE_API_KEY" in result.output
    assert "chatgpt: skipped, no key: set the environment variable OPENAI_API_KEY" in result.output
    assert not (project / "live").exists()


def test_an_unknown_profile_is_one_clear_line(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GEO_PROFILE", "lvie")
    with pytest.raises(SystemExit) as stop:
        main(["status", "--data", str(project)])
    assert stop.value.code == 2
    assert "GEO_PROFILE is 'lvie'; use `simulated`" in capsys.readouterr().err


def test_a_sample_that_is_not_there_is_one_clear_line(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["show", "s123", "--data", str(project)])
    assert stop.value.code == 2
    assert "sample 's123' is not in the ledger" in capsys.readouterr().err


def test_status_and_uncertain_of_an_empty_ledger(project: Path) -> None:
    found = json.loads(geo("status", "--data", str(project), "--json").output)
    assert [(p["platform"], p["state"], p["planned"]) for p in found["platforms"]] == [
        ("qwen", "empty", 0),
        ("chatgpt", "empty", 0),
    ]
    assert "nothing is uncertain" in geo("uncertain", "--data", str(project)).output


def test_status_shows_alerts_and_who_was_told(project: Path) -> None:
    from geo_assets.ledger import open_ledger
    from geo_assets.model.alerts import Alert, AlertKind

    alert = Alert(AlertKind.BUDGET_REACHED, "platform qwen, CNY", "2026-11-29", "daily budget reached")
    with open_ledger(f"sqlite:///{project}/simulated/ledger/ledger.db") as ledger:
        ledger.raise_alerts([alert])
        for name in ("ops", "boss"):
            ledger.take_alert(name, (alert.kind,))
        ledger.alert_delivered(alert, "ops")
        ledger.alert_failed(alert, "boss", "HTTP 503")
    arguments = ("status", "--data", str(project), "--date", "2026-11-29")
    [line] = [line for line in geo(*arguments).output.splitlines() if line.startswith("ALERT")]
    assert "Daily budget reached: platform qwen, CNY (2026-11-29): daily budget reached" in line
    assert "boss not yet: HTTP 503, ops 20" in line
    [found] = json.loads(geo(*arguments, "--json").output)["alerts"]
    assert found["alert"]["kind"] == "budget_reached"
    assert [(d["destination"], d["tries"], d["error"]) for d in found["deliveries"]] == [
        ("boss", 1, "HTTP 503"),
        ("ops", 1, None),
    ]


def test_cancel_wants_to_know_what(project: Path) -> None:
    result = geo("cancel", "--data", str(project), "--why", "wrong market", "--date", "2026-11-29")
    assert result.exit_code == 2
    assert "--date with --platform or --monitor" in result.output
    result = geo("cancel", "--data", str(project), "--why", "x", "--date", "2026-11-29", "--monitor", "nobody")
    assert "monitor `nobody` has no plan on 2026-11-29" in result.output


@pytest.mark.parametrize(
    ("kind", "row", "expected"),
    [
        (
            "mentions",
            {"text": "1. **科沃斯** 更省心\n2. 石头", "brand": {"name": "科沃斯", "aliases": ["ECOVACS"]}},
            {"mentioned": True, "count": 1, "list_rank": 1},
        ),
        ("validity", {"question": "推荐一款扫地机？", "text": ""}, {"label": "empty"}),
        ("urls", {"url": "HTTPS://Example.COM:443/a?utm_source=x"}, {"normalised": "https://example.com/a"}),
        ("domains", {"host": "www.example.com.cn"}, {"registrable_domain": "example.com.cn"}),
    ],
)
def test_read_reads_texts_of_your_own(
    kind: str, row: dict[str, object], expected: dict[str, object], tmp_path: Path
) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps({"id": "r1", **row}, ensure_ascii=False) + "\n", "utf-8")
    result = geo("read", kind, str(source), str(target))
    assert result.exit_code == 0, result.output
    [found] = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert found["id"] == "r1"
    assert {k: found[k] for k in expected} == expected


def test_read_names_file_line_and_field_of_a_bad_row_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"id": "a", "url": "https://a.example"}\n{"id": "b"}\n', "utf-8")
    with pytest.raises(SystemExit) as stop:
        main(["read", "urls", str(source), str(target)])
    assert stop.value.code == 2
    message = capsys.readouterr().err
    assert "in.jsonl" in message
    assert "line 2" in message
    assert "url" in message
    assert list(tmp_path.iterdir()) == [source]
