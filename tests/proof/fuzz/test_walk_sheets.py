"""Drawn walks, and the contact sheets by which a person assesses them."""

from __future__ import annotations

from PIL import Image

from garabench.core.steps import BackStep
from garabench.proof.fuzz.walk import ActionKind, FuzzedTask, FuzzWalk, Insertion, WalkResult, WalkVerdict
from garabench.proof.fuzz.walk_sheets import WalkScreen, draw_walks, verdict_table, walk_sheet
from garabench.suite.suite import Suite

TASK = "bili-like-song-live"


def fuzzed(*verdicts: WalkVerdict) -> FuzzedTask:
    back = Insertion(before=1, kind=ActionKind.RETURN, steps=(BackStep(),))
    walk = FuzzWalk(task=TASK, inserted=(back,))
    return FuzzedTask(
        task=TASK,
        walks=tuple(
            WalkResult(number=number, walk=walk, verdict=verdict, reason="a | b")
            for number, verdict in enumerate(verdicts, start=1)
        ),
    )


def test_as_many_accepted_as_refused_walks_are_drawn() -> None:
    task = fuzzed(*[WalkVerdict.ACCEPTED] * 9, *[WalkVerdict.REFUSED] * 3, WalkVerdict.BLOCKED)
    drawn = draw_walks([task], seed=1, each=4)
    assert [each.number for each in drawn] == list(range(1, 8))
    assert sum(each.accepted for each in drawn) == 4
    assert WalkVerdict.BLOCKED not in {each.result.verdict for each in drawn}
    assert drawn == draw_walks([task], seed=1, each=4)
    assert drawn != draw_walks([task], seed=2, each=4)


def test_the_table_has_a_row_per_walk() -> None:
    drawn = draw_walks([fuzzed(WalkVerdict.ACCEPTED, WalkVerdict.REFUSED)], seed=1, each=1)
    assert verdict_table(drawn).count(f"| {TASK} |") == 2
    assert "a / b" in verdict_table(drawn)


def test_a_sheet_has_a_row_of_screens_and_does_not_show_the_verdict() -> None:
    item = Suite.load().tasks[TASK]
    screen = Image.new("RGB", (240, 500), "#336699")
    one, nine = (
        walk_sheet(
            "1",
            item,
            [WalkScreen(screen, "tap: {id: frame_like}" if place else "") for place in range(count)],
        )
        for count in (1, 9)
    )
    assert nine.height > one.height + 500, "eight screens fit in a row"
    assert nine.getpixel((20, nine.height - 20)) == (0x33, 0x66, 0x99)
