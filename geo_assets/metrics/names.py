"""Names and explanations of metrics in Chinese and English, for the report, the docs and column metadata.

What belongs here: words. What does not: formulas (`catalogue`). Every metric family has an entry; a test holds it
complete.
"""

from typing import NamedTuple


class MetricName(NamedTuple):
    """A metric for readers: its name and what it says, in both languages."""

    zh: str
    en: str
    means_zh: str
    means_en: str


NAMES: dict[str, MetricName] = {
    "mention_rate": MetricName(
        "提及率", "Mention rate", "有效回答中点名该品牌的比例。", "Share of usable answers that name the brand."
    ),
    "mention_rate_low": MetricName(
        "提及率下界",
        "Mention rate, lower bound",
        "把存疑的读数都当作未提及。",
        "With readings in doubt taken as not named.",
    ),
    "mention_rate_high": MetricName(
        "提及率上界", "Mention rate, upper bound", "把存疑的读数都当作提及。", "With readings in doubt taken as named."
    ),
    "reach_rate": MetricName(
        "触达率",
        "Reach rate",
        "提及次数除以有效、拒答与被过滤的回答之和。",
        "Answers that name the brand, out of usable, refused and filtered ones.",
    ),
    "answered_rate": MetricName(
        "有效回答率", "Answered rate", "收到的回答中可用的比例。", "Share of received answers that are usable."
    ),
    "coverage_at_k": MetricName(
        "k 次覆盖率",
        "Coverage at k",
        "同一问题问 k 次，至少一次被提及的概率，对问题取平均。",
        "Chance to be named at least once when a question is asked k times, averaged over questions.",
    ),
    "first_mention_rate": MetricName(
        "首位提及率",
        "First mention rate",
        "有效回答中该品牌最先出现的比例（并列平分）。",
        "Share of usable answers that name the brand first; ties share.",
    ),
    "first_given_named": MetricName(
        "提及时居首",
        "First when named",
        "被提及的回答中居首位的比例。",
        "Of the answers that name it, those naming it first.",
    ),
    "top3_rate": MetricName(
        "前三率",
        "Top 3 rate",
        "有效回答中位列监测品牌前三的比例；少于 5 个监测品牌时不给出。",
        "Share of usable answers with the brand among the first three tracked ones; needs 5 tracked brands.",
    ),
    "list_rank_top3_rate": MetricName(
        "榜单前三率",
        "List top 3 rate",
        "带编号的榜单中编号不大于 3 的比例。",
        "Of the answers that print a numbered list, those that give the brand a number up to 3.",
    ),
    "mean_rank": MetricName(
        "平均名次",
        "Mean rank",
        "被提及时的平均名次；提及不足 5 次时不给出，也不判定涨跌。",
        "Mean place when named; needs 5 answers, and its changes are never judged.",
    ),
    "reciprocal_rank": MetricName(
        "名次得分",
        "Reciprocal rank",
        "1 除以名次，未提及记 0，对全部有效回答取平均。",
        "1 over the place, 0 where not named, averaged over all usable answers.",
    ),
    "sov_answers": MetricName(
        "声量份额",
        "Share of voice",
        "提及该品牌的回答数，占各监测品牌提及回答数之和的比例。",
        "Answers that name the brand, out of the sum of such answers over all tracked brands.",
    ),
    "sov_occurrences": MetricName(
        "出现次数份额",
        "Share of occurrences",
        "按出现次数计算的份额。",
        "The same by places in the text instead of answers.",
    ),
    "sov_either": MetricName(
        "提及回答占比",
        "Share of naming answers",
        "在提到任一监测品牌的回答中，提到该品牌的比例。",
        "Of the answers that name any tracked brand, those that name this one.",
    ),
    "recommended_rate": MetricName(
        "推荐率",
        "Recommended rate",
        "提及且态度明确的回答中明确推荐的比例。",
        "Of the answers that name it with a clear stance, those that recommend it.",
    ),
    "negative_rate": MetricName(
        "劝退率",
        "Advised-against rate",
        "提及且态度明确的回答中劝人不选的比例。",
        "Of the answers that name it with a clear stance, those that advise against it.",
    ),
    "brand_text_share": MetricName(
        "篇幅占比",
        "Text share",
        "被提及时，点名句子占可读文字的比例（多品牌同句平分）。",
        "When named, the part of the readable text in sentences that name it; shared sentences are split.",
    ),
    "citation_rate": MetricName(
        "引用率",
        "Citation rate",
        "来源可见的回答中，引用了品牌自有页面的比例。",
        "Of the answers whose sources can be seen, those that cite a page of the brand.",
    ),
    "citation_share": MetricName(
        "引用份额",
        "Citation share",
        "自有页面占全部被引页面的比例（每个回答内去重）。",
        "Pages of the brand out of all cited pages, each page once per answer.",
    ),
    "ghost_rate": MetricName(
        "隐身引用率",
        "Ghost rate",
        "引用了自有页面却没有点名品牌的比例。",
        "Of the answers that cite a page of the brand, those that do not name it.",
    ),
    "ghost_incidence": MetricName(
        "隐身引用发生率",
        "Ghost incidence",
        "来源可见的回答中，引用却未点名的比例。",
        "Of the answers whose sources can be seen, those that cite the brand without naming it.",
    ),
    "source_word_share": MetricName(
        "来源文字占比",
        "Source word share",
        "指向自有来源的句子占全文的比例。",
        "The part of the text in sentences that point to the brand's own sources.",
    ),
    "exclusion": MetricName(
        "样本去向",
        "Exclusion state",
        "计划样本各归何处，合计等于计划。",
        "Where planned samples went; the sum is the plan.",
    ),
    "reading": MetricName(
        "品牌读数",
        "Brand reading",
        "计入的回答如何对待品牌。",
        "How counted answers treat the brand; sums to the counted ones.",
    ),
    "flag": MetricName("标记", "Flag", "不改变去向的标记，如迟到。", "Marks that are no states, such as late."),
    "rank": MetricName("名次分布", "Rank distribution", "各名次的回答数。", "Answers with this place."),
    "n_tracked": MetricName(
        "监测品牌数", "Tracked brands", "名次与份额所比较的品牌数。", "Size of the set that is compared."
    ),
    "cell": MetricName(
        "提及与引用",
        "Named and cited",
        "来源可见的回答按提及与引用分为四格。",
        "Answers whose sources can be seen, by named and cited.",
    ),
}
"""By metric family, in the order in which readers should meet them."""


def metric_name(metric: str) -> MetricName:
    """The entry of a metric; members of families (`coverage_at_3`, `citation_rate:cited`) carry theirs in the names.

    Raises:
        KeyError: a metric without a name.
    """
    family, _, member = metric.partition(":")
    if family.startswith("coverage_at_"):
        k = family.rpartition("_")[2]
        entry = NAMES["coverage_at_k"]
        return entry._replace(zh=f"{k} 次覆盖率", en=f"Coverage at {k}")
    entry = NAMES[family]
    if not member or member == "cited":
        return entry
    shown = {"retrieved": "检索"}.get(member, member)
    return entry._replace(zh=f"{entry.zh}（{shown}）", en=f"{entry.en} ({member})")
