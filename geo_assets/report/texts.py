"""The page's words in Chinese and English. Two equal versions: a key without either is a mistake that a test finds."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from markupsafe import Markup, escape


class Text(NamedTuple):
    """One phrase in both languages."""

    zh: str
    en: str

    def __html__(self) -> str:
        """Both versions as HTML; the page's language switch shows one."""
        if self.zh == self.en:
            return escape(self.zh)
        return Markup('<span lang="zh">{}</span><span lang="en">{}</span>').format(self.zh, self.en)

    def fill(self, **values: object) -> "Text":
        """The phrase with `{name}` places filled in; values may be Texts."""

        def side(language: str) -> dict[str, object]:
            return {k: getattr(v, language) if isinstance(v, Text) else v for k, v in values.items()}

        return Text(_BETWEEN_HAN.sub("", self.zh.format(**side("zh"))), self.en.format(**side("en")))


_BETWEEN_HAN = re.compile(r"(?<=[\u4e00-\u9fff，。：]) (?=[\u4e00-\u9fff，。：])")
"""Blanks that stand around Latin names only; between Chinese characters they go."""

WORDS: dict[str, Text] = {
    "title": Text("AI 回答中的品牌可见度", "Brand visibility in AI answers"),
    "simulated": Text(
        "模拟数据：以下全部回答来自内置模拟器，不是真实平台的回答，请勿对外引用。",
        "Simulated data: every answer below comes from the built-in simulator, not from a real platform. Do not quote.",
    ),
    "platforms": Text("平台", "Platforms"),
    "platform": Text("平台", "Platform"),
    "brand": Text("品牌", "Brand"),
    "all_platforms": Text("全部平台", "All platforms"),
    "weighted": Text("各平台数值的加权平均", "weighted mean of the platforms' numbers"),
    "own": Text("本品牌", "own"),
    "competitor": Text("竞品", "competitor"),
    "other": Text("其他", "other"),
    "product": Text("产品", "product"),
    "questions": Text("{n} 个问题", "{n} questions"),
    "headline_scope": Text(
        "除另有说明，数字只来自不含任何品牌名的问题；小字为 95% 区间，n 为分母。",
        "Unless said otherwise, numbers are about questions that name no brand. Small ranges are 95% intervals, n is "
        "the denominator.",
    ),
    "who": Text("谁被提到", "Who is named"),
    "who_note": Text(
        "不含品牌名的问题中，点名各品牌的有效回答比例。横条为 95% 区间，刻度从 0 到 100%。",
        "Share of usable answers to questions that name no brand in which each brand is named. Bars are 95% "
        "intervals on a scale of 0 to 100%.",
    ),
    "more_brands": Text(
        "另有 {n} 个被提到较少的品牌，数字见表 daily_visibility。",
        "{n} more brands, named less often, are in the table daily_visibility.",
    ),
    "standing": Text("{brand}：位置、态度与来源", "{brand}: place, tone and sources"),
    "trend": Text("走势", "Trend"),
    "trend_note": Text(
        "每日提及率。色带为本品牌的 95% 区间；缺数据的日子留空，不补点。日与日之间的波动多为噪声。",
        "Mention rate per day. The band is the own brand's 95% interval; days without data stay empty. Most day-to-day "
        "movement is noise.",
    ),
    "changes": Text("变化判定", "Verdicts on changes"),
    "changes_note": Text(
        "最近 7 天与之前 28 天相比，以天为单位检验，并在第二天复核。",
        "The last 7 days against the 28 before, days as units, confirmed on a second day.",
    ),
    "sources": Text("回答引用了谁", "What answers cite"),
    "sources_note": Text(
        "按引用该域名的回答数排序；“检索”表示平台读取过但未说明是否采用，二者不混算。",
        "By answers that cite the domain. Retrieved means that the platform read it and does not say whether it used "
        "it; the two are never mixed.",
    ),
    "domain": Text("域名", "Domain"),
    "type": Text("类型", "Type"),
    "owner": Text("归属", "Owner"),
    "answers": Text("回答", "Answers"),
    "pages": Text("页面", "Pages"),
    "cited": Text("引用", "cited"),
    "retrieved": Text("检索", "retrieved"),
    "no_host": Text("不是网址", "not a web address"),
    "no_sources": Text("没有可见的来源。", "No sources can be seen."),
    "ghosts": Text(
        "隐身引用：{n} 个回答引用了 {brand} 的页面，却没有点名 {brand}。",
        "Ghost citations: {n} answers cite a page of {brand} without naming {brand}.",
    ),
    "ledger": Text("样本去向", "What was counted"),
    "ledger_note": Text(
        "每个计划样本恰有一个去向，合计等于计划。空白、拒答、失败从不算作“未提及”。",
        "Every planned sample has exactly one place and they sum to the plan. Empty, refused and failed ones never "
        "pass for not named.",
    ),
    "planned": Text("计划 {n}", "{n} planned"),
    "counted": Text("计入 {n}", "{n} counted"),
    "missing": Text("竞品被提到而 {brand} 缺席的问题", "Questions where competitors are named and {brand} is not"),
    "missing_note": Text(
        "所有有效回答都没有点名 {brand}，且至少一个回答点名了竞品。",
        "No usable answer names {brand}, and at least one names a competitor.",
    ),
    "missing_none": Text("今天没有这样的问题。", "None today."),
    "and_more": Text("另有 {n} 个。", "And {n} more."),
    "question": Text("问题", "Question"),
    "named_instead": Text("被提到的竞品", "Named instead"),
    "review": Text("存疑，待人工判断", "In doubt, for a person to decide"),
    "review_note": Text(
        "这些读数按最佳猜测计入；提及率旁的上下界给出两种判法的结果。下面每条附有裁定命令：在项目目录中运行，"
        "选一个取值，写明裁定人和理由。也可用 geo review export 导出表格，填好后用 geo review import 导入。"
        "裁定在下次读取时生效，证据不变。",
        "They count with their best guess; the bounds of the mention rate show both outcomes. Each case has its "
        "command: run it in the project's folder with one of the values, your name and your reason. Or fill in the "
        "table that geo review export writes and give it to geo review import. Decisions are applied at the next "
        "reading; evidence stays as it is.",
    ),
    "review_none": Text("没有存疑的读数。", "Nothing in doubt."),
    "guess_named": Text("猜测：提及", "guess: named"),
    "guess_not": Text("猜测：未提及", "guess: not named"),
    "guess": Text("猜测：{value}", "guess: {value}"),
    "usable": Text("可用", "usable"),
    "sure": Text("把握 {value}", "{value} sure"),
    "choices": Text("取值：{values}", "values: {values}"),
    "whole_answer": Text("整条回答", "the whole answer"),
    "whole": Text("完整回答", "The whole answer"),
    "untracked": Text("榜单里尚未监测的名称", "Names that nobody tracks"),
    "untracked_note": Text(
        "在回答的榜单、列表或表格中占一项、但本监测没有收录的公司与产品，可考虑加入监测。"
        "分数为占一项的回答数 / 读取的有效回答数；名次为最好的一次。",
        "Companies and products that head an item of a list or table in some answer and are not in this monitor: what "
        "you may want to add. Fractions are answers with such an item of usable answers read; the place is the best "
        "one.",
    ),
    "name": Text("名称", "Name"),
    "best_place": Text("最好名次", "Best place"),
    "example": Text("例子", "Example"),
    "spend": Text("费用", "Spend"),
    "quoted": Text("报价", "Quoted"),
    "charged": Text("实付", "Charged"),
    "unreconciled": Text("待核对", "Unreconciled"),
    "total": Text("合计", "Total"),
    "how": Text("如何阅读", "How to read this"),
    "how_interval": Text(
        "区间以问题为单位：同一问题的多次回答彼此相似，不能当作独立样本。它回答的是“换一批同类问题会怎样”。",
        "Intervals treat questions as the units, for answers to one question resemble each other. They speak about "
        "questions like these.",
    ),
    "how_api": Text(
        "标为 API 的平台经接口询问，其回答可能与消费者在 App 或网页上看到的不同。",
        "Platforms marked API are asked through their interface; people may see other answers in the app or on the "
        "web.",
    ),
    "how_null": Text(
        "“—”表示没有数值，旁边是原因；它从不等于 0。",
        "A dash means that there is no number and says why; it is never zero.",
    ),
    "reading": Text("读数版本", "Reading"),
    "excerpt": Text("摘录", "Excerpt"),
    "bounds": Text("存疑时 {low}–{high}", "{low}–{high} with doubts"),
    "seven_days": Text("7 天 {value}", "7 days {value}"),
    "no_answer": Text("今天没有可用的回答：{reason}", "No usable answers today: {reason}"),
    "lead": Text(
        "{scope}：{n} 个有效回答中，{brand} 在 {value} 的回答里被提到{interval}，在 {tracked} 个监测品牌中排第 "
        "{place}。",
        "{scope}: {brand} is named in {value} of {n} usable answers{interval}, place {place} of {tracked} tracked "
        "brands.",
    ),
    "lead_all": Text(
        "各平台平均，{brand} 在 {value} 的回答里被提到{interval}，在 {tracked} 个监测品牌中排第 {place}。",
        "Averaged over platforms, {brand} is named in {value} of answers{interval}, place {place} of {tracked} tracked "
        "brands.",
    ),
    "mean_rank_short": Text("平均名次 {value}", "mean place {value}"),
    "base": Text("此前", "Before"),
    "recent": Text("最近", "Recent"),
    "visible": Text("可见的最小变化", "Smallest visible change"),
    "verdict": Text("判定", "Verdict"),
    "metric": Text("指标", "Metric"),
}

CHANNELS: dict[str, Text] = {
    "api": Text("API，非 App", "API, not the app"),
    "app_like_tool": Text("类 App 工具", "app-like tool"),
    "browser": Text("浏览器网页", "web page in a browser"),
    "capture_provider": Text("第三方采集", "capture provider"),
    "imported": Text("导入", "imported"),
}

OUTCOMES: dict[str, Text] = {
    "counted": Text("计入", "counted"),
    "unsearched": Text("未联网搜索", "not searched"),
    "off_topic": Text("答非所问", "off topic"),
    "truncated": Text("截断", "truncated"),
    "refused": Text("拒答", "refused"),
    "filtered": Text("被过滤", "filtered"),
    "empty": Text("空白", "empty"),
    "login_page": Text("登录页", "login page"),
    "error_page": Text("错误页", "error page"),
    "unreadable": Text("无法解析", "unreadable"),
    "uncertain": Text("是否执行不明", "uncertain"),
    "failed": Text("失败", "failed"),
    "open": Text("进行中", "open"),
    "not_captured": Text("未采集", "not captured"),
    "over_budget": Text("超预算", "over budget"),
    "cancelled": Text("已取消", "cancelled"),
    "withdrawn": Text("已撤下", "withdrawn"),
}
"""In the order of the bars: usable, received, not received, not asked."""

REASONS: dict[str, Text] = {
    **OUTCOMES,
    "missed": Text("当天未运行", "the day was missed"),
    "not_due": Text("当天不在计划内", "not due"),
    "no_key": Text("没有密钥", "no key"),
    "paused": Text("已暂停", "paused"),
    "not_planned": Text("未计划", "not planned"),
    "no_counted_answer": Text("没有有效回答", "no usable answer"),
    "no_answer_in_scope": Text("此范围没有回答", "no answer in this scope"),
    "search_unknown": Text("不知是否联网搜索", "not known whether it searched"),
    "nothing_received": Text("没有收到回答", "nothing received"),
    "never_named": Text("从未被提及", "never named"),
    "never_cited": Text("从未被引用", "never cited"),
    "no_citation": Text("没有引用", "no citation"),
    "no_ranked_list": Text("没有榜单", "no ranked list"),
    "no_decided_stance": Text("态度不明", "no clear stance"),
    "nothing_named": Text("没有品牌被提及", "no brand named"),
    "no_competitor_tracked": Text("没有竞品", "no competitor tracked"),
    "fewer_than_5_tracked": Text("监测品牌不足 5 个", "fewer than 5 tracked"),
    "named_in_fewer_than_5_answers": Text("提及不足 5 次", "named in fewer than 5"),
    "sources_not_observable": Text("来源不可见", "sources cannot be seen"),
    "no_source_tied_to_text": Text("来源未对应到文字", "sources not tied to text"),
    "retrieved_only": Text("只给出检索来源", "retrieved sources only"),
    "mixed_readings": Text("各天读数版本不同", "days were read differently"),
}

VERDICTS: dict[str, Text] = {
    "moved": Text("有变化", "moved"),
    "within_noise": Text("噪声之内", "within noise"),
    "too_few": Text("数据不足", "too few"),
    "series_break": Text("序列中断", "series break"),
    "not_comparable": Text("不可比", "not comparable"),
}

SOURCE_TYPES: dict[str, Text] = {
    "news": Text("新闻", "news"),
    "video": Text("视频", "video"),
    "forum": Text("论坛", "forum"),
    "encyclopedia": Text("百科", "encyclopedia"),
    "shop": Text("电商", "shop"),
    "official": Text("官网", "official"),
    "account": Text("账号", "account"),
}


def reason(code: str | None, platforms: Mapping[str, Text] | None = None) -> Text:
    """A null reason in words. Codes with details (`incomplete: kimi`) keep them, unknown ones stand as they are.

    `platforms`: platform → its name, for the details.
    """
    if not code:
        return Text("", "")
    head, _, details = code.partition(": ")
    named = [(platforms or {}).get(d, Text(d, d)) for d in details.split(", ") if d]
    zh, en = "、".join(n.zh for n in named), ", ".join(n.en for n in named)
    if head == "incomplete":
        return Text(f"{zh} 数据不完整", f"{en} incomplete")
    if head == "no_value":
        return Text(f"{zh} 无此数值", f"no such number on {en}")
    if head.startswith("no_question_with_"):
        k = head.split("_")[3]
        return Text(f"没有问满 {k} 次的问题", f"no question with {k} answers")
    return REASONS.get(code, Text(code, code))
