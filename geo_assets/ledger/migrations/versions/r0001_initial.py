"""Initial schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "geo_attempts",
        sa.Column("attempt_id", TEXT, nullable=False),
        sa.Column("sample_id", TEXT, nullable=False),
        sa.Column("date", TEXT, nullable=False),
        sa.Column("platform", TEXT, nullable=False),
        sa.Column("account", TEXT, nullable=False),
        sa.Column("model", TEXT, nullable=False),
        sa.Column("tenant", TEXT, nullable=False),
        sa.Column("monitor", TEXT, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("pass_number", sa.Integer(), nullable=False),
        sa.Column("fencing_token", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("worker_id", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("was_uncertain", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("simulated", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("idempotency_key", TEXT, nullable=False),
        sa.Column("upstream_id", TEXT, nullable=True),
        sa.Column("error_class", TEXT, nullable=True),
        sa.Column("error_code", TEXT, nullable=True),
        sa.Column("error_message", TEXT, nullable=True),
        sa.Column("http_status", sa.Integer(), nullable=True),
        sa.Column("claimed_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=True),
        sa.Column("accepted_at", sa.BigInteger(), nullable=True),
        sa.Column("answered_at", sa.BigInteger(), nullable=True),
        sa.Column("settled_at", sa.BigInteger(), nullable=True),
        sa.Column("response_digest", TEXT, nullable=True),
        sa.Column("response_bytes", sa.BigInteger(), nullable=True),
        sa.Column("model_served", TEXT, nullable=True),
        sa.Column("finish_reason", TEXT, nullable=True),
        sa.Column("search_state", TEXT, nullable=True),
        sa.Column("usage", TEXT, nullable=True),
        sa.Column("currency", TEXT, nullable=False),
        sa.Column("price_version", TEXT, nullable=False),
        sa.Column("reserved_micros", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("charged_micros", sa.BigInteger(), nullable=True),
        sa.Column("connector", TEXT, nullable=True),
        sa.Column("late", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.PrimaryKeyConstraint("attempt_id"),
    )
    op.create_index("geo_attempts_charges", "geo_attempts", ["platform", "model", "answered_at"], unique=False)
    op.create_index(
        "geo_attempts_open",
        "geo_attempts",
        ["worker_id"],
        unique=False,
        sqlite_where=sa.text("state IN ('submitting', 'accepted')"),
        postgresql_where=sa.text("state IN ('submitting', 'accepted')"),
    )
    op.create_index("geo_attempts_partition", "geo_attempts", ["date", "platform", "attempt_id"], unique=False)
    op.create_index("geo_attempts_sample", "geo_attempts", ["sample_id", "number"], unique=False)
    op.create_table(
        "geo_batches",
        sa.Column("batch_id", TEXT, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("tenant", TEXT, nullable=False),
        sa.Column("monitor", TEXT, nullable=False),
        sa.Column("date", TEXT, nullable=False),
        sa.Column("snapshot_hash", TEXT, nullable=False),
        sa.Column("skipped", TEXT, server_default="{}", nullable=False),
        sa.Column("merged", TEXT, server_default="[]", nullable=False),
        sa.Column("simulated", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("created_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("batch_id", "revision"),
    )
    op.create_index("geo_batches_day", "geo_batches", ["date", "tenant", "monitor"], unique=False)
    op.create_table(
        "geo_breakers",
        sa.Column("platform", TEXT, nullable=False),
        sa.Column("account", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("recent", TEXT, server_default="", nullable=False),
        sa.Column("opened_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("open_until", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("openings", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("probes_passed", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("stopped_reason", TEXT, nullable=True),
        sa.Column("stopped_date", TEXT, nullable=True),
        sa.Column("key_fingerprint", TEXT, nullable=True),
        sa.PrimaryKeyConstraint("platform", "account"),
    )
    op.create_table(
        "geo_day_reasons",
        sa.Column("date", TEXT, nullable=False),
        sa.Column("tenant", TEXT, nullable=False),
        sa.Column("monitor", TEXT, nullable=False),
        sa.Column("platform", TEXT, nullable=False),
        sa.Column("reason", TEXT, nullable=False),
        sa.Column("recorded_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("date", "tenant", "monitor", "platform"),
    )
    op.create_table(
        "geo_decisions",
        sa.Column(
            "decision_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("subject", TEXT, nullable=False),
        sa.Column("decision", TEXT, nullable=False),
        sa.Column("reason", TEXT, nullable=False),
        sa.Column("who", TEXT, nullable=False),
        sa.Column("decided_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("decision_id"),
    )
    op.create_table(
        "geo_entries",
        sa.Column("entry_key", TEXT, nullable=False),
        sa.Column("date", TEXT, nullable=False),
        sa.Column("tenant", TEXT, nullable=False),
        sa.Column("monitor", TEXT, nullable=False),
        sa.Column("platform", TEXT, nullable=False),
        sa.Column("account", TEXT, nullable=False),
        sa.Column("sample_id", TEXT, nullable=True),
        sa.Column("attempt_id", TEXT, nullable=True),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("currency", TEXT, nullable=False),
        sa.Column("amount_micros", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("price_version", TEXT, nullable=False),
        sa.Column("note", TEXT, nullable=True),
        sa.Column("booked_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("simulated", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.PrimaryKeyConstraint("entry_key"),
    )
    op.create_index("geo_entries_attempt", "geo_entries", ["attempt_id"], unique=False)
    op.create_index("geo_entries_partition", "geo_entries", ["date", "platform", "tenant", "monitor"], unique=False)
    op.create_table(
        "geo_exchanges",
        sa.Column("attempt_id", TEXT, nullable=False),
        sa.Column("leg", sa.Integer(), nullable=False),
        sa.Column("sample_id", TEXT, nullable=False),
        sa.Column("date", TEXT, nullable=False),
        sa.Column("platform", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("fencing_token", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("request_digest", TEXT, nullable=False),
        sa.Column("response_digest", TEXT, nullable=True),
        sa.Column("http_status", sa.Integer(), nullable=True),
        sa.Column("response_headers", TEXT, server_default="{}", nullable=False),
        sa.Column("response_bytes", sa.BigInteger(), nullable=True),
        sa.Column("error", TEXT, nullable=True),
        sa.Column("sent_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("received_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("simulated", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.PrimaryKeyConstraint("attempt_id", "leg"),
    )
    op.create_index("geo_exchanges_partition", "geo_exchanges", ["date", "platform", "attempt_id", "leg"], unique=False)
    op.create_index("geo_exchanges_sample", "geo_exchanges", ["sample_id"], unique=False)
    op.create_table(
        "geo_pace",
        sa.Column("platform", TEXT, nullable=False),
        sa.Column("account", TEXT, nullable=False),
        sa.Column("lane", TEXT, nullable=False),
        sa.Column("tat", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("rate", sa.Float(), nullable=False),
        sa.Column("configured_rate", sa.Float(), nullable=False),
        sa.Column("good_rate", sa.Float(), server_default=sa.text("0"), nullable=False),
        sa.Column("window_start", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("window_calls", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("window_throttled", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("steady_until", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("platform", "account", "lane"),
    )
    op.create_table(
        "geo_queues",
        sa.Column("date", TEXT, nullable=False),
        sa.Column("platform", TEXT, nullable=False),
        sa.Column("planned", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("arranged", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("date", "platform"),
    )
    op.create_table(
        "geo_samples",
        sa.Column("sample_id", TEXT, nullable=False),
        sa.Column("batch_id", TEXT, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("tenant", TEXT, nullable=False),
        sa.Column("monitor", TEXT, nullable=False),
        sa.Column("date", TEXT, nullable=False),
        sa.Column("platform", TEXT, nullable=False),
        sa.Column("question_id", TEXT, nullable=False),
        sa.Column("question_revision", TEXT, nullable=False),
        sa.Column("question_text", TEXT, nullable=False),
        sa.Column("language", TEXT, nullable=False),
        sa.Column("intent", TEXT, nullable=False),
        sa.Column("tags", TEXT, server_default="[]", nullable=False),
        sa.Column("weight", sa.Integer(), nullable=False),
        sa.Column("region", TEXT, nullable=True),
        sa.Column("device", TEXT, nullable=True),
        sa.Column("mode", TEXT, nullable=True),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("repeat_index", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("model", TEXT, nullable=False),
        sa.Column("search", sa.Boolean(), nullable=False),
        sa.Column("account", TEXT, nullable=False),
        sa.Column("price_version", TEXT, nullable=False),
        sa.Column("currency", TEXT, nullable=False),
        sa.Column("estimate_micros", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("simulated", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("submission", TEXT, nullable=False),
        sa.Column("collection", TEXT, nullable=False),
        sa.Column("evidence", TEXT, nullable=False),
        sa.Column("outcome", TEXT, nullable=False),
        sa.Column("outcome_reason", TEXT, nullable=True),
        sa.Column("late", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("superseded", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("fencing_token", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("turn", sa.Float(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("queued_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("worker_id", TEXT, nullable=True),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("tries", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("throttles", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("passes", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("pass_errors", TEXT, server_default="{}", nullable=False),
        sa.Column("current_attempt", TEXT, nullable=True),
        sa.Column("accepted_attempt", TEXT, nullable=True),
        sa.Column("upstream_id", TEXT, nullable=True),
        sa.Column("polls", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("job_deadline", sa.BigInteger(), nullable=True),
        sa.Column("updated_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("sample_id"),
    )
    op.create_index("geo_samples_batch", "geo_samples", ["batch_id"], unique=False)
    op.create_index(
        "geo_samples_claim",
        "geo_samples",
        ["date", "platform", "account", "submission", "turn", "due_at"],
        unique=False,
        sqlite_where=sa.text("collection = 'queued'"),
        postgresql_where=sa.text("collection = 'queued'"),
    )
    op.create_index(
        "geo_samples_open",
        "geo_samples",
        ["date", "platform", "account", "collection", "submission", "due_at"],
        unique=False,
        sqlite_where=sa.text("outcome = 'open'"),
        postgresql_where=sa.text("outcome = 'open'"),
    )
    op.create_index(
        "geo_samples_partition", "geo_samples", ["date", "platform", "tenant", "monitor", "sample_id"], unique=False
    )
    op.create_index(
        "geo_samples_running",
        "geo_samples",
        ["platform", "account", "submission", "worker_id"],
        unique=False,
        sqlite_where=sa.text("collection = 'running'"),
        postgresql_where=sa.text("collection = 'running'"),
    )
    op.create_index(
        "geo_samples_uncertain",
        "geo_samples",
        ["date", "platform"],
        unique=False,
        sqlite_where=sa.text("submission = 'uncertain'"),
        postgresql_where=sa.text("submission = 'uncertain'"),
    )
    op.create_table(
        "geo_snapshots",
        sa.Column("snapshot_hash", TEXT, nullable=False),
        sa.Column("content", TEXT, nullable=False),
        sa.Column("created_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("snapshot_hash"),
    )
    op.create_table(
        "geo_spend",
        sa.Column("date", TEXT, nullable=False),
        sa.Column("platform", TEXT, nullable=False),
        sa.Column("tenant", TEXT, nullable=False),
        sa.Column("monitor", TEXT, nullable=False),
        sa.Column("currency", TEXT, nullable=False),
        sa.Column("estimated_micros", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("committed_micros", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("planned", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("retries", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("date", "platform", "tenant", "monitor", "currency"),
    )
    op.create_table(
        "geo_workers",
        sa.Column("worker_id", TEXT, nullable=False),
        sa.Column("host", TEXT, nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("boot_id", TEXT, nullable=False),
        sa.Column("process_start", TEXT, server_default="", nullable=False),
        sa.Column("purpose", TEXT, nullable=False),
        sa.Column("started_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("heartbeat_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("worker_id"),
    )
    op.create_index(
        "geo_workers_live",
        "geo_workers",
        ["expires_at"],
        unique=False,
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
