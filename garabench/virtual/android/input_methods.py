"""Input methods: the current one, the soft keyboard's visibility, and committed text."""

from __future__ import annotations

from garabench.virtual.android.phone_interface import PhoneInterface
from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.scene import PlacedNode, PlacedWindow

LATIN = "com.google.android.inputmethod.latin/.LatinIME"
_DIGITS = frozenset({"number", "phone"})


class InputMethods:
    """The input methods.

    Attributes:
        shown: Whether the soft keyboard is visible.
        action: Label of the focused field's action key.
        wants_digits: Whether the focused field accepts digits.
    """

    def __init__(self, phone: PhoneInterface) -> None:
        self._phone = phone
        self.shown = False
        self.action = "done"
        self.wants_digits = False

    def list(self, *, include_disabled: bool = False) -> tuple[str, ...]:
        """Return the ids of the enabled input methods, or of all installed ones."""
        return self.installed if include_disabled else self.enabled

    @property
    def installed(self) -> tuple[str, ...]:
        """Ids of all installed input methods: the built-in one and those of apps."""
        return (LATIN, *(identity for app in self._phone.packages.all() for identity in app.input_methods))

    @property
    def enabled(self) -> tuple[str, ...]:
        """Ids of the enabled input methods."""
        text = self._phone.settings.get("secure", "enabled_input_methods") or ""
        installed = self.installed
        return tuple(identity for identity in text.split(":") if identity in installed)

    @property
    def default(self) -> str:
        """Id of the current one; the built-in one if that was removed, empty if all are disabled."""
        if not self.enabled:
            return ""
        chosen = self._phone.settings.get("secure", "default_input_method") or LATIN
        return chosen if chosen in self.installed else LATIN

    def enable(self, identity: str) -> bool:
        """Enable an installed input method; False if the id is unknown."""
        if identity not in self.installed:
            return False
        if identity not in self.enabled:
            ids = ":".join((*self.enabled, identity))
            self._phone.settings.put("secure", "enabled_input_methods", ids)
        return True

    def disable(self, identity: str) -> bool:
        """Disable an input method, falling back to another one; False if it was not enabled."""
        before, chosen = self.enabled, self.default
        remaining = tuple(other for other in before if other != identity)
        if len(remaining) == len(before):
            return False
        self._phone.settings.put("secure", "enabled_input_methods", ":".join(remaining))
        if chosen == identity:
            self._phone.settings.put("secure", "default_input_method", remaining[0] if remaining else "")
        if not remaining:
            self.hide()
        return True

    def set(self, identity: str) -> bool:
        """Select an enabled input method; False if it is not enabled."""
        if identity not in self.enabled:
            return False
        self._phone.settings.put("secure", "default_input_method", identity)
        self._phone.changed()
        return True

    def show(self, node: PlacedNode) -> None:
        """Show the keyboard, if there is one, for a field that got the focus."""
        if isinstance(node.widget, w.TextField) and self.enabled:
            self.shown = True
            self.action = node.widget.action
            self.wants_digits = node.widget.input_type in _DIGITS
            record = self._phone.activities.resumed
            for state in (record.state, record.dialog_state) if record is not None else ():
                if state.focused == node.key_path:
                    state.reveal = node.key_path  # the keyboard may cover it
            self._phone.changed()

    def serves(self, node: PlacedNode) -> bool:
        """Return whether the keyboard is shown for a text field that is in full view and has the focus."""
        widget = node.widget
        return (
            isinstance(widget, w.TextField)
            and self.shown
            and node.focused
            and node.visible == node.bounds
            and (self.action, self.wants_digits) == (widget.action, widget.input_type in _DIGITS)
        )

    def show_for_focus(self) -> bool:
        """Show the keyboard for the focused field; False without one."""
        found = self.field()
        if found is not None:
            self.show(found[1])
        return found is not None

    def hide(self, *, drop_focus: bool = False) -> bool:
        """Hide the keyboard; return whether it was shown."""
        was, self.shown = self.shown, False
        if drop_focus:
            record = self._phone.activities.resumed
            if record is not None:
                record.state.focused = record.dialog_state.focused = None
        if was or drop_focus:
            self._phone.changed()
        return was

    def field(self) -> tuple[PlacedWindow, PlacedNode, w.TextField] | None:
        """Return the focused text field, or None."""
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
        """Append text to the focused field; False without one."""
        found = self.field()
        if found is None:
            return False
        drops = self._phone.faults.active("text-drops")
        if drops is not None:
            step = int(str(drops.get("every", 5)))
            text = "".join(char for position, char in enumerate(text, start=1) if position % step)
        return self._change(found[2].text + text)

    def type_key(self, char: str) -> None:
        """Press a key of the soft keyboard."""
        self.commit_text(char)

    def press_action(self) -> None:
        """Press the action key of the soft keyboard."""
        self.perform_editor_action()

    def clear(self) -> bool:
        """Clear the focused field; False without one."""
        return self._change("")

    def backspace(self) -> None:
        """Delete the last character."""
        found = self.field()
        if found is not None and found[2].text:
            self._change(found[2].text[:-1])

    def perform_editor_action(self) -> bool:
        """Perform the focused field's editor action, as Enter does; False without a focused field."""
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
