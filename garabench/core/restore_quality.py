"""How well a restored state matches a checkpoint, from 0 to 1: elements, picture, window, rotation, keyboard.

The quality is the share of matching elements (`tree_similarity`), and for a quarter the share of the
picture's tiles that look the same, if the checkpoint has its picture: maps and images are in no tree. Another
window in focus or another rotation is another state, even with the same elements. The system's dialog about
an app that stopped is the same state with other words: after a second crash it says that the app keeps
stopping, and offers another button.
"""

from __future__ import annotations

from PIL import Image

from garabench.core import png
from garabench.core.checkpoint import Checkpoint
from garabench.core.observation import Observation
from garabench.core.tree import UiTree
from garabench.core.tree_similarity import tree_similarity

OTHER_STATE = 0.5
"""The most that the quality can be if the window in focus or the rotation differs; below the minimum."""
_CLOSE_APP, _WAIT = "android:id/aerr_close", "android:id/aerr_wait"
"""Buttons of the system's dialogs about an app; that about an app that does not respond has both."""
_PICTURE_SHARE = 0.25
_NO_KEYBOARD = 0.95
_TILES = (24, 48)
_TILE_TOLERANCE = 10
"""Levels of 256 by which the mean brightness of two tiles may differ."""
_STATUS_BAR = 0.05
"""Share of the picture's height, at the top, that is not compared: its clock goes on."""


def restore_quality(checkpoint: Checkpoint, restored: Observation) -> tuple[float, str]:
    """Return the quality, and what differs in words; nothing differs in an equal state.

    Args:
        checkpoint: The recorded state.
        restored: The restored state.
    """
    found: list[str] = []
    quality = 1.0
    stopped = _stopped_app(checkpoint.tree) and _stopped_app(restored.tree)
    if restored.tree.signature != checkpoint.signature and not stopped:
        quality = tree_similarity(restored.tree, checkpoint.tree)
        if quality < 1:
            found.append(f"{quality:.0%} of the elements match")
    picture = None if stopped else _compare_pictures(checkpoint, restored)
    if picture is not None:
        quality = (1 - _PICTURE_SHARE) * quality + _PICTURE_SHARE * picture
        if picture < 1:
            found.append(f"{picture:.0%} of the picture matches")
    if has_keyboard(restored) != checkpoint.keyboard:
        quality *= _NO_KEYBOARD
        found.append(f"the keyboard is {'closed' if checkpoint.keyboard else 'open'}")
    if restored.focus != checkpoint.focus:
        quality = min(quality, OTHER_STATE)
        found.append(f"the focus is {restored.focus}, not {checkpoint.focus}")
    if restored.tree.rotation != checkpoint.rotation:
        quality = min(quality, OTHER_STATE)
        found.append(f"the rotation is {restored.tree.rotation}, not {checkpoint.rotation}")
    return round(quality, 4), "; ".join(found)


def _stopped_app(tree: UiTree) -> bool:
    """Return whether the system's dialog about an app that stopped is shown (Android 7 and later)."""
    shown = {node.resource_id for node in tree.app_nodes}
    return _CLOSE_APP in shown and _WAIT not in shown


def has_keyboard(observation: Observation) -> bool:
    """Return whether a keyboard is on an observed screen."""
    return Checkpoint(0, "", observation.focus, observation.tree).keyboard


def _compare_pictures(checkpoint: Checkpoint, restored: Observation) -> float | None:
    """Return the similarity of the pictures; None if the checkpoint has none."""
    if not checkpoint.picture:
        return None
    return picture_similarity(checkpoint.picture, restored.screenshot.png)


def picture_similarity(one: bytes, other: bytes) -> float | None:
    """Return the share of tiles that look the same in two PNG pictures; None if one cannot be read."""
    if one == other:
        return 1.0
    left, right = _tiles(one), _tiles(other)
    if left is None or right is None:
        return None
    same = sum(abs(a - b) <= _TILE_TOLERANCE for a, b in zip(left, right, strict=True))
    return same / len(left)


def _tiles(data: bytes) -> bytes | None:
    """Return the mean brightness of each tile below the status bar."""
    picture = png.decode_png(data)
    if picture is None:
        return None
    top = round(picture.height * _STATUS_BAR)
    below = picture.convert("L").crop((0, top, picture.width, picture.height))
    return below.resize(_TILES, Image.Resampling.BOX).tobytes()
