"""Budgets: what may be committed per monitor, platform and currency on a day, and how many retries.

What belongs here: the caps and the check of one more reserve against them. What does not: booking (books).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.engine import Connection

from geo_assets.ledger import books
from geo_assets.model.alerts import Alert, AlertKind
from geo_assets.model.money import format_micros
from geo_assets.model.plans import PlannedSample


@dataclass(frozen=True, slots=True)
class Budgets:
    """Daily caps in micros. An absent one is no cap.

    `monitors`: (tenant, monitor) → currency → micros, over all platforms. `platform`: currency → micros, over all
    monitors. `retry_percent`: (tenant, monitor) → retries allowed, in percent of the samples planned on the platform;
    throttled calls are not retries, because nothing was executed.
    """

    monitors: Mapping[tuple[str, str], Mapping[str, int]] = field(default_factory=dict)
    platform: Mapping[str, int] = field(default_factory=dict)
    retry_percent: Mapping[tuple[str, str], int] = field(default_factory=dict)

    @property
    def money_caps(self) -> bool:
        """Whether any amount is capped."""
        return bool(self.monitors or self.platform)


class Purse:
    """The running sums as one claim sees them, inside its transaction."""

    def __init__(self, connection: Connection, budgets: Budgets, date: str, platform: str) -> None:
        self._budgets = budgets
        self._date, self._platform = date, platform
        self._monitor: dict[tuple[str, str, str], int] = {}
        self._platform_sum: dict[str, int] = {}
        self._planned: dict[tuple[str, str], int] = {}
        self._retries: dict[tuple[str, str], int] = {}
        self._new_retries: dict[tuple[str, str, str], int] = {}
        self.alerts: dict[tuple[str, str, str], Alert] = {}
        if budgets.money_caps or budgets.retry_percent:
            for row in books.spent(connection, date, platform):
                self._count(row)

    def _count(self, row: Mapping[str, Any]) -> None:
        key = (row["tenant"], row["monitor"])
        money = (*key, row["currency"])
        self._monitor[money] = self._monitor.get(money, 0) + row["committed_micros"]
        if row["platform"] == self._platform:
            currency = row["currency"]
            self._platform_sum[currency] = self._platform_sum.get(currency, 0) + row["committed_micros"]
            self._planned[key] = self._planned.get(key, 0) + row["planned"]
            self._retries[key] = self._retries.get(key, 0) + row["retries"]

    def refuses(self, sample: PlannedSample, reserve: int, *, is_retry: bool) -> str | None:
        """Why this sample may not be asked, None if it may."""
        key, currency = (sample.tenant, sample.monitor), sample.currency
        cap = self._budgets.monitors.get(key, {}).get(currency)
        if cap is not None and self._monitor.get((*key, currency), 0) + reserve > cap:
            message = f"daily budget of monitor {sample.monitor} reached ({format_micros(cap, currency)})"
            subject = f"monitor {sample.tenant}/{sample.monitor}, {currency}"
            return self._alert(AlertKind.BUDGET_REACHED, subject, message)
        cap = self._budgets.platform.get(currency)
        if cap is not None and self._platform_sum.get(currency, 0) + reserve > cap:
            message = f"daily budget of platform {sample.platform} reached ({format_micros(cap, currency)})"
            return self._alert(AlertKind.BUDGET_REACHED, f"platform {sample.platform}, {currency}", message)
        percent = self._budgets.retry_percent.get(key)
        if is_retry and percent is not None:
            allowed = self._planned.get(key, 0) * percent // 100
            if self._retries.get(key, 0) >= allowed:
                message = f"retry budget of monitor {sample.monitor} used up ({allowed} retries)"
                subject = f"monitor {sample.tenant}/{sample.monitor}, platform {sample.platform}"
                return self._alert(AlertKind.RETRY_BUDGET_USED, subject, message)
        return None

    def _alert(self, kind: AlertKind, subject: str, message: str) -> str:
        alert = Alert(kind, subject, self._date, message)
        self.alerts.setdefault(alert.key, alert)
        return message

    def take(self, sample: PlannedSample, reserve: int, *, is_retry: bool) -> None:
        """Count a sample that is going to be asked."""
        key, currency = (sample.tenant, sample.monitor), sample.currency
        money = (*key, currency)
        self._monitor[money] = self._monitor.get(money, 0) + reserve
        self._platform_sum[currency] = self._platform_sum.get(currency, 0) + reserve
        if is_retry:
            self._retries[key] = self._retries.get(key, 0) + 1
            self._new_retries[money] = self._new_retries.get(money, 0) + 1

    def store(self, connection: Connection) -> None:
        """Write the retries counted; the money is written by the booking of the reserves."""
        where = {"date": self._date, "platform": self._platform}
        books.add_spend(
            connection,
            [
                where | {"tenant": tenant, "monitor": monitor, "currency": currency, "retries": count}
                for (tenant, monitor, currency), count in self._new_retries.items()
            ],
        )
