"""Steps of reference solutions (on selectors), and of set-ups and follow-ups (on the device).

A step is a mapping with one key: ``tap: {id: search_bar}``, ``back:``, ``settings_page: wifi``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag, model_validator

from garabench.core.geometry import Direction
from garabench.core.identifiers import PackageName
from garabench.core.keys import KeyName
from garabench.core.selector import ScreenText, Selector


class _Step(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


Nothing = Annotated[None, BeforeValidator(lambda value: None if value in (None, {}) else value)]
Seconds = Annotated[float, Field(gt=0, le=120)]


class TapStep(_Step):
    """Tap the element."""

    tap: Selector


class DoubleTapStep(_Step):
    """Tap the element twice."""

    double_tap: Selector


class LongPressStep(_Step):
    """Long-press the element."""

    long_press: Selector


class TypeSpec(_Step):
    """The text to type, and the field.

    Attributes:
        text: The text.
        into: The field; default: the focused one.
        clear: Replace its content.
        submit: Press the keyboard's action key afterwards.
    """

    text: ScreenText
    into: Selector | None = None
    clear: bool = False
    submit: bool = False


class TypeStep(_Step):
    """Type a text."""

    type: TypeSpec


class ScrollSpec(_Step):
    """A scroll.

    Attributes:
        direction: Direction of the hidden content.
        until: Repeat until this element is on the screen.
        inside: The element to scroll; default: the center of the screen.
        amount: Length of the finger's path as a share of the screen.
    """

    direction: Direction = "down"
    until: Selector | None = None
    inside: Selector | None = None
    amount: float = Field(default=0.5, gt=0, le=1)


class ScrollStep(_Step):
    """Scroll."""

    scroll: ScrollSpec


class SwipeStep(_Step):
    """Swipe the finger across the screen."""

    swipe: Direction


class KeyStep(_Step):
    """Press a key by name."""

    key: KeyName


class BackStep(_Step):
    """Press Back."""

    back: Nothing = None


class HomeStep(_Step):
    """Press Home."""

    home: Nothing = None


class RotateStep(_Step):
    """Turn the phone to landscape and back to portrait; agents cannot do that, so no solution contains it."""

    rotate: Nothing = None


class OpenAppStep(_Step):
    """Open an app, as a tap on its icon does."""

    open_app: PackageName


class WaitForStep(_Step):
    """Wait until the element is on the screen."""

    wait_for: Selector


class AnswerStep(_Step):
    """Report the task as done, with an answer."""

    answer: ScreenText


class GiveUpStep(_Step):
    """Report that the task cannot be done, with the reason."""

    give_up: ScreenText


_SOLUTION: dict[str, type[_Step]] = {
    "tap": TapStep,
    "double_tap": DoubleTapStep,
    "long_press": LongPressStep,
    "type": TypeStep,
    "scroll": ScrollStep,
    "swipe": SwipeStep,
    "key": KeyStep,
    "back": BackStep,
    "home": HomeStep,
    "open_app": OpenAppStep,
    "rotate": RotateStep,
    "wait_for": WaitForStep,
    "answer": AnswerStep,
    "give_up": GiveUpStep,
}


class StartSpec(_Step):
    """An activity to start, by action or component.

    Attributes:
        action: Intent action.
        package, activity: The component; ``{app}`` is the task's app, the only one that follow-ups may name.
        data: A URI; it may contain ``{app}``.
    """

    action: str = Field(default="", pattern=r"^[\w.]*$")
    package: str = Field(default="", pattern=r"^(\{app\}|[\w.]*)$")
    activity: str = Field(default="", pattern=r"^[\w.$]*$")
    data: str = Field(default="", max_length=500)

    @model_validator(mode="after")
    def _named(self) -> StartSpec:
        if not self.action and not self.activity:
            raise ValueError("start needs an action or an activity")
        if self.activity and not self.package:
            raise ValueError("an activity needs its package")
        return self


class StartStep(_Step):
    """Start an activity."""

    start: StartSpec


class SettingsPageStep(_Step):
    """Open a page of the system settings, some of which are about the task's app.

    On a device without a page for an app's permissions, the app's details open instead; without one for
    Battery Saver, the battery page.
    """

    settings_page: Literal[
        "wifi", "battery-saver", "app-details", "app-permissions", "location", "display", "settings"
    ]


class StorePageStep(_Step):
    """Open the app store's page of the task's app."""

    store_page: Nothing = None


class ForceStopStep(_Step):
    """Force-stop the task's app."""

    force_stop: Nothing = None


class RelaunchStep(_Step):
    """Restart the task's app on its first screen; ``same-task`` reopens it as it is."""

    relaunch: Annotated[
        Literal["same-task"] | None, BeforeValidator(lambda value: None if value == {} else value)
    ] = None


class ClearAppStep(_Step):
    """Clear the data of the task's app."""

    clear_app: Nothing = None


class WaitStep(_Step):
    """Wait for some seconds of the device's time."""

    wait: Seconds


class ProgressStep(_Step):
    """Show a progress page of the companion app for some seconds."""

    progress: Seconds


class ShowStep(_Step):
    """Show another interruption of the library, whose buttons have their own follow-ups."""

    show: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")


class SettingValue(_Step):
    """A system setting and its new value."""

    namespace: Literal["system", "secure", "global"]
    key: str = Field(pattern=r"^[\w.]+$")
    value: ScreenText


class SettingStep(_Step):
    """Write a system setting."""

    setting: SettingValue


class PermissionStep(_Step):
    """Grant a permission to the task's app."""

    grant: str = Field(pattern=r"^[\w.]+$")


class RevokeStep(_Step):
    """Revoke a permission of the task's app."""

    revoke: str = Field(pattern=r"^[\w.]+$")


class WifiStep(_Step):
    """Switch Wi-Fi on or off."""

    wifi: bool


class AirplaneStep(_Step):
    """Switch airplane mode on or off; not on Android 7 to 10."""

    airplane: bool


class NotificationSpec(_Step):
    """A notification.

    Attributes:
        title, text: Its title and text.
    """

    title: ScreenText = Field(min_length=1, max_length=200)
    text: ScreenText = Field(min_length=1, max_length=1000)


class NotificationStep(_Step):
    """Post a notification from adb's shell; since Android 10."""

    notification: NotificationSpec


class ShellStep(_Step):
    """Run a command, given as a list of arguments, not a shell line; it may contain ``{app}``."""

    shell: tuple[str, ...] = Field(min_length=1)


_DEVICE: dict[str, type[_Step]] = {
    "start": StartStep,
    "settings_page": SettingsPageStep,
    "store_page": StorePageStep,
    "force_stop": ForceStopStep,
    "relaunch": RelaunchStep,
    "clear_app": ClearAppStep,
    "home": HomeStep,
    "back": BackStep,
    "key": KeyStep,
    "wait": WaitStep,
    "progress": ProgressStep,
    "show": ShowStep,
    "setting": SettingStep,
    "grant": PermissionStep,
    "revoke": RevokeStep,
    "wifi": WifiStep,
    "airplane": AirplaneStep,
    "notification": NotificationStep,
    "shell": ShellStep,
}


def _tag(kinds: dict[str, type[_Step]], value: Any) -> str | None:
    if isinstance(value, _Step):
        return next((name for name, kind in kinds.items() if type(value) is kind), None)
    if isinstance(value, str):
        return value if value in kinds else None
    if isinstance(value, dict) and len(value) == 1:
        key = next(iter(value))
        return key if key in kinds else None
    return None


def solution_tag(value: Any) -> str | None:
    """Return the kind of a solution step: its only key."""
    return _tag(_SOLUTION, value)


def device_tag(value: Any) -> str | None:
    """Return the kind of a device step: its only key."""
    return _tag(_DEVICE, value)


def _bare(value: Any) -> Any:
    """Convert ``- back`` to ``- back:``."""
    return {value: None} if isinstance(value, str) else value


SolutionStep = Annotated[
    Annotated[TapStep, Tag("tap")]
    | Annotated[DoubleTapStep, Tag("double_tap")]
    | Annotated[LongPressStep, Tag("long_press")]
    | Annotated[TypeStep, Tag("type")]
    | Annotated[ScrollStep, Tag("scroll")]
    | Annotated[SwipeStep, Tag("swipe")]
    | Annotated[KeyStep, Tag("key")]
    | Annotated[BackStep, Tag("back")]
    | Annotated[HomeStep, Tag("home")]
    | Annotated[OpenAppStep, Tag("open_app")]
    | Annotated[RotateStep, Tag("rotate")]
    | Annotated[WaitForStep, Tag("wait_for")]
    | Annotated[AnswerStep, Tag("answer")]
    | Annotated[GiveUpStep, Tag("give_up")],
    Discriminator(
        solution_tag,
        custom_error_type="step",
        custom_error_message="a solution step is one of: " + ", ".join(_SOLUTION),
    ),
    BeforeValidator(_bare),
]

DeviceStep = Annotated[
    Annotated[StartStep, Tag("start")]
    | Annotated[SettingsPageStep, Tag("settings_page")]
    | Annotated[StorePageStep, Tag("store_page")]
    | Annotated[ForceStopStep, Tag("force_stop")]
    | Annotated[RelaunchStep, Tag("relaunch")]
    | Annotated[ClearAppStep, Tag("clear_app")]
    | Annotated[HomeStep, Tag("home")]
    | Annotated[BackStep, Tag("back")]
    | Annotated[KeyStep, Tag("key")]
    | Annotated[WaitStep, Tag("wait")]
    | Annotated[ProgressStep, Tag("progress")]
    | Annotated[ShowStep, Tag("show")]
    | Annotated[SettingStep, Tag("setting")]
    | Annotated[PermissionStep, Tag("grant")]
    | Annotated[RevokeStep, Tag("revoke")]
    | Annotated[WifiStep, Tag("wifi")]
    | Annotated[AirplaneStep, Tag("airplane")]
    | Annotated[NotificationStep, Tag("notification")]
    | Annotated[ShellStep, Tag("shell")],
    Discriminator(
        device_tag,
        custom_error_type="step",
        custom_error_message="a device step is one of: " + ", ".join(_DEVICE),
    ),
    BeforeValidator(_bare),
]
