"""Check that each task is told in every language of the suite, and in words of its own."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from garabench.campaign.suite import Sources
from garabench.core.selector import normalize
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc
from garabench.errors import InputError

_WHAT = {
    "instruction": "the instruction is",
    "because": "why it cannot be done is",
    "title": "the interruption's texts are",
    "message": "the interruption's message is",
    "label": "the button's label is",
    "note": "the small print is",
    "choices": "the answer is",
    "hint": "the field's hint is",
}
_LANGUAGE = re.compile("^[a-z]{2}$")
_CHINESE = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_LETTER = re.compile(r"[^\W\d_]")
_IN_CHINESE_LETTERS = ("zh", "ja")
_PLAIN_MARKS = str.maketrans("。、“”‘’「」『』【】《》〈〉—–", '.,""\'\'""""[]<><>--')
_AROUND_MARKS = re.compile(r"\s*([^\w\s])\s*")


def languages(sources: Sources) -> Iterator[InputError]:
    """Texts that are missing, blank or not translated in a language of the suite, and others' languages.

    The suite's languages are those in which half of its tasks or more are told. The files are asked as they
    are written, so that an entry's other mistakes hide none of these.
    """
    tasks = _entries(sources, "task")
    told = Counter(language for _, doc, at in tasks for language in _texts(doc, (*at, "instruction")))
    spoken = {language for language, times in told.items() if 2 * times >= len(tasks)}
    yield from _strange(sources, told, spoken)
    for _, doc, at in tasks:
        for path in ((*at, "instruction"), (*at, "infeasible", "because")):
            yield from _missing(doc, path, spoken)
            yield from _blank(doc, path)
        yield from _untranslated(doc, (*at, "instruction"))
        yield from _in_chinese(doc, (*at, "instruction"))
    for name, doc, at in _entries(sources, "interruption"):
        if name in sources.suite.interruptions:  # each other text has the title's languages
            yield from _missing(doc, (*at, "title"), spoken)
        for path in _shown(doc, at):
            yield from _blank(doc, path)
            yield from _untranslated(doc, path)


def _entries(sources: Sources, kind: str) -> list[tuple[str, YamlDoc, DocPath]]:
    """All entries of a kind, in order or not, by file and line: the name, the document and the place."""
    found = [(name, doc, at) for (each, name), (doc, at) in sources.places.items() if each == kind]
    return sorted(found, key=lambda entry: (entry[1].file, str(entry[2][0]), int(entry[2][1])))


def _texts(doc: YamlDoc, path: DocPath) -> Mapping[str, str]:
    """Texts by language, as far as they are written as such."""
    value = doc.value(path)
    if not isinstance(value, dict):
        return {}
    return {k: v for k, v in value.items() if _LANGUAGE.match(k) and isinstance(v, str)}


def _shown(doc: YamlDoc, at: DocPath) -> Iterator[DocPath]:
    """Where the texts of an interruption stand."""
    for key in ("title", "message", "note"):
        yield (*at, key)
    lists: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("buttons", ("label",)),
        ("choices", ()),
        ("fields", ("hint",)),
    )
    for key, rest in lists:
        listed: Any = doc.value((*at, key))
        for number in range(len(listed) if isinstance(listed, list) else 0):
            yield (*at, key, number, *rest)


def _what(path: DocPath) -> str:
    return _WHAT[next(part for part in reversed(path) if isinstance(part, str))]


def _missing(doc: YamlDoc, path: DocPath, spoken: set[str]) -> Iterator[InputError]:
    if texts := _texts(doc, path):
        for language in sorted(spoken - texts.keys()):
            yield doc.error(path, f"{_what(path)} missing in {language!r}")


def _blank(doc: YamlDoc, path: DocPath) -> Iterator[InputError]:
    for language, text in _texts(doc, path).items():
        if not text.strip():
            yield doc.error((*path, language), f"{_what(path)} empty in {language!r}")


def _untranslated(doc: YamlDoc, path: DocPath) -> Iterator[InputError]:
    """A text that is Chinese in a language that is not written so; an instruction that is as the first one.

    A name such as ``Wi-Fi`` is the same in every language, an instruction is not.
    """
    texts = _texts(doc, path)
    for number, (language, text) in enumerate(texts.items()):
        for first in list(texts)[:number]:
            chinese = _CHINESE.search(text) and {language, first} - set(_IN_CHINESE_LETTERS)
            if (
                text.strip()
                and text.strip() == texts[first].strip()
                and (chinese or path[-1] == "instruction")
            ):
                yield doc.error((*path, language), f"{_what(path)} the same in {first!r} and {language!r}")
                break


def _in_chinese(doc: YamlDoc, path: DocPath) -> Iterator[InputError]:
    """An instruction in Chinese below another language: its first sign is one, and most of the others are.

    Names may stay as the app writes them: an instruction in English begins with a word of its own.
    """
    texts = _texts(doc, path)
    for language, text in texts.items():
        chinese = len(_CHINESE.findall(text))
        letters = len(_LETTER.findall(text)) - chinese
        begun = _LETTER.search(text)
        same = any(text.strip() == other.strip() for key, other in texts.items() if key != language)
        if language in _IN_CHINESE_LETTERS or begun is None or same:
            continue
        if _CHINESE.match(begun[0]) and chinese > letters:
            yield doc.error((*path, language), f"{_what(path)} in Chinese, below {language!r}")


def _strange(sources: Sources, told: Counter[str], spoken: set[str]) -> Iterator[InputError]:
    """The languages of few tasks: each once, at the first."""
    tasks = _entries(sources, "task")
    for language in sorted(told.keys() - spoken):
        doc, path = next(
            (doc, (*at, "instruction"))
            for _, doc, at in tasks
            if language in _texts(doc, (*at, "instruction"))
        )
        message = f"{language!r} is no language of the suite: {told[language]} of {len(tasks)} tasks have it"
        yield doc.error((*path, language), message, key=True)


def twice(sources: Sources) -> Iterator[InputError]:
    """Instructions that two tasks have, but for letter case, white space, width, and marks at the end."""
    told: dict[str, tuple[str, YamlDoc, DocPath]] = {}
    for name, doc, at in _entries(sources, "task"):
        for language, text in _texts(doc, (*at, "instruction")).items():
            said = _said(text)
            if said and (first := told.setdefault(said, (name, doc, at)))[0] != name:
                message = f"the task {first[0]!r}, at {first[1].place(first[2])}, has the same instruction"
                yield doc.error((*at, "instruction", language), message)


def _said(text: str) -> str:
    """An instruction without what does not change its meaning: ``，`` and ``,`` are the same."""
    plain = unicodedata.normalize("NFKC", normalize(text)).casefold().translate(_PLAIN_MARKS)
    words = _AROUND_MARKS.sub(r"\1", " ".join(plain.split()))
    while words and (words[-1].isspace() or unicodedata.category(words[-1])[0] == "P"):
        words = words[:-1]
    return words
