"""``dumpsys window`` of Android 4.4, as a real Android 4.4.2 prints it."""

from __future__ import annotations

import re

import pytest

from garabench.device import focus, foreground
from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone


@pytest.fixture
def phone() -> Phone:
    device = toys.phone("android-19")
    toys.start(device)
    return device


def dump(phone: Phone, line: str) -> str:
    return on_phone(f"dumpsys window {line}", phone=phone)[0]


def test_windows_have_the_fields_of_a_full_dump(phone: Phone) -> None:
    out = dump(phone, "windows")
    main = out.partition("u0 toy.app/toy.app.Main}:\n")[2].partition("\n  Window #")[0]
    for wanted in (
        r"^    mDisplayId=0 mSession=Session\{\w{8} \d+:u0a\d+\} mClient=android.os.BinderProxy@\w{8}$",
        r"^    mOwnerUid=\d+ mShowToOwnerOnly=true package=toy.app appop=NONE$",
        r"^    mBaseLayer=21000 mSubLayer=0 mAnimLayer=",
        r"^    Frames: containing=\[0,0\]\[720,1280\] parent=",
        r"^    WindowStateAnimator\{\w{8} toy.app/toy.app.Main\}:$",
    ):
        assert re.search(wanted, main, re.MULTILINE), wanted
    assert "isOnScreen" not in out
    assert "isVisible" not in out
    assert "u0 KeyguardScrim}:\n" in out
    assert "u0 NavigationBar}:\n" in out
    hidden = [
        re.search(r"Window\{\w{8} u0 (\S.*)\}:", block)[1]  # type: ignore[index]
        for block in out.split("  Window #")[1:]
        if "mHasSurface=false" in block
    ]
    assert hidden == [
        "SearchPanel",
        "Heads Up",
        "KeyguardScrim",
        "Keyguard",
        "InputMethod",
        "com.android.systemui.ImageWallpaper",
        "toy.home/toy.home.Home",
    ]
    numbers = re.findall(r"^  Window #(\d+) ", out, re.MULTILINE)
    assert numbers == [str(number) for number in range(9, -1, -1)]
    assert 240 <= len(out.splitlines()) <= 300


def test_twelve_lines_follow_the_focused_app(phone: Phone) -> None:
    lines = dump(phone, "windows").splitlines()
    at = next(index for index, line in enumerate(lines) if line.startswith("  mFocusedApp="))
    assert len(lines[at + 1 :]) == 12
    assert lines[at - 1].startswith("  mCurrentFocus=")


def test_hashes_have_eight_digits_and_belong_to_their_activity(phone: Phone) -> None:
    out = dump(phone, "windows")
    hashes = re.findall(r"\w+\{(\w+) (?:u0 |null|token=)", out)
    assert hashes
    assert {len(each) for each in hashes} == {8}
    first = re.findall(r"mCurrentFocus=(.*)", out)
    on_phone("am force-stop toy.app", phone=phone)
    toys.start(phone)
    assert re.findall(r"mCurrentFocus=(.*)", dump(phone, "windows")) != first


@pytest.mark.parametrize(("key", "locked"), [("", False), ("26; input keyevent 26", True)])
def test_the_policy_has_only_android_4_4s_fields(phone: Phone, key: str, locked: bool) -> None:
    if key:
        on_phone(f"input keyevent {key}", phone=phone)
    out = dump(phone, "policy")
    assert "mAwake" not in out
    assert "isKeyguardShowing" not in out
    assert f"\n    mShowingLockscreen={str(locked).lower()} mShowingDream=false" in out
    assert len(out.splitlines()) == 38
    found = foreground.parse_foreground(dump(phone, ""))
    assert found.locked is locked
    assert found.title == ("Keyguard" if locked else "toy.app/toy.app.Main")


def test_displays_have_boxes_and_tokens(phone: Phone) -> None:
    out = dump(phone, "displays")
    assert re.search(
        r"^    init=720x1280 320dpi cur=720x1280 app=\S+ rng=\d+x\d+-\d+x\d+$", out, re.MULTILINE
    )
    assert "\n  StackBox #0\n" in out
    assert "\n  StackBox #1\n" in out
    assert "\n  Application tokens in Z order:\n  App #2 AppWindowToken{" in out
    assert "mRotation" not in out


def test_the_readers_understand_the_dumps(phone: Phone) -> None:
    for line in ("", "windows"):
        found = focus.parse_window(dump(phone, line))
        assert found is not None
        assert (found.package, found.activity) == ("toy.app", "toy.app.Main")
    assert focus.parse_window(dump(phone, "displays")) is None
    phone.activities.resumed.activity.secure = True
    phone.changed()
    assert foreground.parse_foreground(dump(phone, "")).secure is True
