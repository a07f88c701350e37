"""What a button's follow-up may name: the task's app, as ``{app}``, and never an app by its package."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from garabench.core.misfits import Misfit
from garabench.core.steps import DeviceStep, ShellStep, StartStep

APP = "{app}"
"""Stands for the task's app."""

_HOST = re.compile(r"\bhttps?://[^/\s]*", re.IGNORECASE)
_PACKAGE = re.compile(
    r"(?:\bpackage:|[?&]id=)(?P<told>[A-Za-z]\w*(?:\.[A-Za-z]\w*)+)"
    r"|(?<![\w.$])(?P<long>[A-Za-z]\w*(?:\.[A-Za-z]\w*){2,})"
)
_SHORT = re.compile(r"([A-Za-z]\w*\.[A-Za-z]\w*)(?:/[\w.$]*)?")
_PROPERTY_COMMANDS = ("getprop", "setprop")
"""Names of properties look like packages."""
_APP_COMMANDS = frozenset({"am", "appops", "cmd", "dumpsys", "monkey", "pm", "run-as"})
"""Commands that act on apps: what has two parts is a package with them, and a file's name with others."""
_NO_PACKAGE_AFTER = frozenset({"-a", "-c", "-d", "-t"})
"""Options of an intent: its action, category, data and type."""


def packages_in(text: str) -> Iterator[str]:
    """The packages that stand in a text.

    A package has three parts or more, or two where the text says that it is one: ``package:com.example``.
    Neither a name whose last part is in capitals, as an intent's action and a permission have it, nor a host
    of the web is one.
    """
    for match in _PACKAGE.finditer(_HOST.sub("", text)):
        name = match["told"] or match["long"]
        if not name.rpartition(".")[2].isupper():
            yield name


def packages_of(command: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The packages that a command's words name, each with the word's number.

    Two parts are enough in a whole word of a command that acts on apps: ``am force-stop com.example``.
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
    """Whether what comes after some words is an intent's action or data, or an extra: ``--es NAME VALUE``."""
    return bool(before) and (
        before[-1] in _NO_PACKAGE_AFTER or any(word.startswith("--e") for word in before[-2:])
    )


def named_package(text: str) -> str:
    """The first package that stands in a text, as `packages_in` finds them; empty for none."""
    return next(packages_in(text), "")


def strangers(steps: Sequence[DeviceStep]) -> Iterator[Misfit]:
    """Where steps of a follow-up name a package instead of ``{app}``, from the first step on."""
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
    return f"a follow-up acts on the task's own app, and this names {package}: write {APP}"
