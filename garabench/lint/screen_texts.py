"""The screen texts of apps: the texts, descriptions and id names on their screens.

`garabench.screens.text_crawler` visits the screens of the virtual phone's apps and writes one file per app;
texts that occur only in an app's sources are not included. A suite may add its own files in its folder
``texts/``, for apps that the virtual phone lacks or screens that the crawler did not reach.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from garabench.core.condition import fold
from garabench.core.file_errors import unreadable
from garabench.core.patterns import occurs
from garabench.core.selector import normalize
from garabench.core.suggestions import nearest
from garabench.errors import CombinedInputError, InputError

BUNDLED = Path(__file__).parent / "texts"
"""Folder of the bundled screen texts."""
FOLDER = "texts"
"""Folder of a suite's own screen texts."""
_DIGITS = re.compile(r"\d+")
_LETTER = re.compile(r"[^\W\d_]")
_ID = re.compile(r"^[A-Za-z_][\w.$-]*$")
_WORD = re.compile(r"[\w·]+")
_BETWEEN = "\0"
"""Separates texts, so that no word is found across two of them."""


@dataclass(frozen=True)
class AppTexts:
    """The screen texts of an app.

    Attributes:
        package: The app.
        texts: All texts, descriptions and id names.
        system: Whether it is a system app, which may be in the foreground in any task.
        made_from: The fingerprint of its sources, as of `garabench.screens.fingerprint`; empty if the file
            was written by hand.
    """

    package: str
    texts: frozenset[str]
    system: bool = False
    made_from: str = ""

    def to_json(self) -> str:
        """Return the file's content, one text per line for readable diffs."""
        head = {"package": self.package, "system": self.system, "made_from": self.made_from}
        lines = ",\n".join(json.dumps(text, ensure_ascii=False) for text in sorted(self.texts))
        return f'{json.dumps(head)[:-1]}, "texts": [\n{lines}\n]}}\n'

    @classmethod
    def read(cls, path: Path) -> AppTexts:
        """Read a file.

        Raises:
            InputError: It cannot be read, or is not a file of screen texts.
        """
        package, texts = _read(path)
        if texts is None:
            raise InputError(f"{path} has no texts: it marks the screens of {package} as unknown")
        return texts


def _read(path: Path) -> tuple[str, AppTexts | None]:
    """Read a file's package and texts; None if they are ``null``, which marks them as unknown."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        package, system, texts = content["package"], content["system"], content["texts"]
        made_from = str(content.get("made_from", ""))
    except OSError as error:
        raise unreadable(path, error) from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is not a file of screen texts: {error}") from error
    if isinstance(package, str) and isinstance(system, bool):
        if texts is None:
            return package, None
        if isinstance(texts, list) and all(isinstance(text, str) for text in texts):
            return package, AppTexts(package, frozenset(texts), system, made_from)
    raise InputError(f"{path} is not a file of screen texts", hint="Recreate it.")


class ScreenTexts:
    """The known screen texts of all apps.

    Attributes:
        apps: The apps by package; the screens of all others are unknown.
    """

    def __init__(self, apps: Collection[AppTexts]) -> None:
        """Merge the texts of apps.

        Args:
            apps: The texts; several entries for one app are merged.
        """
        self.apps: dict[str, AppTexts] = {}
        for each in apps:
            before = self.apps.get(each.package)
            texts = each.texts if before is None else each.texts | before.texts
            self.apps[each.package] = AppTexts(each.package, texts, each.system)
        self._folded: dict[str, _Folded] = {}
        self._words_of: dict[str, Mapping[str, str]] = {}

    @classmethod
    def load(cls, root: Path | None = None) -> ScreenTexts:
        """Load the bundled screen texts and those of a suite.

        A suite can mark the screens of an app as unknown.

        Args:
            root: The suite's folder.

        Raises:
            CombinedInputError: The invalid files.
        """
        own: list[tuple[str, AppTexts | None]] = []
        wrong: list[InputError] = []
        for path in [] if root is None else sorted((root / FOLDER).glob("*.json")):
            try:
                own.append(_read(path))
            except InputError as error:
                wrong.append(error)
        if wrong:
            raise CombinedInputError(tuple(wrong))
        unknown = {package for package, texts in own if texts is None}
        known = [
            *map(_bundled, sorted(BUNDLED.glob("*.json"))),
            *(texts for _, texts in own if texts is not None),
        ]
        return cls([each for each in known if each.package not in unknown])

    def shows(self, package: str, word: str) -> bool:
        """Return whether a word is part of a text of an app or of the system; True for an unknown app.

        Numbers change while an app runs: in a word with digits and letters, the digits match any number. A
        word without letters must match a whole number.

        Args:
            package: The app.
            word: The word, compared like a keyword, ignoring case.
        """
        if package not in self.apps:
            return True
        folded = fold(word)
        if not _LETTER.search(folded):
            number = re.compile(rf"(?<!\d){re.escape(folded)}(?!\d)")
            return any(number.search(each.joined) for each in self._about(package))
        if any(folded in each.joined for each in self._about(package)):
            return True
        form = _DIGITS.sub("0", folded)
        return form != folded and any(form in each.without_numbers for each in self._about(package))

    def has(self, package: str, text: str) -> bool:
        """Return whether an app or the system has exactly this text, description or id name."""
        if package not in self.apps:
            return True
        return any(text in each.texts for each in (self.apps[package], *self._system))

    def whole(self, package: str, text: str) -> bool:
        """Return whether an app or the system has a text, ignoring numbers; True for an unknown app.

        Args:
            package: The app.
            text: The text, compared like a selector's: with case, without surrounding white space.
        """
        if package not in self.apps:
            return True
        form = _form(text)
        return any(form in each.forms for each in self._about(package))

    def part(self, package: str, text: str) -> bool:
        """Return whether a text is part of one of an app or the system, ignoring numbers; True if unknown."""
        if package not in self.apps:
            return True
        form = _form(text)
        return any(form in each.joined_forms for each in self._about(package))

    def found(self, package: str, pattern: str) -> bool:
        """Return whether a pattern occurs in a text of an app or the system; True for an unknown app."""
        if package not in self.apps:
            return True
        return any(occurs(pattern, text) for each in self._about(package) for text in each.app.texts)

    def ids(self, package: str) -> Iterator[str]:
        """Iterate over the texts of an app that may be id names."""
        return filter(_ID.match, self.apps[package].texts)

    def nearest(self, package: str, word: str) -> str | None:
        """Return the text or word of an app that is most similar to a word, or None."""
        words = self._words(package)
        found = nearest(fold(word), words)
        return None if found is None else words[found]

    def _words(self, package: str) -> Mapping[str, str]:
        """Return the words and texts of an app by their folded forms, in order."""
        if package not in self._words_of:
            texts = self.apps[package].texts if package in self.apps else ()
            words = {fold(part): part for text in sorted(texts) for part in (*_WORD.findall(text), text)}
            self._words_of[package] = dict(sorted(words.items()))
        return self._words_of[package]

    @cached_property
    def _system(self) -> tuple[AppTexts, ...]:
        return tuple(each for each in self.apps.values() if each.system)

    def _about(self, package: str) -> list[_Folded]:
        """Return the texts that may be visible in the tasks for an app."""
        about = {package: self.apps[package]} | {each.package: each for each in self._system}
        return [self._folded.setdefault(name, _Folded(each)) for name, each in about.items()]


class _Folded:
    """The texts of an app in the forms in which they are compared."""

    def __init__(self, app: AppTexts) -> None:
        self.app = app

    @cached_property
    def joined(self) -> str:
        return _BETWEEN.join(map(fold, self.app.texts))

    @cached_property
    def without_numbers(self) -> str:
        return _DIGITS.sub("0", self.joined)

    @cached_property
    def forms(self) -> frozenset[str]:
        return frozenset(map(_form, self.app.texts))

    @cached_property
    def joined_forms(self) -> str:
        return _BETWEEN.join(self.forms)


def _form(text: str) -> str:
    """Return a text as selectors compare it, with every digit sequence replaced by 0."""
    return _DIGITS.sub("0", normalize(text))


@lru_cache
def _bundled(path: Path) -> AppTexts:
    """Read a bundled file, once."""
    return AppTexts.read(path)


@lru_cache
def stand_in_packages() -> frozenset[str]:
    """Return the packages of the stand-in apps on the virtual phone."""
    return frozenset(path.stem for path in BUNDLED.glob("*.json"))


def shows(package: str, word: str) -> bool:
    """Return whether a stand-in shows a word, as `ScreenTexts.shows`, without the texts of a suite."""
    return _shown().shows(package, word)


@lru_cache
def _shown() -> ScreenTexts:
    return ScreenTexts.load()
