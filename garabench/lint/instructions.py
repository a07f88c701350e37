"""Check that every text exists in each language of the suite, and that no two instructions are equal."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from garabench.core.selector import normalize
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc
from garabench.errors import InputError
from garabench.suite.suite import SuiteSources

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


def language_errors(sources: SuiteSources) -> Iterator[InputError]:
    """Find missing, blank and untranslated texts, and languages that are not the suite's.

    The suite's languages are those that at least half of its instructions have; a suite that translates no
    instruction has none of these mistakes. The files are read as written, so that an entry's other mistakes
    do not hide these.
    """
    tasks = _entries(sources, "task")
    counts = Counter(language for _, doc, at in tasks for language in _texts(doc, (*at, "instruction")))
    spoken = {language for language, times in counts.items() if 2 * times >= len(tasks)}
    if len(counts) > 1 and all(len(_texts(doc, (*at, "instruction"))) <= 1 for _, doc, at in tasks):
        spoken = set()
    else:
        yield from _foreign_languages(sources, counts, spoken)
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


def _entries(sources: SuiteSources, kind: str) -> list[tuple[str, YamlDoc, DocPath]]:
    """Return all entries of a kind, valid or not, by file and line: name, document and location."""
    found = [(name, doc, at) for (each, name), (doc, at) in sources.places.items() if each == kind]
    return sorted(found, key=lambda entry: (entry[1].file, str(entry[2][0]), int(entry[2][1])))


def _texts(doc: YamlDoc, path: DocPath) -> Mapping[str, str]:
    """Return the texts by language, ignoring anything else."""
    value = doc.value(path)
    if not isinstance(value, dict):
        return {}
    return {k: v for k, v in value.items() if _LANGUAGE.match(k) and isinstance(v, str)}


def _shown(doc: YamlDoc, at: DocPath) -> Iterator[DocPath]:
    """Iterate over the locations of an interruption's texts."""
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
    """Find texts that are equal in two languages: Chinese texts in another language, and any instruction.

    A name such as ``Wi-Fi`` may be the same in every language, an instruction may not.
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
    """Find instructions in Chinese under another language: they start with and mostly consist of Chinese.

    Names may remain as the app writes them, but an English instruction starts with an English word.
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
            yield doc.error((*path, language), f"{_what(path)} in Chinese, under the key {language!r}")


def _foreign_languages(sources: SuiteSources, counts: Counter[str], spoken: set[str]) -> Iterator[InputError]:
    """Report each language that only few tasks have, at its first use."""
    tasks = _entries(sources, "task")
    for language in sorted(counts.keys() - spoken):
        doc, path = next(
            (doc, (*at, "instruction"))
            for _, doc, at in tasks
            if language in _texts(doc, (*at, "instruction"))
        )
        message = (
            f"{language!r} is not a language of the suite: "
            f"only {counts[language]} of {len(tasks)} tasks use it"
        )
        yield doc.error((*path, language), message, key=True)


def duplicate_instructions(sources: SuiteSources) -> Iterator[InputError]:
    """Find instructions of two tasks that differ only in case, white space, width or final punctuation."""
    first_uses: dict[str, tuple[str, YamlDoc, DocPath]] = {}
    for name, doc, at in _entries(sources, "task"):
        for language, text in _texts(doc, (*at, "instruction")).items():
            normalized = _normalized(text)
            if normalized and (first := first_uses.setdefault(normalized, (name, doc, at)))[0] != name:
                message = f"duplicate instruction: the task {first[0]!r} has it at {first[1].place(first[2])}"
                yield doc.error((*at, "instruction", language), message)


def _normalized(text: str) -> str:
    """Remove differences that do not change an instruction's meaning: ``，`` and ``,`` are the same."""
    plain = unicodedata.normalize("NFKC", normalize(text)).casefold().translate(_PLAIN_MARKS)
    words = _AROUND_MARKS.sub(r"\1", " ".join(plain.split()))
    while words and (words[-1].isspace() or unicodedata.category(words[-1])[0] == "P"):
        words = words[:-1]
    return words
