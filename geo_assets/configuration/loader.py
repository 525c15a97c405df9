"""Reads a data folder: `project.yaml`, `platforms.yaml`, `monitors/*.yaml`.

Belongs here: which files there are, and what is left out when one is wrong. `project.yaml` and `platforms.yaml` must be
right, or nothing is read; a monitor with an error is left out, and so is a platform whose dialect refuses its options.
Does not: the rules, which are in the models and in `checks`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path as FilePath

from geo_assets.configuration.checks import (
    check_everyday_names,
    check_monitor,
    check_platforms,
    check_project,
    check_tenants,
    check_weights,
)
from geo_assets.configuration.clock import capture_date, zone_of
from geo_assets.configuration.dialects import DialectOf, check_dialect, check_entries
from geo_assets.configuration.documents import Document, read_document
from geo_assets.configuration.explain import validate
from geo_assets.configuration.prices import PriceMissingError, price_for
from geo_assets.configuration.problems import (
    ConfigurationError,
    Finding,
    Problem,
    Severity,
    did_you_mean,
    errors_of,
)
from geo_assets.model.configuration import Monitor, Platform, Project

PROJECT_FILE = "project.yaml"
PLATFORMS_FILE = "platforms.yaml"
MONITORS_FOLDER = "monitors"

_NO_MONITORS = Problem(
    file=MONITORS_FOLDER,
    line=None,
    column=None,
    field="",
    message="there is no monitor, so nothing will be asked",
    remedy="Add a file like `monitors/my-brand.yaml`; docs/configuration.md shows one",
    severity=Severity.WARNING,
)


@dataclass(frozen=True, slots=True)
class LoadedProject:
    """A data folder as read.

    `monitors` holds those without errors; `broken` the ids of platforms whose dialect refuses their options, which are
    in `platforms` all the same; `problems` everything found, warnings too.
    """

    project: Project
    platforms: tuple[Platform, ...]
    monitors: dict[str, Monitor]
    problems: tuple[Problem, ...] = ()
    broken: frozenset[str] = frozenset()

    def platform(self, platform_id: str) -> Platform:
        """The platform of that id; raises LookupError that lists the known ones."""
        for platform in self.platforms:
            if platform.id == platform_id:
                return platform
        msg = f"no platform has the id `{platform_id}`. {did_you_mean(platform_id, [p.id for p in self.platforms])}"
        raise LookupError(msg)

    def monitor(self, monitor_id: str) -> Monitor:
        """The monitor of that id; raises LookupError that lists the known ones."""
        if monitor_id in self.monitors:
            return self.monitors[monitor_id]
        msg = f"no monitor has the id `{monitor_id}`. {did_you_mean(monitor_id, self.monitors)}"
        raise LookupError(msg)


def load_project_settings(data_dir: str | FilePath) -> Project:
    """`project.yaml` alone; raises ConfigurationError."""
    project, _, problems = _read_project(FilePath(data_dir))
    if project is None:
        raise ConfigurationError(problems)
    return project


def load_platforms(data_dir: str | FilePath) -> tuple[Platform, ...]:
    """`platforms.yaml` alone, in its order; raises ConfigurationError."""
    platforms, _, problems = _read_platforms(FilePath(data_dir))
    if platforms is None:
        raise ConfigurationError(problems)
    return platforms


def load_project(
    data_dir: str | FilePath,
    *,
    dialects: DialectOf | None = None,
    today: str | None = None,
    is_everyday: Callable[[str], bool] | None = None,
) -> LoadedProject:
    """The whole folder. `dialects` (the registry's `connector`) checks options and modes against wire formats.

    `is_everyday` (the reader's `is_everyday_word`) adds warnings on names that are everyday words without `context`.
    `today` is the capture date that prices and retirements are checked for, by default the present one.
    Raises ConfigurationError with everything found if `project.yaml` or `platforms.yaml` has an error.
    """
    folder = FilePath(data_dir)
    project, settings, problems = _read_project(folder)
    platforms, book, found = _read_platforms(folder)
    problems += found
    if project and settings and platforms:
        weights = [settings.problem(f) for f in check_weights(project, [p.id for p in platforms])]
        problems += weights
        project = None if weights else project
    if project is None or platforms is None or book is None:
        raise ConfigurationError(problems)
    today = today or capture_date(datetime.now(UTC), zone_of(project))

    broken = set()
    for index, platform in enumerate(platforms):
        findings = [*check_dialect(platform, dialects, ("platforms", index)), *_check_price(platform, index, today)]
        found = [book.problem(finding) for finding in findings]
        problems += found
        if errors_of(found):
            broken.add(platform.id)

    known = {platform.id: platform for platform in platforms}
    candidates = []
    files = monitor_files(folder)
    if not files:
        problems.append(_NO_MONITORS)
    for path in files:
        monitor, document, found = _read_monitor(path, project, known, dialects, today, is_everyday)
        problems += found
        if monitor and document:
            candidates.append((monitor, document.outline()))
    monitors, found = _one_of_each(candidates)
    if settings:
        problems += [settings.problem(f) for f in check_tenants(project, {m.tenant for m in monitors.values()})]
    return LoadedProject(project, platforms, monitors, (*problems, *found), frozenset(broken))


def check_folder(
    data_dir: str | FilePath,
    *,
    dialects: DialectOf | None = None,
    today: str | None = None,
    is_everyday: Callable[[str], bool] | None = None,
) -> tuple[Problem, ...]:
    """Everything that is wrong with a data folder, as `load_project` finds it; never raises ConfigurationError."""
    try:
        return load_project(data_dir, dialects=dialects, today=today, is_everyday=is_everyday).problems
    except ConfigurationError as error:
        return error.problems


def _read_project(folder: FilePath) -> tuple[Project | None, Document | None, list[Problem]]:
    document, problems = read_document(folder / PROJECT_FILE, PROJECT_FILE)
    if document is None:
        return None, None, problems
    project, findings = validate(Project, document.value)
    if project:
        findings += check_project(project)
    found = [document.problem(finding) for finding in findings]
    return (None if errors_of(found) else project), document, found


def _read_platforms(folder: FilePath) -> tuple[tuple[Platform, ...] | None, Document | None, list[Problem]]:
    document, problems = read_document(folder / PLATFORMS_FILE, PLATFORMS_FILE)
    if document is None:
        return None, None, problems
    platforms: dict[int, Platform] = {}
    findings = [
        Finding((key,), "unknown key", "The file has one key, `platforms:`")
        for key in document.value
        if key != "platforms"
    ]
    entries = document.value.get("platforms")
    if not isinstance(entries, list) or not entries:
        findings.append(
            Finding(("platforms",), "no platform is defined", "List them below `platforms:`, each after `- `")
        )
        entries = []
    for index, entry in enumerate(entries):
        platform, found = validate(Platform, entry, ("platforms", index))
        findings += found
        if platform:
            platforms[index] = platform
    findings += check_platforms(platforms)
    problems = [document.problem(finding) for finding in findings]
    return (None if errors_of(problems) else tuple(platforms.values())), document, problems


def _check_price(platform: Platform, index: int, today: str) -> Iterator[Finding]:
    if platform.retired and platform.retired <= today:
        return
    try:
        price_for(platform, today)
    except PriceMissingError as error:
        path = ("platforms", index, "prices")
        yield Finding(path, str(error), "Add a version with an earlier `valid_from`", Severity.WARNING)


def monitor_files(data_dir: str | FilePath) -> list[FilePath]:
    """The monitor files of a folder, by name; hidden files and editors' copies are none."""
    folder = FilePath(data_dir) / MONITORS_FOLDER
    return sorted(path for path in folder.glob("*.y*ml") if path.suffix in {".yaml", ".yml"} and path.name[0] != ".")


def _read_monitor(
    path: FilePath,
    project: Project,
    platforms: dict[str, Platform],
    dialects: DialectOf | None,
    today: str,
    is_everyday: Callable[[str], bool] | None,
) -> tuple[Monitor | None, Document | None, list[Problem]]:
    document, problems = read_document(path, f"{MONITORS_FOLDER}/{path.name}")
    if document is None:
        return None, None, problems
    monitor, findings = validate(Monitor, document.value)
    if monitor:
        findings += check_monitor(monitor, project, platforms)
        findings += check_entries(monitor, platforms, dialects, today)
        findings += check_everyday_names(monitor, is_everyday) if is_everyday else ()
    found = [document.problem(finding) for finding in findings]
    return (None if errors_of(found) else monitor), document, found


def _one_of_each(candidates: list[tuple[Monitor, Document]]) -> tuple[dict[str, Monitor], list[Problem]]:
    """Monitors by id. Of two files with one id the one named after it is kept, else the first by name."""
    ordered = sorted(candidates, key=lambda pair: (FilePath(pair[1].file).stem != pair[0].id, pair[1].file))
    kept: dict[str, Monitor] = {}
    files: dict[str, str] = {}
    problems = []
    for monitor, document in ordered:
        if monitor.id in kept:
            message = f"`{monitor.id}` is the id of {files[monitor.id]}, too; that one is used"
            problems.append(document.problem(Finding(("id",), message, "Give this monitor an id of its own")))
            continue
        kept[monitor.id] = monitor
        files[monitor.id] = document.file
    return dict(sorted(kept.items())), problems
