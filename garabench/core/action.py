"""The actions of agents, in device pixels of the current rotation."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from garabench.core.geometry import Direction


class BaseAction(BaseModel):
    """Base of the actions: frozen, without unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Tap(BaseAction):
    """Tap once."""

    type: Literal["tap"] = "tap"
    x: int
    y: int


class DoubleTap(BaseAction):
    """Tap twice in quick succession."""

    type: Literal["double_tap"] = "double_tap"
    x: int
    y: int


class LongPress(BaseAction):
    """Hold a finger down for `ms` milliseconds."""

    type: Literal["long_press"] = "long_press"
    x: int
    y: int
    ms: int = Field(default=800, ge=100, le=10_000)


class Swipe(BaseAction):
    """Move a finger in a straight line within `ms` milliseconds."""

    type: Literal["swipe"] = "swipe"
    x1: int
    y1: int
    x2: int
    y2: int
    ms: int = Field(default=300, ge=10, le=10_000)


class Drag(BaseAction):
    """Press an element, move it and release it."""

    type: Literal["drag"] = "drag"
    x1: int
    y1: int
    x2: int
    y2: int
    ms: int = Field(default=800, ge=10, le=10_000)


class Scroll(BaseAction):
    """Scroll in a direction: ``down`` shows the content below.

    Attributes:
        direction: Direction of the hidden content.
        x, y: Where to scroll; default: the center of the screen.
        amount: Length of the finger's path as a share of the screen.
    """

    type: Literal["scroll"] = "scroll"
    direction: Direction
    x: int | None = None
    y: int | None = None
    amount: float = Field(default=0.5, gt=0, le=1)


class Type(BaseAction):
    """Type a text into the focused field.

    Attributes:
        text: Any Unicode text.
        clear: Replace the field's content instead of appending to it.
        submit: Press the keyboard's action key afterwards.
        at: Where to tap first, to focus the field.
    """

    type: Literal["type"] = "type"
    text: str = Field(max_length=10_000)
    clear: bool = False
    submit: bool = False
    at: tuple[int, int] | None = None


class Clear(BaseAction):
    """Empty the focused field."""

    type: Literal["clear"] = "clear"


class Key(BaseAction):
    """Press a key by its name, such as ``enter``."""

    type: Literal["key"] = "key"
    name: str


class Back(BaseAction):
    """Press Back."""

    type: Literal["back"] = "back"


class Home(BaseAction):
    """Press Home."""

    type: Literal["home"] = "home"


class Recents(BaseAction):
    """Open the list of recent apps."""

    type: Literal["recents"] = "recents"


class OpenApp(BaseAction):
    """Bring an app to the foreground, as a tap on its icon does."""

    type: Literal["open_app"] = "open_app"
    package: str = Field(pattern=r"^[A-Za-z][\w]*(\.[A-Za-z]\w*)+$")


class Wait(BaseAction):
    """Do nothing for some seconds."""

    type: Literal["wait"] = "wait"
    seconds: float = Field(default=1.0, gt=0, le=60)


class Done(BaseAction):
    """Report that the task is done, with the answer if the task asks for one."""

    type: Literal["done"] = "done"
    answer: str = ""


class GiveUp(BaseAction):
    """Report that the task cannot be done."""

    type: Literal["give_up"] = "give_up"
    reason: str = ""


Action = Annotated[
    Tap
    | DoubleTap
    | LongPress
    | Swipe
    | Drag
    | Scroll
    | Type
    | Clear
    | Key
    | Back
    | Home
    | Recents
    | OpenApp
    | Wait
    | Done
    | GiveUp,
    Field(discriminator="type"),
]

_ADAPTER: TypeAdapter[Action] = TypeAdapter(Action)


def to_json(action: Action) -> dict[str, object]:
    """Return the action as JSON-compatible data, without default values."""
    return {"type": action.type, **action.model_dump(mode="json", exclude_defaults=True)}


def from_json(data: object) -> Action:
    """Parse an action.

    Raises:
        pydantic.ValidationError: The data is not an action.
    """
    return _ADAPTER.validate_python(data)
