from geo_assets_tests.ledger.databases import (  # noqa: F401
    ledger_url,
    postgres_server,
    postgres_template,
    postgres_url,
)
