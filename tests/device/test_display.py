"""The display's size and rotation, as Android versions print them."""

from __future__ import annotations

import pytest

from garabench.core.geometry import Size
from garabench.device.display import DisplayState, parse_display, screen_size

KITKAT = """\
WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)
  Display: mDisplayId=0
    init=800x600 160dpi cur=600x800 app=600x752 rng=600x552-800x752
    layoutNeeded=false
  mRotation=1 mAltOrientation=false
  mLastWindowForcedOrientation=-1 mForcedAppOrientation=-1
"""
NEWER = """\
  Display: mDisplayId=0 rootTasks=4
    init=1080x2400 420dpi mMinSizeOfResizeableTaskDp=220 base=720x1280 320dpi cur=1280x720 app=1280x648
  DisplayRotation
    mCurrentAppOrientation=SCREEN_ORIENTATION_UNSPECIFIED
    mLandscapeRotation=ROTATION_90 mSeascapeRotation=ROTATION_270
    mRotation=ROTATION_270 mDeferredRotationPauseCount=0
  Display: mDisplayId=2 rootTasks=1
    init=640x480 160dpi cur=640x480 app=640x480
    mRotation=ROTATION_0
"""


@pytest.mark.parametrize(
    ("text", "display"),
    [
        (KITKAT, DisplayState(Size(600, 800), 1)),
        (NEWER, DisplayState(Size(1280, 720), 3)),
        ("  cur=720x1280\n  mCurrentRotation=ROTATION_0\n", DisplayState(Size(720, 1280), 0)),
        ("  cur=720x1280\n  mUserRotation=1\n", DisplayState(Size(720, 1280), None)),
        ("  mRotation=1\n", None),
        ("", None),
    ],
)
def test_the_first_display_is_parsed(text: str, display: DisplayState | None) -> None:
    assert parse_display(text) == display


TALL, WIDE = Size(720, 1280), Size(1280, 720)


@pytest.mark.parametrize(
    ("display", "rotation", "size"),
    [
        (None, 0, TALL),
        (None, 1, WIDE),
        (None, 2, TALL),
        (DisplayState(WIDE, 1), 1, WIDE),
        (DisplayState(WIDE, None), 1, WIDE),
        (DisplayState(WIDE, 1), 0, TALL),
        (DisplayState(WIDE, 1), 3, WIDE),
        (DisplayState(Size(600, 800), 0), 0, Size(600, 800)),
    ],
)
def test_the_screen_has_the_trees_rotation(display: DisplayState | None, rotation: int, size: Size) -> None:
    assert screen_size(display, TALL, rotation) == size
