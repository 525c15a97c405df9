"""The ledger's tables. Times are integer microseconds since 1970 UTC, money integer micros: exact and alike everywhere.

What belongs here: columns, keys and the indexes that the hot queries need. What does not: statements. All names carry
the prefix `geo_`, because Dagster may keep its own tables in the same database.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    text,
)

metadata = MetaData()

# Postgres sorts by its locale unless told otherwise; ours is the order of code points, as in SQLite.
_Text = Text().with_variant(Text(collation="C"), "postgresql")


def _text(name: str, *, null: bool = False, default: str | None = None) -> Column[str]:
    return Column(name, _Text, nullable=null, server_default=default)


def _big(name: str, *, null: bool = False, default: int | None = 0) -> Column[int]:
    server = None if null or default is None else text(str(default))
    return Column(name, BigInteger, nullable=null, server_default=server)


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False, server_default=text("false"))


snapshots = Table(
    "geo_snapshots",
    metadata,
    Column("snapshot_hash", _Text, primary_key=True),
    _text("content"),
    _big("created_at"),
)

batches = Table(
    "geo_batches",
    metadata,
    Column("batch_id", _Text, primary_key=True),
    Column("revision", Integer, primary_key=True),
    _text("tenant"),
    _text("monitor"),
    _text("date"),
    _text("snapshot_hash"),
    _text("skipped", default="{}"),
    _text("merged", default="[]"),
    _flag("simulated"),
    _big("created_at"),
    Index("geo_batches_day", "date", "tenant", "monitor"),
)

day_reasons = Table(
    "geo_day_reasons",
    metadata,
    Column("date", _Text, primary_key=True),
    Column("tenant", _Text, primary_key=True),
    Column("monitor", _Text, primary_key=True),
    Column("platform", _Text, primary_key=True),
    _text("reason"),
    _big("recorded_at"),
)

queues = Table(
    "geo_queues",
    metadata,
    # Turns are computed once per plan, not per claim: behind while `arranged` < `planned`.
    Column("date", _Text, primary_key=True),
    Column("platform", _Text, primary_key=True),
    Column("planned", Integer, nullable=False, server_default=text("0")),
    Column("arranged", Integer, nullable=False, server_default=text("0")),
)

samples = Table(
    "geo_samples",
    metadata,
    Column("sample_id", _Text, primary_key=True),
    _text("batch_id"),
    Column("revision", Integer, nullable=False),
    _text("tenant"),
    _text("monitor"),
    _text("date"),
    _text("platform"),
    _text("question_id"),
    _text("question_revision"),
    _text("question_text"),
    _text("language"),
    _text("intent"),
    _text("tags", default="[]"),
    Column("weight", Integer, nullable=False),
    _text("region", null=True),
    _text("device", null=True),
    _text("mode", null=True),
    Column("slot", Integer, nullable=False),
    Column("repeat_index", Integer, nullable=False),
    Column("position", Integer, nullable=False),
    Column("priority", Integer, nullable=False),
    _text("model"),
    Column("search", Boolean, nullable=False),
    _text("account"),
    _text("price_version"),
    _text("currency"),
    _big("estimate_micros"),
    _flag("simulated"),
    # State: every change goes through model.transitions.
    _text("submission"),
    _text("collection"),
    _text("evidence"),
    _text("outcome"),
    _text("outcome_reason", null=True),
    _flag("late"),
    _flag("superseded"),
    _big("fencing_token"),
    # Order and time. `turn` is a start tag of weighted fair queueing, see planning.
    Column("turn", Float, nullable=False),
    _big("due_at"),
    _big("queued_at"),
    _text("worker_id", null=True),
    # Tries. `pass_errors` counts error classes of the running pass as JSON.
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("tries", Integer, nullable=False, server_default=text("0")),
    Column("throttles", Integer, nullable=False, server_default=text("0")),
    Column("passes", Integer, nullable=False, server_default=text("0")),
    _text("pass_errors", default="{}"),
    _text("current_attempt", null=True),
    _text("accepted_attempt", null=True),
    _text("upstream_id", null=True),
    Column("polls", Integer, nullable=False, server_default=text("0")),
    _big("job_deadline", null=True),
    _big("updated_at"),
    # The claim reads this index only, also where thousands of samples wait for a later due time.
    Index(
        "geo_samples_claim",
        "date",
        "platform",
        "account",
        "submission",
        "turn",
        "due_at",
        sqlite_where=text("collection = 'queued'"),
        postgresql_where=text("collection = 'queued'"),
    ),
    Index(
        "geo_samples_running",
        "platform",
        "account",
        "submission",
        "worker_id",
        sqlite_where=text("collection = 'running'"),
        postgresql_where=text("collection = 'running'"),
    ),
    Index(
        "geo_samples_open",
        "date",
        "platform",
        "account",
        "collection",
        "submission",
        "due_at",
        sqlite_where=text("outcome = 'open'"),
        postgresql_where=text("outcome = 'open'"),
    ),
    Index(
        "geo_samples_uncertain",
        "date",
        "platform",
        sqlite_where=text("submission = 'uncertain'"),
        postgresql_where=text("submission = 'uncertain'"),
    ),
    Index("geo_samples_partition", "date", "platform", "tenant", "monitor", "sample_id"),
    Index("geo_samples_batch", "batch_id"),
)

attempts = Table(
    "geo_attempts",
    metadata,
    Column("attempt_id", _Text, primary_key=True),
    _text("sample_id"),
    _text("date"),
    _text("platform"),
    _text("account"),
    _text("model"),
    _text("tenant"),
    _text("monitor"),
    Column("number", Integer, nullable=False),
    Column("pass_number", Integer, nullable=False),
    _big("fencing_token"),
    _text("worker_id"),
    _text("state"),
    _flag("was_uncertain"),
    _flag("simulated"),
    _text("idempotency_key"),
    _text("upstream_id", null=True),
    _text("error_class", null=True),
    _text("error_code", null=True),
    _text("error_message", null=True),
    Column("http_status", Integer, nullable=True),
    _big("claimed_at"),
    _big("asked_at", null=True),
    _big("accepted_at", null=True),
    _big("answered_at", null=True),
    _big("settled_at", null=True),
    _text("response_digest", null=True),
    _big("response_bytes", null=True),
    _text("model_served", null=True),
    _text("finish_reason", null=True),
    _text("search_state", null=True),
    _text("usage", null=True),
    _text("currency"),
    _text("price_version"),
    _big("reserved_micros"),
    _big("charged_micros", null=True),
    _text("connector", null=True),
    _flag("late"),
    Index("geo_attempts_sample", "sample_id", "number"),
    Index("geo_attempts_partition", "date", "platform", "attempt_id"),
    Index("geo_attempts_charges", "platform", "model", "answered_at"),
    Index(
        "geo_attempts_open",
        "worker_id",
        sqlite_where=text("state IN ('submitting', 'accepted')"),
        postgresql_where=text("state IN ('submitting', 'accepted')"),
    ),
)

exchanges = Table(
    "geo_exchanges",
    metadata,
    Column("attempt_id", _Text, primary_key=True),
    Column("leg", Integer, primary_key=True),
    _text("sample_id"),
    _text("date"),
    _text("platform"),
    _text("kind"),
    _big("fencing_token"),
    _text("request_digest"),
    _text("response_digest", null=True),
    Column("http_status", Integer, nullable=True),
    _text("response_headers", default="{}"),
    _big("response_bytes", null=True),
    _text("error", null=True),
    _big("sent_at"),
    _big("received_at"),
    _flag("simulated"),
    Index("geo_exchanges_sample", "sample_id"),
    Index("geo_exchanges_partition", "date", "platform", "attempt_id", "leg"),
)

entries = Table(
    "geo_entries",
    metadata,
    # The key makes booking idempotent: the same event books the same key once.
    Column("entry_key", _Text, primary_key=True),
    _text("date"),
    _text("tenant"),
    _text("monitor"),
    _text("platform"),
    _text("account"),
    _text("sample_id", null=True),
    _text("attempt_id", null=True),
    _text("kind"),
    _text("currency"),
    _big("amount_micros"),
    _text("price_version"),
    _text("note", null=True),
    _big("booked_at"),
    _flag("simulated"),
    Index("geo_entries_partition", "date", "platform", "tenant", "monitor"),
    Index("geo_entries_attempt", "attempt_id"),
)

spend = Table(
    "geo_spend",
    metadata,
    # Running sums of the entries, kept in the same transactions, so that a budget is read in one look.
    Column("date", _Text, primary_key=True),
    Column("platform", _Text, primary_key=True),
    Column("tenant", _Text, primary_key=True),
    Column("monitor", _Text, primary_key=True),
    Column("currency", _Text, primary_key=True),
    _big("estimated_micros"),
    _big("committed_micros"),
    Column("planned", Integer, nullable=False, server_default=text("0")),
    Column("retries", Integer, nullable=False, server_default=text("0")),
)

workers = Table(
    "geo_workers",
    metadata,
    Column("worker_id", _Text, primary_key=True),
    _text("host"),
    Column("pid", Integer, nullable=False),
    _text("boot_id"),
    _text("process_start", default=""),
    _text("purpose"),
    _big("started_at"),
    _big("heartbeat_at"),
    _big("expires_at"),
    _big("ended_at", null=True),
    Index(
        "geo_workers_live",
        "expires_at",
        sqlite_where=text("ended_at IS NULL"),
        postgresql_where=text("ended_at IS NULL"),
    ),
)

pace = Table(
    "geo_pace",
    metadata,
    Column("platform", _Text, primary_key=True),
    Column("account", _Text, primary_key=True),
    Column("lane", _Text, primary_key=True),
    _big("tat"),
    Column("rate", Float, nullable=False),
    Column("configured_rate", Float, nullable=False),
    Column("good_rate", Float, nullable=False, server_default=text("0")),
    _big("window_start"),
    Column("window_calls", Integer, nullable=False, server_default=text("0")),
    Column("window_throttled", Integer, nullable=False, server_default=text("0")),
    _big("steady_until"),
)

breakers = Table(
    "geo_breakers",
    metadata,
    Column("platform", _Text, primary_key=True),
    Column("account", _Text, primary_key=True),
    _text("state"),
    _text("recent", default=""),
    _big("opened_at"),
    _big("open_until"),
    Column("openings", Integer, nullable=False, server_default=text("0")),
    Column("probes_passed", Integer, nullable=False, server_default=text("0")),
    _text("stopped_reason", null=True),
    _text("stopped_date", null=True),
    _text("key_fingerprint", null=True),
)

decisions = Table(
    "geo_decisions",
    metadata,
    Column("decision_id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    _text("subject"),
    _text("decision"),
    _text("reason"),
    _text("who"),
    _big("decided_at"),
)

alerts = Table(
    "geo_alerts",
    metadata,
    # The key makes raising idempotent, and delivering too: once per kind, subject and capture date.
    Column("kind", _Text, primary_key=True),
    Column("subject", _Text, primary_key=True),
    Column("date", _Text, primary_key=True),
    _text("detail"),
    _big("raised_at"),
    Index("geo_alerts_raised", "raised_at"),
    Index("geo_alerts_day", "date"),
)

alert_deliveries = Table(
    "geo_alert_deliveries",
    metadata,
    Column("kind", _Text, primary_key=True),
    Column("subject", _Text, primary_key=True),
    Column("date", _Text, primary_key=True),
    Column("destination", _Text, primary_key=True),
    Column("tries", Integer, nullable=False, server_default=text("0")),
    _big("next_try_at"),
    _big("delivered_at", null=True),
    _text("error", null=True),
)
