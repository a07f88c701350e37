"""A checkpoint of an episode: the state before one of its steps, and the result of restoring it.

A device is brought to a checkpoint by a reset and a replay of the steps before it, with the recorded
interruptions at the same points, or by a snapshot that was saved there. How similar the restored state is to
the recorded one is measured by `garabench.core.restore_quality`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from garabench.core.action import Action
from garabench.core.observation import Focus
from garabench.core.tree import UiTree, is_system

MIN_RESTORE_QUALITY = 0.9
"""Below this similarity a restored state is not the recorded one, and what follows shows nothing."""

_IME_CLASS_PARTS = ("inputmethod", ".ime", "keyboard")


@dataclass(frozen=True, slots=True)
class PrefixStep:
    """A recorded step before a checkpoint.

    Attributes:
        step: Its number in the episode, from 0.
        tree: The screen on which the agent decided; a replay finds the action's target again by it.
        action: The action, in device pixels of that screen.
        ok: Whether the action could be performed.
    """

    step: int
    tree: UiTree = field(repr=False)
    action: Action
    ok: bool = True


@dataclass(frozen=True, slots=True)
class PrefixInterruption:
    """A recorded interruption before a checkpoint, or at its step.

    Attributes:
        step: The step at which it was injected.
        rule: The rule that fired; empty if a follow-up injected it.
        interruption: Its id.
        mode: ``dual`` or ``forced``.
        token: Its token in the recorded episode.
        sequence: Its position if the rule injects several in a row; 0 for a single one.
    """

    step: int
    rule: str
    interruption: str
    mode: str
    token: str
    sequence: int = 0


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The recorded state of a device before a step of an episode.

    Attributes:
        step: The step, from 0: the state in which the agent decided on it.
        app: Package of the task's app.
        focus: The focused window.
        tree: The UI tree; its rotation is the screen's orientation.
        screen: SHA-256 of the screenshot.
        picture: The screenshot as PNG; empty if the record has none.
        prefix: The steps before it, in order.
        interruptions: The interruptions up to this step, in order.
        uncovered: Whether an interruption that was still open may have been closed before this screen, as it
            is after the end of an episode.
    """

    step: int
    app: str
    focus: Focus
    tree: UiTree = field(repr=False)
    screen: str = ""
    picture: bytes = field(default=b"", repr=False)
    prefix: tuple[PrefixStep, ...] = ()
    interruptions: tuple[PrefixInterruption, ...] = ()
    uncovered: bool = False

    @property
    def signature(self) -> str:
        """Hash of the visible state."""
        return self.tree.signature

    @property
    def rotation(self) -> int:
        """The screen's orientation: 0 to 3, in quarter turns."""
        return self.tree.rotation

    @property
    def keyboard(self) -> bool:
        """Whether a keyboard is on screen."""
        return any(
            is_system(name) and any(part in name for part in _IME_CLASS_PARTS) for name in self.tree.packages
        )


RestoreMethod = Literal["snapshot", "replay", "none"]


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restore.

    Attributes:
        quality: Similarity of the restored state to the recorded one, 0 to 1; None if it was not reached.
        reason: Why it was not reached, or what differs; empty for an equal state.
        method: How it was restored.
        seconds: Duration.
    """

    quality: float | None
    reason: str = ""
    method: RestoreMethod = "none"
    seconds: float = 0.0

    @property
    def good(self) -> bool:
        """Whether the restored state counts as the recorded one."""
        return self.quality is not None and self.quality >= MIN_RESTORE_QUALITY
