"""Screens are found by the images or rows in a request."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from garabench.core.events import EpisodeEnded, EpisodeStarted, Observed, to_line
from garabench.core.geometry import Rect
from garabench.core.observation import Focus
from garabench.core.tree import UiNode, UiTree
from garabench.testing.screen_index import KnownScreen, ScreenIndex

SIZE = (360, 800)


def drawn(number: int, *, liked: bool = False) -> Image.Image:
    """Draw a page with its own rows and a small heart."""
    image = Image.new("RGB", SIZE, "white")
    pen = ImageDraw.Draw(image)
    for row in range(12):
        width = 40 + (row * 37 * (number + 1)) % 280
        pen.rectangle((20, 60 + row * 60, 20 + width, 90 + row * 60), fill=(30 * number % 255, 80, 20 * row))
    pen.ellipse((300, 700, 318, 718), fill="red" if liked else "grey")
    return image


def png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def tree(text: str) -> UiTree:
    return UiTree((UiNode(text=text, package="a.b", bounds=Rect(0, 0, *SIZE)),))


class Record:
    """The record of a running episode."""

    def __init__(self, run: Path, task: str = "some-task") -> None:
        self.folder = run / "episodes" / task / "agent" / "clean" / "0"
        for name in ("screens", "trees"):
            (self.folder / name).mkdir(parents=True)
        self.log = self.folder / "events.jsonl"
        start = EpisodeStarted(
            step=0, t=0, task=task, agent="a", condition="clean", seed=0, suite_hash="s", instruction="go"
        )
        self.log.write_text(to_line(start), encoding="utf-8")
        self.number = 0

    def add(self, image: Image.Image, text: str) -> None:
        names = f"trees/{self.number:03}.xml.gz", f"screens/{self.number:03}.png"
        (self.folder / names[0]).write_bytes(gzip.compress(tree(text).to_xml()))
        (self.folder / names[1]).write_bytes(png(image))
        event = Observed(
            step=self.number, t=0, tree=names[0], screen=names[1], package="a.b", activity="Page",
            source="uiautomator2", signature="",
        )  # fmt: skip
        with self.log.open("a", encoding="utf-8") as file:
            file.write(to_line(event))
        self.number += 1


@pytest.fixture
def record(tmp_path: Path) -> Record:
    return Record(tmp_path / "run")


@pytest.fixture
def index(tmp_path: Path) -> ScreenIndex:
    return ScreenIndex([tmp_path / "run", tmp_path / "none"])


def text_of(screen: KnownScreen | None) -> str | None:
    return None if screen is None else screen.tree.nodes[0].text


def test_a_screen_is_known_as_soon_as_it_is_recorded(record: Record, index: ScreenIndex) -> None:
    assert index.find(png(drawn(1))) is None
    record.add(drawn(1), "one")
    found = index.find(png(drawn(1)))
    assert found is not None
    assert (text_of(found), found.focus, found.size.width) == ("one", Focus("a.b", "Page"), SIZE[0])
    record.add(drawn(2), "two")
    assert text_of(index.find(png(drawn(2)))) == "two"
    assert text_of(index.find(png(drawn(1)))) == "one"


@pytest.mark.parametrize("size", [(180, 400), (196, 448), (720, 1600), (359, 799)])
def test_a_screen_is_known_at_any_size(record: Record, index: ScreenIndex, size: tuple[int, int]) -> None:
    for number in range(4):
        record.add(drawn(number), f"{number}")
        record.add(drawn(number, liked=True), f"{number} liked")
    for resampling in (Image.Resampling.HAMMING, Image.Resampling.BICUBIC):
        for number in range(4):
            assert text_of(index.find(png(drawn(number).resize(size, resampling)))) == f"{number}"
            liked = drawn(number, liked=True).resize(size, resampling)
            assert text_of(index.find(png(liked))) == f"{number} liked"


def test_a_jpeg_is_known(record: Record, index: ScreenIndex) -> None:
    record.add(drawn(1), "one")
    record.add(drawn(1, liked=True), "liked")
    out = io.BytesIO()
    drawn(1, liked=True).save(out, "JPEG", quality=80)
    assert text_of(index.find(out.getvalue())) == "liked"


def test_an_image_of_no_recorded_screen_is_unknown(record: Record, index: ScreenIndex) -> None:
    record.add(drawn(1), "one")
    assert index.find(png(Image.new("RGB", SIZE, "black"))) is None
    assert index.find(png(drawn(5))) is None
    assert index.find(png(drawn(1).rotate(180))) is None


def test_marks_are_redrawn_for_the_comparison(record: Record, index: ScreenIndex) -> None:
    def marked(image: Image.Image, colour: str) -> Image.Image:
        ImageDraw.Draw(image).rectangle((10, 10, 300, 600), outline=colour, width=20)
        return image

    colours = {"one": "red", "two": "green"}
    record.add(drawn(1), "one")
    record.add(drawn(2), "two")
    sent = marked(drawn(2), "green")
    redraw = lambda screen, image: marked(image, colours[text_of(screen) or ""])  # noqa: E731
    assert text_of(index.find(png(sent), redraw)) == "two"


def test_the_latest_of_identical_screens_is_found(record: Record, index: ScreenIndex) -> None:
    record.add(drawn(1), "one")
    record.add(drawn(1), "one again")
    assert text_of(index.find(png(drawn(1)))) == "one again"


def test_a_new_attempt_replaces_the_earlier_one(tmp_path: Path, record: Record, index: ScreenIndex) -> None:
    record.add(drawn(1), "one")
    assert text_of(index.find(png(drawn(1)))) == "one"
    record.folder.rename(tmp_path / "aside")
    again = Record(tmp_path / "run")
    again.add(drawn(2), "two")
    assert text_of(index.find(png(drawn(2)))) == "two"
    small = (180, 400)
    assert text_of(index.find(png(drawn(2).resize(small, Image.Resampling.HAMMING)))) == "two"


def test_a_broken_record_adds_no_screens(record: Record, index: ScreenIndex) -> None:
    record.add(drawn(1), "one")
    with record.log.open("a", encoding="utf-8") as file:
        file.write('{"type": "obs')
    assert text_of(index.find(png(drawn(1)))) == "one"
    with record.log.open("a", encoding="utf-8") as file:
        file.write("\nno json\n")
    record.add(drawn(2), "two")
    assert text_of(index.find(png(drawn(1)))) == "one"
    assert index.find(png(drawn(2))) is None


def test_a_screen_is_found_by_its_element_rows(record: Record, index: ScreenIndex) -> None:
    record.add(drawn(1), "one")
    record.add(drawn(2), "two")

    def describe(screen: KnownScreen) -> list[str]:
        return [f"text {text_of(screen)}", *(f"row {n}" for n in range(3))]

    assert text_of(index.find_by_rows(["text one", "row 0", "row 1", "row 2"], describe)) == "one"
    assert index.find_by_rows(["text three", "row 7"], describe) is None
    assert index.find_by_rows([], describe) is None


def test_episodes_that_show_a_screen_are_known_until_they_end(tmp_path: Path, index: ScreenIndex) -> None:
    one, other = Record(tmp_path / "run"), Record(tmp_path / "run", "other-task")
    for record in (one, other):
        record.add(drawn(1), "one")
    screen = index.find(png(drawn(1)))
    assert screen is not None
    ((place, shown),) = index.showing(screen, "some-task", "any").items()
    assert ("some-task" in place, shown) == (True, (screen,))
    one.add(drawn(2), "two")
    now = index.find(png(drawn(2)))
    assert now is not None
    assert [*index.showing(now, "some-task", "any").values()] == [(screen, now)]
    assert index.showing(screen, "some-task", "any") == {}
    end = EpisodeEnded(step=1, t=1, outcome="success", reason="goal_met", steps=1)
    with other.log.open("a", encoding="utf-8") as file:
        file.write(to_line(end))
    index.refresh()
    assert index.showing(screen, "other-task", "any") == {}
