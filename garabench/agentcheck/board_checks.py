"""The five short episodes of an agent check; each tests one part of the wiring."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from garabench.agentcheck import prompts
from garabench.agentcheck.board import Board, button_bounds, line_numbers, top_inset
from garabench.agentcheck.board_episode import BoardEpisode, run_board_episode
from garabench.agentcheck.check_results import BoardCheckGrade, BoardCheckKind, BoardCheckResult
from garabench.agentcheck.coordinate_diagnosis import (
    MIN_PAIRS,
    CoordinateConfusion,
    CoordinateDiagnosis,
    TapPair,
    diagnose_taps,
)
from garabench.agents.interface import Agent, Decision
from garabench.core import action as act
from garabench.core.companion_app import LOG_TAG
from garabench.core.geometry import Point
from garabench.core.interruption import Interruption, Mode
from garabench.core.observation import Observation
from garabench.core.seeds import generator
from garabench.interruptions.inject import inject
from garabench.interruptions.lifecycle import parse_companion_event
from garabench.interruptions.planned_interruption import make_token, plan_interruption

COLUMNS, ROWS = 5, 8
BUTTONS = COLUMNS * ROWS
_FIRST, _GOAL, _LINES = 40, 70, 100
_STEPS = {
    BoardCheckKind.TEXT: 4,
    BoardCheckKind.SCROLL: 8,
    BoardCheckKind.DONE: 2,
    BoardCheckKind.INTERRUPTION: 5,
}
_MAX_MISSED = 2
"""Number of decisions without a tap after which the board shows the next button."""

SAMPLES: Mapping[str, str] = {
    "ASCII": "Hello, World 42",
    "Chinese": "你好，世界",
    "spaces and an emoji": "two  words 🙂",
    "a line break": "one\ntwo",
}
"""Texts to type, by what they test."""


@dataclass(frozen=True, slots=True)
class BoardSetup:
    """The setup that the checks share.

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

    def run(
        self,
        instruction: str,
        steps: int,
        after: Callable[[Decision, Observation], bool] = lambda decision, observation: False,
    ) -> BoardEpisode:
        """Run a fresh agent on the board."""
        return run_board_episode(
            self.board.device,
            self.make(),
            instruction,
            language=self.language,
            steps=steps,
            seed=self.seed,
            after=after,
            raised=self.raised,
        )


def check_taps(
    setup: BoardSetup, count: int
) -> tuple[BoardCheckResult, tuple[TapPair, ...], CoordinateDiagnosis]:
    """Request one numbered button after another, and record where each tap lands.

    Args:
        setup: The board and the agent.
        count: Number of the 40 buttons to request.

    Returns:
        The result, the taps, and the diagnosis of the agent's coordinates.
    """
    order = list(range(1, BUTTONS + 1))
    generator(setup.seed, "agent-check", "taps").shuffle(order)
    remaining = order[:count]
    pairs: list[TapPair] = []
    missed, top = 0, 0

    def after(decision: Decision, observation: Observation) -> bool:
        nonlocal missed, top
        number = remaining[0]
        goal = button_bounds(observation.tree).get(number)
        landed, hit = _landed(decision.action, setup.board)
        if landed is not None and goal is not None:
            pairs.append(
                TapPair(goal.center, landed, number, hit == number or (not hit and goal.contains(landed)))
            )
            top = top_inset(observation)
        elif missed + 1 < _MAX_MISSED:
            missed += 1
            return False
        missed = 0
        remaining.pop(0)
        _show_target(setup, remaining)
        return not remaining

    _show_target(setup, remaining)
    episode = setup.run(prompts.TAPS[setup.language], _MAX_MISSED * count, after)
    screen = setup.board.device.info.size
    diagnosis = diagnose_taps(pairs, setup.board.device.screen or screen, top=top)
    return _grade_taps(episode, pairs, diagnosis, count), tuple(pairs), diagnosis


def _show_target(setup: BoardSetup, remaining: Sequence[int]) -> None:
    language = setup.language
    if remaining:
        title = prompts.TARGET[language].format(number=remaining[0])
        setup.board.show(mode="taps", title=title, columns=COLUMNS, rows=ROWS, target=remaining[0])
    else:
        setup.board.show(mode="page", title=prompts.DONE_TITLE[language])


def _landed(action: act.Action, board: Board) -> tuple[Point | None, int]:
    """Return where a tap landed, as reported by the board or, off the board, as requested by the agent."""
    touches = [event for event in board.events() if event.event == "touched" and event.at is not None]
    if touches:
        return touches[0].at, touches[0].button
    if isinstance(action, act.Tap | act.DoubleTap | act.LongPress):
        return Point(action.x, action.y), 0
    return None, 0


def _grade_taps(
    episode: BoardEpisode, pairs: Sequence[TapPair], diagnosis: CoordinateDiagnosis, count: int
) -> BoardCheckResult:
    steps = len(episode.turns)
    hits = sum(pair.hit for pair in pairs)
    text = f"{hits} of {count} buttons hit, median error {diagnosis.error:.0f} px; {diagnosis.text}"
    grade = BoardCheckGrade.FAILED
    if episode.error and len(pairs) < count:
        text = f"the agent failed: {episode.error}"
    elif not pairs:
        text = f"the agent tapped none of the {count} buttons, so its coordinates cannot be judged"
    elif diagnosis.ok and hits >= 0.9 * count:
        grade = BoardCheckGrade.PASSED
    elif diagnosis.ok or (diagnosis.confusion is CoordinateConfusion.IMPRECISE and hits >= 0.5 * count):
        grade = BoardCheckGrade.WARNED
    elif diagnosis.confusion is CoordinateConfusion.TOO_FEW and count < MIN_PAIRS and hits == count:
        grade, text = (
            BoardCheckGrade.WARNED,
            f"{hits} of {count} buttons hit: too few to judge the coordinates",
        )
    return BoardCheckResult(BoardCheckKind.TAPS, grade, text, steps=steps)


def check_text_input(setup: BoardSetup) -> BoardCheckResult:
    """Let the agent type each sample into a field, and compare what arrives."""
    problems: list[str] = []
    steps, name = 0, "A"
    for kind, sample in SAMPLES.items():
        setup.board.show(mode="text", title=prompts.TEXT_TITLE[setup.language], fields=[name])
        instruction = prompts.TEXT[setup.language].format(name=name, text=sample)
        content = ""

        def after(decision: Decision, observation: Observation, sample_text: str = sample) -> bool:
            nonlocal content
            for event in setup.board.events():
                content = event.text if event.event == "typed" else content
            return _same(content, sample_text)

        episode = setup.run(instruction, _STEPS[BoardCheckKind.TEXT], after)
        steps += len(episode.turns)
        if not _same(content, sample):
            reason = f": {episode.error}" if episode.error else ""
            problems.append(f"{kind}: expected {sample!r}, the field contains {content!r}{reason}")
    if not problems:
        return BoardCheckResult(
            BoardCheckKind.TEXT, BoardCheckGrade.PASSED, "every text arrived unchanged", steps=steps
        )
    grade = BoardCheckGrade.WARNED if _only_the_line_break(problems) else BoardCheckGrade.FAILED
    summary = f"{len(problems)} of {len(SAMPLES)} texts did not arrive unchanged"
    return BoardCheckResult(BoardCheckKind.TEXT, grade, summary, tuple(problems), steps)


def _same(content: str, sample_text: str) -> bool:
    return unicodedata.normalize("NFC", content) == unicodedata.normalize("NFC", sample_text)


def _only_the_line_break(problems: Sequence[str]) -> bool:
    return len(problems) == 1 and problems[0].startswith("a line break")


def check_scroll(setup: BoardSetup) -> BoardCheckResult:
    """Request a line further down in a list scrolled to its middle, and check the scroll direction."""
    board = setup.board
    board.show(mode="scroll", title=prompts.SCROLL_TITLE[setup.language], lines=_LINES, first=_FIRST)
    tops: list[int] = []
    seen: set[int] = set()

    def record_lines() -> None:
        shown = line_numbers(board.device.settle().reading.tree)
        tops.append(shown[0] if shown else _FIRST)
        seen.update(shown)

    def after(decision: Decision, observation: Observation) -> bool:
        record_lines()
        return _GOAL in seen or tops[-1] < tops[0]

    record_lines()
    episode = setup.run(
        prompts.SCROLL[setup.language].format(line=_GOAL), _STEPS[BoardCheckKind.SCROLL], after
    )
    steps = len(episode.turns)
    if episode.error:
        return BoardCheckResult(
            BoardCheckKind.SCROLL, BoardCheckGrade.FAILED, f"the agent failed: {episode.error}", steps=steps
        )
    moved = tops[-1] - tops[0]
    if moved < 0:
        summary = (
            "scrolls the wrong way: down was requested, but it scrolled up (swipe and scroll are swapped)"
        )
        return BoardCheckResult(BoardCheckKind.SCROLL, BoardCheckGrade.FAILED, summary, steps=steps)
    if moved == 0:
        return BoardCheckResult(
            BoardCheckKind.SCROLL, BoardCheckGrade.FAILED, "the list never moved", steps=steps
        )
    if _GOAL not in seen:
        summary = f"scrolls the right way, but did not reach line {_GOAL} in {steps} steps"
        return BoardCheckResult(BoardCheckKind.SCROLL, BoardCheckGrade.WARNED, summary, steps=steps)
    return BoardCheckResult(
        BoardCheckKind.SCROLL, BoardCheckGrade.PASSED, "scrolls the right way", steps=steps
    )


def check_done(setup: BoardSetup) -> BoardCheckResult:
    """Show a page on which nothing is left to do, and expect the agent to report that it is done."""
    setup.board.show(mode="page", title=prompts.DONE_TITLE[setup.language])
    episode = setup.run(prompts.DONE[setup.language], _STEPS[BoardCheckKind.DONE])
    steps = len(episode.turns)
    if episode.error:
        return BoardCheckResult(
            BoardCheckKind.DONE, BoardCheckGrade.FAILED, f"the agent failed: {episode.error}", steps=steps
        )
    if episode.said_done:
        return BoardCheckResult(
            BoardCheckKind.DONE, BoardCheckGrade.PASSED, "reports that it is done", steps=steps
        )
    last = episode.last.type if episode.last else "nothing"
    summary = f"never reports that it is done: its last action was {last}"
    return BoardCheckResult(BoardCheckKind.DONE, BoardCheckGrade.FAILED, summary, steps=steps)


def check_interruption_handling(setup: BoardSetup, what: Interruption) -> BoardCheckResult:
    """Inject an interruption over the board, and check that the agent answers it and resumes the task."""
    board = setup.board
    number = BUTTONS // 2
    title = prompts.TARGET[setup.language].format(number=number)
    board.show(mode="taps", title=title, columns=COLUMNS, rows=ROWS, target=number)
    watch = board.device.log_watch(LOG_TAG)
    planned = plan_interruption(
        what,
        Mode.DUAL,
        app=board.device.focus().package,
        language=setup.language,
        token=make_token(setup.seed, "agent-check", 0),
    )
    injected = inject(board.device, planned)
    if not injected.shown:
        return BoardCheckResult(
            BoardCheckKind.INTERRUPTION,
            BoardCheckGrade.FAILED,
            f"the interruption was not shown: {injected.reason}",
        )
    answered: list[str] = []
    hit: list[int] = []

    def after(decision: Decision, observation: Observation) -> bool:
        logged = [parse_companion_event(line.message) for line in watch.read()]
        answered.extend(event.event for event in logged if event and event.token == injected.token)
        hit.extend(event.button for event in board.events() if event.event == "touched")
        return number in hit

    instruction = prompts.INTERRUPTED[setup.language].format(number=number)
    episode = setup.run(instruction, _STEPS[BoardCheckKind.INTERRUPTION], after)
    return _grade_interruption(episode, answered, reached=number in hit)


def _grade_interruption(episode: BoardEpisode, answered: Sequence[str], *, reached: bool) -> BoardCheckResult:
    steps = len(episode.turns)
    pressed = [event.partition(":")[2] for event in answered if event.startswith("pressed:")]
    dismissed = [event for event in answered if event.startswith("dismissed")]
    if episode.error:
        return BoardCheckResult(
            BoardCheckKind.INTERRUPTION,
            BoardCheckGrade.FAILED,
            f"the agent failed: {episode.error}",
            steps=steps,
        )
    if not pressed and not dismissed:
        summary = f"the interruption was not answered in {steps} steps"
        return BoardCheckResult(BoardCheckKind.INTERRUPTION, BoardCheckGrade.FAILED, summary, steps=steps)
    how = f"by the button {pressed[0]!r}" if pressed else "without pressing a button"
    if not reached:
        summary = f"the interruption was answered {how}, but the agent did not resume the task"
        return BoardCheckResult(BoardCheckKind.INTERRUPTION, BoardCheckGrade.WARNED, summary, steps=steps)
    return BoardCheckResult(
        BoardCheckKind.INTERRUPTION,
        BoardCheckGrade.PASSED,
        f"the interruption was answered {how}",
        steps=steps,
    )
