"""The harness beside a model: pictures, elements as text, whole requests, and replies that are read."""

from __future__ import annotations

import functools
from collections.abc import Callable

from benchmarks.phone import visited
from benchmarks.pictures import preparing
from benchmarks.report import Measure, median_ms, worked_ms
from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.coordinates import View
from garabench.agents.dialects.reply import LONGEST_REPLY
from garabench.agents.interface import Brief, Decision, Turn
from garabench.agents.modes.elements import elements_of
from garabench.agents.modes.marks import Mark
from garabench.agents.modes.prompting import Prompter
from garabench.agents.profiles import built_in
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
"""What long replies repeat to be read slowly."""


def _observed(profile: str) -> Observation:
    """The screen of a phone on which every app was opened."""
    phone = visited(profile)
    size = phone.display.current_size
    screen = Size(size.width, size.height)
    tree = parse_tree(dump.u2_xml(phone.scene()))
    picture = Screenshot(phone.frame().png(), screen)
    return Observation(3, tree, picture, Focus("tv.danmaku.bili", ""), TreeSource.U2, "", 0.0, screen)


def prompting(
    profile: str = "android-34:1080x2400", *, times: int = 9, longest: int = LONGEST_REPLY
) -> list[Measure]:
    """What each rule for pictures, each way of asking and reading a reply of the longest length costs."""
    seen = _observed(profile)
    found = elements_of(seen.tree, seen.screen)
    marks = [Mark(number, element.rect) for number, element in enumerate(found)]
    pictures = preparing(seen.screenshot.png, seen.screen, marks, times=times)
    return [*pictures, *_requests(seen, times), *reading(times=times), *hostile(characters=longest // 2)]


def _requests(seen: Observation, times: int) -> list[Measure]:
    """Whole requests after ten steps, without the picture and with all there is."""
    brief = Brief("在哔哩哔哩搜索“稻香”", "zh", "tv.danmaku.bili", 15, seen.screen, 0)
    turns = [Turn(Decision(Tap(x=540, y=1200), "open the first video"), True)] * 10

    def asking(name: str) -> Callable[[], object]:
        prompter = Prompter(built_in()[name])
        return lambda: prompter.prepare(brief, seen, turns)

    return [
        Measure(
            f"a request of {name}",
            median_ms(asking(name), times),
            "ms",
            note=f"{built_in()[name].input}, ten steps",
        )
        for name in ("t3a", "gpt-4o", "ui-tars-1.5-7b")
    ]


def reading(*, times: int = 9) -> list[Measure]:
    """The slowest dialect's reply: an action with a long thought."""
    screen, place = Size(1080, 2400), Rect(0, 1100, 1080, 1300)
    thought = "I look for it. " * 60
    taken = {}
    for name, dialect in DIALECTS.items():
        view = View(screen, dialect.image.size(screen), (place,))
        text = dialect.render(Tap(x=place.center.x, y=place.center.y), view, thought)
        if text is not None:
            taken[name] = median_ms(functools.partial(dialect.parse, text, view), times)
    slowest = max(taken, key=lambda name: taken[name])
    return [Measure("a reply is read", taken[slowest], "ms", REPLY_MS, note=f"{slowest}, the slowest of all")]


def hostile(*, characters: int = LONGEST_REPLY // 2) -> list[Measure]:
    """What reading the slowest of long replies without sense takes, and the same of twice the length."""
    taken: dict[tuple[str, str], float] = {}
    for name, dialect in DIALECTS.items():
        view = View(Size(1080, 2400), Size(1080, 2400))
        for unit in HOSTILE:
            text = "Action: " + unit * (characters // len(unit))
            taken[name, unit] = worked_ms(functools.partial(dialect.parse, text, view), 1)
    name, unit = max(taken, key=lambda which: taken[which])
    view, sizes = View(Size(1080, 2400), Size(1080, 2400)), (characters, characters * 2 - 100)
    once, twice = (
        worked_ms(functools.partial(DIALECTS[name].parse, "Action: " + unit * (size // len(unit)), view), 5)
        for size in sizes
    )
    told = f"{name}: {unit!r} over and over"
    return [
        Measure(f"the slowest senseless reply of {sizes[1]:,} characters is read", twice, "ms", note=told),
        Measure("the same over one of half the length", twice / once, "x", 3, note="reading is linear"),
    ]
