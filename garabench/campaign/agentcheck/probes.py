"""The five short episodes of a check: each tries one wire of an agent."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from garabench.agents.interface import Agent, Decision
from garabench.campaign.agentcheck import words
from garabench.campaign.agentcheck.board import Board, buttons, lines, top_inset
from garabench.campaign.agentcheck.coordinates import LEAST_PAIRS, Confusion, Diagnosis, Pair, diagnose
from garabench.campaign.agentcheck.play import Played, play
from garabench.campaign.agentcheck.results import Finding, Grade, Probe
from garabench.core import action as act
from garabench.core.geometry import Point
from garabench.core.interruption import Interruption, Mode
from garabench.core.observation import Observation
from garabench.core.seeds import generator
from garabench.interruptions.inject import inject
from garabench.interruptions.lifecycle import parse_event
from garabench.interruptions.plan import LOG_TAG, make_token, plan

COLUMNS, ROWS = 5, 8
BUTTONS = COLUMNS * ROWS
_FIRST, _GOAL, _LINES = 40, 70, 100
_STEPS = {Probe.TEXT: 4, Probe.SCROLL: 8, Probe.DONE: 2, Probe.INTERRUPTION: 5}
_MISSED = 2
"""Decisions without a tap after which the next button is asked for."""

SAMPLES: Mapping[str, str] = {
    "ASCII": "Hello, World 42",
    "Chinese": "你好，世界",
    "spaces and an emoji": "two  words 🙂",
    "a line break": "one\ntwo",
}
"""What is typed, by what is special about it."""


@dataclass(frozen=True, slots=True)
class Bench:
    """What the episodes work with.

    Attributes:
        board: On the device.
        make: Makes a fresh agent.
        language: Of the instructions.
        seed: Of the order of the buttons.
        raised: Called with what an agent's own code raised.
    """

    board: Board
    make: Callable[[], Agent]
    language: str
    seed: int
    raised: Callable[[BaseException], None] = lambda error: None

    def play(
        self,
        instruction: str,
        steps: int,
        after: Callable[[Decision, Observation], bool] = lambda decision, observation: False,
    ) -> Played:
        """Let a fresh agent act."""
        return play(
            self.board.device,
            self.make(),
            instruction,
            language=self.language,
            steps=steps,
            seed=self.seed,
            after=after,
            raised=self.raised,
        )


def taps(bench: Bench, count: int) -> tuple[Finding, tuple[Pair, ...], Diagnosis]:
    """Ask for one numbered button after the other, and note where each tap lands.

    Args:
        bench: The bench.
        count: How many of the 40 buttons are asked for.

    Returns:
        What was found, the taps, and what they say.
    """
    order = list(range(1, BUTTONS + 1))
    generator(bench.seed, "agent-check", "taps").shuffle(order)
    left = order[:count]
    pairs: list[Pair] = []
    missed, top = 0, 0

    def after(decision: Decision, observation: Observation) -> bool:
        nonlocal missed, top
        number = left[0]
        goal = buttons(observation.tree).get(number)
        landed, hit = _landed(decision.action, bench.board)
        if landed is not None and goal is not None:
            pairs.append(
                Pair(goal.center, landed, number, hit == number or (not hit and goal.contains(landed)))
            )
            top = top_inset(observation)
        elif missed + 1 < _MISSED:
            missed += 1
            return False
        missed = 0
        left.pop(0)
        _ask(bench, left)
        return not left

    _ask(bench, left)
    played = bench.play(words.TAPS[bench.language], _MISSED * count, after)
    screen = bench.board.device.info.size
    diagnosis = diagnose(pairs, bench.board.device.screen or screen, top=top)
    return _judge_taps(played, pairs, diagnosis, count), tuple(pairs), diagnosis


def _ask(bench: Bench, left: Sequence[int]) -> None:
    language = bench.language
    if left:
        title = words.TARGET[language].format(number=left[0])
        bench.board.show(mode="taps", title=title, columns=COLUMNS, rows=ROWS, target=left[0])
    else:
        bench.board.show(mode="page", title=words.DONE_TITLE[language])


def _landed(action: act.Action, board: Board) -> tuple[Point | None, int]:
    """Where a tap went: as the board felt it, or else where it was aimed, beside the board or the screen."""
    felt = [event for event in board.events() if event.event == "touched" and event.at is not None]
    if felt:
        return felt[0].at, felt[0].button
    if isinstance(action, act.Tap | act.DoubleTap | act.LongPress):
        return Point(action.x, action.y), 0
    return None, 0


def _judge_taps(played: Played, pairs: Sequence[Pair], diagnosis: Diagnosis, count: int) -> Finding:
    steps = len(played.turns)
    hits = sum(pair.hit for pair in pairs)
    text = f"{hits} of {count} buttons hit, median error {diagnosis.error:.0f} px; {diagnosis.text}"
    grade = Grade.FAILED
    if played.error and len(pairs) < count:
        text = f"the agent failed: {played.error}"
    elif not pairs:
        text = f"the agent tapped none of the {count} buttons, so that nothing can be told of its coordinates"
    elif diagnosis.ok and hits >= 0.9 * count:
        grade = Grade.PASSED
    elif diagnosis.ok or (diagnosis.confusion is Confusion.IMPRECISE and hits >= 0.5 * count):
        grade = Grade.WARNED
    elif diagnosis.confusion is Confusion.TOO_FEW and count < LEAST_PAIRS and hits == count:
        grade, text = Grade.WARNED, f"{hits} of {count} buttons hit: too few to tell more"
    return Finding(Probe.TAPS, grade, text, steps=steps)


def text(bench: Bench) -> Finding:
    """Have each sample typed into a field, and compare what arrives."""
    problems: list[str] = []
    steps, name = 0, "A"
    for kind, sample in SAMPLES.items():
        bench.board.show(mode="text", title=words.TEXT_TITLE[bench.language], fields=[name])
        told = words.TEXT[bench.language].format(name=name, text=sample)
        held = ""

        def after(decision: Decision, observation: Observation, wanted: str = sample) -> bool:
            nonlocal held
            for event in bench.board.events():
                held = event.text if event.event == "typed" else held
            return _same(held, wanted)

        played = bench.play(told, _STEPS[Probe.TEXT], after)
        steps += len(played.turns)
        if not _same(held, sample):
            why = f": {played.error}" if played.error else ""
            problems.append(f"{kind}: wanted {sample!r}, the field holds {held!r}{why}")
    if not problems:
        return Finding(Probe.TEXT, Grade.PASSED, "every text arrived as it was given", steps=steps)
    grade = Grade.WARNED if _only_the_line_break(problems) else Grade.FAILED
    said = f"{len(problems)} of {len(SAMPLES)} texts did not arrive as they were given"
    return Finding(Probe.TEXT, grade, said, tuple(problems), steps)


def _same(held: str, wanted: str) -> bool:
    return unicodedata.normalize("NFC", held) == unicodedata.normalize("NFC", wanted)


def _only_the_line_break(problems: Sequence[str]) -> bool:
    return len(problems) == 1 and problems[0].startswith("a line break")


def scroll(bench: Bench) -> Finding:
    """Ask for a line further down in a list that stands in its middle, and see which way it goes."""
    board = bench.board
    board.show(mode="scroll", title=words.SCROLL_TITLE[bench.language], lines=_LINES, first=_FIRST)
    tops: list[int] = []
    seen: set[int] = set()

    def look() -> None:
        shown = lines(board.device.settle().reading.tree)
        tops.append(shown[0] if shown else _FIRST)
        seen.update(shown)

    def after(decision: Decision, observation: Observation) -> bool:
        look()
        return _GOAL in seen or tops[-1] < tops[0]

    look()
    played = bench.play(words.SCROLL[bench.language].format(line=_GOAL), _STEPS[Probe.SCROLL], after)
    steps = len(played.turns)
    if played.error:
        return Finding(Probe.SCROLL, Grade.FAILED, f"the agent failed: {played.error}", steps=steps)
    moved = tops[-1] - tops[0]
    if moved < 0:
        said = "scrolls the wrong way: asked to go down, it went up (swipe and scroll are exchanged)"
        return Finding(Probe.SCROLL, Grade.FAILED, said, steps=steps)
    if moved == 0:
        return Finding(Probe.SCROLL, Grade.FAILED, "the list was never moved", steps=steps)
    if _GOAL not in seen:
        said = f"scrolls the right way, but did not come to line {_GOAL} in {steps} steps"
        return Finding(Probe.SCROLL, Grade.WARNED, said, steps=steps)
    return Finding(Probe.SCROLL, Grade.PASSED, "scrolls the right way", steps=steps)


def done(bench: Bench) -> Finding:
    """Show a page on which nothing is left to do, and listen for the word."""
    bench.board.show(mode="page", title=words.DONE_TITLE[bench.language])
    played = bench.play(words.DONE[bench.language], _STEPS[Probe.DONE])
    steps = len(played.turns)
    if played.error:
        return Finding(Probe.DONE, Grade.FAILED, f"the agent failed: {played.error}", steps=steps)
    if played.said_done:
        return Finding(Probe.DONE, Grade.PASSED, "says that it is done", steps=steps)
    last = played.last.type if played.last else "nothing"
    said = f"never says that it is done: its last action was {last}"
    return Finding(Probe.DONE, Grade.FAILED, said, steps=steps)


def interruption(bench: Bench, what: Interruption) -> Finding:
    """Lay an interruption over the board, and see whether the agent deals with it first."""
    board = bench.board
    number = BUTTONS // 2
    title = words.TARGET[bench.language].format(number=number)
    board.show(mode="taps", title=title, columns=COLUMNS, rows=ROWS, target=number)
    watch = board.device.log_watch(LOG_TAG)
    planned = plan(
        what,
        Mode.DUAL,
        app=board.device.focus().package,
        language=bench.language,
        token=make_token(bench.seed, "agent-check", 0),
    )
    injected = inject(board.device, planned)
    if not injected.shown:
        return Finding(Probe.INTERRUPTION, Grade.FAILED, f"no interruption could be shown: {injected.reason}")
    answered: list[str] = []
    hit: list[int] = []

    def after(decision: Decision, observation: Observation) -> bool:
        told = [parse_event(line.message) for line in watch.read()]
        answered.extend(event.event for event in told if event and event.token == injected.token)
        hit.extend(event.button for event in board.events() if event.event == "touched")
        return number in hit

    told = words.INTERRUPTED[bench.language].format(number=number)
    played = bench.play(told, _STEPS[Probe.INTERRUPTION], after)
    return _judge_interruption(played, answered, reached=number in hit)


def _judge_interruption(played: Played, answered: Sequence[str], *, reached: bool) -> Finding:
    steps = len(played.turns)
    pressed = [event.partition(":")[2] for event in answered if event.startswith("pressed:")]
    left = [event for event in answered if event.startswith("dismissed")]
    if played.error:
        return Finding(Probe.INTERRUPTION, Grade.FAILED, f"the agent failed: {played.error}", steps=steps)
    if not pressed and not left:
        said = f"the interruption was not answered in {steps} steps"
        return Finding(Probe.INTERRUPTION, Grade.FAILED, said, steps=steps)
    how = f"by the button {pressed[0]!r}" if pressed else "without a button of it"
    if not reached:
        said = f"the interruption was answered {how}, but the task was not gone on with"
        return Finding(Probe.INTERRUPTION, Grade.WARNED, said, steps=steps)
    return Finding(Probe.INTERRUPTION, Grade.PASSED, f"the interruption was answered {how}", steps=steps)
