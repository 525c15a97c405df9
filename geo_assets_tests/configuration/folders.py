"""Small data folders for tests: valid texts to start from, and one change at a time."""

from pathlib import Path

PROJECT = """\
name: Test
timezone: Asia/Shanghai
start_date: 2026-11-01
"""

PLATFORMS = """\
platforms:
  - id: alpha
    name: Alpha
    dialect: tencent-tokenhub
    base_url: https://alpha.example.com/v1
    model: a-1
    accounts:
      - key_env: ALPHA_KEY
    prices:
      - version: first
        valid_from: 2026-01-01
        currency: CNY
        input_per_million: 1
        output_per_million: 4
        per_search: 0.012
  - id: beta
    name: Beta
    dialect: openai-responses
    base_url: https://beta.example.com/v1
    model: b-1
    prices:
      - {version: old, valid_from: 2026-01-01, currency: USD, output_per_million: 5}
      - {version: new, valid_from: 2026-11-20, currency: USD, output_per_million: 10}
"""

MONITOR = """\
id: chairs
tenant: acme
language: en
brand:
  id: halden
  name: Halden Seating
  aliases: [Halden]
competitors:
  - id: aurora
    name: AuroraChair
questions:
  - id: best
    text: Which chair is best?
  - id: cheap
    text: Which chair is cheap?
platforms:
  - id: alpha
  - id: beta
"""


def change(text: str, old: str, new: str) -> str:
    """`text` with `old` replaced, which must stand there exactly once."""
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
    return text.replace(old, new)


def write_folder(
    folder: Path, *, project: str = PROJECT, platforms: str = PLATFORMS, monitors: dict[str, str] | None = None
) -> Path:
    """A data folder with these files; by default one valid monitor in `monitors/chairs.yaml`."""
    (folder / "monitors").mkdir(parents=True, exist_ok=True)
    (folder / "project.yaml").write_text(project, encoding="utf-8")
    (folder / "platforms.yaml").write_text(platforms, encoding="utf-8")
    for name, text in ({"chairs": MONITOR} if monitors is None else monitors).items():
        (folder / "monitors" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def line_of(text: str, part: str) -> int:
    """The number of the line (from 1) in which `part` first stands."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)
