"""An agent of a model, by name: which model, where it is, how it is asked and how it answers.

A profile is data. All of it is kept in the record, so that a run says by which options it came about.
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

from garabench.agents.chat.messages import Form
from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.coordinates import Coordinates, Unit
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.dialects.images import ImageRule, LongSide, Native, SmartResize
from garabench.core.names import did_you_mean

AgentId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+([.+-][a-z0-9]+)*$", max_length=120)]
"""An id such as ``ui-tars-1.5-7b``."""

ModelName = Annotated[str, StringConstraints(min_length=1, max_length=200)]

_OWN_PARAMETERS = {"model", "messages", "tools", "tool_choice", "response_format", "stream", "n"}

_WRITTEN_IN_JSON = ("json", "gemini", "agentcpm-gui")
"""Dialects whose replies are one JSON object and nothing else."""
_PIXELS = {Unit.IMAGE: "pixels of the picture", Unit.SCREEN: "pixels of the screen"}
_SECRET_PARAMETERS = {"api_key", "apikey", "authorization", "headers", "extra_headers"}


def _is_a_dialect(value: str) -> str:
    if value not in DIALECTS:
        raise ValueError(f"no dialect is called {value!r}. {did_you_mean(value, DIALECTS)}")
    return value


def _are_parameters(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    if taken := sorted(_OWN_PARAMETERS & value.keys()):
        raise ValueError(f"{taken[0]!r} is set by the profile's other keys, not as a parameter")
    if secret := sorted(name for name in value if name.casefold() in _SECRET_PARAMETERS):
        raise ValueError(f"{secret[0]!r} may hold a key, and parameters are recorded; see key_env")
    return value


DialectName = Annotated[str, AfterValidator(_is_a_dialect)]
Parameters = Annotated[dict[str, JsonValue], AfterValidator(_are_parameters)]


class Input(enum.StrEnum):
    """What a model is shown of a screen."""

    SCREENSHOT = "screenshot"
    TREE = "tree"
    BOTH = "both"
    MARKS = "marks"

    @property
    def has_picture(self) -> bool:
        """Whether a picture is sent."""
        return self is not Input.TREE

    @property
    def has_tree(self) -> bool:
        """Whether the elements are told as text."""
        return self in (Input.TREE, Input.BOTH)


class HistoryForm(enum.StrEnum):
    """How a model is reminded of the steps so far."""

    ACTIONS = "actions"
    THOUGHTS = "thoughts"
    SCREENSHOTS = "screenshots"
    SUMMARY = "summary"
    NONE = "none"


class Protocol(enum.StrEnum):
    """Which protocol an endpoint speaks."""

    CHAT = "chat"
    """OpenAI's chat completions, which nearly every server offers."""
    RESPONSES = "responses"
    """OpenAI's responses."""
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"


def _has_a_port(parts: SplitResult) -> bool:
    """Whether an address has a port that there can be, or none."""
    try:
        return parts.port != 0
    except ValueError:
        return False


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Endpoint(_Part):
    """Where a model is.

    Attributes:
        base_url: Address below which ``/chat/completions`` lies; vLLM's own unless given.
        key_env: Environment variable that holds the key.
        keyring: Entry of the system's keyring that holds the key, as ``service:user``.
        protocol: What it speaks.
        stream: Whether replies of `Protocol.CHAT` are asked for piece by piece, for servers or proxies that
            hold no connection on which nothing comes for long.
    """

    base_url: str = "http://127.0.0.1:8000/v1"
    key_env: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=80)] | None = (
        None
    )
    keyring: Annotated[str, StringConstraints(pattern=r"^[^:\s]+:[^:\s]+$", max_length=200)] | None = None
    protocol: Protocol = Protocol.CHAT
    stream: bool = False

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        try:
            parts = urlsplit(value)
            host = parts.hostname
        except ValueError as error:
            raise ValueError("this is no address") from error
        if parts.scheme not in ("http", "https") or not host or " " in value:
            raise ValueError("an address begins with http:// or https://, such as http://127.0.0.1:8000/v1")
        if parts.username or parts.password or parts.query:
            raise ValueError("a key does not belong into an address, which is recorded; see key_env")
        if not _has_a_port(parts):
            raise ValueError("a port is a number from 1 to 65535")
        return value.rstrip("/")

    @model_validator(mode="after")
    def _has_one_key(self) -> Self:
        if self.key_env and self.keyring:
            raise ValueError("a key is in the environment or in a keyring, not in both")
        return self


class TreeOptions(_Part):
    """How elements are told as text.

    Attributes:
        tokens: Most tokens of that text, as `garabench.agents.modes.tokens` counts them.
    """

    tokens: int = Field(default=3000, ge=100, le=200_000)


class HistoryOptions(_Part):
    """How the steps so far are told.

    Attributes:
        form: In which form.
        last: How many steps are told one by one; earlier ones are only counted or summed up. Of
            ``screenshots``, how many earlier pictures are sent again.
    """

    form: HistoryForm = HistoryForm.THOUGHTS
    last: int = Field(default=10, ge=1, le=100)


class Limits(_Part):
    """What an agent may take.

    Attributes:
        seconds: Longest wait for one reply.
        tries: Requests for one reply, the first among them.
        repairs: How often a model is told that its reply cannot be read, for one step.
        at_once: Requests at the same time to the endpoint.
    """

    seconds: float = Field(default=120, gt=0, le=3600)
    tries: int = Field(default=4, ge=1, le=20)
    repairs: int = Field(default=1, ge=0, le=5)
    at_once: int = Field(default=4, ge=1, le=256)


class CoordinatesChange(_Part):
    """What differs from the dialect's rule for coordinates; what is left out does not.

    Attributes:
        unit: What is counted.
        span: Of a grid, and of nothing else: the number at the far edge, 1000 or 999.
        y_first: Whether y stands before x.
    """

    unit: Literal["grid", "image", "screen"] | None = None
    span: int | None = Field(default=None, ge=1, le=100_000)
    y_first: bool | None = None

    def applied(self, rule: Coordinates) -> Coordinates:
        """The rule with what differs."""
        return Coordinates(
            unit=rule.unit if self.unit is None else Unit(self.unit),
            span=rule.span if self.span is None else self.span,
            y_first=rule.y_first if self.y_first is None else self.y_first,
        )


class SmartSize(_Part):
    """Sides that are multiples of a factor, within limits of area.

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
        """The rule of the picture's size."""
        return SmartResize(self.factor, self.min_pixels, self.max_pixels)


class ImageOptions(_Part):
    """What differs from the dialect's rule for pictures, and how they are encoded.

    Attributes:
        native: The screenshot as it is.
        long_side: The longer side is brought down to so many pixels.
        smart: Sides that are multiples of a factor.
        format: ``png`` keeps every pixel; ``jpeg`` is smaller and faster to send.
        quality: Of JPEG.
    """

    native: Literal[True] | None = None
    long_side: int | None = Field(default=None, ge=64, le=16_384)
    smart: SmartSize | None = None
    format: Literal["png", "jpeg"] = "png"
    quality: int = Field(default=90, ge=30, le=100)

    @model_validator(mode="after")
    def _has_one_rule(self) -> Self:
        if sum(rule is not None for rule in (self.native, self.long_side, self.smart)) > 1:
            raise ValueError("a picture has one size: one of native, long_side and smart")
        return self

    def applied(self, rule: ImageRule) -> ImageRule:
        """The rule of the picture's size: this one, or else the dialect's."""
        if self.native:
            return Native()
        if self.long_side is not None:
            return LongSide(self.long_side)
        return rule if self.smart is None else self.smart.rule()


class AgentProfile(_Part):
    """An agent of a model.

    Attributes:
        id: Its name in runs and tables.
        about: What it is, in a sentence.
        dialect: How it is spoken to and how it answers: a name of `DIALECTS`.
        model: The model's name at its endpoint.
        endpoint: Where it is.
        input: What it is shown.
        tree: How elements are told as text.
        history: How the steps so far are told.
        form: How a reply is asked for.
        parameters: Passed to the endpoint as they are, such as ``temperature`` or ``reasoning_effort``.
        limits: What it may take.
        coordinates: What differs from the dialect's rule.
        image: What differs from the dialect's rule.
        serve: How the model is served or where its key is from, for people.
    """

    id: AgentId
    about: str = Field(default="", max_length=300)
    dialect: DialectName
    model: ModelName
    endpoint: Endpoint = Endpoint()
    input: Input = Input.SCREENSHOT
    tree: TreeOptions = TreeOptions()
    history: HistoryOptions = HistoryOptions()
    form: Form = Form.TEXT
    parameters: Parameters = Field(default_factory=dict)
    limits: Limits = Limits()
    coordinates: CoordinatesChange = CoordinatesChange()
    image: ImageOptions = ImageOptions()
    serve: str = Field(default="", max_length=500)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        dialect = DIALECTS[self.dialect]
        if self.form is Form.TOOLS and dialect.functions is None:
            raise ValueError(f"the dialect {self.dialect!r} is written, not called; form is text")
        if self.form is not Form.TOOLS and dialect.functions is not None and dialect.functions.only:
            raise ValueError(f"the dialect {self.dialect!r} is called by functions; form is tools")
        if self.form is Form.JSON and self.dialect not in _WRITTEN_IN_JSON:
            raise ValueError(f"a reply in the dialect {self.dialect!r} is more than JSON; form is text")
        if self.input is Input.MARKS and dialect.numbers_from is None:
            raise ValueError(f"the dialect {self.dialect!r} names no numbers, so marks would mean nothing")
        unit = self.coordinates.applied(dialect.coordinates).unit
        if self.coordinates.span is not None and unit is not Unit.GRID:
            raise ValueError(
                f"the dialect {self.dialect!r} counts {_PIXELS[unit]}, not a grid, which alone has a span; "
                "give unit: grid as well, or no span"
            )
        by_number = dialect.numbers_from is not None and dialect.coordinates.unit is Unit.SCREEN
        if self.input is Input.SCREENSHOT and by_number:
            raise ValueError(
                f"the dialect {self.dialect!r} names elements by number; input is tree, both or marks"
            )
        return self

    def spoken(self) -> Dialect:
        """The dialect with what differs for this model."""
        dialect = DIALECTS[self.dialect]
        return dataclasses.replace(
            dialect,
            coordinates=self.coordinates.applied(dialect.coordinates),
            image=self.image.applied(dialect.image),
        )

    def recorded(self) -> dict[str, Any]:
        """All options as JSON-like values, for the record; it names where a key is, never the key."""
        return self.model_dump(mode="json")
