"""Run by Alembic: migrate on the connection (and in the transaction) that the program opened."""

from alembic import context

from geo_assets.ledger.migrate import VERSION_TABLE
from geo_assets.ledger.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,
    transactional_ddl=False,  # the caller's transaction holds everything
)
context.run_migrations()
