"""Input methods: which one is in use, whether the soft keyboard is shown, and the text that it commits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.scene import LaidNode, LaidWindow

if TYPE_CHECKING:
    from garabench.virtual.os.phone import Phone

LATIN = "com.google.android.inputmethod.latin/.LatinIME"
_DIGITS = frozenset({"number", "phone"})


class InputMethods:
    """The input methods.

    Attributes:
        shown: Whether the soft keyboard is on the screen.
        action: Label of the action key of the field in focus.
        wants_digits: Whether the field in focus takes digits.
    """

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self.shown = False
        self.action = "done"
        self.wants_digits = False

    def list(self, *, every: bool = False) -> tuple[str, ...]:
        """Ids of the enabled input methods, or of all installed ones."""
        return self.installed if every else self.enabled

    @property
    def installed(self) -> tuple[str, ...]:
        """Ids of all installed input methods: the phone's own, and those that apps bring."""
        return (LATIN, *(each for app in self._phone.packages.all() for each in app.input_methods))

    @property
    def enabled(self) -> tuple[str, ...]:
        """Ids of the enabled input methods."""
        text = self._phone.settings.get("secure", "enabled_input_methods") or ""
        installed = self.installed
        return tuple(each for each in text.split(":") if each in installed)

    @property
    def default(self) -> str:
        """Id of the one in use; the phone's own when the chosen one is gone, empty when all are disabled."""
        if not self.enabled:
            return ""
        chosen = self._phone.settings.get("secure", "default_input_method") or LATIN
        return chosen if chosen in self.installed else LATIN

    def enable(self, identity: str) -> bool:
        """Enable an installed input method; False when there is none of that id."""
        if identity not in self.installed:
            return False
        if identity not in self.enabled:
            every = ":".join((*self.enabled, identity))
            self._phone.settings.put("secure", "enabled_input_methods", every)
        return True

    def disable(self, identity: str) -> bool:
        """Disable an input method; another one takes its place, if any. False when it was not enabled."""
        before, chosen = self.enabled, self.default
        left = tuple(each for each in before if each != identity)
        if len(left) == len(before):
            return False
        self._phone.settings.put("secure", "enabled_input_methods", ":".join(left))
        if chosen == identity:
            self._phone.settings.put("secure", "default_input_method", left[0] if left else "")
        if not left:
            self.hide()
        return True

    def set(self, identity: str) -> bool:
        """Use an enabled input method; False when it is not enabled."""
        if identity not in self.enabled:
            return False
        self._phone.settings.put("secure", "default_input_method", identity)
        self._phone.changed()
        return True

    def show(self, node: LaidNode) -> None:
        """Show the keyboard, if there is one, for a field that has taken the focus."""
        if isinstance(node.widget, w.TextField) and self.enabled:
            self.shown = True
            self.action = node.widget.action
            self.wants_digits = node.widget.input_type in _DIGITS
            record = self._phone.activities.resumed
            for state in (record.state, record.dialog_state) if record is not None else ():
                if state.focused == node.key_path:
                    state.reveal = node.key_path  # the keyboard may come up over it
            self._phone.changed()

    def show_for_focus(self) -> bool:
        """Show the keyboard for the field in focus; False without one."""
        found = self.field()
        if found is not None:
            self.show(found[1])
        return found is not None

    def hide(self, *, drop_focus: bool = False) -> bool:
        """Hide the keyboard; whether it was shown."""
        was, self.shown = self.shown, False
        if drop_focus:
            record = self._phone.activities.resumed
            if record is not None:
                record.state.focused = record.dialog_state.focused = None
        if was or drop_focus:
            self._phone.changed()
        return was

    def field(self) -> tuple[LaidWindow, LaidNode, w.TextField] | None:
        """The text field in focus, or None."""
        window = self._phone.scene().focus
        if window is None:
            return None
        for node in window.root.walk():
            if node.focused and isinstance(node.widget, w.TextField) and node.widget.enabled:
                return window, node, node.widget
        return None

    def _change(self, text: str) -> bool:
        found = self.field()
        if found is None:
            return False
        window, _, widget = found
        change = widget.on_change
        if change is not None:
            self._phone.run_app(window.package, lambda: change(text))
            self._phone.changed()
        return True

    def commit_text(self, text: str) -> bool:
        """Add a text to the field in focus; False without one."""
        found = self.field()
        if found is None:
            return False
        every = self._phone.faults.active("text-drops")
        if every is not None:
            step = int(str(every.get("every", 5)))
            text = "".join(letter for place, letter in enumerate(text, start=1) if place % step)
        return self._change(found[2].text + text)

    def type_key(self, letter: str) -> None:
        """A key of the soft keyboard."""
        self.commit_text(letter)

    def press_action(self) -> None:
        """The action key of the soft keyboard."""
        self.act()

    def clear(self) -> bool:
        """Empty the field in focus; False without one."""
        return self._change("")

    def backspace(self) -> None:
        """Delete the last character."""
        found = self.field()
        if found is not None and found[2].text:
            self._change(found[2].text[:-1])

    def act(self) -> bool:
        """Press the action key (or Enter); False without a field in focus."""
        found = self.field()
        if found is None:
            return False
        window, _, widget = found
        if widget.input_type == "multiline":
            return self._change(widget.text + "\n")
        submit = widget.on_submit
        if submit is not None:
            self._phone.run_app(window.package, submit)
        self.hide(drop_focus=False)
        self._phone.changed()
        return True
