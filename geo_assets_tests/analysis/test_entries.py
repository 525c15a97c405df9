"""Stances that a brand owes to its place in the answer where no list gives it one, and to cases side by side."""

import pytest

from geo_assets.analysis.bulk import read_row

ENTRIES = [
    ("Avora", "Avora HD 45: A budget-friendly option with a clear sound.", "listed"),
    ("Avora", "It lasts long.Avora Rocket 3:Another fast shoe with ample cushioning.", "listed"),
    ("Avora", "- Avora (open-source, for teams that host it themselves)", "listed"),
    ("Avora", "* **[Avora 50 Pint](https://shop.example/a?b=1)**: Drains by itself, and runs quietly.", "listed"),
    ("Avora", "### **Best budget**\n\n**Avora Duo**\n\n* **Pros**: light and cheap", "listed"),
    ("Avora", "### 🥉 **Avora Orbit**\n\n* **Why**: made to last.", "listed"),
    ("Avora", "- Machine secrets: Avora or a cloud service", "recommended"),
    ("Avora", "**Specs:** Avora X5 chip, 16 GB of memory, a bright display.", "neutral"),
    (
        "Avora",
        "Belar TP70: This humidifier offers 50 pints and Avora voice control. It is perfect for homes.",
        "neutral",
    ),
    ("Avora", "It offers Avora lining at a low price. It's a good choice for skiers.", "neutral"),
    ("Avora", '[3]: https://news.example/a "The best coats as Avora opens shops"', "neutral"),
    ("宫本", "作品包括《千山》、《宫本》和《河谷》等。", "neutral"),
    ("宫本", "首先，宫本这种点心是食品，和性别没有关系。", "neutral"),
    ("宫本", "走路拍视频用影石，下水玩用宫本。", "recommended"),
    ("宫本", "拿一千五去买宫本的登山表，倒不如添三百拿下海川，导航更好用。", "neutral"),
    ("海川", "拿一千五去买宫本的登山表，倒不如添三百拿下海川，导航更好用。", "recommended"),
    ("宫本", "实在找不出拒绝宫本的借口。", "recommended"),
    ("宫本", "装上宫本不后悔，拆洗也快。", "recommended"),
    ("宫本", "宫本的味道两极分化：爱的人整箱囤，怕的人一口就放下。", "neutral"),
    ("宫本", "## 别往购物车里放\n宫本的 75 寸挂不下。", "advised_against"),
    ("宫本", "考勤都上海川，宫本可以卸了。", "advised_against"),
    ("宫本", "您贴的链接我都看完了，没有一处写到宫本。", "absent"),
    ("Avora", "The two files make no reference to Avora, so that has to wait.", "absent"),
    ("Avora", "You would be hard pressed to regret an Avora.", "recommended"),
    ("Avora", "In place of an Avora, put a Belar on the stove.", "neutral"),
    ("Avora", "Avora does the job, though with two people I'd settle on Belar.", "neutral"),
    ("Avora", "People are divided over Avora: some swear by it, some find it tight.", "neutral"),
    ("Avora", "Historically, Avora was a popular recommendation. Breaches have eroded trust.", "advised_against"),
    ("Avora", "### **Better avoided: Avora X8**\n* **Pros**: cheap", "advised_against"),
    ("Avora", "Cross\u2011platform desktop apps (Avora on Windows) are fine.", "neutral"),
    (
        "Avora",
        "### 🔹 **Avora Mobile (for the thrifty)**\n\n* **Price**: 15 a month\n* **Best for**: light use",
        "recommended",
    ),
    ("Avora", "### **Avora Mobile**\n\nA carrier founded in 2012.", "neutral"),
    ("Avora", "### [Dunlin x Avora Blue Vest](https://shop.example/a)\n\n*$40*", "listed"),
    ("Avora", "It fits most homes.Belar Avora GT6: Designed for players, it answers fast.", "listed"),
    ("Avora", "Use a keeper of secrets: Belar Vault, Avora Secrets, or Cenor.", "listed"),
    ("Avora", "Look for brands with many sizes, such as Belar, Cenor, and Avora.", "listed"),
    ("Avora", "You'll use Belar or Avora to host the file.", "neutral"),
    ("Avora", "Decide whether you prefer Belar or Avora.", "neutral"),
    ("Avora", "For most people who use a laptop, and want polish: Avora (paid).", "recommended"),
    ("Avora", "- If you only own phones and want the simplest way: Avora.", "recommended"),
    ("Avora", "Be aware that some Avora models have been criticized for damage.", "advised_against"),
    ("Avora", "Some Avora devices are under review, so you may want to consider other brands.", "advised_against"),
    ("Avora", "Take the Avora out of the freezer ten minutes before you serve it.", "neutral"),
    ("Avora", "I wouldn't dream of crossing with anyone but Avora.", "recommended"),
    ("Avora", "[Belar Vista Laptop](): Features an Avora processor, providing smooth performance.", "neutral"),
    ("Avora", "Avora® Travel credit card:Best for: Trips, families.Why: Points on every purchase.", "listed"),
    ("Avora", "For users with two computers:Avora PD27:Features a key for switching.", "listed"),
    ("Avora", "**Avora** — 0 hits.", "absent"),
    ("Avora", "Neither report says a word about Avora.", "absent"),
    ("宫本", "您可以安装一些常用的软件，例如海川或宫本。", "recommended"),
    ("宫本", "资料中找不到宫本的工费说明。", "absent"),
    ("宫本", "前年我会把宫本推给所有人；如今就不再推了。", "advised_against"),
    ("宫本", "入门琴，宫本那支一步到位，不用再换。", "recommended"),
    ("宫本", "退出宫本时弹出一个窗口。", "neutral"),
]


@pytest.mark.parametrize(("brand", "text", "stance"), ENTRIES, ids=[text[:40] for _, text, _ in ENTRIES])
def test_stance(brand, text, stance):
    assert read_row("mentions", {"id": "a", "text": text, "brand": {"name": brand}})["stance"] == stance


def test_a_name_in_brackets_behind_its_translation_heads_the_item():
    text = "3. 龙谷（Dragon Vale）\n4. 剑影2：永恒的传说（Sable II）"
    assert read_row("mentions", {"id": "a", "text": text, "brand": {"name": "Sable"}})["list_rank"] == 4


def test_a_bold_label_before_a_bold_name_is_no_part_of_the_name():
    text = "* **Cheap:** **Belar One** – light.\n* **High-end:** **Avora HA1** – lasts.\n* **Small:** **Cenor** – tiny."
    assert read_row("mentions", {"id": "a", "text": text, "brand": {"name": "Avora"}})["list_rank"] == 2


def test_an_ampersand_may_be_written_as_an_entity():
    text = "Take the Briar &amp; Ridley bag."
    assert read_row("mentions", {"id": "a", "text": text, "brand": {"name": "Briar & Ridley"}})["count"] == 1


def test_angle_brackets_around_a_title_are_no_tag():
    text = "<<Wit & Wager>>: a quiz for all.\nThen <Wit & Wager> again, <b>Wit & Wager</b> once more."
    assert read_row("mentions", {"id": "a", "text": text, "brand": {"name": "Wit & Wager"}})["count"] == 3


def test_rivals_in_the_name_of_one_item_share_its_place():
    text = "#### **5. Belar**\n* Free\n\n#### **6. Cenor / Dunlin TV / Avora**\n* Free too"
    assert read_row("mentions", {"id": "a", "text": text, "brand": {"name": "Avora"}})["list_rank"] == 6
