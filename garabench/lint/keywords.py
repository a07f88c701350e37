"""Check that every keyword of a rule occurs on a screen of its app."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from garabench.core.condition import fold
from garabench.core.steps import TypeStep
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc
from garabench.errors import InputError
from garabench.lint.screen_texts import FOLDER, ScreenTexts, stand_in_packages
from garabench.suite.files import default_root, display_path
from garabench.suite.suite import SuiteSources


def unknown_keywords(sources: SuiteSources, shown: ScreenTexts) -> Iterator[InputError]:
    """Find keywords of rules that no screen of their app shows.

    Texts that the suite's tasks type count as well. Apps whose screens are unknown are skipped. Rules are
    read as written, so that their other mistakes do not hide these.

    Args:
        sources: The suite.
        shown: The screen texts of the apps.
    """
    typed = typed_texts(sources)
    for app, doc, at in rules_as_written(sources):
        for path, word in _keywords(doc.value(at), at):
            if word.strip() and not shown.shows(app, word) and fold(word) not in typed.get(app, ""):
                near = shown.nearest(app, word)
                hint = f"Did you mean {near!r}? " if near else ""
                message = f"no screen of {app} shows the keyword {word!r}"
                yield doc.error(path, message, hint=hint + hint_for_missing_text(sources, app))


def hint_for_missing_text(sources: SuiteSources, app: str) -> str:
    """Return a hint for the case that a screen does show a text that is reported as missing.

    Args:
        sources: The suite.
        app: An app with known screen texts.
    """
    root = sources.suite.root
    if app not in stand_in_packages():
        return f"If a screen shows it, add it to {display_path(root / FOLDER)}/{app}.json."
    option = "" if root == default_root() else f" --suite {display_path(root)}"
    return f"If a screen shows it, update the recorded texts: garabench tasks texts {app}{option}"


def rules_as_written(sources: SuiteSources) -> Iterator[tuple[str, YamlDoc, DocPath]]:
    """Iterate over the rules, valid or not: app, document and location of ``when``."""
    for (kind, name), (doc, at) in sources.places.items():
        if kind == "rule":
            bound = sources.suite.rules.get(name)
            app = bound.app if bound is not None else doc.value((*at, "app")) or doc.value(("app",))
            yield str(app), doc, (*at, "when")


def typed_texts(sources: SuiteSources) -> Mapping[str, str]:
    """Return the texts that tasks type, by app."""
    typed: dict[str, list[str]] = {}
    for item in sources.suite.every_task.values():
        variants = [variant.steps for variant in (*item.task.alternatives, *item.task.near_misses)]
        for step in (step for steps in (item.task.solution, *variants) for step in steps):
            if isinstance(step, TypeStep):
                typed.setdefault(item.app, []).append(fold(step.type.text))
    return {app: "\0".join(texts) for app, texts in typed.items()}


def _keywords(value: Any, path: DocPath) -> Iterator[tuple[DocPath, str]]:
    """Iterate over the keywords in a condition as written, at any depth."""
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
