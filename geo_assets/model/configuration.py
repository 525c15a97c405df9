"""The configuration as typed data: project, platforms, monitors. Shapes and their rules; reading files is elsewhere.

All scalars that are names stay strings (`NO`, `on`, `0123` are brand names like any other). Unknown keys are refused.
The string below a field is its description in the JSON Schemas and in the reference; keep it to one line or two.
"""

from datetime import date
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from geo_assets.model.alerts import AlertKind


def _real_date(text: str) -> str:
    date.fromisoformat(text)  # A ValueError becomes pydantic's own error.
    return text


Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,47}$")]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Currency = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]
Clock = Annotated[str, StringConstraints(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
IsoDate = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$"), AfterValidator(_real_date)]
Decimal6 = Annotated[str, StringConstraints(pattern=r"^\d{1,12}(\.\d{1,6})?$")]
Variable = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]*$")]


class Strict(BaseModel):
    """Base of all configuration models: unknown keys are errors, values are frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class Window(Strict):
    """Daily collection window in the project's zone, within one local day."""

    start: Clock = "02:00"
    """First minute of the window, `HH:MM`."""
    end: Clock = "06:00"
    """The minute at which the window closes, `HH:MM`; after `start`."""


class Tenant(Strict):
    """What holds for one tenant, whatever its monitors."""

    weight: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """Share of every platform's pace while several tenants wait: 2 is asked twice as often as 1."""


class AlertDestination(Strict):
    """Somebody to be told of alerts. The address is a secret, so the file only names the variable that holds it."""

    id: Slug
    """Name of the destination, in logs and in `geo status`."""
    url_env: Variable
    """Environment variable with the address: an Apprise URL (`feishu://…`, `mailto://…`) or a web hook (`https://…`)."""
    kinds: Annotated[tuple[AlertKind, ...], Field(min_length=1)] = tuple(AlertKind)
    """What it is told of."""
    language: Literal["both", "en", "zh"] = "both"
    """Language of the message."""


class Project(Strict):
    """`project.yaml`: what holds for the whole folder."""

    name: Text = "GEO Assets"
    """Title of reports."""
    timezone: Text = "Asia/Shanghai"
    """IANA time zone of capture dates, windows and displayed times."""
    window: Window = Window()
    """When collection runs each day."""
    start_date: IsoDate
    """First capture date; Dagster's partitions begin here."""
    platform_weights: dict[Slug, Annotated[float, Field(gt=0, le=1_000_000)]] = {}
    """Weight of a platform in all-platform figures; 1 where not given."""
    coverage_k: tuple[Annotated[int, Field(ge=1, le=20)], ...] = (1, 3)
    """The k of "among the first k": ranks that count as visible at the top."""
    uncertain_policy: Literal["resample", "hold"] = "resample"
    """What becomes of a sample that the platform may have answered: ask again once, or let a person decide."""
    slice_minutes: Annotated[int, Field(ge=1, le=60)] = 15
    """Longest working time of one collection run, in minutes."""
    max_attempts: Annotated[int, Field(ge=1, le=100)] = 12
    """Most attempts at one sample."""
    languages: tuple[Literal["zh", "en"], ...] = ("zh", "en")
    """Languages in which monitors may ask."""
    tenants: dict[Slug, Tenant] = {}
    """What holds for a tenant; one that is not here has the defaults."""
    alerts: tuple[AlertDestination, ...] = ()
    """Who is told of used-up budgets, stopped accounts, platforms that are down, partitions that keep failing."""


class Lane(Strict):
    """Limits of one lane of an (platform, account): calls a second, burst, and calls at once."""

    per_second: Annotated[float, Field(gt=0, le=10_000)] = 2.0
    """Sustained calls a second."""
    burst: Annotated[int, Field(ge=1, le=1000)] = 1
    """Calls that may go out at once after a quiet time."""
    concurrency: Annotated[int, Field(ge=1, le=1000)] = 8
    """Calls in flight at once."""


class Limits(Strict):
    """Limits per lane: submit, poll, download."""

    submit: Lane = Lane()
    """Calls that ask."""
    poll: Lane = Lane(per_second=5.0, burst=5, concurrency=8)
    """Calls that ask for the state of an accepted job."""
    download: Lane = Lane(per_second=5.0, burst=5, concurrency=4)
    """Calls that fetch evidence."""


class Timeouts(Strict):
    """Seconds. `read` bounds the wait for a response, `total` the whole exchange, `job` an accepted background job."""

    connect: Annotated[float, Field(gt=0, le=120)] = 10.0
    """Seconds to connect."""
    read: Annotated[float, Field(gt=0, le=1800)] = 300.0
    """Seconds without a byte."""
    total: Annotated[float, Field(gt=0, le=3600)] = 330.0
    """Seconds for one whole exchange."""
    job: Annotated[float, Field(gt=0, le=86_400)] = 1800.0
    """Seconds until an accepted background job is given up."""


class PriceVersion(Strict):
    """One version of a platform's prices, in units of the currency as decimal strings (never floats)."""

    version: Text
    """Name of this version, in quotes and books."""
    valid_from: IsoDate
    """First capture date at which it holds; it holds until the next version."""
    currency: Currency
    """ISO 4217 code of the currency that the platform bills in."""
    input_per_million: Decimal6 = "0"
    """Price of a million input tokens."""
    cached_per_million: Decimal6 | None = None
    """Price of a million input tokens from the cache; like input where not given."""
    output_per_million: Decimal6 = "0"
    """Price of a million output tokens."""
    thinking_per_million: Decimal6 | None = None
    """Price of a million thinking tokens; like output where not given."""
    per_search: Decimal6 = "0"
    """Price of one search."""
    per_call: Decimal6 = "0"
    """Price of one call."""
    per_screenshot: Decimal6 = "0"
    """Price of one screenshot."""
    worst_input_tokens: Annotated[int, Field(ge=0)] = 20_000
    """Input tokens of an expensive call, for quotes and reservations."""
    worst_output_tokens: Annotated[int, Field(ge=0)] = 8_000
    """Output tokens of an expensive call."""
    worst_searches: Annotated[int, Field(ge=0)] = 3
    """Searches of an expensive call."""


class Account(Strict):
    """One account of a platform and the environment variable that holds its key."""

    id: Slug = "main"
    """Name of the account; limits and quota hang on it."""
    key_env: Variable | None = None
    """Environment variable that holds the key (never the key itself). Not given: no key needed."""


class Channel(StrEnum):
    """How an answer comes. APIs are not the apps that people use."""

    API = "api"
    APP_LIKE_TOOL = "app_like_tool"
    BROWSER = "browser"
    CAPTURE_PROVIDER = "capture_provider"
    IMPORTED = "imported"


class Platform(Strict):
    """One surface that answers. Never removed, only retired."""

    id: Slug
    """Id of the platform; partitions and tables carry it for ever."""
    name: Text
    """Name in reports."""
    name_zh: Text | None = None
    """Name in Chinese reports."""
    dialect: Text
    """Wire format, see docs/platforms.md."""
    channel: Channel = Channel.API
    """How an answer comes."""
    base_url: Text
    """Address up to the version part, without the method's path."""
    model: Text
    """Model to ask."""
    search: bool = True
    """Whether to ask with web search."""
    accounts: Annotated[tuple[Account, ...], Field(min_length=1)] = (Account(),)
    """Accounts; samples are spread over them."""
    limits: Limits = Limits()
    """Pace per account and lane."""
    timeouts: Timeouts = Timeouts()
    """Time-outs."""
    window: Window | None = None
    """Collection window, where it differs from the project's."""
    options: dict[str, Any] = {}
    """The dialect's own switches."""
    prices: Annotated[tuple[PriceVersion, ...], Field(min_length=1)]
    """Price book, by version."""
    daily_budget: dict[Currency, Decimal6] = {}
    """Most that all monitors together may spend here in a day, per currency."""
    retired: IsoDate | None = None
    """From this capture date on it is not asked any more. Platforms are never removed."""
    notes: str = ""
    """Anything worth knowing."""


class Source(Strict):
    """A place that belongs to a brand: host, host and path, or an account on a host."""

    host: Text
    """Host, which stands for its subdomains too."""
    path: str = ""
    """Path prefix on the host."""
    account: str = ""
    """Identity on the host that must appear in the address."""


class Product(Strict):
    """A product below a brand; it counts as its own and for its brand."""

    id: Slug
    """Id, unique among the brands and products of the monitor."""
    name: Text
    """Name."""
    aliases: tuple[Text, ...] = ()
    """Other names."""
    exclude: tuple[Text, ...] = ()
    """Longer phrases with the name in them that are not the product."""


class Brand(Strict):
    """A brand with its names, what is not it, and where it publishes."""

    id: Slug
    """Id, unique among the brands and products of the monitor."""
    name: Text
    """Name."""
    aliases: tuple[Text, ...] = ()
    """Other names: other scripts, short forms, usual misspellings."""
    exclude: tuple[Text, ...] = ()
    """Longer phrases with a name in them that are not the brand (大众点评 for 大众)."""
    products: tuple[Product, ...] = ()
    """Products below the brand."""
    context: tuple[Text, ...] = ()
    """Words that stand near the name when the brand is meant; for names that are words, too."""
    owned_sources: tuple[Source, ...] = ()
    """Where the brand publishes."""


class Question(Strict):
    """One question. Editing its text makes a new revision; its id keeps its history."""

    id: Slug
    """Id; keeps the question's history when its text changes."""
    text: Text
    """The question as people ask it, sent as it stands."""
    intent: Text = "category"
    """Kind of question, for grouping (category, comparison, brand, price, ...)."""
    tags: tuple[Text, ...] = ()
    """Free labels, for grouping."""
    weight: Annotated[int, Field(ge=1, le=1000)] = 1
    """Weight in weighted figures."""


class PlatformEntry(Strict):
    """A platform as a monitor uses it."""

    id: Slug
    """Id of the platform in platforms.yaml."""
    repeats: Annotated[int, Field(ge=1, le=50)] | None = None
    """Askings of each question a day; the monitor's where not given."""
    search: bool | None = None
    """Web search on or off; the platform's where not given."""
    mode: str | None = None
    """Mode of asking, where the dialect has modes."""
    device: str | None = None
    """Device, where the dialect has devices."""
    regions: tuple[Text, ...] | None = None
    """Regions to ask from; the monitor's where not given, `[]` for none."""


class Weekday(StrEnum):
    """Day of a weekly monitor."""

    MONDAY = "monday"
    TUESDAY = "tuesday"
    WEDNESDAY = "wednesday"
    THURSDAY = "thursday"
    FRIDAY = "friday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"


class Monitor(Strict):
    """`monitors/*.yaml`: one brand, its competitors, and the questions asked about their market."""

    id: Slug
    """Id of the monitor; tables carry it for ever."""
    tenant: Slug
    """Who it is for."""
    language: Literal["zh", "en"]
    """Language of the questions."""
    brand: Brand
    """The own brand."""
    competitors: tuple[Brand, ...] = ()
    """Brands to compare with."""
    context: tuple[Text, ...] = ()
    """Words of the category that stand near its brands; they decide about names that are words, too."""
    known_names: tuple[Text, ...] = ()
    """Longer names that are nobody's mention."""
    questions: Annotated[tuple[Question, ...], Field(min_length=1)]
    """What to ask."""
    platforms: Annotated[tuple[PlatformEntry, ...], Field(min_length=1)]
    """Where to ask."""
    repeats: Annotated[int, Field(ge=1, le=50)] = 1
    """Askings of each question a day and platform."""
    regions: tuple[Text, ...] = ()
    """Regions to ask from."""
    frequency: Literal["daily", "weekly"] = "daily"
    """How often."""
    weekday: Weekday = Weekday.MONDAY
    """Day of a weekly monitor."""
    priority: Annotated[int, Field(ge=0, le=9)] = 5
    """0 to 9; higher goes first."""
    paused: bool = False
    """Not asked while true."""
    daily_budget: dict[Currency, Decimal6] = {}
    """Most that the monitor may spend in a day, per currency."""
    retry_budget_percent: Annotated[int, Field(ge=0, le=1000)] = 100
    """Most retries a day on a platform, in percent of the samples planned there; throttled calls are none."""
    screenshots: Literal["never", "mentions", "always"] = "never"
    """When to fetch screenshots, where a platform has them."""
    max_questions: Annotated[int, Field(ge=1, le=100_000)] = 1000
    """Guard against a list that grew by mistake."""
