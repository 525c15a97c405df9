"""Tests of `geo_assets.analysis`."""
