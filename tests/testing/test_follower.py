"""What a played model refuses: it sees only what it was sent."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from garabench.agents.chat import completions
from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.coordinates import View
from garabench.agents.dialects.reply import Parsed
from garabench.agents.interface import Brief
from garabench.agents.modes.prompting import Prompter
from garabench.agents.profiles import built_in
from garabench.campaign.suite import Suite
from garabench.core.action import Back, Tap
from garabench.core.geometry import Size
from garabench.core.observation import Screenshot
from garabench.testing.asked import Asked
from garabench.testing.follower import Follower
from garabench.testing.read import read_chat
from garabench.testing.refused import Refused
from garabench.testing.screens import KnownScreens
from tests.testing.pictures import picture
from tests.testing.test_screen_texts import observation
from tests.testing.test_screens import Record, drawn, png

SIZE = Size(360, 800)
TASK = "bili-like-song-live"
SUITE = Suite.load()
PROFILES = built_in()


@pytest.fixture
def follower(tmp_path: Path) -> Follower:
    Record(tmp_path / "run").keep(drawn(1), "a page of nothing")
    return Follower(SUITE, KnownScreens([tmp_path / "run"]), PROFILES)


def asked(name: str, png_shown: bytes, instruction: str | None = None, **changed: object) -> Asked:
    text = instruction or next(iter(SUITE.tasks[TASK].task.instruction.values()))
    brief = Brief(text, "zh", "tv.danmaku.bili", 10, SIZE, 0)
    seen = dataclasses.replace(observation(("a",)), screenshot=Screenshot(png_shown, SIZE))
    profile = PROFILES[name].model_copy(update=changed)
    return read_chat(completions.body(Prompter(profile).prepare(brief, seen, []).request), 1)


@pytest.mark.parametrize("name", ["ui-tars-1.5-7b", "qwen3-vl", "agentcpm-gui", "autoglm-phone"])
def test_a_known_screen_is_answered_in_the_dialect(name: str, follower: Follower) -> None:
    reply = follower.answer(asked(name, png(drawn(1))))
    profile = PROFILES[name]
    view = View(SIZE, profile.spoken().image.size(SIZE))
    read = DIALECTS[profile.dialect].parse(reply.text, view)
    assert isinstance(read, Parsed)
    assert isinstance(read.action, Back)  # this is not the app
    assert "(note 1.1)" in read.thought


@pytest.mark.parametrize(
    ("shown", "why"),
    [
        (picture(360, 800, colour="black"), "shows no screen that is known"),
        (png(drawn(7)), "shows no screen that is known"),
    ],
)
def test_a_picture_of_nothing_known_is_refused(follower: Follower, shown: bytes, why: str) -> None:
    with pytest.raises(Refused, match=why) as caught:
        follower.answer(asked("ui-tars-1.5-7b", shown))
    assert caught.value.status == 400


def test_a_picture_of_another_size_than_the_dialects_is_refused(follower: Follower) -> None:
    other = PROFILES["ui-tars-1.5-7b"].image.model_copy(update={"long_side": 500})
    with pytest.raises(Refused, match=r"the picture is 225x500; ui-tars-1.5 takes 364x812 of 360x800"):
        follower.answer(asked("ui-tars-1.5-7b", png(drawn(1)), image=other))


def test_a_prompt_without_a_task_is_refused(follower: Follower) -> None:
    with pytest.raises(Refused, match="the instruction of no task"):
        follower.answer(asked("ui-tars-1.5-7b", png(drawn(1)), "Do something else."))


def test_a_prompt_with_another_agents_rules_is_refused(follower: Follower) -> None:
    with pytest.raises(Refused, match="does not tell the rules of"):
        follower.answer(asked("ui-tars-1.5-7b", png(drawn(1)), dialect="qwen2.5-vl"))


def test_a_model_that_nobody_configured_is_unknown(follower: Follower) -> None:
    with pytest.raises(Refused) as caught:
        follower.answer(asked("ui-tars-1.5-7b", png(drawn(1)), model="another"))
    assert caught.value.status == 404


def test_rows_that_tell_of_no_known_screen_are_refused(follower: Follower) -> None:
    with pytest.raises(Refused, match="its rows tell of no screen"):
        follower.answer(asked("t3a", png(drawn(1))))


def test_places_are_counted_in_the_picture_that_arrived(tmp_path: Path) -> None:
    """The search bar's middle, in the pixels of two different pictures of the same screen."""
    from garabench.core.geometry import Rect
    from garabench.core.tree import UiNode, UiTree
    from tests.testing import test_screens

    bar = UiNode(resource_id="tv.danmaku.bili:id/expand_search", package="tv.danmaku.bili",
                 clickable=True, bounds=Rect(100, 40, 300, 80))  # fmt: skip
    record = Record(tmp_path / "run")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(test_screens, "tree", lambda text: UiTree((bar,)))
        record.keep(drawn(1), "home")
    follower = Follower(SUITE, KnownScreens([tmp_path / "run"]), PROFILES)
    for name in ("ui-tars-1.5-7b", "qwen3-vl", "gui-owl"):
        profile = PROFILES[name]
        reply = follower.answer(asked(name, png(drawn(1))))
        read = profile.spoken().parse(reply.text, View(SIZE, profile.spoken().image.size(SIZE)))
        assert isinstance(read, Parsed) and isinstance(read.action, Tap), reply.text
        assert abs(read.action.x - 200) <= 1 and abs(read.action.y - 60) <= 1
