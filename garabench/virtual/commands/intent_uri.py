"""Intents as URIs (AOSP ``Intent.parseUri``, ``Intent.toUri``): ``intent:…#Intent;…;end``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote

_VIEW, _MAIN = "android.intent.action.VIEW", "android.intent.action.MAIN"
_MARK, _END = "#Intent;", "end"
_SAFE = "!~*'()/:@,&=+$?-_."


class IntentUriError(ValueError):
    """The URI cannot be parsed; the text is that of Android's ``URISyntaxException``."""


@dataclass(slots=True)
class IntentUri:
    """The parts of an intent that a URI holds."""

    action: str = ""
    data: str = ""
    mime_type: str = ""
    package: str = ""
    component: str = ""
    flags: int = 0
    categories: list[str] = field(default_factory=list)
    extras: dict[str, Any] = field(default_factory=dict)


def _boolean(text: str) -> bool:
    return text.lower() == "true"


def _integer(text: str) -> int:
    return int(text, 0)


_EXTRAS: Mapping[str, Callable[[str], Any]] = {
    **{"S": str, "B": _boolean, "b": _integer, "c": str, "d": float, "f": float},
    **{"i": _integer, "l": _integer, "s": _integer},
}
"""Parsers of extras by the letter of their type."""


def parse(uri: str) -> IntentUri:
    """Parse a URI; one without ``#Intent;`` is the data of an intent to view it.

    Raises:
        IntentUriError: The part after ``#Intent;`` is malformed.
    """
    if uri.startswith("android-app:"):
        return _of_app(uri)
    head, mark, rest = uri.partition(_MARK)
    if not mark:
        if uri.startswith("intent:"):
            return IntentUri(action=_VIEW, data=uri.removeprefix("intent:"))
        return IntentUri(action=_VIEW, data=uri)
    found = IntentUri()
    scheme, is_intent = "", head.startswith("intent:")
    at = len(head) + len(mark)
    for part in rest.split(";"):
        if part == _END:
            break
        name, equals, text = part.partition("=")
        if not equals and part != "SEL":
            raise IntentUriError(f"illegal Intent URI format at index {at}: {uri}")
        if name == "scheme":
            scheme = unquote(text)
        else:
            _set(found, name, unquote(text), uri, at)
        at += len(part) + 1
    else:
        raise IntentUriError(f"illegal Intent URI format at index {at - 1}: {uri}")
    data = head.removeprefix("intent:") if is_intent else head
    if data:
        found.data = f"{scheme}:{data}" if scheme else data
        found.action = found.action or _VIEW
    return found


def _set(found: IntentUri, name: str, text: str, uri: str, at: int) -> None:
    match name:
        case "action":
            found.action = text
        case "category":
            found.categories.append(text)
        case "type":
            found.mime_type = text
        case "package":
            found.package = text
        case "component":
            found.component = text
        case "launchFlags":
            found.flags = _number(_integer, text, uri, at)
        case "identifier" | "sourceBounds" | "SEL":
            pass
        case _:
            kind, dot, key = name.partition(".")
            if not dot or kind not in _EXTRAS:
                raise IntentUriError(f"unknown EXTRA type at index {at}: {uri}")
            found.extras[unquote(key)] = _number(_EXTRAS[kind], text, uri, at)


def _number(parse_text: Callable[[str], Any], text: str, uri: str, at: int) -> Any:
    try:
        return parse_text(text)
    except ValueError as error:
        raise IntentUriError(f"EXTRA value can't be parsed at index {at}: {uri}") from error


def _of_app(uri: str) -> IntentUri:
    """Parse ``android-app://PACKAGE[/SCHEME[/HOST[/PATH]]][#Intent;…;end]``."""
    head, mark, rest = uri.removeprefix("android-app:").removeprefix("//").partition("#Intent;")
    package, _, remaining = head.partition("/")
    scheme, _, place = remaining.partition("/")
    found = parse(f"intent:{mark}{rest}") if mark else IntentUri()
    found.package = package
    if scheme:
        found.data = f"{scheme}://{place}" if place else f"{scheme}:"
    found.action = found.action or (_VIEW if scheme else _MAIN)
    return found


def to_uri(found: IntentUri, *, as_intent: bool) -> str:
    """Return the URI of an intent.

    Args:
        found: The intent.
        as_intent: Whether the scheme is ``intent`` (``am to-intent-uri``) or that of the data.
    """
    scheme, colon, rest = found.data.partition(":")
    head = found.data
    parts = []
    if as_intent:
        head = f"intent:{rest}" if colon else f"intent:{found.data}"
        parts += [f"scheme={scheme}"] * bool(colon)
    if found.action and (found.action != _VIEW or not found.data):
        parts.append(f"action={quote(found.action, _SAFE)}")
    parts += [f"category={quote(category, _SAFE)}" for category in found.categories]
    parts += [f"type={quote(found.mime_type, '/')}"] * bool(found.mime_type)
    parts += [f"launchFlags=0x{found.flags:x}"] * bool(found.flags)
    parts += [f"package={quote(found.package, _SAFE)}"] * bool(found.package)
    parts += [f"component={quote(_short(found.component), '/')}"] * bool(found.component)
    for key, value in found.extras.items():
        kind = _letter(value)
        if kind:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            parts.append(f"{kind}.{quote(key, _SAFE)}={quote(text, _SAFE)}")
    if not parts and not as_intent and found.data:
        return found.data
    return f"{head}{_MARK}{''.join(f'{part};' for part in parts)}{_END}"


def _short(component: str) -> str:
    package, _, name = component.partition("/")
    return f"{package}/{name.removeprefix(package) if name.startswith(f'{package}.') else name}"


def _letter(value: object) -> str:
    """Return the letter of an extra's type; empty for one that a URI cannot hold."""
    if isinstance(value, bool):
        return "B"
    return {str: "S", int: "i", float: "f"}.get(type(value), "")
