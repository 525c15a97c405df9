"""Every kind of bad input: what is said, where, and what to do."""

import pytest

from geo_assets.configuration import ConfigurationError, Severity, check_folder, load_platforms, load_project
from geo_assets_tests.configuration.folders import MONITOR, PLATFORMS, PROJECT, change, line_of, write_folder

TODAY = "2026-11-29"


def problems_of_monitor(tmp_path, text):
    folder = write_folder(tmp_path, monitors={"chairs": text})
    return load_project(folder, today=TODAY).problems


MONITOR_CASES = {
    "unknown key": (
        ("  aliases: [Halden]", "  alias: [Halden]"),
        ("brand.alias", "unknown key", "Did you mean `aliases`?", "alias: [Halden]"),
    ),
    "unknown key at the top": (
        ("tenant: acme", "tenant: acme\ncompetitor: []"),
        ("competitor", "unknown key", "Did you mean `competitors`?", "competitor: []"),
    ),
    "missing key": (
        ("tenant: acme\n", ""),
        ("tenant", "is missing", "Add `tenant:` here", "id: chairs"),
    ),
    "missing key in a list": (
        ("    name: AuroraChair\n", ""),
        ("competitors[0].name", "is missing", "Add `name:` here", "- id: aurora"),
    ),
    "bad id": (
        ("  id: halden", "  id: Halden_Seating"),
        ("brand.id", "an id is 1 to 48 lower-case letters", "`ergo-chairs-cn`", "id: Halden_Seating"),
    ),
    "null as a name": (
        ("[Halden]", "[Halden, ~]"),
        ("brand.aliases[1]", "is empty", "put it in quotes if it is a name", "aliases"),
    ),
    "mapping where text is needed": (
        ("[Halden]", "[{name: Halden}]"),
        ("brand.aliases[0]", "text is needed, not `key: value` pairs", "Write one text", "aliases"),
    ),
    "text where a list is needed": (
        ("aliases: [Halden]", "aliases: Halden"),
        ("brand.aliases", "a list is needed", "Write `aliases: [one, two]`", "aliases"),
    ),
    "text where pairs are needed": (
        ("  - id: alpha", "  - alpha"),
        ("platforms[0]", "`key: value` pairs are needed", "Known keys: device, id, mode", "- alpha"),
    ),
    "unknown language": (
        ("language: en", "language: de"),
        ("language", "`de` is not one of the values known here", "Known: en, zh", "language: de"),
    ),
    "unknown frequency": (
        ("language: en", "language: en\nfrequency: weakly"),
        ("frequency", "`weakly` is not one of", "Did you mean `weekly`?", "frequency"),
    ),
    "unknown weekday": (
        ("language: en", "language: en\nfrequency: weekly\nweekday: Monnday"),
        ("weekday", "`Monnday` is not one of", "Did you mean `monday`?", "weekday"),
    ),
    "text where a number is needed": (
        ("language: en", "language: en\nrepeats: two"),
        ("repeats", "`two` is not a whole number", "Write digits only", "repeats"),
    ),
    "number out of range": (
        ("language: en", "language: en\nrepeats: 51"),
        ("repeats", "`51` is out of range", "It must be at most 50", "repeats"),
    ),
    "neither true nor false": (
        ("language: en", "language: en\npaused: maybe"),
        ("paused", "`maybe` is neither true nor false", "Write `true` or `false`", "paused"),
    ),
    "no questions": (
        (MONITOR[MONITOR.index("questions:") : MONITOR.index("platforms:")], "questions: []\n"),
        ("questions", "is empty", "Write at least one", "questions"),
    ),
    "empty question": (
        ("text: Which chair is best?", "text: '  '"),
        ("questions[0].text", "is empty", "Write at least one", "text: '  '"),
    ),
    "question without words": (
        ("text: Which chair is best?", "text: '???'"),
        ("questions[0].text", "there is no question in this text", "Write a question", "text: '???'"),
    ),
    "too long question": (
        ("text: Which chair is best?", f"text: {'chair ' * 200}?"),
        ("questions[0].text", "the question has 1201 characters, at most 1000", "Shorten it", "text: chair"),
    ),
    "duplicate question id": (
        ("  - id: cheap", "  - id: best"),
        ("questions[1].id", "`best` stands twice, first at [0]", "Give each one of its own", None),
    ),
    "too many questions": (
        ("language: en", "language: en\nmax_questions: 1"),
        ("questions", "2 questions are more than max_questions (1)", "raise `max_questions`", None),
    ),
    "unknown platform": (
        ("  - id: beta", "  - id: betta"),
        ("platforms[1].id", "no platform has the id `betta`", "Did you mean `beta`?", "- id: betta"),
    ),
    "platform twice": (
        ("  - id: beta", "  - id: alpha"),
        ("platforms[1]", "the same platform, mode and device as platforms[0]", "Keep one of the two", None),
    ),
    "alias of two brands": (
        ("    name: AuroraChair", "    name: AuroraChair\n    aliases: [ＨＡＬＤＥＮ]"),
        (
            "competitors[0].aliases[0]",
            "`ＨＡＬＤＥＮ` already belongs to `halden` (as `Halden`)",
            "A name has one owner",
            "ＨＡＬ",
        ),
    ),
    "id of two brands": (
        ("  - id: aurora", "  - id: halden"),
        (
            "competitors[0].id",
            "the id `halden` stands twice among brands and products",
            "an id of its own",
            "- id: halden",
        ),
    ),
    "product with its brand's name": (
        ("  aliases: [Halden]", "  aliases: [Halden]\n  products: [{id: loop, name: halden}]"),
        ("brand.products[0].name", "`halden` already belongs to `halden` (as `Halden`)", "one owner", "products"),
    ),
    "name that cannot be found": (
        ("[Halden]", "[Halden, '!!']"),
        ("brand.aliases[1]", "`!!` has neither letters nor digits", "can be found in a text", "aliases"),
    ),
    "exclude equal to a name": (
        ("  aliases: [Halden]", "  aliases: [Halden]\n  exclude: [halden]"),
        ("brand.exclude[0]", "`halden` is a name of `halden` itself", "the longer phrase that is not meant", "exclude"),
    ),
    "known name equal to a name": (
        ("tenant: acme", "tenant: acme\nknown_names: [AURORACHAIR]"),
        ("known_names[0]", "`AURORACHAIR` is a name of `aurora`", "write the longer name", "known_names"),
    ),
    "URL as host": (
        ("  aliases: [Halden]", "  owned_sources: [{host: 'https://www.halden.example/shop/'}]"),
        (
            "brand.owned_sources[0].host",
            "is no host name",
            "Write `host: www.halden.example` and `path: /shop`",
            "owned",
        ),
    ),
    "word as host": (
        ("  aliases: [Halden]", "  owned_sources: [{host: halden}]"),
        ("brand.owned_sources[0].host", "`halden` is no host name", "like `www.example.com`", "owned"),
    ),
    "address as host": (
        ("  aliases: [Halden]", "  owned_sources: [{host: 10.0.0.1}]"),
        ("brand.owned_sources[0].host", "`10.0.0.1` is no host name", "like `www.example.com`", "owned"),
    ),
    "path without a slash": (
        ("  aliases: [Halden]", "  owned_sources: [{host: a.example, path: shop}]"),
        ("brand.owned_sources[0].path", "`shop` does not start with `/`", "Write `path: /shop`", "owned"),
    ),
    "budget in a currency that nobody bills in": (
        ("language: en", "language: en\ndaily_budget: {EUR: 5}"),
        ("daily_budget.EUR", "nothing here is billed in EUR", "Billed in: CNY, USD", "daily_budget"),
    ),
    "currency that is none": (
        ("language: en", "language: en\ndaily_budget: {yuan: 5}"),
        ("daily_budget.yuan", "a currency is an ISO 4217 code", "Write `CNY`, `USD`", "daily_budget"),
    ),
    "amount with a sign": (
        ("language: en", "language: en\ndaily_budget: {CNY: ¥5}"),
        ("daily_budget.CNY", "an amount is a decimal number", "without a currency sign", "daily_budget"),
    ),
    "amount with too many decimals": (
        ("language: en", "language: en\ndaily_budget: {CNY: 0.0000001}"),
        ("daily_budget.CNY", "at most 6 decimals", "Write it like `0.25`", "daily_budget"),
    ),
    "duplicate YAML key": (
        ("language: en", "language: en\nlanguage: zh"),
        ("language", "the key stands twice, first in line 3", "Keep one of the two", "language: zh"),
    ),
}


@pytest.mark.parametrize("case", MONITOR_CASES)
def test_a_bad_monitor_is_left_out_with_place_and_remedy(tmp_path, case):
    (old, new), (field, message, remedy, part) = MONITOR_CASES[case]
    text = change(MONITOR, old, new)
    folder = write_folder(tmp_path, monitors={"chairs": text, "other": change(MONITOR, "id: chairs", "id: other")})
    loaded = load_project(folder, today=TODAY)
    assert list(loaded.monitors) == ["other"]
    (problem,) = loaded.problems
    assert (problem.file, problem.field, problem.severity) == ("monitors/chairs.yaml", field, Severity.ERROR)
    assert message in problem.message
    assert remedy in problem.remedy
    if part is not None:
        assert problem.line == line_of(text, part)
    assert problem.column is not None


WARNING_CASES = {
    "duplicate question": (
        ("text: Which chair is cheap?", "text: '  Which  chair is best? '"),
        ("questions[1].text", "the same text as question `best`; it is asked once", "Remove one of the two"),
    ),
    "weekly without weekday": (
        ("language: en", "language: en\nfrequency: weekly"),
        ("frequency", "a weekly monitor without a weekday is asked on monday", "Add `weekday:`"),
    ),
    "daily with weekday": (
        ("language: en", "language: en\nweekday: friday"),
        ("weekday", "a daily monitor has no weekday", "set `frequency: weekly`"),
    ),
    "exclude without a name in it": (
        ("  aliases: [Halden]", "  exclude: [Alden Street]"),
        ("brand.exclude[0]", "`Alden Street` holds no name of `halden`", "a phrase with the name in it"),
    ),
}


@pytest.mark.parametrize("case", WARNING_CASES)
def test_a_doubtful_monitor_works_and_is_warned_about(tmp_path, case):
    (old, new), (field, message, remedy) = WARNING_CASES[case]
    loaded = load_project(write_folder(tmp_path, monitors={"chairs": change(MONITOR, old, new)}), today=TODAY)
    assert list(loaded.monitors) == ["chairs"]
    (problem,) = loaded.problems
    assert (problem.field, problem.severity) == (field, Severity.WARNING)
    assert message in problem.message
    assert remedy in problem.remedy


def test_a_retired_platform_in_use_is_warned_about(tmp_path):
    platforms = change(PLATFORMS, "    model: b-1\n", "    model: b-1\n    retired: 2026-11-29\n")
    folder = write_folder(tmp_path, platforms=platforms)
    assert load_project(folder, today="2026-11-28").problems == ()
    (problem,) = load_project(folder, today="2026-11-29").problems
    assert str(problem) == (
        f"monitors/chairs.yaml:{line_of(MONITOR, '- id: beta')}:5: warning: platforms[1].id: "
        "`beta` is retired since 2026-11-29 and is not asked any more. Remove the entry, or use its successor"
    )


def test_a_platform_without_a_price_today_is_warned_about(tmp_path):
    platforms = change(PLATFORMS, "        valid_from: 2026-01-01\n", "        valid_from: 2026-12-01\n")
    (problem,) = load_project(write_folder(tmp_path, platforms=platforms), today=TODAY).problems
    assert (problem.file, problem.field, problem.severity) == (
        "platforms.yaml",
        "platforms[0].prices",
        Severity.WARNING,
    )
    assert problem.message == "platform alpha has no price for 2026-11-29: its first version starts on 2026-12-01"


def test_names_that_yaml_1_1_would_turn_into_other_things_are_the_strings_they_are(tmp_path):
    text = change(MONITOR, "[Halden]", "[NO, on, 0123, 12:30, 1_000, 360, 3.10, 2026-11-01]")
    folder = write_folder(tmp_path, monitors={"chairs": text})
    loaded = load_project(folder, today=TODAY)
    assert loaded.problems == ()
    aliases = loaded.monitor("chairs").brand.aliases
    assert aliases == ("NO", "on", "0123", "12:30", "1_000", "360", "3.10", "2026-11-01")


PLATFORM_CASES = {
    "unknown key": (
        ("    model: a-1", "    modell: a-1"),
        {("platforms[0].model", "is missing"), ("platforms[0].modell", "unknown key")},
    ),
    "duplicate id": (
        ("  - id: beta", "  - id: alpha"),
        {("platforms[1].id", "the id `alpha` stands twice, first at platforms[0]")},
    ),
    "no address": (
        ("https://alpha.example.com/v1", "alpha.example.com/v1"),
        {("platforms[0].base_url", "is no usable base address")},
    ),
    "address with a key": (
        ("https://alpha.example.com/v1", "https://user:secret@alpha.example.com/v1"),
        {("platforms[0].base_url", "`https://alpha.example.com` is no usable base address")},
    ),
    "key instead of a variable": (
        ("ALPHA_KEY", "sk-123456"),
        {("platforms[0].accounts[0].key_env", "this is no name of an environment variable")},
    ),
    "window end before start": (
        ("    model: a-1", "    model: a-1\n    window: {start: 06:00, end: 02:00}"),
        {("platforms[0].window.end", "the window ends (02:00) before it starts (06:00)")},
    ),
    "two prices from one day": (
        ("valid_from: 2026-11-20", "valid_from: 2026-01-01"),
        {("platforms[1].prices[1].valid_from", "`new` and `old` both start on 2026-01-01")},
    ),
    "two prices of one name": (
        ("version: new", "version: old"),
        {("platforms[1].prices[1].version", "`old` stands twice, first at [0]")},
    ),
    "budget in another currency": (
        ("    model: a-1", "    model: a-1\n    daily_budget: {USD: 5}"),
        {("platforms[0].daily_budget.USD", "nothing here is billed in USD")},
    ),
    "account twice": (
        ("      - key_env: ALPHA_KEY", "      - key_env: ALPHA_KEY\n      - key_env: OTHER_KEY"),
        {("platforms[0].accounts[1].id", "`main` stands twice, first at [0]")},
    ),
    "total shorter than read": (
        ("    model: a-1", "    model: a-1\n    timeouts: {read: 60, total: 30}"),
        {("platforms[0].timeouts.total", "total (30 s) is shorter than read (60 s)")},
    ),
    "no such day": (
        ("        valid_from: 2026-01-01\n", "        valid_from: 2026-02-30\n"),
        {("platforms[0].prices[0].valid_from", "`2026-02-30` is no date: day is out of range for month")},
    ),
    "unknown channel": (
        ("    model: a-1", "    model: a-1\n    channel: app"),
        {("platforms[0].channel", "`app` is not one of the values known here")},
    ),
    "another top-level key": (
        ("platforms:\n", "platfroms: []\nplatforms:\n"),
        {("platfroms", "unknown key")},
    ),
}


@pytest.mark.parametrize("case", PLATFORM_CASES)
def test_a_bad_platform_stops_the_load_and_says_where(tmp_path, case):
    (old, new), expected = PLATFORM_CASES[case]
    folder = write_folder(tmp_path, platforms=change(PLATFORMS, old, new))
    with pytest.raises(ConfigurationError) as caught:
        load_platforms(folder)
    said = {problem.field: problem.message for problem in caught.value.problems}
    assert len(caught.value.problems) == len(said) == len(expected)
    for field, message in expected:
        assert message in said[field]
    assert all(p.file == "platforms.yaml" and p.line and p.remedy for p in caught.value.problems)
    assert "sk-123456" not in str(caught.value)
    assert "secret" not in str(caught.value)
    with pytest.raises(ConfigurationError):
        load_project(folder)


PROJECT_CASES = {
    "time zone": (
        ("Asia/Shanghai", "Asia/Shangai"),
        ("timezone", "`Asia/Shangai` is no IANA time zone", "Did you mean `Asia/Shanghai`?"),
    ),
    "time zone by offset": (
        ("Asia/Shanghai", "UTC+8"),
        ("timezone", "`UTC+8` is no IANA time zone", "Write it like `Asia/Shanghai`"),
    ),
    "window": (
        ("name: Test", "name: Test\nwindow: {start: 06:00, end: 06:00}"),
        ("window.end", "the window ends (06:00) before it starts (06:00)", "within one local day"),
    ),
    "time of day": (
        ("name: Test", "name: Test\nwindow: {start: 2 am}"),
        ("window.start", "a time of day is `HH:MM`", "Write it like `02:00`"),
    ),
    "weight of an unknown platform": (
        ("name: Test", "name: Test\nplatform_weights: {alhpa: 2}"),
        ("platform_weights.alhpa", "no platform has the id `alhpa`", "Did you mean `alpha`?"),
    ),
    "weight of zero": (
        ("name: Test", "name: Test\nplatform_weights: {alpha: 0}"),
        ("platform_weights.alpha", "`0` is out of range", "It must be more than 0"),
    ),
    "alert destination twice": (
        ("name: Test", "name: Test\nalerts: [{id: ops, url_env: A}, {id: ops, url_env: B}]"),
        ("alerts[1].id", "`ops` stands twice, first at [0]", "Give each one of its own"),
    ),
    "alert address in the file": (
        ("name: Test", "name: Test\nalerts: [{id: ops, url_env: https://hooks.example.com/x}]"),
        ("alerts[0].url_env", "variable", "never stands in a file"),
    ),
    "alert kind": (
        ("name: Test", "name: Test\nalerts: [{id: ops, url_env: A, kinds: [budget]}]"),
        ("alerts[0].kinds[0]", "budget", "budget_reached"),
    ),
    "weight of a tenant": (
        ("name: Test", "name: Test\ntenants: {acme: {weight: 0}}"),
        ("tenants.acme.weight", "`0` is out of range", "It must be more than 0"),
    ),
    "date": (
        ("2026-11-01", "1 November 2026"),
        ("start_date", "a date is `YYYY-MM-DD`", "Write it like `2026-11-01`"),
    ),
}


@pytest.mark.parametrize("case", PROJECT_CASES)
def test_a_bad_project_stops_the_load_and_says_where(tmp_path, case):
    (old, new), (field, message, remedy) = PROJECT_CASES[case]
    folder = write_folder(tmp_path, project=change(PROJECT, old, new))
    with pytest.raises(ConfigurationError) as caught:
        load_project(folder)
    (problem,) = caught.value.problems
    assert (problem.file, problem.field) == ("project.yaml", field)
    assert message in problem.message
    assert remedy in problem.remedy


def test_all_problems_of_all_files_are_listed_at_once(tmp_path):
    folder = write_folder(
        tmp_path,
        project=change(PROJECT, "Asia/Shanghai", "Mars"),
        platforms=change(PLATFORMS, "    model: a-1", "    model: a-1\n    searhc: true"),
    )
    problems = check_folder(folder)
    assert [(p.file, p.field) for p in problems] == [
        ("project.yaml", "timezone"),
        ("platforms.yaml", "platforms[0].searhc"),
    ]
