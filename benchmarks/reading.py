"""What reading mentions costs, beside the bare automaton scan and one compiled regular expression per name.

    python benchmarks/reading.py [--answers 20000] [--named 0 0.05 0.3]

Answers of 1,500 characters, half English, half Chinese, in the forms of real ones: openings, headings, ranked lists
with bold names, bullets, tables, paragraphs, citation marks, links, lists of sources. Sentences are the simulator's,
about invented names and with words drawn from the word lists, so that answers share no lines; others are of random
words alone. 1,000 and 10,000 names in both scripts. `--named` is the share of answers with tracked brands: one to three
of them, in about half of the places that speak of a brand.

The figures that count are ratios on one core, measured in turns so that a busy machine slows both sides alike:
- mentions ÷ scan: which brands an answer names, where and how often, with boundaries, prose, senses and absence, ÷ the
  bare scan of the same folded text;
- with stance ÷ scan: the same with stance, places in lists and all that a row of `brand_mentions` needs;
- regex ÷ both: one compiled pattern per name, searched in the same text, on a sample of the answers.
"""

import argparse
import gc
import random
import re
import resource
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from geo_assets.analysis.folding import Folded
from geo_assets.analysis.lexicon import chinese_words, english_words
from geo_assets.analysis.matcher import Matcher, compile_matcher
from geo_assets.analysis.mentions import read_mentions
from geo_assets.model.dictionary import BrandEntry, Dictionary, Role
from geo_assets.simulator.phrases import Phrases
from geo_assets.simulator.phrases_en import ENGLISH
from geo_assets.simulator.phrases_zh import CHINESE

LENGTH = 1500
BATCH = 500  # answers read, then scanned, in turns


_TRACKED = "琚瑄璟翊珩昕烨炜琛骁麒骅晟旻翀沅沣溱瀛珺", "bdfgklmnprtvz"
_OTHERS = "槿蓼荻菀蕤藜芷蘅菡萏芃荇葭蓁茜", "chjsw"  # shares no character that could make up a tracked name


def name(rng: random.Random, letters: tuple[str, str] = _TRACKED) -> str:
    """An invented name: Chinese characters, or Latin syllables."""
    characters, consonants = letters
    if rng.random() < 0.5:
        return "".join(rng.choice(characters) for _ in range(rng.choice((2, 3, 3, 4))))
    word = "".join(rng.choice(consonants) + rng.choice("aeiou") for _ in range(3)) + rng.choice("nxrs")
    return word.title() + rng.choice(("", "", " Labs", " Home"))


class Writer:
    """Writes answers in one language. `brands` are the names that an answer may put where it speaks of a brand."""

    def __init__(self, phrases: Phrases, words: Sequence[str], rng: random.Random) -> None:
        self._phrases = phrases
        self._words = words
        self._rng = rng
        self._brands: Sequence[str] = ()

    def answer(self, brands: Sequence[str]) -> str:
        """One answer of `LENGTH` characters."""
        self._brands = brands
        forms = (self._ranked, self._bullets, self._bullets, self._prose, self._prose, self._prose, self._table)
        parts = [self._say(self._phrases.openings)]
        while sum(map(len, parts)) < LENGTH:
            if self._rng.random() < 0.5:
                parts.append(f"### {self._rng.choice(self._phrases.headings)}")
            parts.append(self._rng.choice(forms)())
            if self._rng.random() < 0.1:
                parts.append(self._sources())
        return "\n\n".join(parts)[:LENGTH]

    def _random_words(self, low: int, high: int) -> str:
        return self._phrases.gap.join(self._rng.choices(self._words, k=self._rng.randint(low, high)))

    def _say(self, bank: Sequence[str], brand: str = "") -> str:
        """A sentence, now and then with a citation mark or a link."""
        values = {key: self._random_words(1, 3) for key in ("aspect", "aspect2", "topic", "product")}
        text = self._rng.choice(bank).format(brand=brand, other=self._brand(), year="2026", **values)
        roll = self._rng.random()
        if roll < 0.25:
            text += f"[{self._rng.randint(1, 9)}]"
        elif roll < 0.29:
            text += f" ([{self._rng.choice(self._phrases.outlets).site}]({self._url()}))"
        return text[:1].upper() + text[1:] + self._phrases.stop

    def _brand(self) -> str:
        return self._rng.choice(self._brands)

    def _url(self) -> str:
        outlet = self._rng.choice(self._phrases.outlets)
        return (
            f"https://{outlet.host}{self._rng.choice(outlet.paths).replace('{year}', '2026')}?id={self._rng.random()}"
        )

    def _on_brand(self) -> str:
        book = self._phrases
        bank = self._rng.choice((book.praise, book.listing, book.listing, book.neutral, book.against))
        return self._say(bank, self._brand())

    def _filler(self) -> str:
        return self._random_words(6, 14) + self._phrases.stop

    def _ranked(self) -> str:
        book = self._phrases
        banks = (book.top_traits, book.praise_traits, book.listing_traits, book.neutral_traits, book.against_traits)
        lines = [
            f"{number}. **{self._brand()}**{book.colon}{self._say(self._rng.choice(banks))}{book.gap}{self._filler()}"
            for number in range(1, 5)
        ]
        return "\n".join(lines)

    def _bullets(self) -> str:
        lines = [
            f"- **{self._random_words(1, 2)}**{self._phrases.colon}{self._filler()}"
            if self._rng.random() < 0.5
            else f"- {self._on_brand()}{self._phrases.gap}{self._filler()}"
            for _ in range(3)
        ]
        return "\n".join(lines)

    def _table(self) -> str:
        rows = [" | ".join(self._phrases.table_head), "--- | --- | ---"]
        rows += [
            f"{self._brand()} | {self._random_words(2, 5)} | {self._rng.choice(self._phrases.table_verdicts)}"
            for _ in range(3)
        ]
        return "\n".join(f"| {row} |" for row in rows)

    def _prose(self) -> str:
        sentences = (self._on_brand, self._filler, lambda: self._say(self._phrases.advice))
        return self._phrases.gap.join(sentence() for sentence in self._rng.choices(sentences, k=4))

    def _sources(self) -> str:
        return "\n".join(f"- [{self._random_words(2, 6)}]({self._url()})" for _ in range(2))


def texts(count: int, names: Sequence[str], named: float) -> list[str]:
    """The answers, the given share of them with tracked names."""
    rng = random.Random(20260101)
    chinese = [w for w, word in chinese_words().items() if word.frequency > 300]
    writers = (
        Writer(ENGLISH, rng.sample(sorted(english_words()), 5000), rng),
        Writer(CHINESE, chinese, rng),
    )
    found = []
    for index in range(count):
        brands = [name(rng, _OTHERS) for _ in range(6)]
        if rng.random() < named:
            brands += rng.sample(names, rng.choice((1, 2, 3))) * 2
        found.append(writers[index % 2].answer(brands))
    return found


def microseconds(work: Callable[[], Iterable[object]], count: int) -> float:
    """CPU time per answer."""
    gc.collect()
    start = time.process_time()
    for _ in work():
        pass
    return (time.process_time() - start) / count * 1e6


def batches(items: Sequence[str]) -> Iterator[list[str]]:
    """The items, `BATCH` at a time."""
    remaining = iter(items)
    while batch := list(islice(remaining, BATCH)):
        yield batch


def run(names_count: int, answers: int, named: float) -> None:
    """Measure one size of dictionary and one share of named answers, and print a line."""
    rng = random.Random(7)
    names: list[str] = []
    while len(names) < names_count:
        names = list(dict.fromkeys([*names, *(name(rng) for _ in range(names_count))]))[:names_count]
    brands = tuple(BrandEntry(n, n, Role.OWN if i == 0 else Role.COMPETITOR) for i, n in enumerate(names))
    matcher: Matcher = compile_matcher(Dictionary("benchmark", brands))
    data = texts(answers, names, named)
    for text in data[:200]:
        _ = read_mentions(matcher, text).brands  # tables, word lists and patterns are loaded once
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    scan = named_only = whole = 0.0
    for batch in batches(data):
        folded = [Folded(text).text for text in batch]
        scan += microseconds(lambda folded=folded: (matcher.raw(text) for text in folded), answers)
        named_only += microseconds(lambda batch=batch: (read_mentions(matcher, t).places for t in batch), answers)
        whole += microseconds(lambda batch=batch: (read_mentions(matcher, t).brands for t in batch), answers)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    sample = data[: max(20, 20_000 // names_count)]
    patterns = [re.compile(rf"(?<![A-Za-z0-9]){re.escape(n)}(?![A-Za-z0-9])", re.IGNORECASE) for n in names]
    regexes = microseconds(lambda: (p.search(text) for text in sample for p in patterns), len(sample))
    places = [sum(map(len, read_mentions(matcher, text).places.values())) for text in data[:2000]]
    hit = [count for count in places if count]
    print(f"{names_count} names, {answers} answers, {len(hit) / len(places):.0%} name brands", end=" ")
    print(f"({sum(hit) / max(len(hit), 1):.1f} places each):", end=" ")
    print(f"scan {scan:.0f} µs, mentions {named_only:.0f} µs, with stance {whole:.0f} µs;", end=" ")
    print(f"mentions ÷ scan {named_only / scan:.1f}, with stance ÷ scan {whole / scan:.1f},", end=" ")
    print(f"regex ÷ mentions {regexes / named_only:.0f}, ÷ with stance {regexes / whole:.0f},", end=" ")
    print(f"memory grown {grown / 1024:.1f} MB")


def main() -> None:
    """Run all sizes and shares."""
    parser = argparse.ArgumentParser(description="Cost of reading mentions")
    parser.add_argument("--answers", type=int, default=20_000)
    parser.add_argument("--named", type=float, nargs="*", default=[0.0, 0.05, 0.3])
    options = parser.parse_args()
    for named in options.named:
        for count in (1_000, 10_000):
            run(count, options.answers, named)


if __name__ == "__main__":
    main()
