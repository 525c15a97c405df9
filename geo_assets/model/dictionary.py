"""Dictionaries: brands, aliases and rules, i.e. what affects reading. Content-addressed, apart from asking."""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import cached_property


class Role(StrEnum):
    """What a brand is to the monitor."""

    OWN = "own"
    COMPETITOR = "competitor"


@dataclass(frozen=True, slots=True)
class OwnedSource:
    """A place on the web that belongs to a brand: a host, a host and path prefix, or an account on a platform.

    `host` matches itself and its subdomains. `account` is an identity on `host` (a WeChat `__biz`, a Zhihu column, a
    YouTube handle) that must appear in the address.
    """

    host: str
    path: str = ""
    account: str = ""


@dataclass(frozen=True, slots=True)
class BrandEntry:
    """A tracked name. `parent`: the id of the brand that a product belongs to; it counts for its parent too."""

    id: str
    name: str
    role: Role
    aliases: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    owned: tuple[OwnedSource, ...] = ()
    parent: str | None = None


@dataclass(frozen=True)
class Dictionary:
    """All names that one monitor's answers are read with. `known` are longer names that are nobody's mention."""

    monitor: str
    brands: tuple[BrandEntry, ...]
    known: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    coverage_k: tuple[int, ...] = field(default=(1, 3))

    @property
    def own(self) -> BrandEntry:
        """The monitor's own brand (exactly one, checked by the configuration)."""
        return next(b for b in self.brands if b.role is Role.OWN and b.parent is None)

    @cached_property
    def tracked(self) -> tuple[BrandEntry, ...]:
        """Brands without their products: the set that ranks and shares are computed over."""
        return tuple(b for b in self.brands if b.parent is None)

    @cached_property
    def hash(self) -> str:
        """sha256 (hex) of the content; the order of names does not matter."""
        brands = []
        for brand in sorted(self.brands, key=lambda b: b.id):
            row = asdict(brand)
            for key in ("aliases", "exclude", "context"):
                row[key] = sorted(set(row[key]))
            row["owned"] = sorted(row["owned"], key=lambda o: (o["host"], o["path"], o["account"]))
            brands.append(row)
        content = {
            "brands": brands,
            "known": sorted(set(self.known)),
            "context": sorted(set(self.context)),
            "coverage_k": sorted(set(self.coverage_k)),
        }
        text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()
