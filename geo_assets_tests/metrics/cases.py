"""Small dictionaries and table rows for the tests of metrics."""

from typing import Any

from geo_assets.metrics.observations import Observation, observations
from geo_assets.model.dictionary import BrandEntry, Dictionary, Role

TEA = Dictionary(
    monitor="tea",
    brands=(
        BrandEntry("heytea", "喜茶", Role.OWN),
        BrandEntry("nayuki", "奈雪的茶", Role.COMPETITOR),
        BrandEntry("chagee", "霸王茶姬", Role.COMPETITOR),
        BrandEntry("grape", "多肉葡萄", Role.OWN, parent="heytea"),
    ),
)


class Day:
    """Rows of one monitor, date and platform, grown answer by answer."""

    def __init__(self, dictionary: Dictionary = TEA, *, simulated: bool = True, search: bool = True) -> None:
        self.dictionary, self.simulated, self.search = dictionary, simulated, search
        self.plan: list[dict[str, Any]] = []
        self.answers: list[dict[str, Any]] = []
        self.mentions: list[dict[str, Any]] = []
        self.citations: list[dict[str, Any]] = []

    def answer(
        self,
        question: str,
        named: dict[str, dict[str, Any]] | list[str] | tuple[str, ...] = (),
        *,
        outcome: str = "counted",
        scope: str = "nonbrand",
        search_state: str = "used",
        sources: list[tuple[str, str | None]] | None = None,
        observable: bool = True,
        basis: str = "cited",
        mode: str = "span",
        intent: str = "category",
        tags: tuple[str, ...] = (),
        ranked: bool = False,
        reader: str = "rules-1",
    ) -> str:
        """Add a sample. `named`: brands in order of mention, or brand → columns; `sources`: (page, owner)."""
        sample = f"s{len(self.plan):04d}"
        if not isinstance(named, dict):
            named = {b: {"tracked_rank": i} for i, b in enumerate(named, 1)}
        identity = {
            "sample_id": sample,
            "monitor": self.dictionary.monitor,
            "question_id": question,
            "question_revision": f"r-{question}",
            "repeat_index": 0,
            "simulated": self.simulated,
        }
        text = {"question_text": f"{question}?", "language": "zh"}
        self.plan.append(
            identity | text | {"intent": intent, "tags": list(tags), "weight": 1, "search_asked": self.search}
        )
        self.answers.append(
            identity
            | text
            | {
                "outcome": outcome,
                "late": False,
                "search_state": search_state if self.search else "n/a",
                "citations_observable": observable,
                "citation_mode": mode,
                "parser": "sim/1",
            }
        )
        if outcome not in {"counted", "unsearched"}:
            return sample
        search_scope = {"used": "searched", "not_used": "unsearched"}.get(search_state, "unknown")
        read = {
            "outcome": outcome,
            "question_scope": scope,
            "search_scope": search_scope if self.search else "n/a",
            "reader": reader,
            "dictionary_hash": self.dictionary.hash,
            "parser": "sim/1",
        }
        for brand in self.dictionary.brands:
            told = named.get(brand.id)
            self.mentions.append(
                identity
                | read
                | {
                    "brand": brand.id,
                    "mentioned": told is not None,
                    "count": int(told is not None),
                    "tracked_rank": None,
                    "list_rank": None,
                    "stance": None if told is None else "neutral",
                    "review": False,
                    "sentence_chars": 20.0 if told is not None else 0.0,
                    "readable_chars": 100,
                    "is_ranked_list": ranked,
                }
                | (told or {})
            )
        for order, (page, owner) in enumerate(sources or [], 1):
            self.citations.append(
                identity
                | read
                | {
                    "order": order,
                    "citation_basis": basis,
                    "page_key": page,
                    "url": f"https://{page}",
                    "owner": owner,
                    "owner_class": "own" if owner == "heytea" else "competitor" if owner else "other",
                    "in_text_only": False,
                }
            )
        return sample

    def observed(self, **options: Any) -> list[Observation]:
        """The observations of these rows."""
        return observations(self.plan, self.answers, self.mentions, self.citations, **options)


def pick(rows: list[dict[str, Any]], metric: str, brand: str = "heytea", **keys: Any) -> dict[str, Any]:
    """The one row with this metric and brand, in the headline scope of all questions unless told otherwise."""
    keys = {"segment": "all"} | keys
    if not ({"question_scope", "search_scope"} & keys.keys()) and not metric.startswith(
        ("exclusion:", "reading:", "flag:")
    ):
        keys["headline"] = True
    found = [
        r for r in rows if r["metric"] == metric and r["brand"] == brand and all(r[k] == v for k, v in keys.items())
    ]
    assert len(found) == 1, f"{len(found)} rows for {metric}, {brand}, {keys}"
    return found[0]
