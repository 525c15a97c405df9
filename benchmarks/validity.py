"""What reading the validity of one answer costs.

    python benchmarks/validity.py [--answers 1000]

Made of random words of the word lists, half English, half Chinese: answers of 1,000 characters (too long for a notice),
answers of 60 words (short enough to be tried as a notice or refusal, the dearest case), and one busy notice with a
number in it. Each text is new, questions repeat as they do in a monitor. Microseconds of CPU per text.
"""

import argparse
import random
from collections.abc import Iterator

from reading import answer, microseconds

from geo_assets.analysis.lexicon import chinese_words, english_words
from geo_assets.analysis.validity import read_validity


def texts(count: int) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Title and (question, text) pairs of each kind."""
    rng = random.Random(20260101)
    chinese = [w for w, word in chinese_words().items() if word.frequency > 300]
    english = rng.sample(sorted(english_words()), 5000)
    made = []
    for index in range(count):
        if index % 2:
            made.append(("入门学英语用哪个应用好？", answer(rng, chinese, "", "，。。！")[:1000] + "。"))
        else:
            made.append(("which robot vacuum is best for pet hair?", answer(rng, english, " ", ",.;.")[:1000] + "."))
    yield "answers of 1,000 characters", made
    yield "the first 120 Chinese or 360 Latin characters", [(q, t[: 360 if t.isascii() else 120]) for q, t in made]
    yield "busy notices", [("入门学英语用哪个应用好？", f"服务器繁忙，请稍后再试（{n}）") for n in range(count)]


def main() -> None:
    parser = argparse.ArgumentParser(description="Cost of reading validity")
    parser.add_argument("--answers", type=int, default=1000)
    options = parser.parse_args()
    for title, pairs in texts(options.answers):
        for question, text in pairs[:50]:
            read_validity(text, question)  # lists and patterns are loaded once
        cost = microseconds(lambda pairs=pairs: (read_validity(text, question) for question, text in pairs), len(pairs))  # type: ignore[misc]
        print(f"{title}: {cost:.0f} µs")


if __name__ == "__main__":
    main()
