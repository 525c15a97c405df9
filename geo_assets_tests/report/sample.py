# ruff: noqa: E501
"""A believable fortnight of two monitors, for looking at the report: `python -m geo_assets_tests.report.sample OUT.html`.

Seeded; every number goes the way of the real ones, through observations and daily rows.
"""

import random
import sys
from pathlib import Path
from typing import Any

from geo_assets.analysis.review import ReviewItem
from geo_assets.metrics.daily import daily_rows
from geo_assets.metrics.observations import observations
from geo_assets.metrics.windows import window_dates
from geo_assets.model.dictionary import BrandEntry, Dictionary, OwnedSource, Role
from geo_assets.model.review import ReviewField
from geo_assets.report.inputs import MonitorInput, PlatformInfo, ReportInput
from geo_assets.report.page import render_report

DATE = "2026-11-29"
QWEN = PlatformInfo("qwen", "Qwen", "通义千问", "api", "qwen-plus")
DOUBAO = PlatformInfo("doubao", "Doubao", "豆包", "api", "doubao-seed")
KIMI = PlatformInfo("kimi", "Kimi", "Kimi", "api", "kimi-k2")
GPT = PlatformInfo("chatgpt", "ChatGPT", "ChatGPT", "api", "gpt-5")

ROBOT = Dictionary(
    "robot-zh",
    (
        BrandEntry("roborock", "石头科技", Role.OWN, owned=(OwnedSource("roborock.com"),)),
        BrandEntry("roborock-g30", "石头 G30", Role.OWN, parent="roborock"),
        BrandEntry("ecovacs", "科沃斯", Role.COMPETITOR),
        BrandEntry("dreame", "追觅", Role.COMPETITOR),
        BrandEntry("narwal", "云鲸", Role.COMPETITOR),
        BrandEntry("xiaomi", "小米", Role.COMPETITOR),
    ),
)
NOTES = Dictionary(
    "notes-en",
    (
        BrandEntry("obsidian", "Obsidian", Role.OWN, owned=(OwnedSource("obsidian.md"),)),
        BrandEntry("notion", "Notion", Role.COMPETITOR),
        BrandEntry("evernote", "Evernote", Role.COMPETITOR),
        BrandEntry("onenote", "OneNote", Role.COMPETITOR),
    ),
)
QUESTIONS = {
    "robot-zh": [
        "三千元左右的扫地机器人推荐哪款",
        "家里有猫，扫地机器人买什么牌子好",
        "扫拖一体机器人哪个牌子清洁力强",
        "扫地机器人避障做得最好的是哪家",
        "自动上下水的扫地机器人值得买吗",
        "小户型适合什么扫地机器人",
        "老人用的扫地机器人要选简单好用的",
        "双十一扫地机器人怎么选",
        "扫地机器人噪音小的推荐",
        "地毯多的家庭选哪款扫地机",
        "扫地机器人十大品牌排行",
        "扫地机器人售后哪家好",
        "木地板用什么扫拖机器人不伤地板",
        "扫地机器人拖地不臭的有哪些",
        "租房党买扫地机器人推荐",
        "扫地机器人基站集尘哪家做得好",
        "婴儿家庭适合的扫地机器人",
        "一万元以内最好的扫地机器人",
        "扫地机器人和洗地机怎么选",
        "扫地机器人性价比之王是谁",
    ],
    "notes-en": [
        "What is the best app for taking notes at university?",
        "Which note app works offline and keeps files on my disk?",
        "Best tool for a personal knowledge base",
        "What should a small team use for meeting notes?",
        "Which note app has the best search?",
        "Best free note app for Windows",
        "What do researchers use to link notes?",
        "Is there a private note app with end-to-end encryption?",
        "Best note app for Markdown",
        "Which app is good for a daily journal?",
        "Best way to take notes on a tablet",
        "Which note apps have a graph view?",
    ],
}
SHARES = {
    "roborock": 0.62, "roborock-g30": 0.14, "ecovacs": 0.74, "dreame": 0.55, "narwal": 0.4, "xiaomi": 0.33,
    "obsidian": 0.48, "notion": 0.81, "evernote": 0.35, "onenote": 0.44,
}  # fmt: skip
TASTE = {"qwen": 1.0, "doubao": 0.8, "kimi": 1.15, "chatgpt": 1.0}
SITES = [
    ("zhihu.com", "forum", None), ("smzdm.com", "shop", None), ("bilibili.com", "video", None), ("sohu.com", "news", None), ("163.com", "news", None),
    ("roborock.com", "official", "roborock"), ("ecovacs.cn", "official", "ecovacs"), ("jd.com", "shop", None), ("pcauto.example", "news", None),
]  # fmt: skip
SITES_EN = [
    ("reddit.com", "forum", None), ("zapier.com", "news", None), ("youtube.com", "video", None), ("obsidian.md", "official", "obsidian"),
    ("notion.so", "official", "notion"), ("wikipedia.org", "encyclopedia", None), ("pcmag.com", "news", None),
]  # fmt: skip


def partition(
    dictionary: Dictionary, platform: PlatformInfo, date: str, repeats: int, language: str
) -> dict[str, list[dict[str, Any]]]:
    """Rows of one date and platform as the tables hold them (the columns that the report and the metrics read)."""
    source = random.Random(f"{dictionary.monitor} {platform.id} {date}")
    plan, answers, mentions, citations = [], [], [], []
    for n, text in enumerate(QUESTIONS[dictionary.monitor]):
        likes = random.Random(f"{dictionary.monitor} {n}")
        lift = {
            b.id: min(0.97, max(0.02, SHARES[b.id] * TASTE[platform.id] + likes.gauss(0, 0.25)))
            for b in dictionary.brands
        }
        for repeat in range(repeats):
            base = {
                "sample_id": f"s{date}{platform.id}{n:02d}{repeat}", "monitor": dictionary.monitor, "question_id": f"q{n}",
                "question_revision": f"r{n}", "repeat_index": repeat, "simulated": True,
            }  # fmt: skip
            plan.append(
                base | {"question_text": text, "intent": "category", "tags": [], "weight": 1, "search_asked": True}
            )
            outcome = source.choices(
                ["counted", "refused", "empty", "truncated", "failed", "unsearched", "not_captured"],
                [88, 3, 2, 2, 2, 2, 1],
            )[0]
            answers.append(
                base | {"question_text": text, "language": language, "outcome": outcome, "late": False, "search_state": "not_used" if outcome == "unsearched" else "used",
                        "citations_observable": True, "citation_mode": "marker", "parser": f"{platform.id}/1"}
            )  # fmt: skip
            if outcome not in {"counted", "unsearched"}:
                continue
            named = [b for b in dictionary.brands if source.random() < lift[b.id]]
            source.shuffle(named)
            read = {"outcome": outcome, "question_scope": "nonbrand", "search_scope": "searched" if outcome == "counted" else "unsearched",
                    "reader": "rules-1", "dictionary_hash": dictionary.hash, "parser": f"{platform.id}/1"}  # fmt: skip
            ranks = {b.id: i for i, b in enumerate([b for b in named if b.parent is None], 1)}
            for brand in dictionary.brands:
                told = brand in named
                doubt = told and source.random() < 0.02
                line = (
                    f"{ranks.get(brand.id, 1)}. **{brand.name}**：清洁和避障都很均衡，预算充足可以优先考虑"
                    if language == "zh"
                    else f"{ranks.get(brand.id, 1)}. {brand.name} is a solid pick for most people, with fast search and wide platform support"
                )
                mentions.append(
                    base | read | {
                        "brand": brand.id, "brand_name": brand.name, "mentioned": told, "count": 2 * told, "tracked_rank": ranks.get(brand.id),
                        "list_rank": None, "stance": source.choices(["recommended", "listed", "neutral", "advised_against"], [4, 4, 3, 0.5])[0] if told else None,
                        "review": doubt, "review_reason": "also a common word" if doubt else None, "context": line if told else None,
                        "sentence_chars": 40.0 * told, "readable_chars": 600, "is_ranked_list": False,
                    }
                )  # fmt: skip
            sites = source.sample(SITES if language == "zh" else SITES_EN, source.randint(0, 4))
            for order, (domain, kind, owner) in enumerate(sites, 1):
                page = f"{domain}/{source.randint(1, 12)}"
                citations.append(
                    base | read | {"order": order, "citation_basis": "retrieved" if platform.id == "kimi" else "cited", "url": f"https://{page}", "page_key": page,
                                   "host": domain, "domain": domain, "owner": owner, "source_type": kind, "in_text_only": False,
                                   "owner_class": "other" if owner is None else "own" if owner == dictionary.own.id else "competitor"}
                )  # fmt: skip
    return {"plan": plan, "answers": answers, "mentions": mentions, "citations": citations}


OTHERS = {
    "zh": ["美的", "石头 P20", "海尔", "戴森 360 Vis Nav", "iRobot"],
    "en": ["Logseq", "Bear", "Joplin", "Apple Notes"],
}


def others(dictionary: Dictionary, platform: PlatformInfo, language: str) -> list[dict[str, Any]]:
    """Rows of `untracked_names`."""
    source = random.Random(f"others {dictionary.monitor} {platform.id}")
    return [
        {
            "name": name, "answers": source.randint(1, 19), "answers_read": 41, "questions": 3, "best_list_rank": source.choice([1, 2, 3, None]),
            "example_sample_id": f"s{DATE}{platform.id}000", "example_context": f"3. {name}：口碑稳定" if language == "zh" else f"3. {name} for plain text",
        }
        for name in OTHERS[language]
    ]  # fmt: skip


def doubts(rows: dict[str, list[dict[str, Any]]], language: str) -> list[ReviewItem]:
    """Cases in doubt: the mentions that ask for review, and one whole answer."""
    texts = {r["sample_id"]: r["question_text"] for r in rows["answers"]}
    reason = "也是常用词" if language == "zh" else "also a common word"
    found = [
        ReviewItem(
            r["sample_id"], "e" * 64, r["brand"], ReviewField.MENTIONED, "yes", 0.52, reason, texts[r["sample_id"]],
            f"…{r['context']}…", r["dictionary_hash"], "rules-1", f"## Top\n\n{r['context']}\n\n- **A** | B\n- [c](https://c.example)",
        )
        for r in rows["mentions"] if r["review"]
    ]  # fmt: skip
    first = rows["answers"][0]
    cut = ReviewItem(
        first["sample_id"], "e" * 64, "", ReviewField.VALIDITY, "truncated", 0.61, "ends within a sentence",
        first["question_text"], "…", "-", "rules-1",
    )  # fmt: skip
    return [*found, cut]


def monitor(
    dictionary: Dictionary, platforms: list[PlatformInfo], repeats: int, language: str, days: int
) -> MonitorInput:
    """A monitor with `days` of history; one day is missing on all platforms, one on the first only."""
    tables: dict[tuple[str, str], dict[str, list[dict[str, Any]]]] = {}
    for date in window_dates(DATE, days):
        for platform in platforms:
            if date != "2026-11-22" and (date, platform.id) != ("2026-11-26", platforms[0].id):
                tables[platform.id, date] = partition(dictionary, platform, date, repeats, language)
    seen = {
        k: observations(t["plan"], t["answers"], t["mentions"], t["citations"], scope_of=lambda _: "nonbrand")
        for k, t in tables.items()
    }

    def daily(date: str) -> list[dict[str, Any]]:
        within = set(window_dates(date, 28))
        return daily_rows(
            date, dictionary.monitor, dictionary, ((p, d, o) for (p, d), o in seen.items() if d in within),
            platforms=[p.id for p in platforms], simulated=True, reasons={p.id: "missed" for p in platforms},
        )  # fmt: skip

    today = {p.id: tables[p.id, DATE] for p in platforms}
    spend = {
        p.id: [
            {
                "currency": "USD" if p is GPT else "CNY",
                "quoted_micros": 1_460_000,
                "charged_micros": 1_218_400,
                "unreconciled_micros": 12_000 if p is KIMI else 0,
            }
        ]
        for p in platforms
    }
    changes = [
        {
            "platform": platforms[0].id,
            "brand": dictionary.own.id,
            "metric": "mention_rate",
            "kind": "within_noise",
            "base": 0.6,
            "recent": 0.62,
            "smallest_visible": 0.09,
            "reason": None,
        },
        {
            "platform": platforms[-1].id,
            "brand": dictionary.own.id,
            "metric": "mention_rate",
            "kind": "moved",
            "base": 0.52,
            "recent": 0.66,
            "smallest_visible": 0.08,
            "reason": None,
        },
    ]
    return MonitorInput(
        dictionary.monitor, dictionary, platforms, daily(DATE),
        history={d: daily(d) for d in window_dates(DATE, days)[:-1] if d != "2026-11-22"},
        answers={p: t["answers"] for p, t in today.items()}, mentions={p: t["mentions"] for p, t in today.items()},
        citations={p: t["citations"] for p, t in today.items()}, spend=spend, changes=changes, language=language,
        untracked_names={p.id: others(dictionary, p, language) for p in platforms}, doubts={p: doubts(t, language) for p, t in today.items()},
    )  # fmt: skip


def sample(days: int = 14) -> ReportInput:
    """Two monitors, one in each language."""
    return ReportInput(
        "GEO Assets",
        [monitor(ROBOT, [QWEN, DOUBAO, KIMI], 3, "zh", days), monitor(NOTES, [GPT, QWEN], 2, "en", days)],
        simulated=True,
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(render_report(DATE, sample()), encoding="utf-8")
