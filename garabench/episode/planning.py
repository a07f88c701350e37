"""Ask the rules about a screen, and plan what they inject, with the device's facts and its own clock."""

from __future__ import annotations

from functools import cache

from garabench.core.interruption import Mode
from garabench.device.device import Device
from garabench.device.uptime import uptime
from garabench.episode import results as res
from garabench.episode.interrupting import Fired, Moment
from garabench.episode.spec import EpisodeSpec
from garabench.goals.check import DeviceFacts
from garabench.interruptions.plan import Planned, make_token, plan
from garabench.interruptions.system.lifecycle import PlannedSystem
from garabench.interruptions.system.perform import plan_system
from garabench.rules.engine import RuleEngine
from garabench.rules.schedule import Past


class Planner:
    """The rules of one episode, and what they inject."""

    def __init__(self, spec: EpisodeSpec, device: Device, language: str) -> None:
        """Compile the rules.

        Args:
            spec: The episode.
            device: On which device.
            language: Of the texts.
        """
        self._spec = spec
        self._device = device
        self._language = language
        self._engine = RuleEngine(spec.rules, seed=spec.seed, episode=spec.name, further=spec.further)
        rules = (*spec.rules, *spec.further)
        self._timed = any(bound.rule.when.after_seconds is not None for bound in rules)
        self._began = 0.0

    def begin(self) -> None:
        """The episode's first screen is ready: from here its time is counted, where a rule goes by it.

        Raises:
            DeviceError: The device is gone, or does not tell its time.
        """
        if self._timed and self._spec.mode is not None:
            self._began = uptime(self._device.adb)

    def fire(self, looked: res.Looked, moment: Moment) -> Fired | None:
        """The rule that fires on what was seen, and what it injects; None when none does.

        Raises:
            DeviceError: The device is gone, or does not tell its time.
        """
        mode = self._spec.mode
        if mode is None:
            return None
        observation = looked.observation
        facts = DeviceFacts(observation.tree, self._device, focus=observation.focus)
        past = Past(moment.actions or {}, cache(lambda: uptime(self._device.adb) - self._began))
        firing = self._engine.decide(facts, moment.step, moment.fired, past)
        if firing is None and moment.more:
            firing = self._engine.again(facts, moment.step, past)
        if firing is None:
            return None
        names, step = firing.rule.inject, f"{moment.step}"
        places = (step, *(f"{step}/{number}" for number in range(2, len(names) + 1)))
        planned = tuple(self._plan(name, mode, place) for name, place in zip(names, places, strict=True))
        return Fired(planned, firing.rule.id, firing.why)

    def window(self, name: str, place: str) -> Planned:
        """Plan a window of the companion app.

        Args:
            name: The interruption.
            place: What tells this injection from the episode's others.
        """
        spec = self._spec
        if spec.mode is None:
            raise RuntimeError("nothing is injected under the clean condition")
        token, what = self._token(place), spec.interruptions[name]
        return plan(what, spec.mode, app=spec.app, language=self._language, token=token)

    def _plan(self, name: str, mode: Mode, place: str) -> Planned | PlannedSystem:
        use = self._spec.anomalies.get(name)
        if use is None:
            return self.window(name, place)
        app, language = self._spec.app, self._language
        return plan_system(use, mode, app=app, language=language, token=self._token(place))

    def _token(self, place: str) -> str:
        return make_token(self._spec.seed, f"{self._spec.name}/{self._spec.agent}/{place}", 0)
