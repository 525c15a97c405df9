import pytest

from geo_assets.configuration import PriceMissingError, load_platforms, price_for
from geo_assets.configuration.prices import micros
from geo_assets_tests.configuration.folders import write_folder


@pytest.mark.parametrize(
    ("amount", "expected"),
    [("0", 0), ("1", 1_000_000), ("0.012", 12_000), ("0.000001", 1), ("999999999999.999999", 10**18 - 1)],
)
def test_amounts_become_micros_exactly(amount, expected):
    assert micros(amount) == expected


def test_the_version_of_a_day_is_the_latest_that_has_started(tmp_path):
    _, beta = load_platforms(write_folder(tmp_path))
    assert price_for(beta, "2026-11-19").version == "old"
    price = price_for(beta, "2026-11-20")
    assert (price.version, price.currency, price.output_per_million) == ("new", "USD", 10_000_000)
    assert price.cached_per_million is None


def test_a_day_before_the_first_version_has_no_price(tmp_path):
    alpha, _ = load_platforms(write_folder(tmp_path))
    with pytest.raises(
        PriceMissingError, match="alpha has no price for 2025-12-31: its first version starts on 2026-01-01"
    ):
        price_for(alpha, "2025-12-31")
