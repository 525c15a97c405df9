"""How assistants usually word a pick, a warning, a balanced view and a plain fact, as own sentences in both languages.

`data/usual_wordings.tsv`: the stance and the text of one answer a line, \\n for a line break, Ⓑ for the brand. They
were written to look for what is read wrong, and the rules were widened by their kinds: this is no figure of accuracy.
"""

from pathlib import Path

import pytest

from geo_assets.analysis.bulk import read_row
from geo_assets_tests.analysis.labels import label

ROWS = [
    line.split("\t", 1)
    for line in (Path(__file__).parent / "data" / "usual_wordings.tsv").read_text(encoding="utf-8").splitlines()
]


def stance(text):
    text = text.replace("\\n", "\n").replace("Ⓑ", "Vantrell")
    row = {"id": "1", "text": text, "brand": {"name": "Vantrell", "aliases": []}}
    return label(read_row("mentions", row)["stance"])


@pytest.mark.parametrize("label", ["yes", "neutral", "negative"])
def test_usual_wordings_are_read(label):
    wrong = [text for wanted, text in ROWS if wanted == label and stance(text) != label]
    assert len(wrong) <= 0.03 * sum(wanted == label for wanted, _ in ROWS), wrong


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Should you get Ⓑ? Not unless you cook often.", "negative"),
        ("Would I buy Ⓑ again? Yes.", "yes"),
        ("Does Ⓑ need a subscription? Yes.", "neutral"),
        ("要不要买Ⓑ？我的建议是不要。", "negative"),
        ("Ⓑ需要会员吗？不需要。", "neutral"),
    ],
)
def test_a_question_gives_no_verdict_but_the_answer_to_it_does(text, wanted):
    assert stance(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("| Need | Go with |\n|---|---|\n| Quiet | Ⓑ |\n| Cheap | Zentro |", "yes"),
        ("| Need | Skip |\n|---|---|\n| Quiet | Ⓑ |\n| Cheap | Zentro |", "negative"),
        ("| Need | Made by |\n|---|---|\n| Quiet | Ⓑ |\n| Cheap | Zentro |", "neutral"),
        ("| | Ⓑ | Zentro |\n|---|---|---|\n| Price | $40 | $55 |\n| Verdict | Skip | Best value |", "negative"),
        ("| 对比项 | 嘉禾 | Ⓑ |\n|---|---|---|\n| 价格 | 299 | 399 |\n| 推荐 | 不推荐 | 推荐 |", "yes"),
        ("| | Ⓑ | Zentro |\n|---|---|---|\n| Offline | ✅ | ❌ |\n| Free plan | ❌ | ✅ |", "neutral"),
    ],
)
def test_the_heads_of_a_table_say_what_its_cells_mean(text, wanted):
    assert stance(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Both Ⓑ and Zentro are solid, and the choice depends on your needs.", "neutral"),
        ("选Ⓑ还是嘉禾，取决于你的预算。", "neutral"),
        ("嘉禾和Ⓑ各有侧重：常看资讯的话，Ⓑ更适合。", "yes"),
    ],
)
def test_a_pair_is_even_unless_one_of_it_is_picked_afterwards(text, wanted):
    assert stance(text) == wanted
