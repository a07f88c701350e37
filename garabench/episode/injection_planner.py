"""Evaluate the rules on an observation and the device's state, and plan what they inject."""

from __future__ import annotations

from functools import cache

from garabench.device.device import Device
from garabench.device.uptime import uptime
from garabench.episode import command_results as res
from garabench.episode.interruption_queue import FiredRule, RuleContext
from garabench.episode.spec import EpisodeSpec
from garabench.goals.goal_check import DeviceFacts
from garabench.interruptions.planned_interruption import PlannedInterruption, make_token, plan_interruption
from garabench.interruptions.system.perform import plan_anomaly
from garabench.interruptions.system.tracker import PlannedAnomaly
from garabench.rules.engine import RuleEngine
from garabench.rules.schedule import EpisodeProgress


class InjectionPlanner:
    """Plans the injections of one episode by its rules."""

    def __init__(self, spec: EpisodeSpec, device: Device, language: str) -> None:
        """Compile the rules.

        Args:
            spec: The episode.
            device: The device.
            language: The language of the texts.
        """
        self._spec = spec
        self._device = device
        self._language = language
        self._engine = RuleEngine(
            spec.rules, seed=spec.seed, episode=spec.name, additional=spec.additional_rules
        )
        rules = (*spec.rules, *spec.additional_rules)
        self._timed = any(bound.rule.when.after_seconds is not None for bound in rules)
        self._start = 0.0

    def begin(self) -> None:
        """Start the time that rules may refer to, on the first screen.

        Raises:
            DeviceError: The device is gone, or does not report its uptime.
        """
        if self._timed and self._spec.mode is not None:
            self._start = uptime(self._device.adb)

    def fire(self, observed: res.ScreenObserved, context: RuleContext) -> FiredRule | None:
        """Return the rule that fires on an observation and what it injects, or None.

        Raises:
            DeviceError: The device is gone, or does not report its uptime.
        """
        mode = self._spec.mode
        if mode is None:
            return None
        observation = observed.observation
        facts = DeviceFacts(observation.tree, self._device, focus=observation.focus)
        past = EpisodeProgress(context.actions or {}, cache(lambda: uptime(self._device.adb) - self._start))
        firing = self._engine.decide(facts, context.step, context.fired, past)
        if firing is None and context.extended:
            firing = self._engine.decide_extended(facts, context.step, past)
        if firing is None:
            return None
        names, step = firing.rule.inject, f"{context.step}"
        ids = (step, *(f"{step}/{number}" for number in range(2, len(names) + 1)))
        planned = tuple(self.plan(name, injection) for name, injection in zip(names, ids, strict=True))
        return FiredRule(planned, firing.rule.id, firing.reason)

    def window(self, name: str, injection: str) -> PlannedInterruption:
        """Plan a window of the companion app.

        Args:
            name: Id of the interruption.
            injection: Id of the injection within the episode.
        """
        spec = self._spec
        if spec.mode is None:
            raise RuntimeError("nothing is injected under the clean condition")
        token, interruption = self._token(injection), spec.interruptions[name]
        return plan_interruption(interruption, spec.mode, app=spec.app, language=self._language, token=token)

    def plan(self, name: str, injection: str) -> PlannedInterruption | PlannedAnomaly:
        """Plan an interruption of the library: a window, or a system anomaly.

        Args:
            name: Id of the interruption.
            injection: Id of the injection within the episode.
        """
        mode = self._spec.mode
        if mode is None:
            raise RuntimeError("nothing is injected under the clean condition")
        anomaly = self._spec.anomalies.get(name)
        if anomaly is None:
            return self.window(name, injection)
        app, language = self._spec.app, self._language
        return plan_anomaly(anomaly, mode, app=app, language=language, token=self._token(injection))

    def _token(self, injection: str) -> str:
        return make_token(self._spec.seed, f"{self._spec.name}/{self._spec.agent}/{injection}", 0)
