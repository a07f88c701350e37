"""Which screens forbid screenshots, by what the virtual phone draws and by pictures of real shapes."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from garabench.agents.models.messages import ImagePart, TextPart
from garabench.core.png import encode_png
from garabench.core.tree import UiTree, is_system, parse_tree
from garabench.verifier.call_rendering import FrameParts
from garabench.verifier.judge_call import FrameContent
from garabench.verifier.secure_screen import BlackArea, black_area
from garabench.verifier.trajectory import TrajectoryFrame
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.ui.dump import u2_xml
from garabench.virtual.ui.render import draw_screen
from tests.verifier.judging import PROFILE

SIZE = (360, 800)
BAR = (0, 0, 360, 24)
KEYBOARD = (0, 500, 360, 800)


def picture(*lit: tuple[int, int, int, int], size: tuple[int, int] = SIZE, form: str = "PNG") -> bytes:
    """Return a black picture with bright rectangles."""
    image = Image.new("RGB", size)
    for box in lit:
        ImageDraw.Draw(image).rectangle(box, fill=(0, 0, 200))
    out = io.BytesIO()
    image.save(out, form)
    return out.getvalue()


def tree(*bounds: str) -> UiTree:
    """Return a tree with a text at each of the bounds, and a status bar with the time."""
    nodes = "".join(f'<node text="12" package="p.q" bounds="{each}"/>' for each in bounds)
    return parse_tree(
        f'<hierarchy rotation="0"><node package="p.q" bounds="[0,0][360,800]">{nodes}</node>'
        '<node package="com.android.systemui" text="9:00" bounds="[0,0][360,24]"/></hierarchy>'
    )


@pytest.mark.parametrize(
    ("shown", "texts", "expected"),
    [
        (picture(), None, BlackArea.SCREEN),
        (picture(BAR), None, BlackArea.SCREEN),
        (picture(BAR, form="JPEG"), None, BlackArea.SCREEN),
        (picture(BAR, (0, 760, 360, 800)), None, BlackArea.SCREEN),
        (picture(BAR, (0, 0, 360, 24), (760, 0, 800, 360), size=(800, 360)), None, BlackArea.SCREEN),
        (picture(BAR), tree("[20,100][200,140]"), BlackArea.SCREEN),
        (picture(BAR, KEYBOARD), tree("[20,100][200,140]"), BlackArea.ELEMENTS),
        (picture(BAR, KEYBOARD), None, BlackArea.NONE),
        (picture(BAR, KEYBOARD), tree(), BlackArea.NONE),
        (picture(BAR, (20, 100, 60, 120)), None, BlackArea.NONE),
        (picture(BAR, (20, 30, 60, 50)), tree("[20,28][200,60]"), BlackArea.NONE),
        (picture(BAR, (20, 100, 60, 120)), tree("[20,90][200,140]", "[20,300][200,340]"), BlackArea.NONE),
        (picture(BAR, KEYBOARD), tree("[0,0][360,20]", "[20,100][200,140]"), BlackArea.NONE),
        (b"not a picture", None, BlackArea.NONE),
        (b"", tree("[20,100][200,140]"), BlackArea.NONE),
    ],
)
def test_what_is_black_is_found_with_and_without_a_tree(
    shown: bytes, texts: UiTree | None, expected: BlackArea
) -> None:
    """A visible text, wherever it is, shows that a dark screen is not a secure one."""
    assert black_area(shown, texts) is expected


def test_a_secure_window_of_the_virtual_phone_is_found_under_its_status_bar() -> None:
    phone = Phone(Profile.parse("android-30:720x1280"), apps=installed_apps())
    scene = phone.scene()
    secure = dataclasses.replace(
        scene,
        windows=tuple(
            window if is_system(window.package) else dataclasses.replace(window, secure=True)
            for window in scene.windows
        ),
    )
    assert draw_screen(secure).getbbox() is not None  # the status bar is drawn
    seen = parse_tree(u2_xml(scene))
    for with_tree in (seen, None):
        assert black_area(encode_png(draw_screen(secure)), with_tree) is BlackArea.SCREEN
        assert black_area(encode_png(draw_screen(scene)), with_tree) is BlackArea.NONE


def test_a_judge_gets_no_black_picture_and_knows_of_black_elements(tmp_path: Path) -> None:
    file, nodes = tmp_path / "picture.png", tmp_path / "tree.xml"
    nodes.write_text(
        '<hierarchy rotation="0"><node package="p.q" bounds="[0,0][360,800]">'
        '<node text="PIN" package="p.q" bounds="[20,100][200,140]"/></node></hierarchy>',
        encoding="utf-8",
    )

    def parts(*lit: tuple[int, int, int, int]) -> tuple[list[str], int]:
        file.write_bytes(picture(*lit))
        frame = TrajectoryFrame(index=0, step=0, picture_sha256="0", picture=file, tree=nodes)
        found = FrameParts(PROFILE).of(FrameContent(frame))
        texts = [part.text for part in found if isinstance(part, TextPart)]
        return texts, sum(isinstance(part, ImagePart) for part in found)

    black, images = parts(BAR)
    assert images == 0 and any("forbids screenshots of this screen" in text for text in black)
    partly, images = parts(BAR, KEYBOARD)
    assert images == 1 and any("its elements are black" in text for text in partly)
    usual, images = parts(BAR, (20, 100, 60, 120))
    assert images == 1 and not any("forbids" in text for text in usual)
    assert all('"PIN"' in texts[-1] for texts in (black, partly, usual))
