"""What reading the validity of one answer costs.

    python benchmarks/validity.py [--answers 1000]

Made of random words of the word lists, half English, half Chinese: answers of 1,000 characters, answers of 60 words
(short enough to be tried as a notice or refusal, the dearest case for their length), and one busy notice with a number
in it. Each text is new, questions repeat as they do in a monitor. Random words share nothing with their question, so
every step is gone through; a real answer is done sooner. Microseconds of CPU per text.
"""

import argparse
import random
import time
from collections.abc import Iterator

from geo_assets.analysis.lexicon import chinese_words, english_words
from geo_assets.analysis.validity import read_validity

QUESTIONS = {" ": "which robot vacuum is best for pet hair?", "": "入门学英语用哪个应用好？"}


def answer(rng: random.Random, words: list[str], glue: str, stops: str, size: int) -> str:
    """Sentences of random words, every second one on a line of its own, up to `size` characters."""
    text = ""
    while len(text) < size:
        text += glue.join(rng.choices(words, k=rng.randint(6, 16))) + rng.choice(stops) + rng.choice(("\n", glue))
    return text[:size].rstrip() + stops[0]


def texts(count: int) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Title and (question, text) pairs of each kind."""
    rng = random.Random(20260101)
    chinese = [w for w, word in chinese_words().items() if word.frequency > 300]
    english = rng.sample(sorted(english_words()), 5000)

    def made(size_english: int, size_chinese: int) -> list[tuple[str, str]]:
        return [
            (QUESTIONS[""], answer(rng, chinese, "", "。！", size_chinese))
            if index % 2
            else (QUESTIONS[" "], answer(rng, english, " ", ".;", size_english))
            for index in range(count)
        ]

    yield "answers of 1,000 characters", made(1000, 1000)
    yield "answers of about 60 words", made(420, 120)
    yield "busy notices", [(QUESTIONS[""], f"服务器繁忙，请稍后再试（{n}）") for n in range(count)]


def main() -> None:
    """Prints one line a kind."""
    parser = argparse.ArgumentParser(description="Cost of reading validity")
    parser.add_argument("--answers", type=int, default=1000)
    options = parser.parse_args()
    for title, pairs in texts(options.answers):
        for question, text in pairs[:50]:
            read_validity(text, question)  # lists and patterns are loaded once
        start = time.process_time()
        for question, text in pairs:
            read_validity(text, question)
        print(f"{title}: {(time.process_time() - start) / len(pairs) * 1e6:.0f} µs")


if __name__ == "__main__":
    main()
