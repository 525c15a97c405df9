"""What a simulated model says to a question: text in pieces, sources, whether it searched, and how it ends.

What belongs here: the neutral form, and where it comes from (a market at its true rates, or a recorded answer). What
does not: the wire (`dialects`), which decides what markers, annotations and offsets look like.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from geo_assets.model.text import normalise_question
from geo_assets.simulator.composer import Composer
from geo_assets.simulator.draws import generator, unit
from geo_assets.simulator.market import MarketIndex
from geo_assets.simulator.phrases_en import ENGLISH
from geo_assets.simulator.phrases_zh import CHINESE
from geo_assets.simulator.pieces import Piece, Source, plain_text
from geo_assets.simulator.settings import AnswerRates

_HAN = re.compile(r"[\u3400-\u9fff]")


class Ending(StrEnum):
    """How an answer ends."""

    COMPLETE = "complete"
    REFUSED = "refused"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    FILTERED = "filtered"


@dataclass(frozen=True, slots=True)
class SimulatedAnswer:
    """An answer before any platform's wire format. `searched` False = no sources and no queries.

    `verbatim` answers travel character by character: no dialect may put markers or links into them.
    """

    pieces: tuple[Piece, ...]
    sources: tuple[Source, ...] = ()
    queries: tuple[str, ...] = ()
    searched: bool = False
    ending: Ending = Ending.COMPLETE
    thought: str = ""
    verbatim: bool = False

    @property
    def text(self) -> str:
        """The text without markers and links."""
        return plain_text(self.pieces)


def language_of(question: str) -> str:
    """`zh` where the question holds a Chinese character, else `en`."""
    return "zh" if _HAN.search(question) else "en"


class AnswerBook:
    """Gives the answer to (platform, question, seed, day), always the same one.

    Args:
        markets: where questions find their brands.
        rates: shares of refusals, empty, cut and unsearched answers.
        recorded: answers by normalised question, which win over composed ones and are never refused or cut.
        seed: another seed gives another world.
    """

    def __init__(
        self,
        markets: MarketIndex,
        rates: AnswerRates,
        recorded: Mapping[str, SimulatedAnswer] | None = None,
        seed: int = 0,
    ) -> None:
        self._markets = markets
        self._rates = rates
        self._recorded = recorded or {}
        self._seed = seed
        self.answer = lru_cache(maxsize=4096)(self._answer)

    def _answer(self, platform: str, question: str, seed: str, day: str, search: bool) -> SimulatedAnswer:
        """The answer; `seed` tells repeats apart, `search` says whether the request asked for a search."""
        text = normalise_question(question)
        recorded = self._recorded.get(text)
        if recorded is not None:
            return recorded if search else replace(recorded, sources=(), queries=(), searched=False)
        key = (self._seed, platform, text, seed, day)
        language = language_of(text)
        phrases = CHINESE if language == "zh" else ENGLISH
        ending = self._ending(key)
        if ending is Ending.EMPTY:
            return SimulatedAnswer((), ending=ending)
        if ending is Ending.REFUSED:
            return SimulatedAnswer((Piece(generator(*key, "refusal").choice(phrases.refusals)),), ending=ending)
        searched = search and unit(*key, "search") >= self._rates.unsearched
        composer = Composer(phrases, self._markets.find(text, language), platform, text, day[:4], key)
        pieces, sources, queries = composer.compose(searched=searched)
        if ending is Ending.TRUNCATED:
            pieces = _cut(pieces)
        return SimulatedAnswer(
            pieces, sources, queries, searched, ending, generator(*key, "thought").choice(phrases.thoughts)
        )

    def _ending(self, key: tuple[object, ...]) -> Ending:
        point = unit(*key, "ending")
        for ending, rate in (
            (Ending.REFUSED, self._rates.refused),
            (Ending.EMPTY, self._rates.empty),
            (Ending.TRUNCATED, self._rates.truncated),
        ):
            if point < rate:
                return ending
            point -= rate
        return Ending.COMPLETE


def _cut(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The first two thirds, ending in the middle of a sentence."""
    kept = pieces[: max(1, 2 * len(pieces) // 3)]
    last = kept[-1]
    return (*kept[:-1], Piece(last.text[: max(1, len(last.text) // 2)]))


def read_answers(path: Path) -> dict[str, SimulatedAnswer]:
    """Recorded answers by normalised question, from JSON Lines with `question`, `answer_text` and `citations`.

    Citations are objects with `url` and perhaps `title`. Of several answers to one question the first one counts. Rows
    may hold further keys. Raises ValueError naming file and line where a row lacks its question or its text.
    """
    answers: dict[str, SimulatedAnswer] = {}
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            row = json.loads(line)
            if not isinstance(row.get("question"), str) or not isinstance(row.get("answer_text"), str):
                message = f"{path}, line {number}: give each row the strings `question` and `answer_text`"
                raise ValueError(message)
            text = row["answer_text"]
            citations = [cite for cite in row.get("citations") or () if cite.get("url")]
            sources = tuple(
                Source(cite["url"], cite.get("title") or "", "", cited=cite["url"] in text) for cite in citations
            )
            question = normalise_question(row["question"])
            answers.setdefault(
                question,
                SimulatedAnswer((Piece(text),), sources, (question,), searched=True, verbatim=True),
            )
    return answers
