"""Names of towns, rivers and things that are brands too: the same name in both meanings, beside each other."""

import pytest

from geo_assets.analysis.ambiguity import is_everyday_word
from geo_assets.analysis.bulk import read_row

# name, category, sentences that mean the brand, sentences that mean the other thing
PAIRS = [
    (
        "金鱼",
        "洗洁精",
        ["洗碗用金鱼就行，超市里常有优惠。"],
        ["鱼缸里的金鱼翻肚皮，多半是水质不好。", "喂养金鱼要勤换水。"],
    ),
    ("口碑", "本地生活", ["在口碑上订餐厅，优惠券可以直接抵扣。"], ["这个品牌的产品口碑最佳，销量也高。"]),
    (
        "自然",
        "护肤品",
        ["自然的洗面奶我用完两支，推荐。"],
        ["电池耗尽，手机自然也就无法开机。", "现在流行自然景观摄影。"],
    ),
    ("好奇", "纸尿裤", ["好奇的金装系列吸水好，夜里用着放心。"], ["孩子对天文好奇，买个望远镜吧。"]),
    ("兄弟", "打印机", ["打印量大就买兄弟，硒鼓便宜。"], ["兄弟两人合伙开了一家店。"]),
    ("太平洋", "保险", ["车险我续的太平洋，理赔快。"], ["楼下有一家太平洋咖啡，可以坐坐。"]),
    (
        "Ram",
        "pickup truck",
        ["For towing I would take the Ram over any other truck."],
        ["The laptop has 16GB RAM and a good screen."],
    ),
    (
        "Origin",
        "games",
        ["Buy the game on Origin, it is cheaper there."],
        ["uBlock Origin is a browser extension."],
    ),
    ("On", "running shoes", ["The On shoes are light."], ["Best pick:On-ear headphones that are light."]),
    ("X", "social network", ["Post it on X, where reporters are."], ["The Rocket X 2 is a fast shoe."]),
    ("HP", "laptop", ["I would get the HP for a student."], ["Motor power: 2.0 HP, capacity: 64 oz."]),
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


# main name, alias, texts that mean the brand by its alias, texts that mean something else
SHORT_FORMS = [
    ("现代汽车", "现代", ["家用车选现代，省油。"], ["在现代生活中，手机离不开手。"]),
    ("长城葡萄酒", "长城", ["这瓶葡萄酒是长城的，送礼合适。"], ["古人修建长城是为了防御。"]),
    ("印象笔记", "印象", ["笔记软件里印象最老牌。"], ["重复能加深消费者的印象，也更好记。"]),
    ("CoCo都可", "都可", ["奶茶点都可，少糖。"], ["磨损和脱落，都可能是漆面的问题。"]),
    ("中通快递", "中通", ["寄快递用中通，便宜。"], ["一天中通过走路积累的步数。"]),
    ("中国移动", "中移动", ["中移动的套餐贵一点。"], ["中国市场中移动支付很普及。"]),
    ("Motorola", "Moto", ["The Moto G is cheap."], ["Majority Moto: a budget-friendly turntable."]),
    ("Galaxy Note", "Note", ["Is the Note still sold by Samsung?"], ["小米的Redmi Note 7 Pro性价比高。"]),
    ("Adobe Illustrator", "AI", [], ["作为AI语言模型，我没有个人喜好。"]),
]


@pytest.mark.parametrize(("name", "alias", "brand", "other"), SHORT_FORMS, ids=[row[0] for row in SHORT_FORMS])
def test_a_short_form_is_the_brand_where_the_rest_of_the_name_or_the_market_is_near(name, alias, brand, other):
    def found(text):
        return read_row("mentions", {"id": "a", "text": text, "brand": {"name": name, "aliases": [alias]}})["mentioned"]

    assert [text for text in brand if not found(text)] == []
    assert [text for text in other if found(text)] == []


def test_letters_across_a_word_border_are_no_name():
    def found(name, text):
        return read_row("mentions", {"id": "a", "text": text, "brand": {"name": name}})["mentioned"]

    across = [
        ("天猫", "春天猫咪换毛快。"),
        ("天猫", "成年猫每天猫粮不要超过一碗。"),
        ("方太", "如果对方太忙没有回复，隔天再问。"),
        ("旺旺", "祝您一家人气旺旺。"),
    ]
    assert [pair for pair in across if found(*pair)] == []
    assert found("天猫", "想退货就上天猫找客服。")
    assert found("方太", "厨房装的方太，吸力大。")
    assert found("旺旺", "年货买旺旺。")


def test_a_company_word_makes_no_short_form_of_the_name_that_everybody_uses():
    brand = {"name": "石头科技", "aliases": ["石头"], "category": ["扫地机器人"]}
    assert read_row("mentions", {"id": "a", "text": "养猫家庭我会选石头，不缠毛。", "brand": brand})["mentioned"]
    airline = {"name": "Delta Air Lines", "aliases": ["Delta"], "category": ["airline"]}
    text = "Delta flies there daily, United twice a week."
    assert read_row("mentions", {"id": "a", "text": text, "brand": airline})["mentioned"]


def mentioned(name, text, **brand):
    return read_row("mentions", {"id": "a", "text": text, "brand": {"name": name, **brand}})["mentioned"]


# Each: the name, texts that mean the brand, texts in which the word is but a word. No market is given.
EVERYDAY = [
    ("得到", ["听书我推荐得到App。"], ["两边同时除以二，得到最后的结果。"]),
    ("轻松", ["体检可以在轻松集团旗下的平台约。"], ["这让用户可以更轻松地完成任务。"]),
    ("现代", ["现代汽车的新款车型卖得不错。"], ["学校旁边有一座现代建筑。"]),
    ("和平", ["入手和平精英的新款皮肤。"], ["人们渴望和平与安宁。"]),
    ("微软", ["微软的办公软件用的人多。"], []),
    ("曹操", ["打车用曹操出行App也行。"], ["赤壁之战中，曹操的军队败给了孙刘联军。"]),
    ("甲骨文", ["甲骨文公司的数据库很贵。"], ["商代的甲骨文刻在龟甲上，多用于占卜。"]),
    ("Next", ["Her coat is from Next, like mine."], ["Next, you can add the eggs.", "Today is fine. Next, stir."]),
    (
        "Global",
        ["Chefs like knives by Global for their balance."],
        ["A report on Global Climate Change was published."],
    ),
    ("Today", [], ["Today, most shops take cards."]),
    ("Target", ["Target sells it for less."], ["Set a target first."]),
]


@pytest.mark.parametrize(("name", "brand", "word"), EVERYDAY, ids=[row[0] for row in EVERYDAY])
def test_an_everyday_word_needs_evidence_where_no_market_is_known(name, brand, word):
    found = {"和平": "和平精英"}.get(name, name)
    assert [text for text in brand if not mentioned(found, text)] == []
    assert [text for text in word if mentioned(name, text)] == []


def test_the_market_of_a_monitor_is_evidence_for_an_everyday_word():
    text = "老板的油烟机吸力大。"
    assert mentioned("老板", text, category=["油烟机", "燃气灶"])
    assert not mentioned("老板", "跟老板提加薪之前想清楚。", category=["油烟机", "燃气灶"])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("林肯", "亚伯拉罕·林肯当选后不久，南方各州宣布独立。"),
        ("山姆", "山姆·布朗巴克当时是州长。"),
        ("迪奥", "歌剧作者克劳迪奥·蒙特威尔第出生在克雷莫纳。"),
        ("德邦", "咖喱在泰米尔纳德邦很常见。"),
        ("李宁", "公益人士李宁长期照顾老人。"),
        ("Emma", "Emma Watson's first role was in a play at school."),
        ("Claude", "The Claude Moore Recreation Center has a climbing wall."),
        ("Coach", "Coach Williams paces along the bench."),
        ("Stanley", "The team won four Stanley Cups in a row."),
        ("Mars", "India sent one successful Mars mission into orbit."),
        ("Sun", "The Earth revolves around the Sun once a year."),
        ("UPS", "没有备用电源如发电机或UPS（不间断电源系统）就会断电。"),
        ("Ram", "Check the RAM (random access memory) first."),
        ("Celsius", "Bake it at 180 degrees Celsius for an hour."),
        ("Snow", "The Silk & Snow mattress is firm."),
        ("Arc", "In Rust, Arc<T> counts references across threads."),
        ("Word", "可以用词嵌入，例如Word2Vec。"),
    ],
)
def test_somebody_or_something_else_of_that_name(name, text):
    assert not mentioned(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("福特", "福特的皮卡在北美卖得好。"),
        ("Coleman", "The **Coleman Skydome** is quick to set up."),
        ("Coach", "The bag is from Coach Outlet."),
        ("Ring", "### 4. **Ring Stick Up Cam Battery**"),
        ("UPS", "UPS（联合包裹）两天送到。"),
        ("三棵树", "儿童房的墙面刷三棵树就好。"),
    ],
)
def test_the_brand_beside_what_resembles_somebody_else(name, text):
    assert mentioned(name, text)


def test_a_name_in_quotation_marks_is_named_and_no_echo_of_the_question():
    assert mentioned("魔兽世界", "这个问题是对游戏‘魔兽世界’的调侃。")
    assert not mentioned("魔兽世界", "您问的是“魔兽世界怎么玩”，答案如下。")


def test_which_names_are_everyday_words():
    everyday = ["得到", "交通", "蚂蚁", "Next", "National", "Today"]
    others = ["小鹏", "海信", "微软", "三棵树", "Samsung", "Vantrell", "Bose", ""]
    assert [name for name in everyday if not is_everyday_word(name)] == []
    assert [name for name in others if is_everyday_word(name)] == []
