"""Intents in shell commands: parsing and printing (AOSP ``Intent.parseCommandArgs``, ``toShortString``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from garabench.virtual.android import contacts_provider
from garabench.virtual.android.intent_text import FLAG_NAMES, INCLUDE_BACKGROUND, NEW_TASK, intent_fields
from garabench.virtual.android.package_manager import LAUNCHER, MAIN
from garabench.virtual.commands import intent_uri
from garabench.virtual.kit.framework import Intent

_BITS: Mapping[str, int] = {
    "--grant-read-uri-permission": 0x1,
    "--grant-write-uri-permission": 0x2,
    "--debug-log-resolution": 0x8,
    "--exclude-stopped-packages": 0x10,
    "--include-stopped-packages": 0x20,
    "--activity-clear-task": 0x8000,
    "--activity-task-on-home": 0x4000,
    "--activity-no-animation": 0x10000,
    "--activity-no-user-action": 0x40000,
    "--activity-reorder-to-front": 0x20000,
    "--activity-reset-task-if-needed": 0x200000,
    "--activity-launched-from-history": 0x100000,
    "--activity-brought-to-front": 0x400000,
    "--activity-exclude-from-recents": 0x800000,
    "--activity-previous-is-top": 0x1000000,
    "--activity-clear-top": 0x4000000,
    "--activity-multiple-task": 0x8000000,
    "--activity-new-task": NEW_TASK,
    "--activity-single-top": 0x20000000,
    "--activity-no-history": 0x40000000,
    "--receiver-foreground": 0x10000000,
    "--receiver-registered-only": 0x40000000,
    "--receiver-replace-pending": 0x20000000,
    "--receiver-include-background": INCLUDE_BACKGROUND,
}
_WITH_VALUE = frozenset(
    {"--user", "--display", "--activityType", "--task", "-R", "-P", "--start-profiler"}
    | {"--receiver-permission", "--sampling", "--attach-agent", "--attach-agent-bind", "--splashscreen-style"}
)
_SWITCHES = frozenset({"-W", "-S", "-D", "-N", "--track-allocation", "--streaming", "--task-overlay"})
_SWITCHES_ONLY = frozenset({"--lock-task", "--allow-background-activity-starts", "--async", "--selector"})


class IntentError(ValueError):
    """The arguments are wrong; the text is Android's, without the exception's name."""


class UnknownOptionError(IntentError):
    """The option is unknown."""


@dataclass(slots=True)
class ParsedIntent:
    """An intent parsed from arguments, and the other options.

    Attributes:
        intent: The intent.
        action, categories, data, mime_type, flags, package, component: The arguments, for printing.
        switches: Options of ``am`` without a value, such as ``-W``.
        windowing: The requested windowing mode (``WindowConfiguration``); 0 for none.
    """

    intent: Intent = field(default_factory=Intent)
    action: str = ""
    categories: list[str] = field(default_factory=list)
    data: str = ""
    mime_type: str = ""
    flags: int = 0
    package: str = ""
    component: str = ""
    extras: dict[str, Any] = field(default_factory=dict)
    switches: set[str] = field(default_factory=set)
    windowing: int = 0

    @property
    def supplied(self) -> bool:
        """Whether any part of an intent was given."""
        parts = (self.action, self.categories, self.data, self.mime_type, self.package, self.component)
        return any(parts)

    def text(self, sdk: int, more_flags: int = 0) -> str:
        """Return the intent as Android prints it.

        Args:
            sdk: API level of the phone.
            more_flags: Flags added by the system.
        """
        flags = self.flags | more_flags
        fields = intent_fields(
            sdk,
            action=self.action,
            categories=self.categories,
            data=self.data,
            mime_type=self.mime_type,
            flags=flags,
            package=self.package,
            component=self.component,
            extras=bool(self.extras),
        )
        return f"Intent {fields}"


def full_component(component: str) -> str:
    """``package/class`` with the class name written out.

    Raises:
        IntentError: It is not a component.
    """
    package, slash, name = component.partition("/")
    if not slash or not package or not name:
        raise IntentError(f"Bad component name: {component}")
    return f"{package}/{package}{name}" if name.startswith(".") else component


def _integer(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError as error:
        raise IntentError(f'For input string: "{text}"') from error


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise IntentError(f'For input string: "{text}"') from error


def _boolean(text: str) -> bool:
    if text.lower() in ("true", "t", "false", "f"):
        return text.lower() in ("true", "t")
    try:
        return int(text, 0) != 0
    except ValueError as error:
        raise IntentError(f"Invalid boolean value: {text}") from error


def _several(one: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda text: [one(part) for part in text.split(",")]


_EXTRAS: Mapping[str, Callable[[str], Any]] = {
    "-e": str,
    "--es": str,
    "--ei": _integer,
    "--el": _integer,
    "--ef": _float,
    "--ed": _float,
    "--ez": _boolean,
    "--eu": str,
    "--ecn": full_component,
    "--eia": _several(_integer),
    "--eial": _several(_integer),
    "--ela": _several(_integer),
    "--elal": _several(_integer),
    "--efa": _several(_float),
    "--efal": _several(_float),
    "--esa": _several(str),
    "--esal": _several(str),
}


def parse_intent(args: list[str]) -> ParsedIntent:
    """Parse the intent of ``am start``, ``am broadcast`` and others.

    Raises:
        IntentError: An option is unknown, lacks its value or has a wrong one.
        IntentUriError: The URI of an intent is malformed.
    """
    remaining, rest, parsed = list(args), list[str](), ParsedIntent()

    def value() -> str:
        if not remaining:
            raise IntentError(f'Argument expected after "{args[-1]}"')
        return remaining.pop(0)

    while remaining:
        arg = remaining.pop(0)
        match arg:
            case "-a":
                parsed.action = value()
            case "-d":
                parsed.data = value()
            case "-t":
                parsed.mime_type = value()
            case "-p":
                parsed.package = value()
            case "-n":
                parsed.component = full_component(value())
            case "-c":
                parsed.categories.append(value())
            case "-f":
                parsed.flags |= _integer(value())
            case "--windowingMode":
                parsed.windowing = _integer(value())
            case "--esn":
                parsed.extras[value()] = None
            case _ if arg in _EXTRAS:
                key = value()
                parsed.extras[key] = _EXTRAS[arg](value())
            case _ if arg in _WITH_VALUE:
                value()
            case _ if arg in _SWITCHES or arg in _SWITCHES_ONLY:
                parsed.switches.add(arg)
            case _ if arg in _BITS:
                parsed.flags |= _BITS[arg]
            case _ if arg.startswith("-"):
                raise UnknownOptionError(f"Unknown option: {arg}")
            case _:
                rest.append(arg)
    if rest:
        _fill_in(parsed, rest[0])
    parsed.intent = _intent(parsed)
    return parsed


def _fill_in(parsed: ParsedIntent, arg: str) -> None:
    """Interpret a bare argument: a URI, a component or a package."""
    if ":" in arg:
        found = intent_uri.parse(arg)
        parsed.data = parsed.data or found.data
        parsed.action = parsed.action or found.action
        parsed.mime_type = parsed.mime_type or found.mime_type
        parsed.package = parsed.package or found.package
        parsed.categories = parsed.categories or found.categories
        if found.component and not parsed.component:
            parsed.component = full_component(found.component)
        parsed.flags |= found.flags
        parsed.extras = {**found.extras, **parsed.extras}
        return
    if "/" in arg:
        parsed.component = full_component(arg)
    else:
        parsed.package = parsed.package or arg
    if not parsed.action:
        parsed.categories = parsed.categories or [LAUNCHER]
    parsed.action = parsed.action or MAIN


def _intent(parsed: ParsedIntent) -> Intent:
    package, _, activity = parsed.component.partition("/")
    action = parsed.action or (MAIN if activity and not parsed.data else "")
    names = {name for bit, name in FLAG_NAMES.items() if parsed.flags & bit}
    return Intent(
        action=action,
        package=package or parsed.package,
        activity=activity,
        data=parsed.data,
        extras=parsed.extras,
        flags=frozenset(names | {"NEW_TASK"}),
        categories=frozenset(parsed.categories),
        mime_type=parsed.mime_type or contacts_provider.type_of(parsed.data),
    )
