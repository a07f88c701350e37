"""Check an agent's wiring on a device by running the five checks on the target board in order."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from garabench.agentcheck import board_checks
from garabench.agentcheck.board import Board
from garabench.agentcheck.check_results import AgentCheckReport, BoardCheckKind, BoardCheckResult
from garabench.agentcheck.coordinate_diagnosis import CoordinateDiagnosis, TapPair
from garabench.agentcheck.tap_plot import draw_taps
from garabench.agents.context import AgentContext
from garabench.agents.external.autonomous import AutonomousAgent
from garabench.agents.interface import Agent
from garabench.agents.registry import resolve
from garabench.agents.spec import AgentKind, AgentSpec
from garabench.core.clock import Clock
from garabench.core.companion_app import PACKAGE as COMPANION
from garabench.core.interruption import Interruption
from garabench.core.redaction import redact_keys
from garabench.device.device import Device
from garabench.errors import CommandError, InputError, RecordError
from garabench.records.run_layout import FAULT_LOG

PLOT = "taps.png"
_NOT_STEPWISE = (
    "{name} drives the device itself, but the check needs an agent that returns one action at a time"
)
ALL = tuple(BoardCheckKind)


def checkable(name: str) -> AgentSpec:
    """Find an agent that can be checked.

    Raises:
        InputError: The name is unknown, or the agent cannot be checked: a reference agent follows a task's
            solution, and an autonomous agent drives the device itself.
    """
    spec = resolve(name)
    if spec.faulty is not None:
        raise InputError(f"{name} is faulty on purpose: its wiring is that of {spec.faulty.agent.name}")
    if spec.make is None:
        raise InputError(
            f"{name} is a reference agent: it follows a task's solution, and has no wiring to check"
        )
    if spec.kind is AgentKind.AUTONOMOUS:
        raise InputError(_NOT_STEPWISE.format(name=name))
    return spec


def check_agent(
    device: Device,
    make: Callable[[], Agent],
    name: str,
    folder: Path,
    interruption: Interruption,
    *,
    language: str = "en",
    taps: int = board_checks.BUTTONS,
    only: Sequence[BoardCheckKind] = ALL,
    seed: int = 0,
    on_result: Callable[[BoardCheckResult], None] = lambda result: None,
) -> AgentCheckReport:
    """Check an agent's wiring.

    Args:
        device: A device with the target board and the companion app.
        make: Makes a fresh agent.
        name: The agent's name.
        folder: Where to write the plot of the taps, and the tracebacks of an agent that raises.
        interruption: The interruption to inject over the board.
        language: Language of the instructions, ``en`` or ``zh``.
        taps: Number of buttons to request.
        only: The episodes to run.
        seed: Seed for the button order.
        on_result: Called with each episode's result.

    Raises:
        CommandError: The device lacks the board or the companion app.
        DeviceError: The device is gone.
        ModelError: The agent's model cannot be reached.
        RecordError: The plot or a traceback cannot be written.
    """
    board = Board(device)
    if BoardCheckKind.INTERRUPTION in only and not device.apps.installed(COMPANION):
        raise CommandError(f"{device.info.serial} does not have the companion app {COMPANION}")
    faults = _FaultLog(folder / FAULT_LOG)
    setup = board_checks.BoardSetup(board, make, language, seed, faults.add)
    results: list[BoardCheckResult] = []
    pairs: tuple[TapPair, ...] = ()
    diagnosis: CoordinateDiagnosis | None = None
    plot: Path | None = None
    try:
        for check in only:
            if check is BoardCheckKind.TAPS:
                result, pairs, diagnosis = board_checks.check_taps(setup, taps)
                plot = (
                    _write(folder / PLOT, draw_taps(pairs, device.info.size, f"{name}: {result.text}"))
                    if pairs
                    else None
                )
            else:
                result = _perform(check, setup, interruption)
            results.append(result)
            on_result(result)
    finally:
        board.leave()
    return AgentCheckReport(name, device.info.serial, tuple(results), pairs, diagnosis, plot, faults.file)


def _perform(
    check: BoardCheckKind, setup: board_checks.BoardSetup, interruption: Interruption
) -> BoardCheckResult:
    match check:
        case BoardCheckKind.TEXT:
            return board_checks.check_text_input(setup)
        case BoardCheckKind.SCROLL:
            return board_checks.check_scroll(setup)
        case BoardCheckKind.DONE:
            return board_checks.check_done(setup)
        case _:
            return board_checks.check_interruption_handling(setup, interruption)


class _FaultLog:
    """Collects the tracebacks of an agent in one file, which replaces that of an earlier check."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._text = ""

    @property
    def file(self) -> Path | None:
        """The file; None if the agent raised nothing."""
        return self._path if self._text else None

    def add(self, error: BaseException) -> None:
        self._text += redact_keys("".join(traceback.format_exception(error)))
        _write(self._path, self._text.encode(errors="replace"))


def _write(path: Path, data: bytes) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise RecordError(f"{path} could not be written: {error.strerror or error}") from error
    return path


def agent_maker(spec: AgentSpec, folder: Path, clock: Clock, seconds: float) -> Callable[[], Agent]:
    """Return a factory of fresh agents, which may write into the folder."""
    make = spec.make
    if make is None:
        raise ValueError(f"{spec.name} needs a task")
    folder.mkdir(parents=True, exist_ok=True)

    def fresh() -> Agent:
        agent = make(AgentContext(name=spec.name, folder=folder, seconds=seconds, clock=clock))
        if isinstance(agent, AutonomousAgent):
            raise InputError(_NOT_STEPWISE.format(name=spec.name))
        return agent

    return fresh
