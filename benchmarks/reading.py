"""What reading mentions costs, beside the bare automaton scan and one compiled regular expression per name.

    python benchmarks/reading.py [--answers 20000] [--named 0.3]

Answers of 1,500 characters (half English, half Chinese, made of the word lists), 1,000 and 10,000 names in both
scripts. `--named` is the share of answers that name one tracked brand (two places). The
figures that count are ratios on one core:
- reading ÷ scan: the whole reading of an answer ÷ the bare scan of the same folded text;
- regex ÷ reading: one compiled pattern per name, searched in the same text, on a sample of the answers.
"""

import argparse
import gc
import random
import re
import resource
import time
from collections.abc import Callable, Iterable

from geo_assets.analysis.folding import Folded
from geo_assets.analysis.lexicon import chinese_words, english_words
from geo_assets.analysis.matcher import Matcher, compile_matcher
from geo_assets.analysis.mentions import read_mentions
from geo_assets.model.dictionary import BrandEntry, Dictionary, Role

LENGTH = 1500


def name(rng: random.Random) -> str:
    """An invented name: Chinese characters, or Latin syllables."""
    if rng.random() < 0.5:
        return "".join(rng.choice("琚瑄璟翊珩昕烨炜琛骁麒骅晟旻翀沅沣溱瀛珺") for _ in range(rng.choice((2, 3, 3, 4))))
    word = "".join(rng.choice("bdfgklmnprtvz") + rng.choice("aeiou") for _ in range(3)) + rng.choice("nxrs")
    return word.title() + rng.choice(("", "", " Labs", " Home"))


def answer(rng: random.Random, words: list[str], glue: str, stops: str) -> str:
    """Paragraphs of sentences of random words of one language, every fourth one a list item."""
    parts: list[str] = []
    size = 0
    while size < LENGTH:
        line = glue.join(rng.choices(words, k=rng.randint(6, 16))) + rng.choice(stops)
        parts.append(("- " if rng.random() < 0.25 else "") + line + ("\n" if rng.random() < 0.5 else glue))
        size += len(parts[-1])
    return "".join(parts)[:LENGTH]


def texts(count: int, names: list[str], named: float) -> list[str]:
    """The answers, the given share of them with one name in two places."""
    rng = random.Random(20260101)
    chinese = [w for w, word in chinese_words().items() if word.frequency > 300]
    english = rng.sample(sorted(english_words()), 5000)
    found = []
    for index in range(count):
        text = answer(rng, chinese, "", "，。。！") if index % 2 else answer(rng, english, " ", ",.;.")
        if rng.random() < named:
            brand = rng.choice(names)
            for at in (rng.randrange(200, 700), rng.randrange(800, 1400)):
                cut = text.find("。" if index % 2 else " ", at) + 1
                text = text[:cut] + brand + (" " if text[cut - 1] == " " else "") + text[cut:]
        found.append(text[:LENGTH])
    return found


def microseconds(work: Callable[[], Iterable[object]], count: int) -> float:
    """CPU time per answer."""
    gc.collect()
    start = time.process_time()
    for _ in work():
        pass
    return (time.process_time() - start) / count * 1e6


def run(names_count: int, answers: int, named: float) -> None:
    rng = random.Random(7)
    names: list[str] = []
    while len(names) < names_count:
        names = list(dict.fromkeys([*names, *(name(rng) for _ in range(names_count))]))[:names_count]
    brands = tuple(BrandEntry(n, n, Role.OWN if i == 0 else Role.COMPETITOR) for i, n in enumerate(names))
    matcher: Matcher = compile_matcher(Dictionary("benchmark", brands))
    data = texts(answers, names, named)
    for text in data[:200]:
        read_mentions(matcher, text)  # tables, word lists and patterns are loaded once
    folded = [Folded(text).text for text in data]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    scan = microseconds(lambda: (matcher.raw(text) for text in folded), answers)
    whole = microseconds(lambda: (read_mentions(matcher, text) for text in data), answers)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    sample = data[: max(20, 20_000 // names_count)]
    patterns = [re.compile(rf"(?<![A-Za-z0-9]){re.escape(n)}(?![A-Za-z0-9])", re.IGNORECASE) for n in names]
    regexes = microseconds(lambda: (p.search(text) for text in sample for p in patterns), len(sample))
    print(f"{names_count} names, {answers} answers of which {named:.0%} name a brand:", end=" ")
    print(f"scan {scan:.0f} µs, reading {whole:.0f} µs, reading ÷ scan {whole / scan:.1f},", end=" ")
    print(f"regex ÷ reading {regexes / whole:.0f}, memory grown {grown / 1024:.1f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description="Cost of reading mentions")
    parser.add_argument("--answers", type=int, default=20_000)
    parser.add_argument("--named", type=float, nargs="*", default=[0.0, 0.05, 0.3])
    options = parser.parse_args()
    for named in options.named:
        for count in (1_000, 10_000):
            run(count, options.answers, named)


if __name__ == "__main__":
    main()
