"""The profile of a model agent: which model, its endpoint, how it is prompted and how it replies.

A profile is data, and recorded in full, so that a run documents its options.
"""

from __future__ import annotations

import dataclasses
import enum
from typing import Annotated, Any, Literal, Self
from urllib.parse import SplitResult, urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    field_validator,
    model_validator,
)

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.coordinates import Coordinates, Unit
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.dialects.image_sizes import ImageRule, LongSide, NativeSize, SmartResize
from garabench.agents.models.messages import ReplyForm
from garabench.core.cross_field import raise_violations
from garabench.core.suggestions import did_you_mean

AgentId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+([.+-][a-z0-9]+)*$", max_length=120)]
"""An id such as ``ui-tars-1.5-7b``."""

ModelName = Annotated[str, StringConstraints(min_length=1, max_length=200)]

_RESERVED_PARAMETERS = {"model", "messages", "tools", "tool_choice", "response_format", "stream", "n"}

_JSON_DIALECTS = ("json", "gemini", "agentcpm-gui")
"""Dialects whose replies are a single JSON object."""
_PIXELS = {Unit.IMAGE: "pixels of the image", Unit.SCREEN: "pixels of the screen"}
_RANGES = {"temperature": (0, 2), "top_p": (0, 1), "frequency_penalty": (-2, 2), "presence_penalty": (-2, 2)}
"""Ranges outside which every endpoint refuses a request; source: the reference of OpenAI's API."""
_SECRET_PARAMETERS = {"api_key", "apikey", "authorization", "headers", "extra_headers"}


def _check_dialect(value: str) -> str:
    if value not in DIALECTS:
        raise ValueError(f"unknown dialect {value!r}. {did_you_mean(value, DIALECTS)}")
    return value


def _check_parameters(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    if reserved := sorted(_RESERVED_PARAMETERS & value.keys()):
        raise ValueError(f"{reserved[0]!r} is set by other keys of the profile, not as a parameter")
    if secret := sorted(name for name in value if name.casefold() in _SECRET_PARAMETERS):
        raise ValueError(f"{secret[0]!r} may hold a key, but parameters are recorded; use key_env")
    raise_violations(
        "Parameters",
        (
            ((name,), f"must be a number from {least} to {most}, not {value[name]!r}")
            for name, (least, most) in _RANGES.items()
            if not _is_between(value.get(name), least, most)
        ),
    )
    return value


def _is_between(value: JsonValue, least: float, most: float) -> bool:
    """Return whether a value is a number of a range, or null, which removes an inherited parameter."""
    if value is None:
        return True
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


DialectName = Annotated[str, AfterValidator(_check_dialect)]
Parameters = Annotated[dict[str, JsonValue], AfterValidator(_check_parameters)]


class ModelInput(enum.StrEnum):
    """What a model sees of a screen."""

    SCREENSHOT = "screenshot"
    TREE = "tree"
    BOTH = "both"
    MARKS = "marks"

    @property
    def has_image(self) -> bool:
        """Whether an image is sent."""
        return self is not ModelInput.TREE

    @property
    def has_tree(self) -> bool:
        """Whether the elements are listed as text."""
        return self in (ModelInput.TREE, ModelInput.BOTH)


class HistoryForm(enum.StrEnum):
    """How a prompt describes the steps so far."""

    ACTIONS = "actions"
    THOUGHTS = "thoughts"
    SCREENSHOTS = "screenshots"
    SUMMARY = "summary"
    NONE = "none"


class EndpointProtocol(enum.StrEnum):
    """Which protocol an endpoint speaks."""

    CHAT = "chat"
    """OpenAI's chat completions, which nearly every server offers."""
    RESPONSES = "responses"
    """OpenAI's responses."""
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"


def _has_valid_port(parts: SplitResult) -> bool:
    """Return whether a URL has a valid port or none."""
    try:
        return parts.port != 0
    except ValueError:
        return False


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelEndpoint(_Part):
    """Where a model is served.

    Attributes:
        base_url: Base URL, to which ``/chat/completions`` is appended; by default that of a local vLLM.
        key_env: Environment variable that holds the key.
        keyring: Entry of the system's keyring that holds the key, as ``service:user``.
        protocol: Protocol of the endpoint.
        stream: Whether `EndpointProtocol.CHAT` replies are streamed, for servers or proxies that drop a
            connection on which nothing arrives for a while.
    """

    base_url: str = "http://127.0.0.1:8000/v1"
    key_env: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=80)] | None = (
        None
    )
    keyring: Annotated[str, StringConstraints(pattern=r"^[^:\s]+:[^:\s]+$", max_length=200)] | None = None
    protocol: EndpointProtocol = EndpointProtocol.CHAT
    stream: bool = False

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        try:
            parts = urlsplit(value)
            host = parts.hostname
        except ValueError as error:
            raise ValueError("invalid URL") from error
        if parts.scheme not in ("http", "https") or not host or " " in value:
            raise ValueError("expected an http:// or https:// URL such as http://127.0.0.1:8000/v1")
        if parts.username or parts.password or parts.query:
            raise ValueError("the URL is recorded, so it must not contain a key; use key_env")
        if not _has_valid_port(parts):
            raise ValueError("expected a port from 1 to 65535")
        return value.rstrip("/")

    @model_validator(mode="after")
    def _has_one_key(self) -> Self:
        if self.key_env and self.keyring:
            raise ValueError("set key_env or keyring, not both")
        return self


class TreeOptions(_Part):
    """How elements are listed as text.

    Attributes:
        tokens: Maximum number of tokens, as estimated by `garabench.agents.prompting.tokens`.
    """

    tokens: int = Field(default=3000, ge=100, le=200_000)


class HistoryOptions(_Part):
    """How the prompt describes the steps so far.

    Attributes:
        form: Form of the history.
        last: Number of steps that are listed individually; earlier ones are only counted or summarized. For
            ``screenshots``, the number of earlier images that are sent again.
    """

    form: HistoryForm = HistoryForm.THOUGHTS
    last: int = Field(default=10, ge=1, le=100)


class ModelLimits(_Part):
    """Limits of an agent's requests.

    Attributes:
        seconds: Longest wait for a reply.
        tries: Maximum number of requests for a reply, including the first.
        repairs: Maximum number of requests per step for a corrected reply after an unparseable one.
        at_once: Maximum number of concurrent requests to the endpoint.
    """

    seconds: float = Field(default=120, gt=0, le=3600)
    tries: int = Field(default=4, ge=1, le=20)
    repairs: int = Field(default=1, ge=0, le=5)
    at_once: int = Field(default=4, ge=1, le=256)


class CoordinateOptions(_Part):
    """Overrides of the dialect's coordinate rule; omitted fields keep it.

    Attributes:
        unit: Unit of the coordinates.
        span: The number at the far edge of a grid, 1000 or 999; only for grids.
        y_first: Whether y comes before x.
    """

    unit: Literal["grid", "image", "screen"] | None = None
    span: int | None = Field(default=None, ge=1, le=100_000)
    y_first: bool | None = None

    def applied(self, rule: Coordinates) -> Coordinates:
        """Return the rule with these overrides."""
        return Coordinates(
            unit=rule.unit if self.unit is None else Unit(self.unit),
            span=rule.span if self.span is None else self.span,
            y_first=rule.y_first if self.y_first is None else self.y_first,
        )


class SmartResizeOptions(_Part):
    """Image sides that are multiples of a factor, within limits of the area.

    Attributes:
        factor: 28 for Qwen2.5-VL and UI-TARS 1.5; 32 for Qwen3-VL.
        min_pixels, max_pixels: Limits of the area.
    """

    factor: int = Field(ge=1, le=256)
    min_pixels: int = Field(ge=1)
    max_pixels: int = Field(ge=1)

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        self.rule()
        return self

    def rule(self) -> SmartResize:
        """Return the rule for the image's size."""
        return SmartResize(self.factor, self.min_pixels, self.max_pixels)


class ImageOptions(_Part):
    """Overrides of the dialect's image size, and the encoding of images.

    Attributes:
        native: Whether to send the screenshot at its native size.
        long_side: Limit of the longer side in pixels.
        smart: Sides that are multiples of a factor.
        format: ``png`` keeps every pixel; ``jpeg`` is smaller and faster to send.
        quality: JPEG quality.
    """

    native: Literal[True] | None = None
    long_side: int | None = Field(default=None, ge=64, le=16_384)
    smart: SmartResizeOptions | None = None
    format: Literal["png", "jpeg"] = "png"
    quality: int = Field(default=90, ge=30, le=100)

    @model_validator(mode="after")
    def _has_one_rule(self) -> Self:
        if sum(rule is not None for rule in (self.native, self.long_side, self.smart)) > 1:
            raise ValueError("set one of native, long_side and smart")
        return self

    def applied(self, rule: ImageRule) -> ImageRule:
        """Return the rule for the image's size: this one, or else the dialect's."""
        if self.native:
            return NativeSize()
        if self.long_side is not None:
            return LongSide(self.long_side)
        return rule if self.smart is None else self.smart.rule()


class AgentProfile(_Part):
    """The profile of a model agent.

    Attributes:
        id: Name in runs and tables.
        about: Description in one sentence.
        dialect: Format of prompts and replies: a key of `DIALECTS`.
        model: The model's name at its endpoint.
        endpoint: Where the model is served.
        input: What the model sees of a screen.
        tree: How elements are listed as text.
        history: How the prompt describes the steps so far.
        form: How a reply is requested.
        parameters: Passed to the endpoint unchanged, such as ``temperature`` or ``reasoning_effort``.
        limits: Limits of the requests.
        coordinates: Overrides of the dialect's coordinate rule.
        image: Overrides of the dialect's image size, and the encoding.
        serve: How to serve the model or obtain a key; documentation only.
    """

    id: AgentId
    about: str = Field(default="", max_length=300)
    dialect: DialectName
    model: ModelName
    endpoint: ModelEndpoint = ModelEndpoint()
    input: ModelInput = ModelInput.SCREENSHOT
    tree: TreeOptions = TreeOptions()
    history: HistoryOptions = HistoryOptions()
    form: ReplyForm = ReplyForm.TEXT
    parameters: Parameters = Field(default_factory=dict)
    limits: ModelLimits = ModelLimits()
    coordinates: CoordinateOptions = CoordinateOptions()
    image: ImageOptions = ImageOptions()
    serve: str = Field(default="", max_length=500)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        dialect = DIALECTS[self.dialect]
        if self.form is ReplyForm.TOOLS and dialect.functions is None:
            raise ValueError(f"the dialect {self.dialect!r} has no functions; set form: text")
        if self.form is not ReplyForm.TOOLS and dialect.functions is not None and dialect.functions.only:
            raise ValueError(f"the dialect {self.dialect!r} has functions only; set form: tools")
        if self.form is ReplyForm.JSON and self.dialect not in _JSON_DIALECTS:
            raise ValueError(f"replies in the dialect {self.dialect!r} are not pure JSON; set form: text")
        if self.input is ModelInput.MARKS and dialect.numbers_from is None:
            raise ValueError(
                f"the dialect {self.dialect!r} cannot refer to numbered elements, so input cannot be marks"
            )
        unit = self.coordinates.applied(dialect.coordinates).unit
        if self.coordinates.span is not None and unit is not Unit.GRID:
            raise ValueError(
                f"the dialect {self.dialect!r} uses {_PIXELS[unit]}; only a grid has a span: "
                "set unit: grid as well, or drop span"
            )
        by_number = dialect.numbers_from is not None and dialect.coordinates.unit is Unit.SCREEN
        if self.input is ModelInput.SCREENSHOT and by_number:
            raise ValueError(
                f"the dialect {self.dialect!r} refers to elements by number; set input to tree, both or marks"
            )
        return self

    @property
    def base_id(self) -> str:
        """The id without options."""
        return self.id.partition("+")[0]

    def tuned_dialect(self) -> Dialect:
        """Return the dialect with the overrides of this profile."""
        dialect = DIALECTS[self.dialect]
        return dataclasses.replace(
            dialect,
            coordinates=self.coordinates.applied(dialect.coordinates),
            image=self.image.applied(dialect.image),
        )

    def to_record(self) -> dict[str, Any]:
        """Return all options as JSON-like values for the record, with the key's source but not the key."""
        return self.model_dump(mode="json")
