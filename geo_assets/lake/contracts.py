"""Table contracts: every column of every published table with its type, unit and meaning.

Plain data without pyarrow, so that Dagster definitions, the data dictionary and the writer share it at no import cost.
Partition columns (`tenant`, `date`, `platform`) live in the path only: repeating them inside the file breaks readers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field


class ContractError(ValueError):
    """A row does not fit its table's contract; the message names table, column and row key."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `type` is an Arrow type in the writer's notation (see `lake.schema`); `unit` None = no unit."""

    name: str
    type: str
    description: str
    nullable: bool = False
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its partition columns (in path order), its key (unique within a file, also the sort order), its columns.

    `sources` are the tables it is made from; `lineage` maps columns to `table.column` pairs they derive from.
    """

    name: str
    description: str
    partition: tuple[str, ...]
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    sources: tuple[str, ...] = ()
    lineage: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in file order."""
        return tuple(c.name for c in self.columns)


GRID = ("tenant", "date", "platform")
DAY = ("tenant", "date")

_IDENTITY = (
    Column(
        "sample_id",
        "string",
        "Planned asking, a hash of batch, question revision, platform, region, device, mode, slot, repeat.",
    ),
    Column("monitor", "string", "Monitor (one YAML file) that asked."),
    Column("question_id", "string", "The monitor's id of the question; keeps history when the text is edited."),
    Column("question_revision", "string", "Hash of the normalised question text; a new text is a new revision."),
    Column(
        "repeat_index", "int32", "Which repeat of the question within the day, from 0 (sampling design, not a retry)."
    ),
)
_READ = (
    Column("evidence_digest", "string", "sha256 (hex) of the response entity the row was read from.", nullable=True),
    Column("parser", "string", "Dialect and version of the connector that read the entity.", nullable=True),
)
_SIMULATED = Column("simulated", "bool", "True for answers of the embedded simulator; never mixed with live rows.")

SAMPLING_PLAN = Table(
    "sampling_plan",
    "What is to be asked on this date and platform: one row per planned sample, as frozen by the first plan.",
    GRID,
    ("monitor", "sample_id"),
    (
        *_IDENTITY,
        Column("batch_id", "string", "The monitor on this capture date."),
        Column("snapshot_hash", "string", "sha256 (hex) of the frozen configuration that affects asking."),
        Column("question_text", "string", "The question as it is asked (trimmed, NFC)."),
        Column("language", "string", "Language of the monitor: zh or en."),
        Column("intent", "string", "The monitor's label for what the asker wants."),
        Column("tags", "list<string>", "The monitor's tags of the question."),
        Column("weight", "int32", "Weight of the question in the monitor."),
        Column("region", "string", "Region sent to the platform; null = the platform's default.", nullable=True),
        Column("device", "string", "Device class asked as; null = not applicable.", nullable=True),
        Column("mode", "string", "Mode of the platform asked in; null = the default.", nullable=True),
        Column("slot", "int32", "Capture slot within the day; 0 until several captures a day exist."),
        Column("position", "int32", "Place of the question in the monitor's list, from 0."),
        Column("priority", "int32", "Priority of the monitor, 0 to 9; higher goes first."),
        Column("model_asked", "string", "Model named in the request."),
        Column("search_asked", "bool", "Whether a web search was asked for."),
        Column("price_version", "string", "Version of the price book the quote was made with."),
        Column("currency", "string", "ISO 4217 code of the platform's bill."),
        Column("estimate_micros", "int64", "Quoted cost of one asking.", unit="1e-6 currency"),
        _SIMULATED,
    ),
)

RAW_RESPONSES = Table(
    "raw_responses",
    "What came of every planned sample: states, digests and sizes as the ledger has them (bodies: evidence store).",
    GRID,
    ("monitor", "sample_id"),
    (
        *_IDENTITY,
        Column("submission_state", "string", "planned, submitting, accepted or uncertain."),
        Column("collection_state", "string", "queued, running, completed or failed."),
        Column("evidence_state", "string", "pending, stored, partial or failed."),
        Column("outcome", "string", "Terminal outcome by the connector's signals; `open` while none."),
        Column("outcome_reason", "string", "Why, for every outcome but counted.", nullable=True),
        Column("late", "bool", "Answered after the collection window closed."),
        Column("attempts", "int32", "Tries made at the sample."),
        Column("exchanges", "int32", "HTTP exchanges over all attempts."),
        Column("attempt_id", "string", "The accepted attempt.", nullable=True),
        Column("response_digest", "string", "sha256 (hex) of the accepted response entity.", nullable=True),
        Column("response_bytes", "int64", "Size of that entity.", nullable=True, unit="bytes"),
        Column("http_status", "int32", "HTTP status of that response.", nullable=True),
        Column("error_class", "string", "Class of the last error, where the sample failed.", nullable=True),
        Column("error_code", "string", "The platform's own code of that error.", nullable=True),
        Column(
            "asked_at", "timestamp", "When the accepted (else the last) attempt was sent.", nullable=True, unit="UTC"
        ),
        Column("answered_at", "timestamp", "When its answer was complete.", nullable=True, unit="UTC"),
        Column("charged_micros", "int64", "Charged over all attempts.", unit="1e-6 currency"),
        Column("currency", "string", "ISO 4217 code of the platform's bill."),
        _SIMULATED,
    ),
    sources=("sampling_plan",),
)

EVIDENCE_ARCHIVE = Table(
    "evidence_archive",
    "Manifest of the evidence archive of this partition: one row per archived entity.",
    GRID,
    ("monitor", "sample_id", "attempt_id", "leg", "part"),
    (
        Column("monitor", "string", "Monitor that asked."),
        Column("sample_id", "string", "Planned asking."),
        Column("attempt_id", "string", "The attempt."),
        Column("leg", "int32", "Exchange within the attempt, from 0."),
        Column("part", "string", "request or response."),
        Column("kind", "string", "submit, poll, evidence, cancel or lookup."),
        Column("accepted", "bool", "True for the attempt whose answer the sample keeps."),
        Column("digest", "string", "sha256 (hex) of the entity."),
        Column("bytes", "int64", "Size of the entity.", unit="bytes"),
        Column("http_status", "int32", "HTTP status of the exchange.", nullable=True),
        Column("archive_path", "string", "Path of the archive file below the archive root."),
        Column("archive_member", "string", "Name of the entity inside the archive."),
        _SIMULATED,
    ),
    sources=("raw_responses",),
)

ANSWERS = Table(
    "answers",
    "The normal form of every received answer, and whether its text is a usable answer. Independent of any dictionary.",
    GRID,
    ("monitor", "sample_id"),
    (
        *_IDENTITY,
        Column("question_text", "string", "The question as it was asked."),
        Column("language", "string", "Language of the monitor: zh or en."),
        Column("outcome", "string", "Exclusion state after reading (see the metrics): exactly one per planned sample."),
        Column("outcome_reason", "string", "Why, for every outcome but counted.", nullable=True),
        Column(
            "validity",
            "string",
            "ok, empty, refused, truncated, error_page, login_page, off_topic; null = no text.",
            nullable=True,
        ),
        Column("validity_reason", "string", "What decided it.", nullable=True),
        Column("validity_confidence", "float64", "How sure, 0 to 1.", nullable=True),
        Column("validity_review", "bool", "A person should look."),
        Column("text", "string", "The answer's text as received, with its Markdown.", nullable=True),
        Column("text_chars", "int32", "Length of the text.", unit="code points"),
        Column(
            "finish_reason",
            "string",
            "stop, length, content_filter, refusal, tool_calls, other, unknown.",
            nullable=True,
        ),
        Column("search_asked", "bool", "Whether a web search was asked for."),
        Column("search_state", "string", "used, not_used, unknown or n/a.", nullable=True),
        Column("searches", "list<string>", "Search queries the platform shows.", nullable=True),
        Column("citations_observable", "bool", "Whether the platform returns a source list at all."),
        Column("citation_mode", "string", "span, block, chunk, marker, document or none.", nullable=True),
        Column(
            "citations",
            "list<struct<order:int32,url:string,title:string,site:string,marker:string,citation_basis:string,"
            "spans:list<struct<start:int32,end:int32>>>>",
            "Sources as the platform gave them; null = not observable, empty = none.",
            nullable=True,
        ),
        Column("model_asked", "string", "Model named in the request."),
        Column("model_served", "string", "Model named in the response; null = not stated.", nullable=True),
        Column("input_tokens", "int64", "Tokens read, as the platform states.", nullable=True, unit="tokens"),
        Column("output_tokens", "int64", "Tokens written, thinking included.", nullable=True, unit="tokens"),
        Column("thinking_tokens", "int64", "Tokens of thinking.", nullable=True, unit="tokens"),
        Column("warnings", "list<string>", "What the connector found odd."),
        Column("late", "bool", "Answered after the collection window closed."),
        Column("reader", "string", "Version of the rules that judged the text."),
        *_READ,
        _SIMULATED,
    ),
    sources=("raw_responses",),
    lineage={"outcome": ("raw_responses.outcome",), "evidence_digest": ("raw_responses.response_digest",)},
)

BRAND_MENTIONS = Table(
    "brand_mentions",
    "How every usable answer treats every tracked brand: one row per answer and brand, named or not.",
    GRID,
    ("monitor", "sample_id", "brand"),
    (
        *_IDENTITY,
        Column("brand", "string", "Id of the brand or product in the monitor."),
        Column("brand_name", "string", "Its name."),
        Column("brand_role", "string", "own or competitor."),
        Column("parent", "string", "Brand a product belongs to; null for brands.", nullable=True),
        Column("mentioned", "bool", "Named at least once (best guess where in review)."),
        Column("count", "int32", "Places where it is named, products included.", unit="places"),
        Column("own_count", "int32", "Places where it is named itself, products left out.", unit="places"),
        Column(
            "tracked_rank",
            "int32",
            "Order of first mention among tracked brands, from 1, ties share; null if not named.",
            nullable=True,
        ),
        Column("list_rank", "int32", "Printed item number in a ranked list; null where there is none.", nullable=True),
        Column(
            "stance",
            "string",
            "recommended, listed, neutral, advised_against, absent; null if not named.",
            nullable=True,
        ),
        Column("stance_confidence", "float64", "How sure, 0 to 1.", nullable=True),
        Column("confidence", "float64", "How sure the reader is of `mentioned`, 0 to 1."),
        Column("review", "bool", "In doubt: a person should decide. Stays in the denominator with its best guess."),
        Column("review_reason", "string", "Why it is in doubt.", nullable=True),
        Column(
            "occurrences",
            "list<struct<start:int32,end:int32,alias:string>>",
            "Half-open code-point ranges in answers.text, and the name matched.",
        ),
        Column("context", "string", "Text around the first place, for people.", nullable=True),
        Column(
            "sentence_chars",
            "float64",
            "Characters of sentences naming the brand; a sentence naming t brands gives 1/t.",
            unit="code points",
        ),
        Column("readable_chars", "int32", "Readable characters of the answer.", unit="code points"),
        Column("is_ranked_list", "bool", "The answer prints item numbers."),
        Column("outcome", "string", "counted or unsearched: the exclusion state of the answer."),
        Column("question_scope", "string", "nonbrand, names_own, names_competitor or names_both."),
        Column("search_scope", "string", "searched, unsearched, unknown or n/a."),
        Column("reader", "string", "Version of the rules."),
        Column("dictionary_hash", "string", "sha256 (hex) of the dictionary."),
        *_READ,
        _SIMULATED,
    ),
    sources=("answers",),
    lineage={
        "mentioned": ("answers.text",),
        "count": ("answers.text",),
        "stance": ("answers.text",),
        "tracked_rank": ("answers.text",),
        "list_rank": ("answers.text",),
    },
)

UNTRACKED_NAMES = Table(
    "untracked_names",
    "Companies and products that nobody tracks but that head items of lists: what a monitor may want to add.",
    GRID,
    ("monitor", "name"),
    (
        Column("monitor", "string", "Monitor (one YAML file) that asked."),
        Column("name", "string", "The name as the first answer writes it; width, case and script variants are one."),
        Column("answers", "int32", "Usable answers in which it heads a list item.", unit="answers"),
        Column("answers_read", "int32", "Usable answers of the monitor on this date and platform.", unit="answers"),
        Column("questions", "int32", "Question revisions among those answers.", unit="questions"),
        Column(
            "best_list_rank", "int32", "Smallest item number it has in a list; null where none is told.", nullable=True
        ),
        Column("example_sample_id", "string", "The answer where it stands best, the first among equals."),
        Column("example_context", "string", "Text around it there, for people."),
        Column("reader", "string", "Version of the rules."),
        Column("dictionary_hash", "string", "sha256 (hex) of the dictionary."),
        _SIMULATED,
    ),
    sources=("answers",),
    lineage={
        "name": ("answers.text",),
        "answers": ("answers.text",),
        "answers_read": ("answers.outcome",),
        "questions": ("answers.question_revision",),
        "best_list_rank": ("answers.text",),
        "example_sample_id": ("answers.sample_id",),
        "example_context": ("answers.text",),
    },
)

CITATIONS = Table(
    "citations",
    "Every source of every usable answer: as given, normalised, and whose it is.",
    GRID,
    ("monitor", "sample_id", "order"),
    (
        *_IDENTITY,
        Column("order", "int32", "Place in the platform's list, from 1; links found only in the text follow."),
        Column("citation_basis", "string", "cited (the answer points to it) or retrieved (read by the platform)."),
        Column("url", "string", "Address as received."),
        Column("url_normalised", "string", "Address without parameters that surely change nothing.", nullable=True),
        Column("page_key", "string", "Key under which variants of one page count once.", nullable=True),
        Column("host", "string", "Host of the address.", nullable=True),
        Column(
            "domain", "string", "Registrable domain; null for IP addresses and unresolved redirects.", nullable=True
        ),
        Column("title", "string", "Title as received.", nullable=True),
        Column("owner_class", "string", "own, competitor or other."),
        Column("owner", "string", "Id of the brand that owns it.", nullable=True),
        Column("source_type", "string", "news, video, forum, encyclopedia, shop, official, account, …"),
        Column("supports", "list<string>", "Brands named in the sentence that the citation stands in."),
        Column("in_text_only", "bool", "Found in the text, not in the platform's list."),
        Column(
            "cited_chars",
            "float64",
            "Characters of sentences that point to the source; a sentence with t sources gives each 1/t.",
            nullable=True,
            unit="code points",
        ),
        Column("duplicate_of", "int32", "Order of an earlier citation of the same page.", nullable=True),
        Column("outcome", "string", "counted or unsearched: the exclusion state of the answer."),
        Column("reader", "string", "Version of the rules."),
        Column("dictionary_hash", "string", "sha256 (hex) of the dictionary."),
        *_READ,
        _SIMULATED,
    ),
    sources=("answers", "brand_mentions"),
    lineage={"domain": ("answers.text",)},
)

_METRIC_VALUES = (
    Column("metric", "string", "Name of the metric, see the metrics page."),
    Column("segment", "string", "Part of the questions: all, intent:…, tag:…, question:…."),
    Column("question_scope", "string", "nonbrand, names_own, names_competitor, names_both or all."),
    Column("search_scope", "string", "searched, unsearched, unknown, n/a or all."),
    Column("headline", "bool", "True for the scope that headlines show."),
    Column("numerator", "float64", "Numerator; null where there is none.", nullable=True),
    Column("denominator", "float64", "Denominator; null where there is none.", nullable=True),
    Column("value", "float64", "The number; null with a reason, never 0 for unknown.", nullable=True),
    Column("low", "float64", "Lower end of the interval or bound.", nullable=True),
    Column("high", "float64", "Upper end of the interval or bound.", nullable=True),
    Column("method", "string", "How low and high were made.", nullable=True),
    Column("inference", "string", "topic (questions like these) or list (this fixed list).", nullable=True),
    Column("n_questions", "int32", "Questions (clusters) behind the number.", unit="questions"),
    Column("null_reason", "string", "Why value is null.", nullable=True),
    Column("reading_version", "string", "Parser and dictionary the answers were read with."),
    _SIMULATED,
)

VISIBILITY_METRICS = Table(
    "visibility_metrics",
    "Tall table of one day's numbers per brand: one row per metric, scope and segment, with its interval.",
    GRID,
    ("monitor", "brand", "metric", "segment", "question_scope", "search_scope"),
    (
        Column("monitor", "string", "Monitor."),
        Column(
            "brand", "string", "Brand the number is about; empty for numbers about the answers themselves (exclusions)."
        ),
        Column("brand_role", "string", "own, competitor, or empty."),
        Column("window", "string", "date: this day only."),
        *_METRIC_VALUES,
    ),
    sources=("answers", "brand_mentions", "citations"),
    lineage={
        "numerator": ("brand_mentions.mentioned", "citations.owner"),
        "denominator": ("answers.outcome",),
        "value": ("brand_mentions.mentioned", "citations.owner", "answers.outcome"),
    },
)

COLLECTION_HEALTH = Table(
    "collection_health",
    "What happened to the plan, from the ledger alone; where nothing was planned, one row with the reason.",
    GRID,
    ("monitor",),
    (
        Column("monitor", "string", "Monitor."),
        Column(
            "reason",
            "string",
            "Why nothing was planned (missed, not_due, no_key, paused, …); null where something was.",
            nullable=True,
        ),
        Column("planned", "int64", "Planned samples.", unit="samples"),
        Column("asked", "int64", "Samples with at least one attempt sent.", unit="samples"),
        Column("answered", "int64", "Samples with a received answer.", unit="samples"),
        Column("open", "int64", "Queued or running.", unit="samples"),
        Column("outcomes", "list<struct<name:string,count:int64>>", "Samples per outcome; the sum is planned."),
        Column("late", "int64", "Answered after the window.", unit="samples"),
        Column("uncertain", "int64", "Perhaps executed, never confirmed.", unit="samples"),
        Column("attempts", "int64", "Attempts made.", unit="attempts"),
        Column("attempts_per_sample", "float64", "Attempts per asked sample.", nullable=True),
        Column("errors", "list<struct<name:string,count:int64>>", "Attempts per error class."),
        Column("queue_wait_p50", "float64", "Plan to first claim, median.", nullable=True, unit="s"),
        Column("queue_wait_p95", "float64", "Plan to first claim, 95th percentile.", nullable=True, unit="s"),
        Column("acceptance_p50", "float64", "Send to acceptance, median.", nullable=True, unit="s"),
        Column("acceptance_p95", "float64", "Send to acceptance, 95th percentile.", nullable=True, unit="s"),
        Column("answer_p50", "float64", "Send to complete answer, median.", nullable=True, unit="s"),
        Column("answer_p95", "float64", "Send to complete answer, 95th percentile.", nullable=True, unit="s"),
        Column("charged_micros", "int64", "Charged.", unit="1e-6 currency"),
        Column("currency", "string", "ISO 4217 code.", nullable=True),
        _SIMULATED,
    ),
    sources=("raw_responses",),
)

SPEND = Table(
    "spend",
    "The cost book of this partition, reconciled: quote, held, charged, unreconciled per monitor and currency.",
    GRID,
    ("monitor", "currency"),
    (
        Column("monitor", "string", "Monitor."),
        Column("currency", "string", "ISO 4217 code."),
        *(
            Column(f"{kind}_micros", "int64", text, unit="1e-6 currency")
            for kind, text in (
                ("quoted", "Quote frozen with the plan: the worst case of the price book."),
                ("held", "Reserved and not settled: in flight, or never confirmed."),
                ("charged", "Charged, failed attempts included."),
                ("refunded", "Refunded (negative)."),
                ("adjusted", "Adjusted by a person."),
                ("unreconciled", "The part of held that belongs to attempts whose execution was never confirmed."),
                ("committed", "Held, charged, refunded and adjusted together: what budgets look at."),
            )
        ),
        Column("attempts", "int64", "Attempts behind the entries.", unit="attempts"),
        Column("unexplained", "int64", "Attempts without entries that explain them; must be 0.", unit="attempts"),
        _SIMULATED,
    ),
    sources=("raw_responses",),
)

DAILY_VISIBILITY = Table(
    "daily_visibility",
    "Numbers of the day over windows and platforms: each platform's own, and the weighted mean of platform rates.",
    DAY,
    ("monitor", "platform", "brand", "window", "metric", "segment", "question_scope", "search_scope"),
    (
        Column("monitor", "string", "Monitor."),
        Column("platform", "string", "Platform, or `all` for the weighted mean of platform rates."),
        Column("brand", "string", "Brand the number is about; empty for numbers about the answers themselves."),
        Column("brand_role", "string", "own, competitor, or empty."),
        Column("window", "string", "date, 7d or 28d."),
        *_METRIC_VALUES,
    ),
    sources=("visibility_metrics",),
    lineage={"value": ("visibility_metrics.value",), "numerator": ("visibility_metrics.numerator",)},
)

TABLES: dict[str, Table] = {
    t.name: t
    for t in (
        SAMPLING_PLAN,
        RAW_RESPONSES,
        EVIDENCE_ARCHIVE,
        ANSWERS,
        BRAND_MENTIONS,
        UNTRACKED_NAMES,
        CITATIONS,
        VISIBILITY_METRICS,
        COLLECTION_HEALTH,
        SPEND,
        DAILY_VISIBILITY,
    )
}
"""Every published table by name."""


def describe(tables: Sequence[Table] = tuple(TABLES.values())) -> str:
    """The data dictionary as Markdown, one section per table."""
    out = ["# Data dictionary", "", "Generated from `geo_assets/lake/contracts.py`; `make docs` writes it anew.", ""]
    for table in tables:
        path = "/".join(f"{p}=…" for p in table.partition)
        out += [f"## {table.name}", "", table.description, "", f"- Files: `{table.name}/{path}/part-0.parquet`"]
        out += [f"- Key and order: {', '.join(f'`{k}`' for k in table.key)}"]
        if table.sources:
            out += [f"- Made from: {', '.join(f'`{s}`' for s in table.sources)}"]
        out += ["", "| column | type | unit | null | meaning |", "|---|---|---|---|---|"]
        for c in table.columns:
            kind = c.type.replace("|", "\\|")
            out.append(f"| `{c.name}` | `{kind}` | {c.unit or ''} | {'yes' if c.nullable else ''} | {c.description} |")
        out.append("")
    return "\n".join(out)
