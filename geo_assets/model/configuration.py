"""The configuration as typed data: project, platforms, monitors. Shapes and their rules; reading files is elsewhere.

All scalars that are names stay strings (`NO`, `on`, `0123` are brand names like any other). Unknown keys are refused.
"""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,47}$")]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Currency = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]
Clock = Annotated[str, StringConstraints(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
IsoDate = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Decimal6 = Annotated[str, StringConstraints(pattern=r"^\d{1,12}(\.\d{1,6})?$")]


class Strict(BaseModel):
    """Base of all configuration models: unknown keys are errors, values are frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class Window(Strict):
    """Daily collection window in the project's zone, within one local day."""

    start: Clock = "02:00"
    end: Clock = "06:00"


class Project(Strict):
    """`project.yaml`: what holds for the whole folder."""

    name: Text = "GEO Assets"
    timezone: Text = "Asia/Shanghai"
    window: Window = Window()
    start_date: IsoDate
    platform_weights: dict[Slug, Annotated[float, Field(gt=0)]] = {}
    coverage_k: tuple[Annotated[int, Field(ge=1, le=20)], ...] = (1, 3)
    uncertain_policy: Literal["resample", "hold"] = "resample"
    slice_minutes: Annotated[int, Field(ge=1, le=60)] = 15
    max_attempts: Annotated[int, Field(ge=1, le=100)] = 12
    languages: tuple[Literal["zh", "en"], ...] = ("zh", "en")


class Lane(Strict):
    """Limits of one lane of an (platform, account): calls a second, burst, and calls at once."""

    per_second: Annotated[float, Field(gt=0, le=10_000)] = 2.0
    burst: Annotated[int, Field(ge=1, le=1000)] = 1
    concurrency: Annotated[int, Field(ge=1, le=1000)] = 8


class Limits(Strict):
    """Limits per lane: submit, poll, download."""

    submit: Lane = Lane()
    poll: Lane = Lane(per_second=5.0, burst=5, concurrency=8)
    download: Lane = Lane(per_second=5.0, burst=5, concurrency=4)


class Timeouts(Strict):
    """Seconds. `read` bounds the wait for a response, `total` the whole exchange, `job` an accepted background job."""

    connect: Annotated[float, Field(gt=0, le=120)] = 10.0
    read: Annotated[float, Field(gt=0, le=1800)] = 300.0
    total: Annotated[float, Field(gt=0, le=3600)] = 330.0
    job: Annotated[float, Field(gt=0, le=86_400)] = 1800.0


class PriceVersion(Strict):
    """One version of a platform's prices, in units of the currency as decimal strings (never floats)."""

    version: Text
    valid_from: IsoDate
    currency: Currency
    input_per_million: Decimal6 = "0"
    cached_per_million: Decimal6 | None = None
    output_per_million: Decimal6 = "0"
    thinking_per_million: Decimal6 | None = None
    per_search: Decimal6 = "0"
    per_call: Decimal6 = "0"
    per_screenshot: Decimal6 = "0"
    worst_input_tokens: Annotated[int, Field(ge=0)] = 20_000
    worst_output_tokens: Annotated[int, Field(ge=0)] = 8_000
    worst_searches: Annotated[int, Field(ge=0)] = 3


class Account(Strict):
    """One account of a platform and the environment variable that holds its key."""

    id: Slug = "main"
    key_env: Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]*$")] | None = None


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
    name: Text
    name_zh: Text | None = None
    dialect: Text
    channel: Channel = Channel.API
    base_url: Text
    model: Text
    search: bool = True
    accounts: Annotated[tuple[Account, ...], Field(min_length=1)] = (Account(),)
    limits: Limits = Limits()
    timeouts: Timeouts = Timeouts()
    window: Window | None = None
    options: dict[str, Any] = {}
    prices: Annotated[tuple[PriceVersion, ...], Field(min_length=1)]
    daily_budget: dict[Currency, Decimal6] = {}
    retired: IsoDate | None = None
    notes: str = ""


class Source(Strict):
    """A place that belongs to a brand: host, host and path, or an account on a host."""

    host: Text
    path: str = ""
    account: str = ""


class Product(Strict):
    """A product below a brand; it counts as its own and for its brand."""

    id: Slug
    name: Text
    aliases: tuple[Text, ...] = ()
    exclude: tuple[Text, ...] = ()


class Brand(Strict):
    """A brand with its names, what is not it, and where it publishes."""

    id: Slug
    name: Text
    aliases: tuple[Text, ...] = ()
    exclude: tuple[Text, ...] = ()
    products: tuple[Product, ...] = ()
    context: tuple[Text, ...] = ()
    owned_sources: tuple[Source, ...] = ()


class Question(Strict):
    """One question. Editing its text makes a new revision; its id keeps its history."""

    id: Slug
    text: Text
    intent: Text = "category"
    tags: tuple[Text, ...] = ()
    weight: Annotated[int, Field(ge=1, le=1000)] = 1


class PlatformEntry(Strict):
    """A platform as a monitor uses it."""

    id: Slug
    repeats: Annotated[int, Field(ge=1, le=50)] | None = None
    search: bool | None = None
    mode: str | None = None
    device: str | None = None
    regions: tuple[Text, ...] | None = None


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
    tenant: Slug
    language: Literal["zh", "en"]
    brand: Brand
    competitors: tuple[Brand, ...] = ()
    known_names: tuple[Text, ...] = ()
    questions: Annotated[tuple[Question, ...], Field(min_length=1)]
    platforms: Annotated[tuple[PlatformEntry, ...], Field(min_length=1)]
    repeats: Annotated[int, Field(ge=1, le=50)] = 1
    regions: tuple[Text, ...] = ()
    frequency: Literal["daily", "weekly"] = "daily"
    weekday: Weekday = Weekday.MONDAY
    priority: Annotated[int, Field(ge=0, le=9)] = 5
    paused: bool = False
    daily_budget: dict[Currency, Decimal6] = {}
    retry_budget_percent: Annotated[int, Field(ge=0, le=1000)] = 100
    screenshots: Literal["never", "mentions", "always"] = "never"
    max_questions: Annotated[int, Field(ge=1, le=100_000)] = 1000
