"""Alerts and their deliveries."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "geo_alerts",
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("subject", TEXT, nullable=False),
        sa.Column("date", TEXT, nullable=False),
        sa.Column("detail", TEXT, nullable=False),
        sa.Column("raised_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject", "date"),
    )
    op.create_index("geo_alerts_raised", "geo_alerts", ["raised_at"], unique=False)
    op.create_index("geo_alerts_day", "geo_alerts", ["date"], unique=False)
    op.create_table(
        "geo_alert_deliveries",
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("subject", TEXT, nullable=False),
        sa.Column("date", TEXT, nullable=False),
        sa.Column("destination", TEXT, nullable=False),
        sa.Column("tries", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("next_try_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("delivered_at", sa.BigInteger(), nullable=True),
        sa.Column("error", TEXT, nullable=True),
        sa.PrimaryKeyConstraint("kind", "subject", "date", "destination"),
    )
