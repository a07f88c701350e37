"""Find packages in the steps of a follow-up, which may name only the task's app, as ``{app}``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from garabench.core.cross_field import Violation
from garabench.core.steps import DeviceStep, ShellStep, StartStep

APP = "{app}"
"""Stands for the task's app."""

_HOST = re.compile(r"\bhttps?://[^/\s]*", re.IGNORECASE)
_PACKAGE = re.compile(
    r"(?:\bpackage:|[?&]id=)(?P<marked>[A-Za-z]\w*(?:\.[A-Za-z]\w*)+)"
    r"|(?<![\w.$])(?P<long>[A-Za-z]\w*(?:\.[A-Za-z]\w*){2,})"
)
_SHORT = re.compile(r"([A-Za-z]\w*\.[A-Za-z]\w*)(?:/[\w.$]*)?")
_PROPERTY_COMMANDS = ("getprop", "setprop")
"""Names of properties look like packages."""
_APP_COMMANDS = frozenset({"am", "appops", "cmd", "dumpsys", "monkey", "pm", "run-as"})
"""Commands that act on apps: a word with two parts is a package for these and a file name for others."""
_NO_PACKAGE_AFTER = frozenset({"-a", "-c", "-d", "-t"})
"""Options of an intent: its action, category, data and type."""


def packages_in(text: str) -> Iterator[str]:
    """Find the packages in a text.

    A package has three or more parts, or two where the text marks it as one: ``package:com.example``. Names
    whose last part is in capitals, such as intent actions and permissions, and hosts in URLs do not count.
    """
    for match in _PACKAGE.finditer(_HOST.sub("", text)):
        name = match["marked"] or match["long"]
        if not name.rpartition(".")[2].isupper():
            yield name


def packages_of(command: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Find the packages in a command, with the index of each word.

    Two parts are enough for a whole word of a command that acts on apps: ``am force-stop com.example``.
    """
    if not command or command[0] in _PROPERTY_COMMANDS:
        return
    on_apps = command[0].rpartition("/")[2] in _APP_COMMANDS
    for number, word in enumerate(command):
        found = list(packages_in(word))
        short = _SHORT.fullmatch(word) if on_apps and not found else None
        if short and not short[1].rpartition(".")[2].isupper() and not _of_an_intent(command[:number]):
            found = [short[1]]
        for name in found:
            yield number, name


def _of_an_intent(before: Sequence[str]) -> bool:
    """Return whether the next word is an intent's action or data, or an extra (``--es NAME VALUE``)."""
    return bool(before) and (
        before[-1] in _NO_PACKAGE_AFTER or any(word.startswith("--e") for word in before[-2:])
    )


def named_package(text: str) -> str:
    """Return the first package in a text, as `packages_in` finds it; empty if there is none."""
    return next(packages_in(text), "")


def foreign_packages_in(steps: Sequence[DeviceStep]) -> Iterator[Violation]:
    """Find the places where steps of a follow-up name a package instead of ``{app}``."""
    for place, step in enumerate(steps):
        if isinstance(step, StartStep):
            if step.start.package not in ("", APP):
                yield (place, "start", "package"), _refusal(step.start.package)
            if name := named_package(step.start.data):
                yield (place, "start", "data"), _refusal(name)
        elif isinstance(step, ShellStep):
            for number, name in packages_of(step.shell):
                yield (place, "shell", number), _refusal(name)


def _refusal(package: str) -> str:
    return f"a follow-up may act only on the task's app, but this names {package}: write {APP}"
