"""Check that what rules look for is on some screen of their app."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from garabench.campaign.app_texts import FOLDER, ShownTexts
from garabench.campaign.suite import Sources
from garabench.core.condition import fold
from garabench.core.names import did_you_mean
from garabench.core.steps import TypeStep
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc
from garabench.errors import InputError

_NAME = re.compile(r"^[\w.$-]+$")
_OTHER = re.compile(r"^([\w.]+):id/(.+)$")
_SEEN_BY = (
    f"Where one does show it, tell so in {FOLDER}/{{}}.json beside the suite: garabench tasks texts --help"
)


def never_shown(sources: Sources) -> Iterator[InputError]:
    """Keywords and ids of rules that no screen of their app shows.

    What the suite's own tasks type is shown, too. Of an app whose screens are not known nothing is said.
    Rules are asked as they are written, so that their other mistakes hide none of these.

    Args:
        sources: The suite.
    """
    shown = ShownTexts.load(sources.suite.root)
    typed = _typed(sources)
    for app, doc, at in _rules(sources):
        for path, word in _keywords(doc.value(at), at):
            if word.strip() and not shown.shows(app, word) and fold(word) not in typed.get(app, ""):
                near = shown.nearest(app, word)
                hint = f"Did you mean {near!r}?" if near else _SEEN_BY.format(app)
                yield doc.error(path, f"no screen of {app} shows the keyword {word!r}", hint=hint)
    yield from _ids(sources, shown)


def _rules(sources: Sources) -> Iterator[tuple[str, YamlDoc, DocPath]]:
    """The app of each rule, in order or not, its document, and where in it stands when it fires."""
    for (kind, name), (doc, at) in sources.places.items():
        if kind == "rule":
            bound = sources.suite.rules.get(name)
            app = bound.app if bound is not None else doc.value((*at, "app")) or doc.value(("app",))
            yield str(app), doc, (*at, "when")


def _typed(sources: Sources) -> Mapping[str, str]:
    """What tasks type, by app."""
    typed: dict[str, list[str]] = {}
    for item in sources.suite.every_task.values():
        beside = [way.steps for way in (*item.task.other_ways, *item.task.near_misses)]
        for step in (each for steps in (item.task.solution, *beside) for each in steps):
            if isinstance(step, TypeStep):
                typed.setdefault(item.app, []).append(fold(step.type.text))
    return {app: "\0".join(texts) for app, texts in typed.items()}


def _keywords(value: Any, path: DocPath) -> Iterator[tuple[DocPath, str]]:
    """The keywords in a condition as it is written, however deep."""
    if isinstance(value, dict):
        for key, part in value.items():
            here = (*path, key)
            if key == "keywords" and isinstance(part, dict) and isinstance(part.get("of"), list):
                for number, word in enumerate(part["of"]):
                    yield (*here, "of", number), str(word)
            else:
                yield from _keywords(part, here)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _keywords(part, (*path, number))


def _ids(sources: Sources, shown: ShownTexts) -> Iterator[InputError]:
    """Ids that rules name and no element has: such a rule never fires."""
    for app, doc, at in _rules(sources):
        for path, written in _selected(doc.value(at), at):
            other = _OTHER.match(written)
            owner, entry = (other[1], other[2]) if other else (app, written)
            if owner in shown.apps and _NAME.match(entry) and not shown.has(owner, entry):
                ids = filter(_NAME.match, shown.apps[owner].texts)
                yield doc.error(
                    path, f"no element of {owner} has the id {entry!r}", hint=did_you_mean(entry, ids)
                )


def _selected(value: Any, path: DocPath) -> Iterator[tuple[DocPath, str]]:
    """The ids that selectors name, as they are written."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key == "id" and isinstance(part, str):
                yield (*path, key), part
            elif key != "with":
                yield from _selected(part, (*path, key))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _selected(part, (*path, number))
