"""What the screens of apps show: texts, descriptions and id names, as rules find them.

They were seen: `garabench.campaign.shown_texts` goes through the virtual phone's apps and writes one file an
app. What stands in an app's sources and on no screen is not among them. A suite may bring files of its own,
in its folder ``texts/``, for apps that the virtual phone does not have or screens that were not come to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from garabench.core.condition import fold
from garabench.core.names import nearest
from garabench.core.patterns import occurs
from garabench.core.selector import normalize
from garabench.errors import InputError, InputErrors

KEPT = Path(__file__).parent / "texts"
FOLDER = "texts"
_DIGITS = re.compile(r"\d+")
_LETTER = re.compile(r"[^\W\d_]")
_ID = re.compile(r"^[A-Za-z_][\w.$-]*$")
_WORD = re.compile(r"[\w·]+")
_BETWEEN = "\0"
"""No text has it, so that no word is found across two texts."""


@dataclass(frozen=True)
class AppTexts:
    """What the screens of one app show.

    Attributes:
        package: The app.
        texts: Each whole text, description and id name once.
        system: It is an app of the system, which may be in front in a task for any other.
        made_from: The hash of what it was made from, as `garabench.campaign.texts_origin` has it; empty where
            it was written by hand.
    """

    package: str
    texts: frozenset[str]
    system: bool = False
    made_from: str = ""

    def to_json(self) -> str:
        """The file's content: a text a line, so that changes can be read."""
        head = {"package": self.package, "system": self.system, "made_from": self.made_from}
        lines = ",\n".join(json.dumps(text, ensure_ascii=False) for text in sorted(self.texts))
        return f'{json.dumps(head)[:-1]}, "texts": [\n{lines}\n]}}\n'

    @classmethod
    def read(cls, path: Path) -> AppTexts:
        """Read a file.

        Raises:
            InputError: It cannot be read, or is no such file.
        """
        package, texts = _read(path)
        if texts is None:
            raise InputError(f"{path} says that nothing is known of the screens of {package}")
        return texts


def _read(path: Path) -> tuple[str, AppTexts | None]:
    """A file's package, and its texts: None where it says ``null``, that they are not known."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        package, system, texts = content["package"], content["system"], content["texts"]
        made_from = str(content.get("made_from", ""))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} holds no texts of an app: {error}") from error
    if isinstance(package, str) and isinstance(system, bool):
        if texts is None:
            return package, None
        if isinstance(texts, list) and all(isinstance(text, str) for text in texts):
            return package, AppTexts(package, frozenset(texts), system, made_from)
    raise InputError(f"{path} holds no texts of an app", hint="Have it written anew.")


class ShownTexts:
    """What is known of the apps' screens.

    Attributes:
        apps: By package; nothing is known of others.
    """

    def __init__(self, apps: Collection[AppTexts]) -> None:
        """Put together.

        Args:
            apps: Several of one app are taken together.
        """
        self.apps: dict[str, AppTexts] = {}
        for each in apps:
            before = self.apps.get(each.package)
            texts = each.texts if before is None else each.texts | before.texts
            self.apps[each.package] = AppTexts(each.package, texts, each.system)
        self._folded: dict[str, _Folded] = {}

    @classmethod
    def load(cls, root: Path | None = None) -> ShownTexts:
        """Read what comes with GaraBench, and what a suite brings.

        Of an app of which the suite says that its screens are not known, nothing is known.

        Args:
            root: The suite's folder.

        Raises:
            InputErrors: Each file that is not in order.
        """
        own: list[tuple[str, AppTexts | None]] = []
        wrong: list[InputError] = []
        for path in [] if root is None else sorted((root / FOLDER).glob("*.json")):
            try:
                own.append(_read(path))
            except InputError as error:
                wrong.append(error)
        if wrong:
            raise InputErrors(tuple(wrong))
        unknown = {package for package, texts in own if texts is None}
        known = [*map(_kept, sorted(KEPT.glob("*.json"))), *(texts for _, texts in own if texts is not None)]
        return cls([each for each in known if each.package not in unknown])

    def shows(self, package: str, word: str) -> bool:
        """Whether a word is part of one text that an app or the system shows; True for an unknown app.

        Numbers change while an app runs: of a word with digits and letters any number may stand in the
        digits' place; one without any letter is looked for as a whole number.

        Args:
            package: The app.
            word: The word, compared as keywords are: without regard to case.
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
        """Whether a text, a description or an id name is, as a whole, one of an app or of the system."""
        if package not in self.apps:
            return True
        return any(text in each.texts for each in (self.apps[package], *self._system))

    def whole(self, package: str, text: str) -> bool:
        """Whether a text is, but for its numbers, one of an app or of the system; True of an unknown app.

        Args:
            package: The app.
            text: Compared as selectors do: with regard to case, without white space around.
        """
        if package not in self.apps:
            return True
        form = _form(text)
        return any(form in each.forms for each in self._about(package))

    def part(self, package: str, text: str) -> bool:
        """Whether a text is, but for its numbers, in one of an app or the system; True of an unknown app."""
        if package not in self.apps:
            return True
        form = _form(text)
        return any(form in each.joined_forms for each in self._about(package))

    def found(self, package: str, pattern: str) -> bool:
        """Whether a pattern is found in a text of an app or of the system; True of an unknown app."""
        if package not in self.apps:
            return True
        return any(occurs(pattern, text) for each in self._about(package) for text in each.app.texts)

    def ids(self, package: str) -> Iterator[str]:
        """What may be names of ids among what an app shows."""
        return filter(_ID.match, self.apps[package].texts)

    def nearest(self, package: str, word: str) -> str | None:
        """The text or word of an app that a word may be a slip of, or None."""
        texts = self.apps[package].texts if package in self.apps else ()
        words = {fold(part): part for text in sorted(texts) for part in (*_WORD.findall(text), text)}
        found = nearest(fold(word), sorted(words))
        return None if found is None else words[found]

    @cached_property
    def _system(self) -> tuple[AppTexts, ...]:
        return tuple(each for each in self.apps.values() if each.system)

    def _about(self, package: str) -> list[_Folded]:
        """What may be seen in the tasks for an app."""
        about = {package: self.apps[package]} | {each.package: each for each in self._system}
        return [self._folded.setdefault(name, _Folded(each)) for name, each in about.items()]


class _Folded:
    """An app's texts in the form in which keywords are compared."""

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
    """A text as selectors compare it, with one and the same number for all."""
    return _DIGITS.sub("0", normalize(text))


@lru_cache
def _kept(path: Path) -> AppTexts:
    """A file that comes with GaraBench, read once."""
    return AppTexts.read(path)


@lru_cache
def stand_ins() -> frozenset[str]:
    """The packages of the apps of which there are stand-ins on the virtual phone."""
    return frozenset(path.stem for path in KEPT.glob("*.json"))


def shows(package: str, word: str) -> bool:
    """Whether a screen of a stand-in shows a word; as `ShownTexts.shows`, without what a suite brings."""
    return _shown().shows(package, word)


@lru_cache
def _shown() -> ShownTexts:
    return ShownTexts.load()
