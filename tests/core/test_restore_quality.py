from __future__ import annotations

import dataclasses

import pytest
from PIL import Image, ImageDraw

from garabench.core import png
from garabench.core.checkpoint import MIN_RESTORE_QUALITY, Checkpoint, Restored
from garabench.core.geometry import Rect, Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.restore_quality import OTHER_STATE, picture_similarity, restore_quality
from garabench.core.tree import UiNode, UiTree

HERE, THERE = Focus("com.example", ".Main"), Focus("com.example", ".Other")
KEYBOARD = UiNode(package="com.android.inputmethod.latin", bounds=Rect(0, 400, 240, 480))


def picture(*boxes: tuple[int, int, int, int]) -> bytes:
    image = Image.new("RGB", (240, 480), "#FFFFFF")
    for box in boxes:
        ImageDraw.Draw(image).rectangle(box, fill="#000000")
    return png.encode_png(image)


def screen(*texts: str, keyboard: bool = False, rotation: int = 0) -> UiTree:
    nodes = tuple(UiNode(text=text, package="com.example", bounds=Rect(0, 0, 240, 40)) for text in texts)
    root = UiNode(package="com.example", bounds=Rect(0, 0, 240, 480), children=nodes)
    return UiTree((root, KEYBOARD) if keyboard else (root,), rotation)


def seen(tree: UiTree, shot: bytes = b"", focus: Focus = HERE) -> Observation:
    return Observation(
        step=0,
        tree=tree,
        screenshot=Screenshot(png=shot or picture(), size=Size(240, 480)),
        focus=focus,
        source=TreeSource.U2,
        source_reason="",
        elapsed=0,
        screen=Size(240, 480),
        rotation=tree.rotation,
    )


CHECKPOINT = Checkpoint(3, "com.example", HERE, screen("a", "b", "c"))


def test_an_equal_state_has_full_quality() -> None:
    pictured = dataclasses.replace(CHECKPOINT, picture=picture())
    assert restore_quality(CHECKPOINT, seen(screen("a", "b", "c"))) == (1.0, "")
    assert restore_quality(pictured, seen(screen("a", "b", "c"))) == (1.0, "")


def dialog(text: str, *buttons: str) -> UiTree:
    """Return the system's dialog about an app."""
    nodes = [UiNode(text=text, package="android", bounds=Rect(0, 0, 240, 40))]
    nodes += [UiNode(resource_id=f"android:id/aerr_{each}", package="android") for each in buttons]
    return UiTree(tuple(nodes), 0)


def test_the_dialog_about_an_app_that_keeps_stopping_is_that_of_its_first_crash() -> None:
    first = dialog("Shop has stopped", "restart", "close")
    checkpoint = Checkpoint(3, "com.example", HERE, first, picture=picture())
    again = seen(dialog("Shop keeps stopping", "app_info", "close"), picture((0, 40, 240, 480)))
    assert restore_quality(checkpoint, again) == (1.0, "")
    silent = seen(dialog("Shop isn't responding", "close", "wait"))
    for restored in (silent, seen(screen("a"))):
        assert restore_quality(checkpoint, restored)[0] < MIN_RESTORE_QUALITY
    other = dataclasses.replace(again, focus=THERE)
    assert restore_quality(checkpoint, other)[0] == OTHER_STATE, "another app's dialog"


@pytest.mark.parametrize(
    ("restored", "quality", "difference"),
    [
        (seen(screen("a", "b")), 2 * 3 / 7, "86% of the elements match"),
        (seen(screen("x", "y", "z")), 2 / 8, "25% of the elements match"),
        (seen(screen("a", "b", "c", keyboard=True)), 0.95, "the keyboard is open"),
        (seen(screen("a", "b", "c"), focus=THERE), OTHER_STATE, f"the focus is {THERE}, not {HERE}"),
        (seen(screen("a", "b", "c", rotation=1)), OTHER_STATE, "the rotation is 1, not 0"),
    ],
)
def test_a_difference_lowers_the_quality_and_is_described(
    restored: Observation, quality: float, difference: str
) -> None:
    found, why = restore_quality(CHECKPOINT, restored)
    assert found == pytest.approx(quality, abs=1e-4)
    assert difference in why


def test_what_is_in_no_tree_shows_in_the_picture() -> None:
    pictured = dataclasses.replace(CHECKPOINT, picture=picture((0, 240, 239, 479)))
    quality, difference = restore_quality(pictured, seen(screen("a", "b", "c"), picture()))
    assert 0.8 < quality < MIN_RESTORE_QUALITY
    assert "of the picture matches" in difference


def test_the_clock_in_the_status_bar_does_not_count() -> None:
    assert picture_similarity(picture((0, 0, 100, 15)), picture()) == 1.0
    half = picture_similarity(picture((0, 24, 239, 251)), picture())
    assert half is not None
    assert half == pytest.approx(0.5, abs=0.02)


def test_a_broken_picture_is_left_out() -> None:
    assert picture_similarity(b"no picture", picture()) is None
    broken = dataclasses.replace(CHECKPOINT, picture=b"no picture")
    assert restore_quality(broken, seen(screen("a", "b", "c"))) == (1.0, "")


def test_a_state_that_was_not_reached_is_not_good() -> None:
    assert Restored(MIN_RESTORE_QUALITY).good
    assert not Restored(MIN_RESTORE_QUALITY - 0.01).good
    assert not Restored(None, "the device refused").good
