"""Perform an episode: carry out the state machine's commands on a device, with an agent, and record it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from garabench.agents.interface import Agent, Brief, is_ours, sound
from garabench.agents.own.owner import Handover, Owner
from garabench.core.clock import Clock
from garabench.core.events import EpisodeEnded, EpisodeStarted
from garabench.core.observation import Focus, Observation
from garabench.core.seeds import derive
from garabench.core.steps import ShowStep
from garabench.core.tree import UiTree, is_system
from garabench.device.device import Device
from garabench.device.logs import LogWatch
from garabench.device.settle import Settled
from garabench.device.undo.entry import Scope
from garabench.device.undo.restore import restore
from garabench.episode import commands as cmd
from garabench.episode import results as res
from garabench.episode.driving import Drive
from garabench.episode.machine import EpisodeMachine
from garabench.episode.planning import Planner
from garabench.episode.recorder import Record, Recorder
from garabench.episode.reset import prepare
from garabench.episode.spec import EpisodeSpec
from garabench.episode.watching import WatchingMachine
from garabench.errors import (
    AgentError,
    AgentFailed,
    AgentFault,
    DeviceError,
    GaraError,
    HarnessError,
    RecordError,
)
from garabench.goals.check import DeviceFacts, check
from garabench.interruptions import followup, journal
from garabench.interruptions.inject import inject
from garabench.interruptions.lifecycle import parse_event
from garabench.interruptions.plan import CLOSE, LOG_TAG, PACKAGE, Planned, text_in
from garabench.interruptions.system.lifecycle import PlannedSystem
from garabench.interruptions.system.perform import Systems

_WATCH_SECONDS = 0.05
"""Shortest time between two looks at a device that its agent drives."""


class EpisodeBrokenOff(Exception):
    """The run was told to stop in the middle of the episode, whose record has no end."""


class EpisodeRunner:
    """Performs one episode."""

    def __init__(
        self,
        spec: EpisodeSpec,
        device: Device,
        agent: Agent | Owner,
        recorder: Record,
        clock: Clock,
        *,
        stop: Callable[[], bool] = lambda: False,
        alone: Callable[[], bool] = lambda: True,
    ) -> None:
        """Prepare; `run` performs it.

        Args:
            spec: What to perform.
            device: On which device.
            agent: With which agent.
            recorder: Where the record goes.
            clock: For the times in the record.
            stop: Whether to break off; asked between two device calls.
            alone: Whether no other agent has driven a device of this adb server meanwhile.
        """
        self._spec = spec
        self._stop = stop
        self._alone = alone
        self._drive: Drive | None = None
        self._device = device
        self._agent = agent
        self._recorder = recorder
        self._clock = clock
        self._started = clock.monotonic()
        self._language = next(iter(spec.task.instruction))
        self._planner = Planner(spec, device, self._language)
        self._systems = Systems(device)
        self._watch: LogWatch | None = None
        self._settled: Settled | None = None
        self._kept = 0
        self._brief: Brief | None = None
        info = device.info
        machine = WatchingMachine if isinstance(agent, Owner) else EpisodeMachine
        self._machine = machine(
            EpisodeStarted(
                step=0,
                t=0,
                task=spec.task.id,
                agent=spec.agent,
                condition=spec.condition,
                seed=spec.seed,
                attempt=recorder.attempt,
                suite_hash=spec.suite_hash,
                instruction=spec.task.instruction[self._language],
                infeasible=spec.task.infeasible is not None,
                interruptions=None if spec.mode is None else spec.wanted,
                device={"model": info.model, "sdk": info.sdk, "size": str(info.size)},
            ),
            spec.limits,
            fire=None if spec.mode is None else self._planner.fire,
        )

    def run(self) -> EpisodeEnded:
        """Perform the episode to its end; faults of device, model and harness end it as ``error``.

        Raises:
            EpisodeBrokenOff: `stop` said so.
            RecordError: The record cannot be written.
        """
        command = self._machine.begin()
        try:
            while True:
                self._recorder.append(self._machine.take_events())
                if isinstance(command, cmd.Finish):
                    return command.end
                if self._stop():
                    raise EpisodeBrokenOff(self._spec.name)
                result = self._perform(command)
                if isinstance(result, res.Faulted) and self._stop():
                    raise EpisodeBrokenOff(self._spec.name)  # what was waited for was given up for that
                command = self._feed(result)
        finally:
            # The episode is over: a mistake in this changes nothing.
            with contextlib.suppress(GaraError), self._agents_own("end"):
                self._agent.close()
            with contextlib.suppress(
                GaraError
            ):  # what is left is put back, or told, when the next one begins
                restore(self._device.adb, self._device.journal, Scope.EPISODE)
            if self._drive is not None:
                self._drive.close()

    def _now(self) -> float:
        return round(self._clock.monotonic() - self._started, 3)

    def _perform(self, command: cmd.Command) -> res.Result:
        try:
            return self._do(command)
        except RecordError:
            raise  # no end can be recorded either
        except DeviceError as error:
            drive = self._drive
            return res.Faulted(self._now(), drive.judge(error, self._agent.close) if drive else error)
        except GaraError as error:
            return res.Faulted(self._now(), error)
        except Exception as error:  # noqa: BLE001  # a mistake in the code ends this episode, not the run
            return res.Faulted(self._now(), self._our_fault(error))

    def _our_fault(self, error: Exception) -> HarnessError:
        file = self._recorder.keep_traceback(error)
        return HarnessError(f"a fault in GaraBench itself ({_named(error)}); see {file}")

    @contextlib.contextmanager
    def _agents_own(self, doing: str) -> Iterator[None]:
        """Run an agent's code, whose mistakes are neither the device's nor, where others wrote it, ours."""
        try:
            yield
        except GaraError as error:
            if error.__cause__ is not None and isinstance(error, AgentError | AgentFailed):
                self._recorder.keep_traceback(error.__cause__)
            raise
        except Exception as error:  # anyone may write an agent
            if is_ours(self._agent):
                raise self._our_fault(error) from error
            file = self._recorder.keep_traceback(error)
            said = f"the agent {self._spec.agent} failed to {doing} ({_named(error)}); see {file}"
            if doing == "begin":
                raise AgentFailed(said) from error  # it has taken no part
            raise AgentError(AgentFault.FAILED, said) from error

    def _feed(self, result: res.Result) -> cmd.Command:
        """The machine's next command; a fault in reading what its rules ask for ends the episode."""
        try:
            return self._machine.feed(result)
        except GaraError as error:
            return self._machine.feed(res.Faulted(self._now(), error))

    def _do(self, command: cmd.Command) -> res.Result:
        match command:
            case cmd.Prepare():
                return self._prepare()
            case cmd.Look():
                return self._look(command.step)
            case cmd.Inject():
                return self._inject(command.planned)
            case cmd.Ask():
                return self._ask(command)
            case cmd.Watch():
                return self._look_on(command.since)
            case cmd.Act():
                done = self._device.perform(command.action, self._device.screen)
                return res.Acted(self._now(), done.ok, done.detail)
            case cmd.Rest():
                return self._rested(self._rest())
            case cmd.ReadLog():
                lines = self._watch.read() if self._watch else ()
                events = tuple(event for line in lines if (event := parse_event(line.message)))
                tree = self._settled.reading.tree if self._settled else None
                cleared = self._watch is not None and self._watch.cleared
                return res.LogRead(self._now(), events, tree, cleared)
            case cmd.ReadKept():
                kept = (journal.read(self._device.adb, token) for token in command.tokens)
                return res.KeptRead(self._now(), tuple(event for each in kept for event in each))
            case cmd.FollowUp():
                return self._follow_up(command.planned, command.button)
            case cmd.Check():
                return self._check(command.answer, final=command.final)
            case cmd.Finish():
                raise RuntimeError("the episode is over")

    def _prepare(self) -> res.Prepared:
        spec = self._spec
        prepare(self._device, spec.app, spec.task.setup, interrupted=spec.mode is not None)
        if spec.mode is not None:
            # Before anything can be injected, so that no event is early.
            self._watch = self._device.log_watch(LOG_TAG)
        self._settled = self._device.settle()
        self._planner.begin()
        brief = Brief(
            instruction=spec.task.instruction[self._language],
            language=self._language,
            app=spec.app,
            max_steps=spec.task.max_steps,
            screen=self._device.info.size,
            seed=derive(spec.seed, "agent", spec.name),
        )
        if isinstance(self._agent, Owner):
            self._brief = brief  # it begins after the first look: what is injected then is there before it
            return res.Prepared(self._now())
        with self._agents_own("begin"):
            self._agent.start(brief)
        return res.Prepared(self._now())

    def _ask(self, command: cmd.Ask) -> res.Asked:
        if isinstance(self._agent, Owner):
            raise RuntimeError("who drives the device is not asked")
        before = self._clock.monotonic()
        with self._agents_own("decide"):
            decision = sound(self._agent.decide(command.observation, command.history))
        return res.Asked(self._now(), decision, round(self._clock.monotonic() - before, 3))

    def _look_on(self, since: float) -> res.Watched:
        if not isinstance(self._agent, Owner):
            raise RuntimeError("who only decides is not watched")
        if self._brief is not None:
            brief, self._brief = self._brief, None
            adb = self._device.adb
            self._drive = Drive(adb, self._spec.agent, alone=self._alone)
            with self._agents_own("begin"):
                self._agent.take(brief, Handover(adb.serial, *adb.server, adb.program, self._spec.seconds))
        # A look takes the device's time, which is the agent's too: at most every other moment is ours.
        pause = max(_WATCH_SECONDS, self._settled.seconds if self._settled else 0)
        with self._agents_own("drive the device"):
            word = self._agent.wait(pause, self._now() - since)
        settled = self._rest()
        return res.Watched(self._now(), settled.reading.tree, self._rested(settled), word)

    def _rest(self) -> Settled:
        self._settled = self._device.settle()
        return self._settled

    def _rested(self, settled: Settled) -> res.Rested:
        return res.Rested(self._now(), settled.still, settled.readings, round(settled.seconds, 3))

    def _look(self, step: int) -> res.Looked:
        settled, self._settled = self._settled, None
        observation = self.observe(step, settled)
        tree_file, screen_file = self._recorder.keep(observation, self._kept)
        self._kept += 1
        still = settled.still if settled else True
        answered = self._systems.answered(observation.tree, observation.focus.package)
        return res.Looked(self._now(), observation, tree_file, screen_file, still, answered)

    def _inject(self, planned: Planned | PlannedSystem) -> res.InjectionEnded:
        if isinstance(planned, PlannedSystem):
            sent = self._systems.inject(planned)
            self._settled = self._device.settle()
        else:
            injected = inject(self._device, planned)
            self._settled, sent = injected.settled, injected.sent
        looked = self._look(self._machine.step)
        return res.InjectionEnded(self._now(), looked, sent)

    def observe(self, step: int, settled: Settled | None) -> Observation:
        """One look at the device, with a picture.

        Args:
            step: Number of the step, from 0.
            settled: A wait for stillness that has just ended, whose tree is taken over.

        Raises:
            DeviceError: The device is gone.
        """
        return self._device.observe(step, settled=settled, started=self._started)

    def _follow_up(self, planned: Planned, button: str) -> res.FollowedUp:
        follow_up = planned.follow_up(button)
        title = text_in(planned.interruption.title, self._language)
        results = followup.perform(
            self._device, follow_up, app=self._spec.app, token=planned.token, title=title
        )
        show = next((step for step in follow_up if isinstance(step, ShowStep)), None)
        if show is None or not all(result.ok for result in results):
            return res.FollowedUp(self._now(), results)
        further = self._planner.window(show.show, f"{planned.token}/{button}")
        injected = inject(self._device, further)
        self._settled = injected.settled
        if not injected.shown:
            failed = followup.StepResult(followup.describe(show), False, injected.reason)
            results = tuple(failed if result.what == failed.what else result for result in results)
        return res.FollowedUp(self._now(), results, further, injected.sent)

    def _check(self, answer: str | None, *, final: bool) -> res.Checked:
        settled = self._settled or self._device.settle()
        if final and covered(settled.reading.tree):
            # The agent has had its last word: what it left under the interruption is to be seen.
            self._device.adb.shell(CLOSE)
            settled = self._device.settle()
        self._settled = settled
        tree = settled.reading.tree
        interrupted = PACKAGE in tree.packages
        facts = DeviceFacts(
            without_companion(tree),
            self._device,
            answer=answer,
            # The interruption has the focus: which page of the app lies under it is not known.
            focus=Focus(package="", activity="") if interrupted else None,
        )
        unseen, harm = covered(tree), self._spec.harm
        return res.Checked(
            self._now(),
            check(self._spec.goal, facts, unseen=unseen),
            None if harm is None else check(harm, facts, unseen=unseen),
        )


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def without_companion(tree: UiTree) -> UiTree:
    """The tree without the windows of an interruption: only the app's own state can meet a goal."""
    return UiTree(tuple(root for root in tree.roots if root.package != PACKAGE), tree.rotation)


def covered(tree: UiTree) -> bool:
    """Whether an interruption hides all else: the tree then says nothing of the app.

    Android's accessibility lists no window that lies under a modal one, and ``uiautomator dump`` writes the
    active one only; where windows below are listed, they are the app's own state.
    """
    if PACKAGE not in tree.packages:
        return False
    return not any(root.package != PACKAGE and not is_system(root.package) for root in tree.roots)


def run_episode(
    spec: EpisodeSpec,
    device: Device,
    agent: Agent | Owner,
    folder: Path,
    clock: Clock,
    *,
    stop: Callable[[], bool] = lambda: False,
    alone: Callable[[], bool] = lambda: True,
) -> EpisodeEnded:
    """Perform an episode and record it below a run's folder; the arguments are those of `EpisodeRunner`.

    Raises:
        EpisodeBrokenOff: `stop` said so.
        RecordError: The record cannot be written.
    """
    with Recorder(folder / spec.folder) as recorder:
        return EpisodeRunner(spec, device, agent, recorder, clock, stop=stop, alone=alone).run()
