"""Type any text into the focused field, verify it on the tree, and restore the keyboard.

``input text`` supports only characters with a key mapping, not Chinese. The methods, in order of preference:
the server's ``setText`` on the focused field; without a server ``input text`` for plain ASCII, and a keyboard
that accepts broadcasts for everything else. The field's content is read back from the tree. A busy device can
lose letters of a text that arrives at once, so a text that lacks letters is typed again one letter at a time,
and a text that did not arrive is reported.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from uiautomator2 import Selector

from garabench.core.keys import KEYS
from garabench.core.tree import UiNode, UiTree
from garabench.device.adb import Adb
from garabench.device.gestures import Gestures
from garabench.device.keyboards import BroadcastKeyboard
from garabench.device.trees import TreeReader, TreeReading
from garabench.device.u2_client import U2Client, U2UnavailableError

_TRIES = 3
_SLOW_LETTERS = 60
"""Longest text that is typed one letter at a time, each with a command."""
_FOCUSED = dict(Selector(focused=True))


@dataclass(frozen=True, slots=True)
class TypingResult:
    """The result of typing.

    Attributes:
        ok: Whether the field was read back with the text in it.
        detail: Why it failed, or which method was used.
        reading: The tree that was read afterwards; None if it was not read.
    """

    ok: bool
    detail: str
    reading: TreeReading | None = None


def focused_field(tree: UiTree) -> UiNode | None:
    """Return the text field with the input focus, or None."""
    for node in tree.nodes:
        if node.focused and (node.cls.endswith("EditText") or node.password):
            return node
    return None


def escape_for_input(text: str) -> str:
    """Escape a text for ``input text``, which reads ``%s`` as a space."""
    return text.replace(" ", "%s")


def typeable(text: str) -> bool:
    """Return whether ``input text`` can type the text: printable ASCII without a literal ``%s``."""
    return all(" " <= letter <= "~" for letter in text) and "%s" not in text


def lacks_letters(arrived: str, text: str) -> bool:
    """Return whether letters were lost on the way, and the text was not cut off by the field's limit."""
    letters = iter(text)
    return arrived != text and not text.startswith(arrived) and all(letter in letters for letter in arrived)


class TextTyper:
    """Types text on one device."""

    def __init__(
        self, adb: Adb, server: U2Client, touch: Gestures, trees: TreeReader, keyboard: BroadcastKeyboard
    ) -> None:
        self._adb = adb
        self._keyboard = keyboard
        self._server = server
        self._touch = touch
        self._trees = trees

    def type(self, text: str, *, replace: bool, tree: UiTree | None = None) -> TypingResult:
        """Type into the focused field.

        ``uiautomator dump`` reports an empty field's hint as its text (`TextView` does so for accessibility)
        without marking it as a hint. Without the server, a field whose content is exactly the typed text is
        therefore accepted too.

        Args:
            text: Any Unicode text; line breaks only where the field accepts them.
            replace: Whether to replace the field's content instead of appending to it.
            tree: The tree of the present screen; None reads it.

        Returns:
            Whether the text arrived. A screen without a focused field gives a failed result, not an error.

        Raises:
            DeviceError: The device is gone, or has no usable tree.
        """
        field = focused_field(tree or self._trees.read().tree)
        if field is None:
            return TypingResult(False, "no text field has the focus")
        before = "" if replace else self._content(field)
        expected = before + text
        method, addition, arrived = "", text, ""
        if self._server.failed and replace and self._content(field):
            self._clear(field)  # the other methods can only append
        for number in range(_TRIES):
            method, problem = self._write(expected, addition)
            if problem:
                return TypingResult(False, f"could not type the text by {method}: {problem}")
            reading = self._trees.read()
            after = focused_field(reading.tree)
            if after is None:
                return TypingResult(True, f"typed by {method}; the field has disappeared", reading)
            hinted = number == 0 and bool(self._server.failed) and _same(after.text, text)
            if after.password or _same(after.text, expected) or hinted:
                return TypingResult(True, f"typed by {method}", reading)
            addition, arrived = expected, after.text  # the next attempt replaces what arrived
            self._clear(after)
        if lacks_letters(arrived, expected) and len(expected) <= _SLOW_LETTERS:
            return self._type_slowly(expected)
        return TypingResult(False, f"typed by {method}, but the field has a different text")

    def _type_slowly(self, text: str) -> TypingResult:
        """Type into the empty field one letter at a time."""
        method, problem = "input text", ""
        if typeable(text):
            for letter in text:
                self._adb.shell(["input", "text", escape_for_input(letter)], timeout=30).check("type")
        else:
            method, problem = "broadcast keyboard", self._keyboard.type(*text)
        if problem:
            return TypingResult(False, f"could not type the text by {method}: {problem}")
        reading = self._trees.read()
        after = focused_field(reading.tree)
        if after is None or _same(after.text, text):
            return TypingResult(True, f"typed by {method}, one letter at a time", reading)
        return TypingResult(False, f"typed by {method}, but the field has a different text", reading)

    def clear(self, tree: UiTree | None = None) -> TypingResult:
        """Empty the focused field; `tree` as for `type`."""
        field = focused_field(tree or self._trees.read().tree)
        if field is None:
            return TypingResult(False, "no text field has the focus")
        self._clear(field)
        return TypingResult(True, "cleared")

    @staticmethod
    def _content(field: UiNode) -> str:
        return "" if field.hint and field.text == field.hint else field.text

    def _write(self, expected: str, addition: str) -> tuple[str, str]:
        """Write once; return the method and why it failed (empty if it did not)."""
        if not self._server.failed:
            try:
                if self._server.call("setText", [_FOCUSED, expected]):
                    return "uiautomator2", ""
            except U2UnavailableError:
                pass
        if typeable(addition):
            if addition:
                self._adb.shell(["input", "text", escape_for_input(addition)], timeout=30).check("type")
            return "input text", ""
        return "broadcast keyboard", self._keyboard.type(addition)

    def _clear(self, field: UiNode) -> None:
        if not self._server.failed:
            try:
                self._server.call("clearTextField", [_FOCUSED])
                return
            except U2UnavailableError:
                pass
        self._touch.keys([KEYS["move_end"]] + [KEYS["delete"]] * len(self._content(field)))


def _same(one: str, other: str) -> bool:
    return unicodedata.normalize("NFC", one).strip() == unicodedata.normalize("NFC", other).strip()
