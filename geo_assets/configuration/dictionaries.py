"""From a monitor to the dictionary that its answers are read with.

Belongs here: the mapping. Does not: how names are matched, which is the analysis.
"""

from collections.abc import Iterator

from geo_assets.model.configuration import Brand, Monitor, Project
from geo_assets.model.dictionary import BrandEntry, Dictionary, OwnedSource, Role


def dictionary(monitor: Monitor, project: Project) -> Dictionary:
    """All names of a monitor: its brand, its competitors, and their products as entries with a parent."""
    brands = (
        *_entries(monitor.brand, Role.OWN),
        *(e for b in monitor.competitors for e in _entries(b, Role.COMPETITOR)),
    )
    return Dictionary(
        monitor=monitor.id,
        brands=brands,
        known=_unique(monitor.known_names),
        context=_unique(monitor.context),
        coverage_k=project.coverage_k,
    )


def _entries(brand: Brand, role: Role) -> Iterator[BrandEntry]:
    context = _unique(brand.context)
    yield BrandEntry(
        id=brand.id,
        name=brand.name,
        role=role,
        aliases=_unique(brand.aliases),
        exclude=_unique(brand.exclude),
        context=context,
        owned=tuple(OwnedSource(source.host.lower(), source.path, source.account) for source in brand.owned_sources),
    )
    for product in brand.products:
        yield BrandEntry(
            id=product.id,
            name=product.name,
            role=role,
            aliases=_unique(product.aliases),
            exclude=_unique(product.exclude),
            context=context,
            parent=brand.id,
        )


def _unique(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
