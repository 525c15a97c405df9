"""The data dictionary as a page: the contracts in Markdown, each table with a sentence in Chinese at its head.

`python -m geo_assets.lake.dictionary docs/data-dictionary.md` writes it. What belongs here: the page. What does not:
columns and their meaning, which are the contracts'.
"""

import argparse
from pathlib import Path

from geo_assets.lake.contracts import TABLES, describe

CHINESE: dict[str, str] = {
    "sampling_plan": "当日该平台的采集计划：每个计划样本一行，以当日第一次规划冻结的内容为准。",
    "raw_responses": "每个计划样本的采集结果：状态、摘要、大小、尝试次数与费用，取自账本；响应正文在证据库中。",
    "evidence_archive": "本分区证据归档的清单：每个归档实体（请求或响应）一行。",
    "answers": "每个样本的回答（统一格式）及其文本是否可用；与品牌词典无关。",
    "brand_mentions": "每条可用回答对每个监测品牌的表现：一条回答 × 一个品牌一行，未提及的也占一行。",
    "untracked_names": "尚未监测、却在榜单或列表中占据一项的公司与产品：可考虑加入监测的名称。",
    "citations": "每条可用回答的每个信源：原始地址、规范化地址、归属与类型。",
    "visibility_metrics": "单日单平台的指标长表：每个指标、口径、细分一行，附分子、分母与区间；没有数值时给出原因。",
    "collection_health": "采集过程的体检表，只取自账本；当日没有计划时，一行说明原因。",
    "spend": "本分区的费用账：报价、占用、实付与未对账金额，按监测和币种核对。",
    "daily_visibility": "每日汇总：各平台在 1、7、28 天窗口内的指标，以及各平台比率的加权平均（platform = all）。",
}
"""What each table is, in Chinese. A test holds it complete."""

INTRODUCTION = """\
Files are hive-style Parquet. `tenant`, `date` and `platform` stand in the path, not in the file; readers add them as
columns (see [analysts.md](analysts.md)). Times are UTC with microseconds, money is integer micros (1e-6 of the currency
unit), shares are 0 to 1. A column without "yes" under *null* is never null.

文件为 hive 风格的 Parquet：`tenant`、`date`、`platform` 只在路径里，读取时由工具补成列。时间为 UTC 微秒；金额为整数
微元（货币单位的百万分之一）；比率取值 0 到 1。*null* 一栏没有 “yes” 的列不会为空。
"""


def page() -> str:
    """The whole page as Markdown."""
    title, note, *sections = describe().split("\n\n", 2)
    body = sections[0]
    for name, text in CHINESE.items():
        heading = f"## {name}\n\n{TABLES[name].description}\n"
        body = body.replace(heading, f"{heading}\n{text}\n", 1)
    return f"{title}\n\n{note}\n\n{INTRODUCTION}\n{body.rstrip()}\n"


def main(argv: list[str] | None = None) -> None:
    """Write the page to the path given."""
    parser = argparse.ArgumentParser(
        prog="python -m geo_assets.lake.dictionary", description="Write the data dictionary."
    )
    parser.add_argument("path", type=Path, help="the Markdown file to write, docs/data-dictionary.md")
    path: Path = parser.parse_args(argv).path
    path.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
