"""Names of towns, rivers and things that are brands too: the same name in both meanings, beside each other."""

import pytest

from geo_assets.analysis.bulk import read_row

# name, category, sentences that mean the brand, sentences that mean the other thing
PAIRS = [
    (
        "青岛",
        "啤酒",
        [
            "聚餐一般点青岛，口感清爽。",
            "超市现在青岛做活动，一箱便宜十块。",
            "青岛和雪花哪个更适合聚餐？我更推荐青岛。",
        ],
        ["去青岛旅游一定要喝原浆啤酒。", "周末在青岛待了两天。", "飞往青岛的航班不多。"],
    ),
    (
        "维也纳",
        "酒店",
        ["出差住维也纳，早餐不错，酒店位置也方便。", "维也纳了解一下，价格适中。"],
        ["维也纳的音乐会很有名，冬天可以去看看。", "她定居维也纳多年。"],
    ),
    (
        "朝阳",
        "轮胎",
        ["国产轮胎里朝阳性价比不错。", "轮胎我推荐朝阳，耐磨。"],
        ["房间选朝阳的一面，采光更好。", "属于朝阳产业。"],
    ),
    (
        "珠江",
        "啤酒",
        ["夏天喝珠江比较清爽，是本地人常买的啤酒。"],
        ["晚上沿着珠江边散步，买了两罐啤酒。"],
    ),
    (
        "坦克",
        "越野车",
        ["预算二十万，坦克和哈弗都可以看看。", "坦克的内饰比较豪华，适合越野。"],
        ["二战时期的坦克重达三十吨。"],
    ),
    ("雪花", "啤酒", ["超市里雪花最便宜，适合烧烤。"], ["窗外飘着雪花，屋里煮着火锅。"]),
    ("苹果", "手机", ["手机里苹果最保值。"], ["超市里苹果最便宜，买了一袋。"]),
    (
        "Frontier",
        "airline",
        ["Frontier may not be the best known, but its fares are low."],
        ["It is a new frontier for cheap travel."],
    ),
    (
        "Delta",
        "airline",
        ["For flights from Atlanta, Delta has the most routes."],
        ["The Mekong Delta is worth a trip.", "The delta between the two prices is small."],
    ),
    (
        "Amazon",
        "shop",
        ["Many people buy it on Amazon because shipping is fast."],
        ["The Amazon rainforest is huge.", "A cruise on the Amazon river takes a week."],
    ),
]
CASES = [
    pytest.param(name, category, text, meant, id=f"{name}-{text[:20]}")
    for name, category, brand, other in PAIRS
    for meant, texts in ((True, brand), (False, other))
    for text in texts
]


@pytest.mark.parametrize(("name", "category", "text", "meant"), CASES)
def test_a_name_in_both_meanings(name: str, category: str, text: str, meant: bool) -> None:
    got = read_row("mentions", {"id": "x", "text": text, "brand": {"name": name, "aliases": [], "category": category}})
    assert got["mentioned"] is meant, got
