"""The five short episodes of an agent check; each tests one part of the wiring."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from garabench.agentcheck import prompts
from garabench.agentcheck.board import Board, button_bounds, line_numbers, top_inset
from garabench.agentcheck.coordinate_diagnosis import (
    MIN_PAIRS,
    CoordinateConfusion,
    CoordinateDiagnosis,
    TapPair,
    diagnose_taps,
)
from garabench.agentcheck.probe_episode import ProbeEpisode, run_probe_episode
from garabench.agentcheck.results import ProbeGrade, ProbeKind, ProbeResult
from garabench.agents.interface import Agent, Decision
from garabench.core import action as act
from garabench.core.companion_app import LOG_TAG
from garabench.core.geometry import Point
from garabench.core.interruption import Interruption, Mode
from garabench.core.observation import Observation
from garabench.core.seeds import generator
from garabench.interruptions.inject import inject
from garabench.interruptions.lifecycle import parse_event
from garabench.interruptions.planned_interruption import make_token, plan_interruption

COLUMNS, ROWS = 5, 8
BUTTONS = COLUMNS * ROWS
_FIRST, _GOAL, _LINES = 40, 70, 100
_STEPS = {ProbeKind.TEXT: 4, ProbeKind.SCROLL: 8, ProbeKind.DONE: 2, ProbeKind.INTERRUPTION: 5}
_MISSED = 2
"""Decisions without a tap after which the board moves on to the next button."""

SAMPLES: Mapping[str, str] = {
    "ASCII": "Hello, World 42",
    "Chinese": "你好，世界",
    "spaces and an emoji": "two  words 🙂",
    "a line break": "one\ntwo",
}
"""Texts to type, by what each of them tests."""


@dataclass(frozen=True, slots=True)
class ProbeSetup:
    """What the probe episodes share.

    Attributes:
        board: The board on the device.
        make: Makes a fresh agent.
        language: Language of the instructions.
        seed: Seed for the button order.
        raised: Called with an exception that an agent's own code raised.
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
    ) -> ProbeEpisode:
        """Run a fresh agent on the board."""
        return run_probe_episode(
            self.board.device,
            self.make(),
            instruction,
            language=self.language,
            steps=steps,
            seed=self.seed,
            after=after,
            raised=self.raised,
        )


def taps(bench: ProbeSetup, count: int) -> tuple[ProbeResult, tuple[TapPair, ...], CoordinateDiagnosis]:
    """Ask for one numbered button after another, and record where each tap lands.

    Args:
        bench: The board and the agent.
        count: How many of the 40 buttons to ask for.

    Returns:
        The result, the taps, and the diagnosis of the agent's coordinates.
    """
    order = list(range(1, BUTTONS + 1))
    generator(bench.seed, "agent-check", "taps").shuffle(order)
    left = order[:count]
    pairs: list[TapPair] = []
    missed, top = 0, 0

    def after(decision: Decision, observation: Observation) -> bool:
        nonlocal missed, top
        number = left[0]
        goal = button_bounds(observation.tree).get(number)
        landed, hit = _landed(decision.action, bench.board)
        if landed is not None and goal is not None:
            pairs.append(
                TapPair(goal.center, landed, number, hit == number or (not hit and goal.contains(landed)))
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
    played = bench.play(prompts.TAPS[bench.language], _MISSED * count, after)
    screen = bench.board.device.info.size
    diagnosis = diagnose_taps(pairs, bench.board.device.screen or screen, top=top)
    return _judge_taps(played, pairs, diagnosis, count), tuple(pairs), diagnosis


def _ask(bench: ProbeSetup, left: Sequence[int]) -> None:
    language = bench.language
    if left:
        title = prompts.TARGET[language].format(number=left[0])
        bench.board.show(mode="taps", title=title, columns=COLUMNS, rows=ROWS, target=left[0])
    else:
        bench.board.show(mode="page", title=prompts.DONE_TITLE[language])


def _landed(action: act.Action, board: Board) -> tuple[Point | None, int]:
    """Where a tap landed: as the board reports it, or else where the agent aimed, off the board or screen."""
    felt = [event for event in board.events() if event.event == "touched" and event.at is not None]
    if felt:
        return felt[0].at, felt[0].button
    if isinstance(action, act.Tap | act.DoubleTap | act.LongPress):
        return Point(action.x, action.y), 0
    return None, 0


def _judge_taps(
    played: ProbeEpisode, pairs: Sequence[TapPair], diagnosis: CoordinateDiagnosis, count: int
) -> ProbeResult:
    steps = len(played.turns)
    hits = sum(pair.hit for pair in pairs)
    text = f"{hits} of {count} buttons hit, median error {diagnosis.error:.0f} px; {diagnosis.text}"
    grade = ProbeGrade.FAILED
    if played.error and len(pairs) < count:
        text = f"the agent failed: {played.error}"
    elif not pairs:
        text = f"the agent tapped none of the {count} buttons, so its coordinates cannot be judged"
    elif diagnosis.ok and hits >= 0.9 * count:
        grade = ProbeGrade.PASSED
    elif diagnosis.ok or (diagnosis.confusion is CoordinateConfusion.IMPRECISE and hits >= 0.5 * count):
        grade = ProbeGrade.WARNED
    elif diagnosis.confusion is CoordinateConfusion.TOO_FEW and count < MIN_PAIRS and hits == count:
        grade, text = ProbeGrade.WARNED, f"{hits} of {count} buttons hit: too few to judge the coordinates"
    return ProbeResult(ProbeKind.TAPS, grade, text, steps=steps)


def text(bench: ProbeSetup) -> ProbeResult:
    """Ask the agent to type each sample into a field, and compare what arrives."""
    problems: list[str] = []
    steps, name = 0, "A"
    for kind, sample in SAMPLES.items():
        bench.board.show(mode="text", title=prompts.TEXT_TITLE[bench.language], fields=[name])
        instruction = prompts.TEXT[bench.language].format(name=name, text=sample)
        held = ""

        def after(decision: Decision, observation: Observation, wanted: str = sample) -> bool:
            nonlocal held
            for event in bench.board.events():
                held = event.text if event.event == "typed" else held
            return _same(held, wanted)

        played = bench.play(instruction, _STEPS[ProbeKind.TEXT], after)
        steps += len(played.turns)
        if not _same(held, sample):
            why = f": {played.error}" if played.error else ""
            problems.append(f"{kind}: expected {sample!r}, the field holds {held!r}{why}")
    if not problems:
        return ProbeResult(ProbeKind.TEXT, ProbeGrade.PASSED, "every text arrived unchanged", steps=steps)
    grade = ProbeGrade.WARNED if _only_the_line_break(problems) else ProbeGrade.FAILED
    said = f"{len(problems)} of {len(SAMPLES)} texts did not arrive unchanged"
    return ProbeResult(ProbeKind.TEXT, grade, said, tuple(problems), steps)


def _same(held: str, wanted: str) -> bool:
    return unicodedata.normalize("NFC", held) == unicodedata.normalize("NFC", wanted)


def _only_the_line_break(problems: Sequence[str]) -> bool:
    return len(problems) == 1 and problems[0].startswith("a line break")


def scroll(bench: ProbeSetup) -> ProbeResult:
    """Ask for a line further down in a list scrolled to its middle, and check the scroll direction."""
    board = bench.board
    board.show(mode="scroll", title=prompts.SCROLL_TITLE[bench.language], lines=_LINES, first=_FIRST)
    tops: list[int] = []
    seen: set[int] = set()

    def look() -> None:
        shown = line_numbers(board.device.settle().reading.tree)
        tops.append(shown[0] if shown else _FIRST)
        seen.update(shown)

    def after(decision: Decision, observation: Observation) -> bool:
        look()
        return _GOAL in seen or tops[-1] < tops[0]

    look()
    played = bench.play(prompts.SCROLL[bench.language].format(line=_GOAL), _STEPS[ProbeKind.SCROLL], after)
    steps = len(played.turns)
    if played.error:
        return ProbeResult(
            ProbeKind.SCROLL, ProbeGrade.FAILED, f"the agent failed: {played.error}", steps=steps
        )
    moved = tops[-1] - tops[0]
    if moved < 0:
        said = "scrolls the wrong way: asked to go down, it went up (swipe and scroll are swapped)"
        return ProbeResult(ProbeKind.SCROLL, ProbeGrade.FAILED, said, steps=steps)
    if moved == 0:
        return ProbeResult(ProbeKind.SCROLL, ProbeGrade.FAILED, "the list never moved", steps=steps)
    if _GOAL not in seen:
        said = f"scrolls the right way, but did not reach line {_GOAL} in {steps} steps"
        return ProbeResult(ProbeKind.SCROLL, ProbeGrade.WARNED, said, steps=steps)
    return ProbeResult(ProbeKind.SCROLL, ProbeGrade.PASSED, "scrolls the right way", steps=steps)


def done(bench: ProbeSetup) -> ProbeResult:
    """Show a page on which nothing is left to do, and expect the agent to say that it is done."""
    bench.board.show(mode="page", title=prompts.DONE_TITLE[bench.language])
    played = bench.play(prompts.DONE[bench.language], _STEPS[ProbeKind.DONE])
    steps = len(played.turns)
    if played.error:
        return ProbeResult(
            ProbeKind.DONE, ProbeGrade.FAILED, f"the agent failed: {played.error}", steps=steps
        )
    if played.said_done:
        return ProbeResult(ProbeKind.DONE, ProbeGrade.PASSED, "says that it is done", steps=steps)
    last = played.last.type if played.last else "nothing"
    said = f"never says that it is done: its last action was {last}"
    return ProbeResult(ProbeKind.DONE, ProbeGrade.FAILED, said, steps=steps)


def interruption(bench: ProbeSetup, what: Interruption) -> ProbeResult:
    """Inject an interruption over the board, and check that the agent answers it and resumes the task."""
    board = bench.board
    number = BUTTONS // 2
    title = prompts.TARGET[bench.language].format(number=number)
    board.show(mode="taps", title=title, columns=COLUMNS, rows=ROWS, target=number)
    watch = board.device.log_watch(LOG_TAG)
    planned = plan_interruption(
        what,
        Mode.DUAL,
        app=board.device.focus().package,
        language=bench.language,
        token=make_token(bench.seed, "agent-check", 0),
    )
    injected = inject(board.device, planned)
    if not injected.shown:
        return ProbeResult(
            ProbeKind.INTERRUPTION,
            ProbeGrade.FAILED,
            f"the interruption was not shown: {injected.reason}",
        )
    answered: list[str] = []
    hit: list[int] = []

    def after(decision: Decision, observation: Observation) -> bool:
        logged = [parse_event(line.message) for line in watch.read()]
        answered.extend(event.event for event in logged if event and event.token == injected.token)
        hit.extend(event.button for event in board.events() if event.event == "touched")
        return number in hit

    instruction = prompts.INTERRUPTED[bench.language].format(number=number)
    played = bench.play(instruction, _STEPS[ProbeKind.INTERRUPTION], after)
    return _judge_interruption(played, answered, reached=number in hit)


def _judge_interruption(played: ProbeEpisode, answered: Sequence[str], *, reached: bool) -> ProbeResult:
    steps = len(played.turns)
    pressed = [event.partition(":")[2] for event in answered if event.startswith("pressed:")]
    left = [event for event in answered if event.startswith("dismissed")]
    if played.error:
        return ProbeResult(
            ProbeKind.INTERRUPTION, ProbeGrade.FAILED, f"the agent failed: {played.error}", steps=steps
        )
    if not pressed and not left:
        said = f"the interruption was not answered in {steps} steps"
        return ProbeResult(ProbeKind.INTERRUPTION, ProbeGrade.FAILED, said, steps=steps)
    how = f"by the button {pressed[0]!r}" if pressed else "without pressing a button"
    if not reached:
        said = f"the interruption was answered {how}, but the agent did not resume the task"
        return ProbeResult(ProbeKind.INTERRUPTION, ProbeGrade.WARNED, said, steps=steps)
    return ProbeResult(
        ProbeKind.INTERRUPTION, ProbeGrade.PASSED, f"the interruption was answered {how}", steps=steps
    )
