"""`python -m geo_assets.cli`."""

from geo_assets.cli import main

main()
