"""Initial schema."""

from alembic import op

from geo_assets.ledger.tables import metadata

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Apply."""
    metadata.create_all(op.get_bind())
