import json

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from geo_assets.configuration import check_folder
from geo_assets.configuration.checks import fold, is_host
from geo_assets.configuration.problems import Severity, did_you_mean
from geo_assets_tests.configuration.folders import MONITOR, PLATFORMS, PROJECT, change, write_folder


@pytest.mark.parametrize(
    "host",
    ["example.com", "www.example.co.uk", "mp.weixin.qq.com", "例子.中国", "xn--fsqu00a.xn--fiqs8s", "EXAMPLE.com"],
)
def test_domain_names_of_any_script_are_hosts(host):
    assert is_host(host)


@pytest.mark.parametrize(
    "host",
    [
        "example",
        "https://example.com",
        "example.com/shop",
        "a b.com",
        "10.0.0.1",
        "[::1]",
        "a..com",
        "-a.com",
        "",
        "a.com:80",
    ],
)
def test_addresses_urls_and_words_are_no_hosts(host):
    assert not is_host(host)


def test_folding_undoes_case_width_and_white_space():
    assert fold(" ＨＡＬＤＥＮ\u3000Seating ") == fold("halden seating") == "halden seating"
    assert fold("石头") != fold("石頭")  # Scripts are the matcher's matter.


def test_a_near_word_is_offered_and_a_far_one_gets_the_list():
    assert did_you_mean("alais", ["aliases", "name"]) == "Did you mean `aliases`? Known: aliases, name"
    assert did_you_mean("zzz", ["aliases", "name"]) == "Known: aliases, name"
    assert did_you_mean("x", [str(n) for n in range(100)]) == "See docs/configuration.md for what is known"


def test_a_folder_without_monitors_is_warned_about(tmp_path):
    (problem,) = check_folder(write_folder(tmp_path, monitors={}), today="2026-11-29")
    assert problem.severity is Severity.WARNING
    assert str(problem).startswith("monitors: warning: there is no monitor, so nothing will be asked. Add a file like")


FILES = {"project": PROJECT, "platforms": PLATFORMS, "monitor": MONITOR}
ODD = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)


def places(value, path=()):
    """The paths of all values in nested data."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def put(value, path, new):
    """A copy of nested data with the value at `path` replaced."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], new)
    return copy


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), file=st.sampled_from(sorted(FILES)), odd=ODD)
def test_any_value_in_any_place_is_accepted_or_explained_and_never_a_crash(tmp_path, data, file, odd):
    value = yaml.load(FILES[file], Loader=yaml.BaseLoader)
    path = data.draw(st.sampled_from(list(places(value))))
    text = json.dumps(put(value, path, odd), ensure_ascii=False)
    texts = {"monitors": {"chairs": text}} if file == "monitor" else {file: text}
    for problem in check_folder(write_folder(tmp_path, **texts), today="2026-11-29"):
        assert problem.message
        assert problem.remedy
        # A platform that got another id is missed by the monitors that name it.
        assert problem.file.startswith(("platforms", "monitors") if file == "platforms" else file)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    at=st.integers(0, len(MONITOR)),
    cut=st.integers(0, 6),
    junk=st.text("\t \n:-[]{}&*!|>'\"#%@`,?a灯\u2028\ufeff", max_size=4),
)
@example(at=0, cut=len(MONITOR), junk="")
def test_any_edit_of_a_text_is_accepted_or_explained_and_never_a_crash(tmp_path, at, cut, junk):
    text = MONITOR[:at] + junk + MONITOR[at + cut :]
    for problem in check_folder(write_folder(tmp_path, monitors={"chairs": text}), today="2026-11-29"):
        assert problem.message
        assert problem.remedy


def test_a_name_that_is_an_everyday_word_wants_words_of_its_market(tmp_path):
    def found(text):
        folder = write_folder(tmp_path, monitors={"chairs": text})
        return check_folder(folder, today="2026-11-29", is_everyday={"Halden", "Next"}.__contains__)

    (problem,) = found(MONITOR)
    assert (problem.file, problem.severity) == ("monitors/chairs.yaml", Severity.WARNING)
    assert "`Halden`" in problem.message
    assert "context" in problem.remedy
    assert found(MONITOR + "context: [chair, seat]\n") == ()
    assert found(change(MONITOR, "aliases: [Halden]\n", "aliases: [Halden]\n  context: [chair]\n")) == ()
    assert [p.message for p in found(change(MONITOR, "AuroraChair", "Next")) if "Next" in p.message]
