"""The Responses format (`output` items of typed parts), as OpenAI defines it and Ark copies it.

What belongs here: text, refusals, annotations and search calls out of `output`. What does not: which states a platform
has, and what its annotations mean.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from geo_assets.model.answers import Citation, CitationBasis, FinishReason
from geo_assets.platforms.wire import count, label, mapping, rows, text

INCOMPLETE: Mapping[str, FinishReason] = {
    "max_output_tokens": FinishReason.LENGTH,
    "max_messages": FinishReason.LENGTH,
    "steered": FinishReason.LENGTH,
    "length": FinishReason.LENGTH,
    "content_filter": FinishReason.CONTENT_FILTER,
}


@dataclass(frozen=True, slots=True)
class Annotation:
    """A `url_citation`; `span` in code points of the whole answer, None where the platform gives none."""

    url: str
    title: str | None
    site: str | None
    span: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Output:
    """What the `output` items say. `annotated`: the platform gave an annotation list, perhaps an empty one."""

    text: str
    refusal: str | None
    annotations: tuple[Annotation, ...]
    annotated: bool
    queries: tuple[str, ...]
    search_calls: int
    sources: tuple[str, ...]
    warnings: tuple[str, ...]


def is_response(value: Any) -> bool:
    """Whether a body is a response object, whose `error` then belongs to the job and not to the call."""
    body = mapping(value)
    return body.get("object") == "response" or (isinstance(body.get("output"), list) and "status" in body)


def read_output(value: Any) -> Output:
    """Read the items of `output`. Text comes from messages in their final phase (or without one), in order."""
    parts: list[str] = []
    refusals: list[str] = []
    annotations: list[Annotation] = []
    queries: list[str] = []
    sources: list[str] = []
    warnings: list[str] = []
    annotated, calls, position = False, 0, 0
    for item in rows(value):
        if item.get("type") == "web_search_call":
            action = mapping(item.get("action"))
            if item.get("status", "completed") == "completed" and action.get("type", "search") == "search":
                calls += 1
            queries += _queries(action)
            sources += [text(source.get("url")) for source in rows(action.get("sources"))]
        elif item.get("type") == "message" and item.get("phase") in (None, "final_answer"):
            for part in rows(item.get("content")):
                if part.get("type") == "refusal":
                    refusals.append(text(part.get("refusal")))
                elif part.get("type") == "output_text":
                    said = text(part.get("text"))
                    annotated = annotated or isinstance(part.get("annotations"), list)
                    annotations += _annotations(part, position, len(said), warnings)
                    parts.append(said)
                    position += len(said)
    return Output(
        text="".join(parts),
        refusal="\n".join(filter(None, refusals)) or None,
        annotations=tuple(annotations),
        annotated=annotated,
        queries=tuple(dict.fromkeys(filter(None, queries))),
        search_calls=calls,
        sources=tuple(dict.fromkeys(filter(None, sources))),
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _queries(action: Mapping[str, Any]) -> list[str]:
    several = action.get("queries")
    found = [text(query) for query in several] if isinstance(several, list) else []
    return found or [text(action.get("query"))]


def _annotations(part: Mapping[str, Any], offset: int, length: int, warnings: list[str]) -> list[Annotation]:
    """The part's citations, with spans moved by where the part starts in the answer."""
    found = []
    for row in rows(part.get("annotations")):
        # Chat completions nest the fields one level deeper.
        fields = mapping(row.get("url_citation")) or row
        url = text(fields.get("url"))
        if row.get("type") != "url_citation":
            continue
        if not url:
            warnings.append("a url_citation has no address")
            continue
        found.append(Annotation(url, label(fields.get("title")), label(fields.get("site_name")), None))
        start, end = count(fields.get("start_index")), count(fields.get("end_index"))
        if start is None or end is None:
            continue
        if start < end <= length:
            found[-1] = Annotation(url, found[-1].title, found[-1].site, (offset + start, offset + end))
        else:
            warnings.append(f"the span {start}..{end} lies outside the text of {length} code points")
    return found


def part_annotations(part: Mapping[str, Any], length: int) -> tuple[list[Annotation], list[str]]:
    """The annotations of a single text of `length` code points, and warnings."""
    warnings: list[str] = []
    return _annotations(part, 0, length, warnings), list(dict.fromkeys(warnings))


def citations(annotations: Sequence[Annotation], retrieved: Sequence[str] = ()) -> tuple[Citation, ...]:
    """Annotations as `cited` (one citation a URL, all its spans), then what was retrieved and never cited."""
    cited: dict[str, list[Annotation]] = {}
    for annotation in annotations:
        cited.setdefault(annotation.url, []).append(annotation)
    known = {_plain(url) for url in cited}
    rest = [url for url in retrieved if _plain(url) not in known]
    found = [
        Citation(
            url,
            CitationBasis.CITED,
            order,
            title=next((one.title for one in same if one.title), None),
            site=next((one.site for one in same if one.site), None),
            spans=tuple(sorted(one.span for one in same if one.span)),
        )
        for order, (url, same) in enumerate(cited.items(), start=1)
    ]
    return (
        *found,
        *(Citation(url, CitationBasis.RETRIEVED, order) for order, url in enumerate(rest, start=len(found) + 1)),
    )


def _plain(url: str) -> str:
    """A URL without the mark that OpenAI puts on cited addresses, and only on those."""
    for mark in ("?utm_source=openai&", "?utm_source=openai", "&utm_source=openai"):
        if mark in url:
            return url.replace(mark, "?" if mark.endswith("&") else "", 1)
    return url


def finish(status: str, details: Any, output: Output, warnings: list[str]) -> FinishReason:
    """Why the text ends. An incomplete response with a reason that nobody knows yet counts as cut off."""
    if status == "incomplete":
        reason = mapping(details)
        name = label(reason.get("reason"))
        if name not in INCOMPLETE and reason.get("content_filter"):
            return FinishReason.CONTENT_FILTER
        if name not in INCOMPLETE:
            warnings.append(f"incomplete for a reason not known here: {name}")
        return INCOMPLETE.get(str(name), FinishReason.LENGTH)
    if output.refusal and not output.text:
        return FinishReason.REFUSAL
    return FinishReason.STOP
