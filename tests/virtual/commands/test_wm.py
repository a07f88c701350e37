from __future__ import annotations

import pytest

from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone

SIZE = {"android-19": "720x1280", "android-30": "1080x2400", "android-34": "1080x2400"}
DENSITY = {"android-19": 320, "android-30": 420, "android-34": 420}


@pytest.mark.parametrize("profile", ["android-19", "android-30", "android-34"])
def test_size_and_density_print_an_override_only_if_set(profile: str) -> None:
    physical = f"Physical size: {SIZE[profile]}\n"
    assert on_phone("wm size", profile=profile) == (physical, "", 0)
    out = physical + "Override size: 600x1000\n"
    assert on_phone("wm size 600x1000; wm size", profile=profile) == (out, "", 0)
    assert on_phone("wm size 600x1000; wm size reset; wm size", profile=profile) == (physical, "", 0)
    assert on_phone(f"wm size {SIZE[profile]}; wm size", profile=profile) == (physical, "", 0)
    dense = f"Physical density: {DENSITY[profile]}\n"
    assert on_phone("wm density", profile=profile) == (dense, "", 0)
    assert on_phone("wm density 240; wm density", profile=profile) == (
        dense + "Override density: 240\n",
        "",
        0,
    )
    assert on_phone("wm density 240; wm density reset; wm density", profile=profile) == (dense, "", 0)


@pytest.mark.parametrize(
    ("line", "out"),
    [
        ("wm size 10x99999; wm size", "Physical size: 1080x2400\nOverride size: 200x4800\n"),
        ("wm size 400dpx800dp; wm size", "Physical size: 1080x2400\nOverride size: 1050x2100\n"),
        ("wm size 600x900 -d 0; wm size -d 0", "Physical size: 1080x2400\nOverride size: 600x900\n"),
        ("wm user-rotation; wm user-rotation lock 1; wm user-rotation", "lock 0\nlock 1\n"),
        ("wm user-rotation free; wm user-rotation", "free\n"),
        ("wm dismiss-keyguard", ""),
    ],
)
def test_forms_of_newer_versions(line: str, out: str) -> None:
    for profile in ("android-30", "android-34"):
        assert on_phone(line, profile=profile) == (out, "", 0)


@pytest.mark.parametrize(
    ("line", "new", "old"),
    [
        ("wm size x", "bad size x", "bad size x"),
        ("wm size 12x", "bad size 12x", "bad size 12x"),
        (
            "wm size 1xa",
            'bad number java.lang.NumberFormatException: For input string: "a"',
            'bad number java.lang.NumberFormatException: Invalid int: "a"',
        ),
        (
            "wm density x",
            'bad number java.lang.NumberFormatException: For input string: "x"',
            'bad number java.lang.NumberFormatException: Invalid int: "x"',
        ),
        ("wm density 71", "density must be >= 72", "density must be >= 72"),
    ],
)
def test_invalid_values(line: str, new: str, old: str) -> None:
    for profile in ("android-30", "android-34"):
        assert on_phone(line, profile=profile) == ("", f"Error: {new}\n", 255)
    assert on_phone(line, profile="android-19") == ("", f"Error: {old}\n", 0)


def test_invalid_rotations() -> None:
    assert on_phone("wm user-rotation lock 7") == ("", "Error: rotation value 7 is not supported\n", 255)
    assert on_phone("wm user-rotation up")[1:] == (
        "Error: argument needs to be either -d, free or lock, but we get up\n",
        255,
    )


def test_unknown_verbs_by_version() -> None:
    assert on_phone("wm nope") == ("Unknown command: nope\n", "", 255)
    assert on_phone("wm")[0].startswith("Window manager (window) commands:\n")
    for verb in ("nope", "user-rotation", "dismiss-keyguard"):
        out, err, status = on_phone(f"wm {verb}", profile="android-19")
        assert (out, status, err.splitlines()[-1]) == ("", 0, f"Error: unknown command '{verb}'")


def test_an_override_changes_the_display_itself() -> None:
    phone = toys.phone()
    toys.start(phone)
    before = toys.node(phone, resource_id="toy.app:id/count").bounds
    on_phone("wm size 720x1280; wm density 320", phone=phone)
    assert (phone.scene().size.width, phone.scene().size.height) == (720, 1280)
    assert phone.frame().size == phone.scene().size
    assert toys.node(phone, resource_id="toy.app:id/count").bounds.height < before.height
    on_phone("wm size reset; wm density reset", phone=phone)
    assert toys.node(phone, resource_id="toy.app:id/count").bounds == before
