"""Check that the keywords of rules are on some screen of their app."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from garabench.campaign.app_texts import FOLDER, ShownTexts, stand_ins
from garabench.campaign.suite import Sources
from garabench.campaign.suite_files import as_shown, default_root
from garabench.core.condition import fold
from garabench.core.steps import TypeStep
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc
from garabench.errors import InputError


def never_shown(sources: Sources, shown: ShownTexts) -> Iterator[InputError]:
    """Keywords of rules that no screen of their app shows.

    What the suite's own tasks type is shown, too. Of an app whose screens are not known nothing is said.
    Rules are asked as they are written, so that their other mistakes hide none of these.

    Args:
        sources: The suite.
        shown: What the apps' screens show.
    """
    typed = typed_texts(sources)
    for app, doc, at in rules_as_written(sources):
        for path, word in _keywords(doc.value(at), at):
            if word.strip() and not shown.shows(app, word) and fold(word) not in typed.get(app, ""):
                near = shown.nearest(app, word)
                hint = f"Did you mean {near!r}? " if near else ""
                message = f"no screen of {app} shows the keyword {word!r}"
                yield doc.error(path, message, hint=hint + where_to_tell(sources, app))


def where_to_tell(sources: Sources, app: str) -> str:
    """What to do where one of an app's screens does show what is said to be on none.

    Args:
        sources: The suite.
        app: Its screens are known.
    """
    root = sources.suite.root
    if app not in stand_ins():
        return f"If it is shown, write it into {as_shown(root / FOLDER)}/{app}.json."
    beside = "" if root == default_root() else f" --suite {as_shown(root)}"
    return f"If it is shown, have it noted: garabench tasks texts {app}{beside}"


def rules_as_written(sources: Sources) -> Iterator[tuple[str, YamlDoc, DocPath]]:
    """The app of each rule, in order or not, its document, and where in it stands when it fires."""
    for (kind, name), (doc, at) in sources.places.items():
        if kind == "rule":
            bound = sources.suite.rules.get(name)
            app = bound.app if bound is not None else doc.value((*at, "app")) or doc.value(("app",))
            yield str(app), doc, (*at, "when")


def typed_texts(sources: Sources) -> Mapping[str, str]:
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
