"""What a button's follow-up may name: the task's app, as ``{app}``, and never an app by its package."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from garabench.core.misfits import Misfit
from garabench.core.steps import DeviceStep, ShellStep, StartStep

APP = "{app}"
"""Stands for the task's app."""

_HOST = re.compile(r"\bhttps?://[^/\s]*", re.IGNORECASE)
_PACKAGE = re.compile(r"(?<![\w.$])[A-Za-z]\w*(?:\.[A-Za-z]\w*){2,}")
PROPERTY_COMMANDS = ("getprop", "setprop")
"""Names of properties look like packages."""


def packages_in(text: str) -> Iterator[str]:
    """The packages that stand in a text.

    A package has three parts or more. Neither a name whose last part is in capitals, as an intent's action
    and a permission have it, nor a host of the web is one.
    """
    for match in _PACKAGE.finditer(_HOST.sub("", text)):
        if not match[0].rpartition(".")[2].isupper():
            yield match[0]


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
        elif isinstance(step, ShellStep) and step.shell[0] not in PROPERTY_COMMANDS:
            for number, word in enumerate(step.shell):
                if name := named_package(word):
                    yield (place, "shell", number), _refusal(name)


def _refusal(package: str) -> str:
    return f"a follow-up acts on the task's own app, and this names {package}: write {APP}"
