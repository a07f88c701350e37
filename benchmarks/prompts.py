"""The prompt pipeline of model agents: pictures, elements as text, whole requests, and parsing of replies."""

from __future__ import annotations

import functools
from collections.abc import Callable

from benchmarks.phone import phone_with_open_apps
from benchmarks.pictures import measure_pictures
from benchmarks.report import Measure, cpu_ms, median_ms
from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.dialects.reply import MAX_REPLY_LENGTH
from garabench.agents.interface import Brief, Decision, Turn
from garabench.agents.profiles import built_in
from garabench.agents.prompting.elements import elements_of
from garabench.agents.prompting.request import RequestBuilder
from garabench.agents.prompting.set_of_marks import ElementMark
from garabench.core.action import Tap
from garabench.core.geometry import Rect, Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import parse_tree
from garabench.virtual.ui import dump

REPLY_MS = 1
HOSTILE = (
    "a",
    "_",
    "{",
    '{"a":',
    "{“\\n",
    "'",
    "' ",
    "Action:",
    "\nAction: ",
    "é### Action ###",
    "<think></think>",
    "9",
    "a()",
)
"""Units that are repeated to build long replies that are slow to parse."""


def _observation(profile: str) -> Observation:
    """Return the screen of a phone on which every app was opened."""
    phone = phone_with_open_apps(profile)
    size = phone.display.current_size
    screen = Size(size.width, size.height)
    tree = parse_tree(dump.u2_xml(phone.scene()))
    picture = Screenshot(phone.frame().png(), screen)
    return Observation(3, tree, picture, Focus("tv.danmaku.bili", ""), TreeSource.U2, "", 0.0, screen)


def measure_prompts(
    profile: str = "android-34:1080x2400", *, times: int = 9, longest: int = MAX_REPLY_LENGTH
) -> list[Measure]:
    """Measure every image rule, request form and the parsing of replies up to the maximum length."""
    observation = _observation(profile)
    found = elements_of(observation.tree, observation.screen)
    marks = [ElementMark(number, element.rect) for number, element in enumerate(found)]
    pictures = measure_pictures(observation.screenshot.png, observation.screen, marks, times=times)
    return [
        *pictures,
        *_requests(observation, times),
        *measure_parsing(times=times),
        *measure_hostile_replies(characters=longest // 2),
    ]


def _requests(observation: Observation, times: int) -> list[Measure]:
    """Measure whole requests after ten steps, in several forms."""
    brief = Brief("在哔哩哔哩搜索“稻香”", "zh", "tv.danmaku.bili", 15, observation.screen, 0)
    turns = [Turn(Decision(Tap(x=540, y=1200), "open the first video"), True)] * 10

    def preparing(name: str) -> Callable[[], object]:
        prompter = RequestBuilder(built_in()[name])
        return lambda: prompter.prepare(brief, observation, turns)

    return [
        Measure(
            f"a request of {name}",
            median_ms(preparing(name), times),
            "ms",
            note=f"{built_in()[name].input}, ten steps",
        )
        for name in ("t3a", "gpt-4o", "ui-tars-1.5-7b")
    ]


def measure_parsing(*, times: int = 9) -> list[Measure]:
    """Measure parsing a reply with an action and a long thought, in the slowest dialect."""
    screen, bounds = Size(1080, 2400), Rect(0, 1100, 1080, 1300)
    thought = "I look for it. " * 60
    durations = {}
    for name, dialect in DIALECTS.items():
        view = ScreenView(screen, dialect.image.size(screen), (bounds,))
        text = dialect.render(Tap(x=bounds.center.x, y=bounds.center.y), view, thought)
        if text is not None:
            durations[name] = median_ms(functools.partial(dialect.parse, text, view), times)
    slowest = max(durations, key=lambda name: durations[name])
    return [
        Measure("parsing a reply", durations[slowest], "ms", REPLY_MS, note=f"{slowest}, the slowest of all")
    ]


def measure_hostile_replies(*, characters: int = MAX_REPLY_LENGTH // 2) -> list[Measure]:
    """Measure parsing the slowest long nonsense reply, also relative to one of half the length."""
    durations: dict[tuple[str, str], float] = {}
    for name, dialect in DIALECTS.items():
        view = ScreenView(Size(1080, 2400), Size(1080, 2400))
        for unit in HOSTILE:
            text = "Action: " + unit * (characters // len(unit))
            durations[name, unit] = cpu_ms(functools.partial(dialect.parse, text, view), 1)
    name, unit = max(durations, key=lambda which: durations[which])
    view, sizes = ScreenView(Size(1080, 2400), Size(1080, 2400)), (characters, characters * 2 - 100)
    once, twice = (
        cpu_ms(functools.partial(DIALECTS[name].parse, "Action: " + unit * (size // len(unit)), view), 5)
        for size in sizes
    )
    note = f"{name}: {unit!r} repeated"
    return [
        Measure(f"parsing the slowest nonsense reply of {sizes[1]:,} characters", twice, "ms", note=note),
        Measure("the same over half the length", twice / once, "x", 3, note="parsing is linear"),
    ]
