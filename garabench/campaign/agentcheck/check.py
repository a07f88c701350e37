"""Check an agent's wiring on a device: the five episodes, one after the other."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from garabench.agents.interface import Agent
from garabench.agents.keytexts import without_keys
from garabench.agents.own.owner import Owner
from garabench.agents.registry import resolve
from garabench.agents.setting import Setting
from garabench.agents.spec import AgentSpec, Kind
from garabench.campaign.agentcheck import probes
from garabench.campaign.agentcheck.board import Board
from garabench.campaign.agentcheck.coordinates import Diagnosis, Pair
from garabench.campaign.agentcheck.picture import draw
from garabench.campaign.agentcheck.results import Checked, Finding, Probe
from garabench.core.clock import Clock
from garabench.core.interruption import Interruption
from garabench.device.device import Device
from garabench.episode.recorder import FAULT_LOG
from garabench.errors import CommandFailed, InputError, RecordError
from garabench.interruptions.plan import PACKAGE as COMPANION

PICTURE = "taps.png"
_DRIVES = "{name} drives the phone by itself, but the board asks for one action at a time"
ALL = tuple(Probe)


def checkable(name: str) -> AgentSpec:
    """Find an agent that can be checked.

    Raises:
        InputError: There is none of that name; or it follows a task's solution, which the board has none of;
            or it drives the phone by itself.
    """
    spec = resolve(name)
    if spec.make is None:
        raise InputError(
            f"{name} is a reference agent: it follows a task's solution, and has no wiring to check"
        )
    if spec.kind is Kind.OWNING:
        raise InputError(_DRIVES.format(name=name))
    return spec


def check_agent(
    device: Device,
    make: Callable[[], Agent],
    name: str,
    folder: Path,
    interruption: Interruption,
    *,
    language: str = "en",
    taps: int = probes.BUTTONS,
    only: Sequence[Probe] = ALL,
    seed: int = 0,
    tell: Callable[[Finding], None] = lambda finding: None,
) -> Checked:
    """Check an agent.

    Args:
        device: With the target board and the companion app.
        make: Makes a fresh agent.
        name: The agent's name.
        folder: Where the picture of the taps is written, and the tracebacks of an agent that raised.
        interruption: What is laid over the board.
        language: ``en`` or ``zh``: of the instructions.
        taps: How many buttons are asked for.
        only: Which episodes.
        seed: Of the buttons' order.
        tell: Called after each episode.

    Raises:
        CommandFailed: The device lacks the board or the companion app.
        DeviceError: The device is gone.
        ModelError: The agent's model cannot be reached.
        RecordError: The picture or a traceback cannot be written.
    """
    board = Board(device)
    if Probe.INTERRUPTION in only and not device.apps.installed(COMPANION):
        raise CommandFailed(f"{device.info.serial} does not have the companion app {COMPANION}")
    faults = _FaultLog(folder / FAULT_LOG)
    bench = probes.Bench(board, make, language, seed, faults.add)
    findings: list[Finding] = []
    pairs: tuple[Pair, ...] = ()
    diagnosis: Diagnosis | None = None
    picture: Path | None = None
    try:
        for probe in only:
            if probe is Probe.TAPS:
                finding, pairs, diagnosis = probes.taps(bench, taps)
                picture = (
                    _write(folder / PICTURE, draw(pairs, device.info.size, f"{name}: {finding.text}"))
                    if pairs
                    else None
                )
            else:
                finding = _perform(probe, bench, interruption)
            findings.append(finding)
            tell(finding)
    finally:
        board.leave()
    return Checked(name, device.info.serial, tuple(findings), pairs, diagnosis, picture, faults.kept)


def _perform(probe: Probe, bench: probes.Bench, interruption: Interruption) -> Finding:
    match probe:
        case Probe.TEXT:
            return probes.text(bench)
        case Probe.SCROLL:
            return probes.scroll(bench)
        case Probe.DONE:
            return probes.done(bench)
        case _:
            return probes.interruption(bench, interruption)


class _FaultLog:
    """The tracebacks of what an agent's own code raised, in one file; one of an earlier check is replaced."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._told = ""

    @property
    def kept(self) -> Path | None:
        """The file, if there is something in it."""
        return self._path if self._told else None

    def add(self, error: BaseException) -> None:
        self._told += without_keys("".join(traceback.format_exception(error)))
        _write(self._path, self._told.encode(errors="replace"))


def _write(path: Path, data: bytes) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise RecordError(f"{path} could not be written: {error.strerror or error}") from error
    return path


def maker(spec: AgentSpec, folder: Path, clock: Clock, seconds: float) -> Callable[[], Agent]:
    """How to make fresh agents of a kind, each of which may write into the folder."""
    make = spec.make
    if make is None:
        raise ValueError(f"{spec.name} needs a task")
    folder.mkdir(parents=True, exist_ok=True)

    def fresh() -> Agent:
        agent = make(Setting(name=spec.name, folder=folder, seconds=seconds, clock=clock))
        if isinstance(agent, Owner):
            raise InputError(_DRIVES.format(name=spec.name))
        return agent

    return fresh
