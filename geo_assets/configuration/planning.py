"""From configuration to batches: what would be asked on a capture date, frozen and priced.

Belongs here: expanding questions × platform entries × regions × repeats, and the snapshot. Pure: equal configuration
gives equal bytes. Does not: storing plans, the clock (a past date is the caller's to refuse), or asking.

The snapshot holds everything that affects asking and nothing that does not. It covers all platforms that the monitor
can be asked on that day, whatever keys or platforms are at hand: the platforms of one batch planned apart share it.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from geo_assets.configuration.clock import is_due
from geo_assets.configuration.loader import LoadedProject
from geo_assets.configuration.prices import PriceMissingError, price_for
from geo_assets.model.configuration import Account, Monitor, Platform, PlatformEntry, Question
from geo_assets.model.money import Price, worst_case_micros
from geo_assets.model.plans import Batch, PlannedSample, Unplanned, batch_id, sample_id
from geo_assets.model.text import content_hash, normalise_question, question_revision

Profile = Literal["simulated", "live"]
Keys = Callable[[str], bool] | Collection[str]
"""Which environment variables with keys are set: their names, or a test for one."""


@dataclass(frozen=True, slots=True)
class QuoteLine:
    """What a batch may cost on one platform: the sum of its samples' estimates, each the worst case of the book."""

    platform: str
    currency: str
    samples: int
    micros: int


def plan_batches(
    project: LoadedProject,
    date: str,
    *,
    profile: Profile,
    keys: Keys = frozenset(),
    platforms: Collection[str] | None = None,
    monitors: Collection[str] | None = None,
) -> list[Batch]:
    """The batches of a capture date, by monitor id; one without samples says why in `skipped`.

    `keys` counts in the live profile only. `platforms` and `monitors` restrict what is planned, not ids or snapshots;
    a monitor that uses none of the platforms has no batch. Raises LookupError for an unknown platform or monitor.
    """
    has_key = keys if callable(keys) else keys.__contains__
    chosen = {p.id for p in project.platforms} if platforms is None else {project.platform(p).id for p in platforms}
    names = sorted(project.monitors if monitors is None else {project.monitor(m).id for m in monitors})
    batches = []
    for name in names:
        monitor = project.monitors[name]
        if any(entry.id in chosen for entry in monitor.platforms):
            batches.append(_Plan(project, monitor, date, profile, has_key).batch(chosen))
    return batches


def quote_lines(batch: Batch) -> tuple[QuoteLine, ...]:
    """The quote of a batch by platform and currency."""
    sums: dict[tuple[str, str], list[int]] = {}
    for sample in batch.samples:
        total = sums.setdefault((sample.platform, sample.currency), [0, 0])
        total[0] += 1
        total[1] += sample.estimate_micros
    return tuple(QuoteLine(*key, samples=n, micros=m) for key, (n, m) in sorted(sums.items()))


def quote(batch: Batch) -> dict[str, int]:
    """The quote of a batch in micros by currency: what it costs at most by the book."""
    total: dict[str, int] = {}
    for line in quote_lines(batch):
        total[line.currency] = total.get(line.currency, 0) + line.micros
    return dict(sorted(total.items()))


class _Plan:
    """One monitor on one capture date."""

    def __init__(
        self,
        project: LoadedProject,
        monitor: Monitor,
        date: str,
        profile: Profile,
        has_key: Callable[[str], bool],
    ) -> None:
        self.project, self.monitor, self.date = project, monitor, date
        self.simulated = profile == "simulated"
        self.has_key = has_key
        self.batch_id = batch_id(monitor.tenant, monitor.id, date, simulated=self.simulated)
        self.questions, self.merged = _merge(monitor.questions)
        self.entries = _entries(monitor)

    def batch(self, chosen: Collection[str]) -> Batch:
        askable: dict[str, tuple[Platform, Price]] = {}
        skipped: dict[str, tuple[Unplanned, str]] = {}
        for name in self.entries:
            try:
                askable[name] = self._askable(name)
            except _NotPlannedError as error:
                skipped[name] = (error.reason, str(error))
        snapshot = self._snapshot(askable)
        samples: list[PlannedSample] = []
        for name, (platform, price) in askable.items():
            accounts = self._accounts(platform)
            if not accounts:
                variables = ", ".join(account.key_env for account in platform.accounts if account.key_env)
                skipped[name] = (Unplanned.NO_KEY, f"no key: set the environment variable {variables}")
            elif name in chosen:
                samples.extend(self._samples(platform, price, accounts))
        samples.sort(key=_order)
        skipped = {name: skipped[name] for name in sorted(skipped) if name in chosen}
        return Batch(
            batch_id=self.batch_id,
            tenant=self.monitor.tenant,
            monitor=self.monitor.id,
            date=self.date,
            snapshot_hash=content_hash(snapshot),
            snapshot=snapshot,
            samples=tuple(samples),
            merged_duplicates=self.merged,
            skipped={name: reason.value for name, (reason, _) in skipped.items()},
            notices={name: notice for name, (_, notice) in skipped.items()},
        )

    def _askable(self, name: str) -> tuple[Platform, Price]:
        """The platform and its price, or the reason why the monitor is not asked there on this day."""
        monitor, platform = self.monitor, self.project.platform(name)
        if self.date < self.project.project.start_date:
            raise _NotPlannedError(Unplanned.NOT_STARTED, f"the project starts on {self.project.project.start_date}")
        if monitor.paused:
            raise _NotPlannedError(Unplanned.PAUSED, "the monitor is paused")
        if not is_due(monitor, self.date):
            raise _NotPlannedError(Unplanned.NOT_DUE, f"the monitor is asked on {monitor.weekday}s")
        if len(self.questions) > monitor.max_questions:
            notice = f"{len(self.questions)} questions are more than max_questions ({monitor.max_questions})"
            raise _NotPlannedError(Unplanned.OVER_MAX, notice)
        if platform.retired and platform.retired <= self.date:
            raise _NotPlannedError(Unplanned.RETIRED, f"the platform is retired since {platform.retired}")
        if name in self.project.broken:
            raise _NotPlannedError(Unplanned.BROKEN, "the platform's configuration has errors (`geo check` lists them)")
        try:
            return platform, price_for(platform, self.date)
        except PriceMissingError as error:
            raise _NotPlannedError(Unplanned.NO_PRICE, str(error)) from error

    def _snapshot(self, askable: dict[str, tuple[Platform, Price]]) -> dict[str, Any]:
        return {
            "format": 1,
            "tenant": self.monitor.tenant,
            "monitor": self.monitor.id,
            "language": self.monitor.language,
            "simulated": self.simulated,
            "questions": [
                {"id": question.id, "revision": revision, "text": text} for question, text, revision in self.questions
            ],
            "platforms": {
                name: {
                    "dialect": platform.dialect,
                    "channel": platform.channel.value,
                    "base_url": platform.base_url,
                    "model": platform.model,
                    "options": _sorted(platform.options),
                    "price": asdict(price),
                    "entries": [self._frozen_entry(entry, platform) for entry in self.entries[name]],
                }
                for name, (platform, price) in askable.items()
            },
        }

    def _frozen_entry(self, entry: PlatformEntry, platform: Platform) -> dict[str, Any]:
        return {
            "search": _search(entry, platform),
            "mode": entry.mode,
            "device": entry.device,
            "regions": list(self._regions(entry)),
            "repeats": self._repeats(entry),
        }

    def _regions(self, entry: PlatformEntry) -> tuple[str | None, ...]:
        regions = self.monitor.regions if entry.regions is None else entry.regions
        return tuple(sorted(set(regions))) or (None,)

    def _repeats(self, entry: PlatformEntry) -> int:
        return self.monitor.repeats if entry.repeats is None else entry.repeats

    def _accounts(self, platform: Platform) -> list[Account]:
        """Accounts that can be used: all in simulation, else those that need no key or have it."""
        return [a for a in platform.accounts if self.simulated or a.key_env is None or self.has_key(a.key_env)]

    def _samples(self, platform: Platform, price: Price, accounts: Sequence[Account]) -> Iterator[PlannedSample]:
        for entry in self.entries[platform.id]:
            search = _search(entry, platform)
            estimate = worst_case_micros(price, search=search)
            for region in self._regions(entry):
                for repeat in range(self._repeats(entry)):
                    for position, (question, text, revision) in enumerate(self.questions):
                        yield PlannedSample(
                            sample_id=sample_id(
                                self.batch_id, revision, platform.id, region, entry.device, entry.mode, 0, repeat
                            ),
                            batch_id=self.batch_id,
                            tenant=self.monitor.tenant,
                            monitor=self.monitor.id,
                            date=self.date,
                            platform=platform.id,
                            question_id=question.id,
                            question_revision=revision,
                            question_text=text,
                            language=self.monitor.language,
                            intent=question.intent,
                            tags=question.tags,
                            weight=question.weight,
                            region=region,
                            device=entry.device,
                            mode=entry.mode,
                            slot=0,
                            repeat_index=repeat,
                            position=position,
                            priority=self.monitor.priority,
                            model=platform.model,
                            search=search,
                            account=accounts[(position + repeat) % len(accounts)].id,
                            price_version=price.version,
                            currency=price.currency,
                            estimate_micros=estimate,
                            simulated=self.simulated,
                        )


class _NotPlannedError(Exception):
    """Nothing is planned on a platform; carries the reason and its wording."""

    def __init__(self, reason: Unplanned, notice: str) -> None:
        super().__init__(notice)
        self.reason = reason


def _merge(questions: Sequence[Question]) -> tuple[list[tuple[Question, str, str]], tuple[tuple[str, str], ...]]:
    """Questions with normalised text and revision, each text once, and the pairs (kept id, merged id)."""
    kept: dict[str, tuple[Question, str, str]] = {}
    merged = []
    for question in questions:
        text = normalise_question(question.text)
        if text in kept:
            merged.append((kept[text][0].id, question.id))
        else:
            kept[text] = (question, text, question_revision(text))
    return list(kept.values()), tuple(merged)


def _entries(monitor: Monitor) -> dict[str, list[PlatformEntry]]:
    """The monitor's entries by platform, sorted; of entries with the same mode and device the first counts."""
    unique: dict[tuple[str, str, str], PlatformEntry] = {}
    for entry in monitor.platforms:
        unique.setdefault((entry.id, entry.mode or "", entry.device or ""), entry)
    result: dict[str, list[PlatformEntry]] = {}
    for key in sorted(unique):
        result.setdefault(key[0], []).append(unique[key])
    return result


def _search(entry: PlatformEntry, platform: Platform) -> bool:
    return platform.search if entry.search is None else entry.search


def _order(sample: PlannedSample) -> tuple[int, int, str, str, str, str]:
    """Round by round: repeat 0 of all questions first."""
    return (
        sample.repeat_index,
        sample.position,
        sample.platform,
        sample.region or "",
        sample.device or "",
        sample.mode or "",
    )


def _sorted(value: Any) -> Any:
    """Nested mappings with sorted keys, so that the order in a file does not show."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value
