"""Type any text into the focused field, read it back, and leave the keyboard as it was.

``input text`` knows only characters with a key mapping, so Chinese needs another way. In order: the
server's ``setText`` on the focused field; without a server ``input text`` for plain ASCII, and a keyboard
that takes broadcasts for all else. What the field holds afterwards is read from the tree: a text that did
not arrive is reported, never assumed.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from uiautomator2 import Selector

from garabench.core.keys import KEYS
from garabench.core.tree import UiNode, UiTree
from garabench.device.adb import Adb
from garabench.device.keyboards import BroadcastKeyboard
from garabench.device.touch import Touch
from garabench.device.trees import TreeReader
from garabench.device.u2 import U2Server, U2Unavailable

_TRIES = 3
_FOCUSED = dict(Selector(focused=True))


@dataclass(frozen=True, slots=True)
class Typed:
    """How typing ended.

    Attributes:
        ok: Whether the field was read back with the text in it.
        detail: Why not, or how it was done.
    """

    ok: bool
    detail: str


def focused_field(tree: UiTree) -> UiNode | None:
    """The text field that has the input focus, or None."""
    for node in tree.nodes:
        if node.focused and (node.cls.endswith("EditText") or node.password):
            return node
    return None


def escape_for_input(text: str) -> str:
    """Write a text for ``input text``, where ``%s`` stands for a space."""
    return text.replace(" ", "%s")


def typeable(text: str) -> bool:
    """Whether ``input text`` can type it: printable ASCII without a literal ``%s``."""
    return all(" " <= letter <= "~" for letter in text) and "%s" not in text


class Typist:
    """Types on one device."""

    def __init__(
        self, adb: Adb, server: U2Server, touch: Touch, trees: TreeReader, keyboard: BroadcastKeyboard
    ) -> None:
        self._adb = adb
        self._keyboard = keyboard
        self._server = server
        self._touch = touch
        self._trees = trees

    def type(self, text: str, *, replace: bool) -> Typed:
        """Type into the focused field.

        ``uiautomator dump`` gives an empty field's hint as its text (`TextView` does so for accessibility)
        and does not say that it is one: without the server a field that was only seen to hold its hint is
        also right when it holds nothing but what was typed.

        Args:
            text: Any Unicode text; line ends only where the field takes them.
            replace: True sets the field to the text, False adds to what it holds.

        Returns:
            Whether it arrived. A screen without a focused field is the caller's mistake, not an error.

        Raises:
            DeviceError: The device is gone, or has no usable tree.
        """
        field = focused_field(self._trees.read().tree)
        if field is None:
            return Typed(False, "no text field has the focus")
        before = "" if replace else self._content(field)
        wanted = before + text
        how, added = "", text
        if self._server.failed and replace and self._content(field):
            self._clear()  # the other ways can only add
        for number in range(_TRIES):
            how, problem = self._write(wanted, added)
            if problem:
                return Typed(False, f"this device cannot type these characters by {how}: {problem}")
            after = focused_field(self._trees.read().tree)
            if after is None:
                return Typed(True, f"typed by {how}; the field has closed")
            hinted = number == 0 and bool(self._server.failed) and _same(after.text, text)
            if after.password or _same(after.text, wanted) or hinted:
                return Typed(True, f"typed by {how}")
            added = wanted  # a next try replaces whatever arrived
            if not self._clear():
                break
        return Typed(False, f"typed by {how}, but the field holds another text")

    def clear(self) -> Typed:
        """Empty the focused field."""
        if focused_field(self._trees.read().tree) is None:
            return Typed(False, "no text field has the focus")
        return Typed(self._clear(), "cleared")

    @staticmethod
    def _content(field: UiNode) -> str:
        return "" if field.hint and field.text == field.hint else field.text

    def _write(self, wanted: str, added: str) -> tuple[str, str]:
        """Write once; the name of the way, and why it failed or empty."""
        if not self._server.failed:
            try:
                if self._server.call("setText", [_FOCUSED, wanted]):
                    return "uiautomator2", ""
            except U2Unavailable:
                pass
        if typeable(added):
            if added:
                self._adb.shell(["input", "text", escape_for_input(added)], timeout=30).check("type")
            return "input text", ""
        return "a keyboard for broadcasts", self._keyboard.type(added)

    def _clear(self) -> bool:
        if not self._server.failed:
            try:
                self._server.call("clearTextField", [_FOCUSED])
                return True
            except U2Unavailable:
                pass
        field = focused_field(self._trees.read().tree)
        if field is None:
            return False
        self._touch.key(KEYS["move_end"])
        for _ in range(len(self._content(field))):
            self._touch.key(KEYS["delete"])
        return True


def _same(one: str, other: str) -> bool:
    return unicodedata.normalize("NFC", one).strip() == unicodedata.normalize("NFC", other).strip()
