"""Check that each task is told in every language of the suite, and in words of its own."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator

from garabench.campaign.suite import Sources
from garabench.core.selector import normalize
from garabench.core.yamldoc import Path as DocPath
from garabench.errors import InputError


def languages(sources: Sources) -> Iterator[InputError]:
    """Texts that are missing, or blank, in a language of the suite, and languages that are not the suite's.

    The suite's languages are those in which half of its tasks or more are told.
    """
    suite = sources.suite
    items = suite.every_task
    told = Counter(language for item in items.values() for language in item.task.instruction)
    spoken = {language for language, times in told.items() if 2 * times >= len(items)}
    yield from _strange(sources, told, spoken)
    for name, item in items.items():
        yield from _missing(sources, "task", name, ("instruction",), item.task.instruction, spoken)
        if item.task.infeasible is not None:
            because = item.task.infeasible.because
            yield from _missing(sources, "task", name, ("infeasible", "because"), because, spoken)
    for name, interruption in suite.interruptions.items():
        yield from _missing(sources, "interruption", name, ("title",), interruption.title, spoken)
        yield from _missing(sources, "interruption", name, ("message",), interruption.message, spoken)


_WHAT = {
    "instruction": "the instruction is",
    "because": "why it cannot be done is",
    "title": "the interruption's texts are",
    "message": "the interruption's message is",
}


def _missing(
    sources: Sources, kind: str, name: str, path: DocPath, texts: dict[str, str], spoken: set[str]
) -> Iterator[InputError]:
    doc, at = sources.places[kind, name]
    what = _WHAT[str(path[-1])]
    if path != ("message",):  # which has the title's languages
        for language in sorted(spoken - texts.keys()):
            yield doc.error((*at, *path), f"{what} missing in {language!r}")
    for language, text in texts.items():
        if not text.strip():
            yield doc.error((*at, *path, language), f"{what} empty in {language!r}")


def _strange(sources: Sources, told: Counter[str], spoken: set[str]) -> Iterator[InputError]:
    """The languages of few tasks: each once, at the first."""
    for language in sorted(told.keys() - spoken):
        items = sources.suite.every_task
        name = next(name for name, item in items.items() if language in item.task.instruction)
        doc, at = sources.places["task", name]
        message = f"{language!r} is no language of the suite: {told[language]} of {len(items)} tasks have it"
        yield doc.error((*at, "instruction", language), message, key=True)


def twice(sources: Sources) -> Iterator[InputError]:
    """Instructions that two tasks have, but for letter case, white space and marks at the end."""
    told: dict[str, str] = {}
    for name, item in sources.suite.every_task.items():
        for language, text in item.task.instruction.items():
            said = _said(text)
            if said and (first := told.setdefault(said, name)) != name:
                doc, at = sources.places["task", first]
                message = f"the task {first!r}, at {doc.place(at)}, has the same instruction"
                own, here = sources.places["task", name]
                yield own.error((*here, "instruction", language), message)


def _said(text: str) -> str:
    """An instruction without what does not change its meaning."""
    words = " ".join(normalize(text).casefold().split())
    while words and (words[-1].isspace() or unicodedata.category(words[-1])[0] == "P"):
        words = words[:-1]
    return words
