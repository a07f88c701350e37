"""The follower sees only what it is sent, and rejects what does not fit."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.dialects.reply import ParsedReply
from garabench.agents.interface import Brief
from garabench.agents.models.codecs import completions
from garabench.agents.profiles import built_in
from garabench.agents.prompting.request import RequestBuilder
from garabench.core.action import Back, Tap
from garabench.core.geometry import Size
from garabench.core.observation import Screenshot
from garabench.testing.follower import Follower
from garabench.testing.http_error import ApiError
from garabench.testing.requests import ReceivedRequest
from garabench.testing.screen_index import ScreenIndex
from garabench.testing.validation import read_chat
from tests.bundled import bundled_suite
from tests.testing.images import make_image
from tests.testing.test_screen_index import Record, drawn, png
from tests.testing.test_screen_texts import observation

SIZE = Size(360, 800)
TASK = "bili-like-song-live"
SUITE = bundled_suite()
PROFILES = built_in()


@pytest.fixture
def follower(tmp_path: Path) -> Follower:
    Record(tmp_path / "run").add(drawn(1), "a page of nothing")
    return Follower(SUITE, ScreenIndex([tmp_path / "run"]), PROFILES)


def request_for(
    name: str, png_shown: bytes, instruction: str | None = None, **changed: object
) -> ReceivedRequest:
    text = instruction or next(iter(SUITE.tasks[TASK].task.instruction.values()))
    brief = Brief(text, "zh", "tv.danmaku.bili", 10, SIZE, 0)
    seen = dataclasses.replace(observation(("a",)), screenshot=Screenshot(png_shown, SIZE))
    profile = PROFILES[name].model_copy(update=changed)
    return read_chat(completions.body(RequestBuilder(profile).prepare(brief, seen, []).request), 1)


@pytest.mark.parametrize("name", ["ui-tars-1.5-7b", "qwen3-vl", "agentcpm-gui", "autoglm-phone"])
def test_a_known_screen_is_answered_in_the_dialect(name: str, follower: Follower) -> None:
    reply = follower.answer(request_for(name, png(drawn(1))))
    profile = PROFILES[name]
    view = ScreenView(SIZE, profile.tuned_dialect().image.size(SIZE))
    read = DIALECTS[profile.dialect].parse(reply.text, view)
    assert isinstance(read, ParsedReply)
    assert isinstance(read.action, Back)  # this is not the app
    assert "(note 1.1)" in read.thought


@pytest.mark.parametrize(
    ("shown", "reason"),
    [
        (make_image(360, 800, colour="black"), "shows no known screen"),
        (png(drawn(7)), "shows no known screen"),
    ],
)
def test_an_image_of_an_unknown_screen_is_rejected(follower: Follower, shown: bytes, reason: str) -> None:
    with pytest.raises(ApiError, match=reason) as caught:
        follower.answer(request_for("ui-tars-1.5-7b", shown))
    assert caught.value.status == 400


def test_an_image_of_the_wrong_size_is_rejected(follower: Follower) -> None:
    other = PROFILES["ui-tars-1.5-7b"].image.model_copy(update={"long_side": 500})
    with pytest.raises(ApiError, match=r"the image is 225x500; ui-tars-1.5 expects 364x812 for 360x800"):
        follower.answer(request_for("ui-tars-1.5-7b", png(drawn(1)), image=other))


def test_a_prompt_without_a_task_is_rejected(follower: Follower) -> None:
    with pytest.raises(ApiError, match="no instruction of a task"):
        follower.answer(request_for("ui-tars-1.5-7b", png(drawn(1)), "Do something else."))


def test_a_prompt_with_another_dialects_rules_is_rejected(follower: Follower) -> None:
    with pytest.raises(ApiError, match="does not state the rules of"):
        follower.answer(request_for("ui-tars-1.5-7b", png(drawn(1)), dialect="qwen2.5-vl"))


def test_an_unconfigured_model_is_unknown(follower: Follower) -> None:
    with pytest.raises(ApiError) as caught:
        follower.answer(request_for("ui-tars-1.5-7b", png(drawn(1)), model="another"))
    assert caught.value.status == 404


def test_rows_of_an_unknown_screen_are_rejected(follower: Follower) -> None:
    with pytest.raises(ApiError, match="its rows match no known screen"):
        follower.answer(request_for("t3a", png(drawn(1))))


def test_coordinates_refer_to_the_received_image(tmp_path: Path) -> None:
    """The center of the search bar, in the pixels of differently sized images of one screen."""
    from garabench.core.geometry import Rect
    from garabench.core.tree import UiNode, UiTree
    from tests.testing import test_screen_index

    bar = UiNode(resource_id="tv.danmaku.bili:id/expand_search", package="tv.danmaku.bili",
                 clickable=True, bounds=Rect(100, 40, 300, 80))  # fmt: skip
    record = Record(tmp_path / "run")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(test_screen_index, "tree", lambda text: UiTree((bar,)))
        record.add(drawn(1), "home")
    follower = Follower(SUITE, ScreenIndex([tmp_path / "run"]), PROFILES)
    for name in ("ui-tars-1.5-7b", "qwen3-vl", "gui-owl"):
        profile = PROFILES[name]
        reply = follower.answer(request_for(name, png(drawn(1))))
        read = profile.tuned_dialect().parse(
            reply.text, ScreenView(SIZE, profile.tuned_dialect().image.size(SIZE))
        )
        assert isinstance(read, ParsedReply) and isinstance(read.action, Tap), reply.text
        assert abs(read.action.x - 200) <= 1 and abs(read.action.y - 60) <= 1
