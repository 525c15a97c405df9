"""Alerts: what a person should hear of without looking, and the words for it in English and Chinese.

An alert is one fact about one subject on one capture date; saying it again says nothing new. What belongs here: kinds
and texts. What does not: where they are kept (ledger.alerts) and who is told (collection.alerts).
"""

from dataclasses import dataclass
from enum import StrEnum


class AlertKind(StrEnum):
    """What can be worth a person's attention."""

    BUDGET_REACHED = "budget_reached"
    RETRY_BUDGET_USED = "retry_budget_used"
    ACCOUNT_STOPPED = "account_stopped"
    BREAKER_OPEN = "breaker_open"
    PARTITION_FAILING = "partition_failing"


@dataclass(frozen=True, slots=True)
class Alert:
    """One alert; (kind, subject, date) identify it. `subject` is what it is about, `detail` the reason as recorded."""

    kind: AlertKind
    subject: str
    date: str
    detail: str

    @property
    def key(self) -> tuple[str, str, str]:
        """Kind, subject, capture date."""
        return self.kind.value, self.subject, self.date

    def __str__(self) -> str:
        return f"{_TITLES[self.kind][0]}: {self.subject} ({self.date}): {self.detail}"


_TITLES = {
    AlertKind.BUDGET_REACHED: ("Daily budget reached", "当日预算已用完"),
    AlertKind.RETRY_BUDGET_USED: ("Retry budget used up", "重试预算已用完"),
    AlertKind.ACCOUNT_STOPPED: ("Account stopped", "账号已停用"),
    AlertKind.BREAKER_OPEN: ("Platform has not answered for minutes", "平台持续无法应答"),
    AlertKind.PARTITION_FAILING: ("Partition keeps failing", "分区反复失败"),
}
_CONSEQUENCES = {
    AlertKind.BUDGET_REACHED: (
        "What was not asked yet is over_budget for the rest of the day.",
        "当日尚未提问的问题记为 over_budget，不再提问。",
    ),
    AlertKind.RETRY_BUDGET_USED: ("Samples that failed before are not asked again.", "此前失败的样本不再重试。"),
    AlertKind.ACCOUNT_STOPPED: (
        "Nothing is asked with it until its key or bill is mended (`geo resume`).",
        "在修复密钥或账单之前不再用它提问（`geo resume`）。",
    ),
    AlertKind.BREAKER_OPEN: (
        "It is probed again by itself; open questions wait.",
        "系统会自行探测；未完成的问题等待中。",
    ),
    AlertKind.PARTITION_FAILING: (
        "It is not tried again until a person runs it once with success.",
        "在人工成功运行一次之前不再自动重试。",
    ),
}
_LANGUAGES = {"en": (0,), "zh": (1,), "both": (0, 1)}


def title(alert: Alert, language: str) -> str:
    """One line: what happened to what, when. `language`: en, zh or both."""
    words = " / ".join(_TITLES[alert.kind][index] for index in _LANGUAGES[language])
    return f"GEO · {words}: {alert.subject} ({alert.date})"


def body(alert: Alert, language: str) -> str:
    """The reason, and what follows from it."""
    return "\n".join([alert.detail, *(_CONSEQUENCES[alert.kind][index] for index in _LANGUAGES[language])])
