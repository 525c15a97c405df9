"""Telling people: takes alerts from the ledger's outbox and sends them to the configured destinations.

Never in anybody's way: what fails or takes too long is tried again later, and no error leaves this module. What belongs
here: addresses, sending. What does not: which alerts there are (the ledger raises them).
"""

import logging
import os
import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from geo_assets.ledger import Ledger, LedgerUnavailable
from geo_assets.ledger.leases import HEARTBEAT_S
from geo_assets.model.alerts import Alert, AlertKind, body, title
from geo_assets.model.configuration import Project

_log = logging.getLogger(__name__)

TIMEOUT_SECONDS = 10.0
"""For connecting, and again for the answer."""

ROUND_SECONDS = 30.0
"""A round of deliveries begins nothing new after that long."""

LAST_ROUND_SECONDS = 15.0
"""How long the end of a run waits for its last round."""


@dataclass(frozen=True, slots=True)
class Destination:
    """A destination as the environment makes it usable. `url` is a secret; None where its variable is not set."""

    id: str
    url: str | None = field(repr=False)
    kinds: tuple[AlertKind, ...] = tuple(AlertKind)
    language: str = "both"
    simulated: bool = False


@dataclass(frozen=True, slots=True)
class Delivered:
    """How many alerts went out, and what went wrong with others, one line each."""

    sent: int = 0
    errors: tuple[str, ...] = ()


class DeliveryError(RuntimeError):
    """A destination did not take an alert. The message never holds its address."""


def destinations_of(
    project: Project, *, simulated: bool, environment: Mapping[str, str] | None = None
) -> tuple[Destination, ...]:
    """The project's destinations with their addresses from the environment."""
    env = os.environ if environment is None else environment
    return tuple(
        Destination(d.id, env.get(d.url_env, "").strip() or None, d.kinds, d.language, simulated)
        for d in project.alerts
    )


def deliver(ledger: Ledger, destinations: Sequence[Destination]) -> Delivered:
    """Send what destinations have not had. Blocking, for as long as time-outs allow; raises nothing.

    Each alert goes to each destination once, whoever calls this and how often. Only a process that dies between
    sending and noting it makes one arrive twice. After a failure a destination rests until the next call.
    """
    end = time.monotonic() + ROUND_SECONDS
    sent, errors = 0, []
    for destination in destinations:
        if destination.url is None:
            continue
        try:
            while time.monotonic() < end and (alert := ledger.take_alert(destination.id, destination.kinds)):
                try:
                    send(destination, alert)
                except Exception as error:  # noqa: BLE001 - a library of a hundred services may raise anything
                    said = str(error) if isinstance(error, DeliveryError) else type(error).__name__
                    ledger.alert_failed(alert, destination.id, said)
                    errors.append(f"{destination.id}: {said}")
                    break
                ledger.alert_delivered(alert, destination.id)
                sent += 1
        except LedgerUnavailable as error:
            errors.append(f"{destination.id}: the ledger is away ({type(error).__name__})")
    for line in errors:
        _log.warning("alert not delivered to %s; it is tried again", line)
    return Delivered(sent, tuple(errors))


class Courier:
    """Delivers at every heartbeat and once at the end, in a thread that no run waits for longer than a last round."""

    def __init__(self, ledger: Ledger, destinations: Sequence[Destination]) -> None:
        self._ledger, self._destinations = ledger, [d for d in destinations if d.url is not None]
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._work, name="geo-alerts", daemon=True)

    def __enter__(self) -> Self:
        if self._destinations:
            self._thread.start()
        return self

    def __exit__(self, _t: type[BaseException] | None, error: BaseException | None, _b: TracebackType | None) -> None:
        self._ending.set()
        if self._destinations:
            self._thread.join(LAST_ROUND_SECONDS if error is None else 2.0)

    def _work(self) -> None:
        ending = False
        while not ending:
            ending = self._ending.wait(HEARTBEAT_S)
            deliver(self._ledger, self._destinations)


def send(destination: Destination, alert: Alert) -> None:
    """Send one alert.

    An `http(s)://` address that is nobody's known service gets a JSON document by POST; everything else is Apprise's
    (https://github.com/caronc/apprise): mail, Slack, Feishu, DingTalk, WeCom and about a hundred more.

    Raises:
        DeliveryError: it was not taken.
    """
    import apprise

    logging.getLogger("apprise").setLevel(logging.CRITICAL)  # what it says of errors holds addresses
    assert destination.url is not None
    language = destination.language
    mark = (
        {"en": "[SIMULATED] ", "zh": "【模拟】", "both": "[SIMULATED 模拟] "}[language] if destination.simulated else ""
    )
    heading, text = mark + title(alert, language), body(alert, language)
    service = apprise.Apprise.instantiate(_apprise_url(destination.url), suppress_exceptions=True)
    if service is not None:
        service.socket_connect_timeout = service.socket_read_timeout = TIMEOUT_SECONDS
        if not service.notify(title=heading, body=text, notify_type=apprise.NotifyType.WARNING):
            raise DeliveryError(f"the service ({service.service_name}) refused it or did not answer")
    elif destination.url.startswith(("http://", "https://")):
        _post(destination.url, alert, heading, text, simulated=destination.simulated)
    else:
        scheme = destination.url.partition("://")[0] if "://" in destination.url else "no scheme"
        raise DeliveryError(f"its address is none that can be used ({scheme}); see docs/operations.md, Alerts")


_HOOKS = (
    (re.compile(r"https://open\.feishu\.cn/open-apis/bot/v2/hook/([\w-]+)/?"), r"feishu://\1"),
    (re.compile(r"https://open\.larksuite\.com/open-apis/bot/v2/hook/([\w-]+)/?"), r"lark://\1"),
    (re.compile(r"https://oapi\.dingtalk\.com/robot/send\?access_token=(\w+)"), r"dingtalk://\1"),
)


def _apprise_url(url: str) -> str:
    """The address as people copy it from a robot's page, where Apprise knows the service but not that form."""
    for pattern, replacement in _HOOKS:
        if (found := pattern.fullmatch(url)) is not None:
            return found.expand(replacement)
    return url


def _post(url: str, alert: Alert, heading: str, text: str, *, simulated: bool) -> None:
    import httpx

    logging.getLogger("httpx").setLevel(logging.WARNING)  # at INFO it logs addresses
    document = {
        "kind": alert.kind.value,
        "subject": alert.subject,
        "date": alert.date,
        "detail": alert.detail,
        "title": heading,
        "text": text,
        "simulated": simulated,
    }
    try:
        response = httpx.post(url, json=document, timeout=TIMEOUT_SECONDS)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise DeliveryError(type(error).__name__) from None  # its own text may hold the address
    if not response.is_success:
        raise DeliveryError(f"HTTP {response.status_code}")
