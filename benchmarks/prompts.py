"""The harness beside a model: pictures, elements as text, whole requests, and replies that are read."""

from __future__ import annotations

import functools
from collections.abc import Callable

from benchmarks.phone import visited
from benchmarks.report import Measure, median_ms
from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.coordinates import View
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.interface import Brief, Decision, Turn
from garabench.agents.modes.elements import elements_of
from garabench.agents.modes.marks import Mark
from garabench.agents.modes.pictures import prepare
from garabench.agents.modes.prompting import Prompter
from garabench.agents.profile import ImageOptions
from garabench.agents.profiles import built_in
from garabench.core.action import Tap
from garabench.core.geometry import Rect, Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import parse_tree
from garabench.virtual.ui import dump

PICTURE_MS = 60
REPLY_MS = 1


def _observed(profile: str) -> Observation:
    """The screen of a phone on which every app was opened."""
    phone = visited(profile)
    size = phone.display.current_size
    screen = Size(size.width, size.height)
    tree = parse_tree(dump.u2_xml(phone.scene()))
    picture = Screenshot(phone.frame().png(), screen)
    return Observation(3, tree, picture, Focus("tv.danmaku.bili", ""), TreeSource.U2, "", 0.0, screen)


def prompting(profile: str = "android-34:1080x2400", *, times: int = 9) -> list[Measure]:
    """What each rule for pictures and each way of asking costs."""
    seen = _observed(profile)
    found = elements_of(seen.tree, seen.screen)
    marks = [Mark(number, element.rect) for number, element in enumerate(found)]
    pictures: dict[Size, Dialect] = {}
    for dialect in DIALECTS.values():
        pictures.setdefault(dialect.image.size(seen.screen), dialect)
    measures = [
        Measure(
            f"picture {seen.screen} to {size}",
            median_ms(_preparing(seen, name, marks=()), times),
            "ms",
            PICTURE_MS,
            note=f"as for {name}",
        )
        for size, name in ((size, dialect.name) for size, dialect in pictures.items())
    ]
    measures.append(
        Measure(
            f"the same to {DIALECTS['json'].image.size(seen.screen)} with {len(marks)} marks",
            median_ms(_preparing(seen, "json", marks), times),
            "ms",
            PICTURE_MS,
        )
    )
    return [*measures, *_requests(seen, times), *reading(times=times)]


def _preparing(seen: Observation, name: str, marks: tuple[Mark, ...] | list[Mark]) -> Callable[[], object]:
    rule = DIALECTS[name].image
    return lambda: prepare(seen.screenshot.png, rule, ImageOptions(), marks)


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
