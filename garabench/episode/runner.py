"""Perform an episode: execute the state machine's commands on a device with an agent, and record it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from garabench.agents.external.autonomous import AutonomousAgent, DeviceHandover
from garabench.agents.interface import Agent, Brief, is_built_in, validate_decision
from garabench.core.app_state import SYSTEM, AppEffects
from garabench.core.clock import Clock
from garabench.core.companion_app import LOG_TAG, PACKAGE
from garabench.core.events import Effects, EpisodeEnded, Event
from garabench.core.observation import Focus, Observation, TreeSource
from garabench.core.seeds import derive
from garabench.core.side_effects import unasked_effects
from garabench.core.steps import ShowStep
from garabench.core.tree import UiTree
from garabench.device.device import Device
from garabench.device.focus import WindowState
from garabench.device.health import foreign_window, may_be_foreign
from garabench.device.logs import LogWatch
from garabench.device.settle import Settled
from garabench.device.trees import TreeReading
from garabench.device.undo.entry import Scope
from garabench.device.undo.restore import restore_device
from garabench.effects.app_state_reader import is_state
from garabench.effects.episode_states import EffectsTracker
from garabench.effects.harness_changes import changed_settings
from garabench.effects.state_keys import StateKeys
from garabench.episode import attempt_bounds, event_builders
from garabench.episode import command_results as res
from garabench.episode import commands as cmd
from garabench.episode.app_visibility import is_app_covered
from garabench.episode.connection_attribution import AutonomousSession
from garabench.episode.injection_planner import InjectionPlanner
from garabench.episode.machine import EpisodeMachine
from garabench.episode.mark import EpisodeMark, mark_episode
from garabench.episode.passive_machine import PassiveEpisodeMachine
from garabench.episode.recorded_injections import RecordedInjections, ReplayedInterruptions
from garabench.episode.reset import prepare
from garabench.episode.screen_goal_check import ScreenGoalCheck
from garabench.episode.spec import EpisodeSpec
from garabench.errors import (
    AgentError,
    AgentFault,
    AgentStartError,
    DeviceError,
    GaraError,
    HarnessError,
    RecordError,
)
from garabench.goals.goal_check import GoalChecker
from garabench.interruptions import companion_log, follow_up
from garabench.interruptions.inject import inject
from garabench.interruptions.lifecycle import parse_companion_event
from garabench.interruptions.planned_interruption import PlannedInterruption, text_in
from garabench.interruptions.system.perform import ActiveAnomalies
from garabench.interruptions.system.tracker import PlannedAnomaly
from garabench.records.episode_writer import EpisodeRecord, EpisodeWriter

_WATCH_SECONDS = 0.05
"""Minimum time between two readings of the screen while an agent drives the device."""


class EpisodeStoppedError(Exception):
    """The run was stopped during the episode, whose record has no end."""


class EpisodeRunner:
    """Performs one episode.

    Attributes:
        photographs: Whether `observe` takes screenshots; the device then starts them early.
    """

    photographs: ClassVar[bool] = True

    def __init__(
        self,
        spec: EpisodeSpec,
        device: Device,
        agent: Agent | AutonomousAgent,
        recorder: EpisodeRecord,
        clock: Clock,
        *,
        stop: Callable[[], bool] = lambda: False,
        alone: Callable[[], bool] = lambda: True,
        replayed: ReplayedInterruptions | None = None,
    ) -> None:
        """Set up the episode; `run` performs it.

        Args:
            spec: The episode.
            device: The device.
            agent: The agent.
            recorder: Writes the record.
            clock: Measures the times in the record.
            stop: Returns whether to stop; called before each command.
            alone: Returns whether no other agent has driven a device of this adb server meanwhile.
            replayed: The recorded interruptions that are injected again; None if the rules decide.
        """
        self._spec = spec
        self._stop = stop
        self._alone = alone
        self._session: AutonomousSession | None = None
        self._device = device
        self._agent = agent
        self._recorder = recorder
        self._clock = clock
        self._started = clock.monotonic()
        self._language = spec.task.instruction_language(device.info.language)
        self._planner = InjectionPlanner(spec, device, self._language)
        self._anomalies = ActiveAnomalies(device)
        self._keys = StateKeys() if isinstance(agent, AutonomousAgent) else None
        self._effects = EffectsTracker(device.adb, self._keys)
        self._checker = GoalChecker(spec.goal, spec.harm)
        self._goal_check = ScreenGoalCheck(spec, device, self._checker, self._effects, self._address)
        self._watch: LogWatch | None = None
        self._settled: Settled | None = None
        self._tree: UiTree | None = None
        self._window: WindowState | None = None
        self._had_anomaly = False
        self._brief: Brief | None = None
        self._written: list[Event] = []
        self._request: cmd.RequestDecision | None = None
        self._continues = False
        fire = (
            self._planner.fire if replayed is None else RecordedInjections(replayed, self._planner.plan).fire
        )
        machine = PassiveEpisodeMachine if isinstance(agent, AutonomousAgent) else EpisodeMachine
        self._machine = machine(
            attempt_bounds.started(spec, device.info, recorder.attempt),
            spec.limits,
            fire=None if spec.mode is None else fire,
        )

    def run(self) -> EpisodeEnded:
        """Perform the episode to its end; a fault of device, model or harness ends it as ``error``.

        Raises:
            EpisodeStoppedError: `stop` returned True.
            RecordError: The record cannot be written.
        """
        return self._perform_all(self._machine.begin())

    def mark(self) -> EpisodeMark:
        """Return a mark of the present moment, during a decision of the agent.

        It does not include the device: the caller saves and restores that.

        Raises:
            UnsupportedObjectError: The runner holds an object that cannot be saved.
        """
        if self._request is None or self._session is not None:
            raise RuntimeError("an episode can only be marked during a decision")
        parts = (self._machine, self._planner, self._anomalies, self._effects, self._checker, self._watch)
        return mark_episode(parts, self._device.journal, self._request, tuple(self._written), self._now())

    def continue_from(
        self, mark: EpisodeMark, agent: Agent, recorder: EpisodeRecord, spec: EpisodeSpec
    ) -> EpisodeEnded:
        """Perform the rest of the episode again, with another agent and into another record.

        The record begins with the events before the mark. The device must be in the state of the mark again,
        and so must its journal (`EpisodeMark.record_changes`); the screen is observed anew before the agent
        decides.

        Args:
            mark: A mark of this runner.
            agent: The agent; it is started now.
            recorder: Writes the record.
            spec: The episode, with its limits.

        Raises:
            EpisodeStoppedError: `stop` returned True.
            RecordError: The record cannot be written.
        """
        mark.image.restore()
        self._machine.set_limits(spec.limits)
        self._agent, self._recorder = agent, recorder
        self._started = self._clock.monotonic() - mark.t
        self._settled = self._tree = self._window = None
        self._continues = True
        self._written.clear()
        self._record(mark.events)
        return self._perform_all(mark.request)

    def _record(self, events: tuple[Event, ...]) -> None:
        self._written += events
        self._recorder.append(events)

    def _perform_all(self, command: cmd.Command) -> EpisodeEnded:
        """Perform a command and those that follow, to the end of the episode."""
        try:
            while True:
                events = self._machine.take_events()
                if isinstance(command, cmd.FinishEpisode):
                    self._record(self._with_final_state(events, command.end))
                    return command.end
                self._record(events)
                if self._stop():
                    raise EpisodeStoppedError(self._spec.name)
                result = self._perform(command)
                if isinstance(result, res.CommandFailed) and self._stop():
                    raise EpisodeStoppedError(self._spec.name)  # the command was aborted to stop
                command = self._feed(result)
        finally:
            # The episode has ended: a failure here does not change its outcome.
            with contextlib.suppress(GaraError), self._agent_errors("end"):
                self._agent.close()
            with contextlib.suppress(GaraError):  # the next episode retries, or reports it
                restore_device(self._device.adb, self._device.journal, Scope.EPISODE)
            self._effects.discard_started()
            self._effects.release()
            if self._session is not None:
                self._session.close()

    def _with_final_state(self, events: tuple[Event, ...], end: EpisodeEnded) -> tuple[Event, ...]:
        """Return the last events with the final screen and what the episode changed; not after a fault."""
        if end.outcome == "error":
            return events
        final = self._final_screen(end)
        try:
            apps = self._effects.finish()
        except Exception as error:  # noqa: BLE001  # a bug here must not change the outcome
            reason = str(self._harness_error(error))
            apps = tuple(AppEffects(package=name, unknown=reason) for name in (SYSTEM, self._spec.app))
        by_harness = changed_settings(entry for _, entry in self._device.journal.entries)
        effects = Effects(
            step=end.step,
            t=end.t,
            apps=apps,
            by_harness=by_harness,
            unasked=unasked_effects(apps, self._spec.effects, frozenset(by_harness)),
        )
        return (*events[:-1], *final, effects, events[-1])

    def _address(self, uri: str) -> str:
        """Return the address of content, with a key if it is a locked state."""
        return uri if self._keys is None or not is_state(uri) else self._keys.address(uri)

    def _final_screen(self, end: EpisodeEnded) -> tuple[Event, ...]:
        """Observe the screen after the last action; nothing if the last observation already shows it."""
        if self._settled is None:
            return ()
        try:
            return (event_builders.final_observed(end, self._observe(end.step, last=True)),)
        except RecordError:
            raise
        except Exception as error:  # noqa: BLE001  # the episode has ended: its outcome stays
            if not isinstance(error, GaraError):
                self._harness_error(error)
            return ()

    def _now(self) -> float:
        return round(self._clock.monotonic() - self._started, 3)

    def _perform(self, command: cmd.Command) -> res.CommandResult:
        try:
            return self._execute(command)
        except RecordError:
            raise  # the end of the episode cannot be recorded either
        except DeviceError as error:
            if self._session is not None:
                return res.CommandFailed(self._now(), self._session.attribute(error, self._agent.close))
            return res.CommandFailed(self._now(), error)
        except GaraError as error:
            return res.CommandFailed(self._now(), error)
        except Exception as error:  # noqa: BLE001  # a bug ends this episode, not the run
            return res.CommandFailed(self._now(), self._harness_error(error))

    def _harness_error(self, error: Exception) -> HarnessError:
        file = self._recorder.write_traceback(error)
        return HarnessError(f"internal error in GaraBench ({_describe(error)}); see {file}")

    @contextlib.contextmanager
    def _agent_errors(self, activity: str) -> Iterator[None]:
        """Attribute errors of the agent's code to the agent, or to GaraBench if the agent is built in."""
        try:
            yield
        except GaraError as error:
            if error.__cause__ is not None and isinstance(error, AgentError | AgentStartError):
                self._recorder.write_traceback(error.__cause__)
            raise
        except Exception as error:  # external agents may raise anything
            if is_built_in(self._agent):
                raise self._harness_error(error) from error
            file = self._recorder.write_traceback(error)
            message = f"the agent {self._spec.agent} failed to {activity} ({_describe(error)}); see {file}"
            if activity == "start":
                raise AgentStartError(message) from error  # it took no part in the episode
            raise AgentError(AgentFault.FAILED, message) from error

    def _feed(self, result: res.CommandResult) -> cmd.Command:
        """Return the machine's next command; a fault while the rules read the device ends the episode."""
        try:
            return self._machine.feed(result)
        except GaraError as error:
            return self._machine.feed(res.CommandFailed(self._now(), error))

    def _execute(self, command: cmd.Command) -> res.CommandResult:
        match command:
            case cmd.PrepareDevice():
                return self._prepare()
            case cmd.ObserveScreen():
                return self._observe(command.step)
            case cmd.InjectInterruption():
                return self._inject(command.planned)
            case cmd.RequestDecision():
                return self._ask(command)
            case cmd.WatchAgent():
                return self._watch_agent(command.since)
            case cmd.PerformAction():
                done = self._device.perform(command.action, self._device.screen)
                return res.ActionPerformed(self._now(), done.ok, done.detail)
            case cmd.Settle():
                return self._settled_result(self._settle(photograph=self.photographs, last=command.last))
            case cmd.ReadLog():
                lines = self._watch.read() if self._watch else ()
                events = tuple(event for line in lines if (event := parse_companion_event(line.message)))
                tree = self._settled.reading.tree if self._settled else None
                cleared = self._watch is not None and self._watch.cleared
                return res.LogRead(self._now(), events, tree, cleared)
            case cmd.ReadCompanionLog():
                logs = (
                    companion_log.read_companion_events(self._device.adb, token) for token in command.tokens
                )
                return res.CompanionLogRead(self._now(), tuple(event for each in logs for event in each))
            case cmd.PerformFollowUp():
                return self._follow_up(command.planned, command.button)
            case cmd.CheckGoal():
                return self._check(command.answer, final=command.final)
            case cmd.FinishEpisode():
                raise RuntimeError("the episode is over")

    def _prepare(self) -> res.DevicePrepared:
        spec = self._spec
        self._settled = prepare(self._device, spec.app, spec.task.setup, interrupted=spec.mode is not None)
        if spec.mode is not None:
            # Started before the first injection, so that no event is missed.
            self._watch = self._device.log_watch(LOG_TAG)
        self._effects.begin(spec.app)
        self._planner.begin()
        brief = self._make_brief()
        if isinstance(self._agent, AutonomousAgent):
            self._brief = brief  # it starts after the first observation and injection
            return res.DevicePrepared(self._now())
        with self._agent_errors("start"):
            self._agent.start(brief)
        return res.DevicePrepared(self._now())

    def _make_brief(self) -> Brief:
        spec = self._spec
        return Brief(
            instruction=spec.task.instruction[self._language],
            language=self._language,
            app=spec.app,
            max_steps=spec.task.max_steps,
            screen=self._device.info.size,
            seed=derive(spec.seed, "agent", spec.name),
        )

    def _ask(self, command: cmd.RequestDecision) -> res.AgentDecided:
        if isinstance(self._agent, AutonomousAgent):
            raise RuntimeError("autonomous agents make no decisions for the runner")
        if self._continues:
            self._continues = False
            with self._agent_errors("start"):
                self._agent.start(self._make_brief())
            settled = self._device.settle(photograph=self.photographs)
            command = replace(command, observation=self.observe(command.observation.step, settled))
        self._request = command
        before = self._clock.monotonic()
        with self._agent_errors("decide"):
            decision = validate_decision(self._agent.decide(command.observation, command.history))
        self._request = None
        return res.AgentDecided(self._now(), decision, round(self._clock.monotonic() - before, 3))

    def _watch_agent(self, since: float) -> res.AgentWatched:
        if not isinstance(self._agent, AutonomousAgent):
            raise RuntimeError("only autonomous agents are watched")
        if self._brief is not None:
            brief, self._brief = self._brief, None
            adb = self._device.adb
            self._session = AutonomousSession(adb, self._spec.agent, alone=self._alone)
            with self._agent_errors("start"):
                self._agent.start(
                    brief, DeviceHandover(adb.serial, *adb.server, adb.program, self._spec.seconds)
                )
        # Reading the screen slows down the agent's own device calls: read at most half of the time.
        pause = max(_WATCH_SECONDS, self._settled.seconds if self._settled else 0)
        with self._agent_errors("session the device"):
            report = self._agent.wait(pause, self._now() - since)
        if report is not None and self._session is not None:
            self._session.check_not_restarted()
        settled = self._settle()
        return res.AgentWatched(self._now(), settled.reading.tree, self._settled_result(settled), report)

    def _settle(self, *, photograph: bool = False, last: bool = False) -> Settled:
        self._effects.discard_started()
        window = self._window if last else None
        if last:
            self._effects.start_finish()
            if self._tree is not None and window is not None and is_app_covered(self._tree):
                # The interruption's tree decides nothing, and the next one takes seconds: the focus suffices.
                started, before = self._clock.monotonic(), window
                window = self._device.apps.window()
                if window.token and window.token == before.token:
                    reading = TreeReading(self._tree, TreeSource.UIAUTOMATOR_DUMP)
                    seconds = self._clock.monotonic() - started
                    self._settled = Settled(reading, still=True, readings=0, seconds=seconds, window=window)
                    return self._settled
        self._settled = settled = self._device.settle(photograph=photograph, before=window)
        if self._tree is None or settled.reading.tree.signature != self._tree.signature:
            self._effects.discard_started()  # the app has changed meanwhile
        return settled

    def _settled_result(self, settled: Settled) -> res.ScreenSettled:
        return res.ScreenSettled(self._now(), settled.still, settled.readings, round(settled.seconds, 3))

    def _observe(self, step: int, *, last: bool = False) -> res.ScreenObserved:
        settled, self._settled = self._settled, None
        observation = self.observe(step, settled)
        self._tree, self._window = observation.tree, settled.window if settled else None
        self._effects.seen(observation.focus.package)
        self._reject_foreign_window(observation.focus)
        stored = self._recorder.store(observation)
        still = settled.still if settled else True
        answered = (
            frozenset()
            if last  # the anomalies have ended with the episode
            else self._anomalies.answered(observation.tree, observation.focus.package)
        )
        return res.ScreenObserved(self._now(), observation, stored.tree, stored.picture, still, answered)

    def _reject_foreign_window(self, focus: Focus) -> None:
        """End the episode if the screen is covered by something that no agent has to deal with.

        Raises:
            DeviceError: A dialog says that another app has crashed, or that an app does not respond; or the
                lock screen or another prompt for a secret is up; and this episode did not cause it.
        """
        if self._had_anomaly or not may_be_foreign(focus):
            return
        if window := foreign_window(self._device, (self._spec.app, PACKAGE)):
            raise DeviceError(f"{window} covers the screen, which the episode did not cause")

    def _inject(self, planned: PlannedInterruption | PlannedAnomaly) -> res.InjectionEnded:
        if isinstance(planned, PlannedAnomaly):
            self._had_anomaly = True
            sent = self._anomalies.inject(planned)
            self._settled = self._device.settle()
        else:
            injected = inject(self._device, planned)
            self._settled, sent = injected.settled, injected.delivery
        observed = self._observe(self._machine.step)
        return res.InjectionEnded(self._now(), observed, sent)

    def observe(self, step: int, settled: Settled | None) -> Observation:
        """Observe the device.

        Args:
            step: Number of the step, from 0.
            settled: Result of waiting until the screen is still, whose tree is reused; None to read it anew.

        Raises:
            DeviceError: The device is gone.
        """
        return self._device.observe(step, settled=settled, started=self._started)

    def _follow_up(self, planned: PlannedInterruption, button: str) -> res.FollowUpEnded:
        steps = planned.follow_up(button)
        title = text_in(planned.interruption.title, self._language)
        results = follow_up.perform_follow_up(
            self._device, steps, app=self._spec.app, token=planned.token, title=title
        )
        show = next((step for step in steps if isinstance(step, ShowStep)), None)
        if show is None or not all(result.ok for result in results):
            return res.FollowUpEnded(self._now(), results)
        further = self._planner.window(show.show, f"{planned.token}/{button}")
        injected = inject(self._device, further)
        self._settled = injected.settled
        if not injected.shown:
            failed = follow_up.StepResult(follow_up.describe_follow_up(show), False, injected.reason)
            results = tuple(
                failed if result.description == failed.description else result for result in results
            )
        return res.FollowUpEnded(self._now(), results, further, injected.delivery)

    def _check(self, answer: str | None, *, final: bool) -> res.GoalEvaluated:
        is_driven = self._session is not None and not final
        checked = self._goal_check.check(self._settled, answer, final=final, is_driven=is_driven)
        self._settled = checked.settled
        return res.GoalEvaluated(self._now(), checked.goal, checked.harm, checked.fault)


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def perform_episode(
    spec: EpisodeSpec,
    device: Device,
    agent: Agent | AutonomousAgent,
    folder: Path,
    clock: Clock,
    *,
    stop: Callable[[], bool] = lambda: False,
    alone: Callable[[], bool] = lambda: True,
) -> EpisodeEnded:
    """Perform an episode and record it below a run's folder; the arguments are those of `EpisodeRunner`.

    Raises:
        EpisodeStoppedError: `stop` returned True.
        RecordError: The record cannot be written.
    """
    with EpisodeWriter(folder / spec.folder) as recorder:
        return EpisodeRunner(spec, device, agent, recorder, clock, stop=stop, alone=alone).run()
