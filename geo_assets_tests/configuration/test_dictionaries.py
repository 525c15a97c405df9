from geo_assets.configuration import dictionary, load_project
from geo_assets.model.dictionary import OwnedSource, Role
from geo_assets_tests.configuration.folders import MONITOR, change, write_folder

FULL = change(
    MONITOR,
    "  aliases: [Halden]\n",
    """\
  aliases: [Halden, 海灯, Halden]
  exclude: [Halden Street]
  context: [chair]
  products:
    - {id: loop, name: Loop, aliases: [Halden Loop], exclude: [Loop road]}
  owned_sources:
    - {host: Halden.example, path: /blog}
    - {host: mp.weixin.qq.com, account: abc==}
""",
).replace("tenant: acme\n", "tenant: acme\ncontext: [seat, back]\nknown_names: [Halden Bank]\n")


def load(folder, text=FULL):
    loaded = load_project(write_folder(folder, monitors={"chairs": text}), today="2026-11-29")
    assert loaded.problems == ()
    return dictionary(loaded.monitor("chairs"), loaded.project)


def test_products_are_entries_below_their_brand_with_its_role_and_context(tmp_path):
    result = load(tmp_path)
    assert [(b.id, b.role, b.parent) for b in result.brands] == [
        ("halden", Role.OWN, None),
        ("loop", Role.OWN, "halden"),
        ("aurora", Role.COMPETITOR, None),
    ]
    own, loop, _ = result.brands
    assert result.own is own
    assert [b.id for b in result.tracked] == ["halden", "aurora"]
    assert own.aliases == ("Halden", "海灯")
    assert (loop.aliases, loop.exclude, loop.context) == (("Halden Loop",), ("Loop road",), ("chair",))
    assert own.owned == (OwnedSource("halden.example", "/blog"), OwnedSource("mp.weixin.qq.com", account="abc=="))
    assert (result.monitor, result.known, result.context) == ("chairs", ("Halden Bank",), ("seat", "back"))
    assert result.coverage_k == (1, 3)


def test_the_order_of_names_does_not_change_the_hash_and_a_new_alias_does(tmp_path):
    one = load(tmp_path / "a")
    other = load(tmp_path / "b", FULL.replace("[Halden, 海灯, Halden]", "[海灯, Halden]"))
    changed = load(tmp_path / "c", FULL.replace("海灯", "海灯座椅"))
    assert one.hash == other.hash
    assert one.hash != changed.hash
