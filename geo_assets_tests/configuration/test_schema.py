from pathlib import Path

import pytest

from geo_assets.configuration.reference import descriptions
from geo_assets.configuration.schema import current_files, main, schemas
from geo_assets.model import configuration as models

ROOT = Path(__file__).resolve().parents[2]


def test_schemas_and_reference_in_the_repository_are_current():
    files = current_files(ROOT / "data", ROOT / "docs" / "configuration.md")
    assert len(files) == 4
    stale = [path.name for path, text in files.items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run: python -m geo_assets.configuration.schema --write"


def test_every_field_has_a_description():
    known = descriptions()
    for name, model in vars(models).items():
        if isinstance(model, type) and issubclass(model, models.Strict) and model is not models.Strict:
            assert set(known[name]) == set(model.model_fields), name


def test_the_command_writes_what_is_not_current_and_then_finds_nothing(tmp_path, capsys):
    arguments = ["--data", str(tmp_path), "--reference", str(tmp_path / "none.md")]
    assert main(arguments) == 1
    assert main([*arguments, "--write"]) == 0
    assert capsys.readouterr().out.count("written: ") == 3
    assert main(arguments) == 0


@pytest.mark.parametrize(
    ("file", "schema"),
    [
        ("project.yaml", "project.schema.json"),
        ("platforms.yaml", "platforms.schema.json"),
        ("monitors/luggage-en.yaml", "monitor.schema.json"),
        ("monitors/robot-vacuums-zh.yaml", "monitor.schema.json"),
    ],
)
def test_demo_files_name_their_schema_and_agree_with_it(file, schema):
    jsonschema = pytest.importorskip("jsonschema")
    yaml = pytest.importorskip("ruamel.yaml")
    path = ROOT / "data" / file
    text = path.read_text(encoding="utf-8")
    named = text.splitlines()[0].removeprefix("# yaml-language-server: $schema=")
    assert (path.parent / named).resolve() == (ROOT / "data" / "schema" / schema)
    value = yaml.YAML(typ="safe", pure=True).load(text)  # YAML 1.2, as editors read it.
    value = {key: str(item) if key == "start_date" else item for key, item in value.items()}
    for platform in value.get("platforms", []) if schema.startswith("platforms") else []:
        for version in platform["prices"]:
            version["valid_from"] = str(version["valid_from"])
    assert (
        sorted(error.message for error in jsonschema.Draft202012Validator(schemas()[schema]).iter_errors(value)) == []
    )


def test_the_schema_catches_a_misspelt_key():
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(schemas()["project.schema.json"])
    errors = [error.message for error in validator.iter_errors({"start_date": "2026-11-01", "time_zone": "UTC"})]
    assert len(errors) == 1
    assert "time_zone" in errors[0]
