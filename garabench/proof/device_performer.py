"""A device over ADB that performs the paths of proofs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from garabench.campaign.devices import Lease
from garabench.core.app_state import AppEffects
from garabench.core.selector import find
from garabench.core.step_planner import plan_step
from garabench.core.steps import (
    AnswerStep,
    DeviceStep,
    GiveUpStep,
    RotateStep,
    ScrollStep,
    SolutionStep,
    WaitForStep,
)
from garabench.device.device import Device
from garabench.device.settle import Settled
from garabench.effects.episode_states import EffectsTracker
from garabench.episode.reset import prepare
from garabench.goals.goal_check import DeviceFacts
from garabench.proof.batching import ExitEpisode, ExitTrial
from garabench.proof.exit_checks import OnDecision
from garabench.proof.exit_episode import run_exits
from garabench.proof.path_performer import SOLUTION
from garabench.records.disk import disk_error
from garabench.suite.suite import Suite, SuiteTask

_MAX_SCROLLS = 12
_MAX_POLLS = 6
_WAIT_S = 0.5
_ROTATION = ("accelerometer_rotation", "user_rotation")
_LANDSCAPE, _PORTRAIT = "1", "0"


class DevicePerformer:
    """A device on which tasks are proven; implements `PathPerformer` and `ExitPerformer`."""

    def __init__(self, lease: Lease, evidence_dir: Path | None) -> None:
        """Prepare a performer; nothing is connected.

        Args:
            lease: The device.
            evidence_dir: Folder for evidence of failures; None saves none.
        """
        self._lease = lease
        self._evidence_dir = evidence_dir
        self._device: Device | None = None
        self._last_settled: Settled | None = None
        self._effects: EffectsTracker | None = None

    @property
    def device(self) -> Device:
        """The device; connects on first use.

        Raises:
            DeviceError: The device cannot be reached.
        """
        if self._device is None:
            self._device = self._lease.connect()
        return self._device

    def save_evidence_in(self, folder: Path | None) -> None:
        """Save the evidence of later failures in another folder."""
        self._evidence_dir = folder

    def begin(self, app: str, setup: Sequence[DeviceStep], path: str = SOLUTION) -> None:
        """Reset the device; see `garabench.proof.path_performer.PathPerformer`."""
        device = self.device
        self._lease.restore()
        self._last_settled = prepare(device, app, setup)
        self._effects = EffectsTracker(device.adb)
        self._effects.begin(app)

    def height_dp(self) -> int | None:
        """Return the height of the screen; see `garabench.proof.path_performer.PathPerformer`."""
        return self.device.info.height_dp

    def effects(self) -> tuple[AppEffects, ...]:
        """Return what the path changed; see `garabench.proof.path_performer.PathPerformer`."""
        return () if self._effects is None else self._effects.finish()

    def run_exits(
        self,
        item: SuiteTask,
        suite: Suite,
        trials: Sequence[ExitTrial],
        on_decision: OnDecision = lambda decision: None,
    ) -> ExitEpisode:
        """Perform an episode with exits; see `garabench.proof.exit_checks.ExitPerformer`."""
        device = self.device
        self._lease.restore()
        self._last_settled = None
        return run_exits(device, item, suite, trials, on_decision)

    def facts(self, answer: str | None) -> DeviceFacts:
        """Return the settled screen and device facts; see `garabench.proof.path_performer.PathPerformer`."""
        return DeviceFacts(self._settled().reading.tree, self.device, answer=answer)

    def perform(self, step: SolutionStep) -> str:
        """Perform a step; see `garabench.proof.path_performer.PathPerformer`."""
        match step:
            case AnswerStep() | GiveUpStep():
                return ""  # not an action on the device
            case RotateStep():
                return self._rotate()
            case WaitForStep():
                return self._wait_for(step)
            case ScrollStep() if step.scroll.until is not None:
                return self._scroll_until(step)
            case _:
                return self._once(step)

    def _once(self, step: SolutionStep) -> str:
        tree = self._settled().reading.tree
        if self._effects is not None:
            for package in sorted(tree.packages):
                self._effects.seen(package)
        action = plan_step(step, tree, self.device.screen)
        if action is None:
            kind, value = next(iter(step))
            name = value.describe() if hasattr(value, "describe") else f"{kind}: {value}"
            return f"{name} is not on screen"
        result = self.device.perform(action, self.device.screen)
        self._last_settled = None
        return "" if result.ok else result.detail

    def _rotate(self) -> str:
        """Turn the phone to landscape and back; the settings are as before afterwards."""
        before = {key: self._run("settings", "get", "system", key).strip() for key in _ROTATION}
        automatic, turns = _ROTATION
        self._run("settings", "put", "system", automatic, "0")
        for value in (_LANDSCAPE, _PORTRAIT):
            self._run("settings", "put", "system", turns, value)
            self._last_settled = None
            self._settled()
        for key, value in before.items():
            if value in ("", "null"):
                self._run("settings", "delete", "system", key)
            else:
                self._run("settings", "put", "system", key, value)
        self._last_settled = None
        return ""

    def _run(self, *argv: str) -> str:
        return self.device.adb.shell(argv).check("rotate the screen").stdout

    def _wait_for(self, step: WaitForStep) -> str:
        for _ in range(_MAX_POLLS):
            if find(self._settled().reading.tree, step.wait_for):
                return ""
            self.device.wait(_WAIT_S)
            self._last_settled = None
        return f"{step.wait_for.describe()} does not appear"

    def _scroll_until(self, step: ScrollStep) -> str:
        wanted = step.scroll.until
        if wanted is None:
            return self._once(step)
        for _ in range(_MAX_SCROLLS):
            if find(self._settled().reading.tree, wanted):
                return ""
            if problem := self._once(step):
                return problem
        return f"scrolling does not reveal {wanted.describe()}"

    def _settled(self) -> Settled:
        if self._last_settled is None:
            self._last_settled = self.device.settle()
        return self._last_settled

    def save_evidence(self, name: str) -> str:
        """Save the current screen; see `garabench.proof.path_performer.PathPerformer`."""
        if self._evidence_dir is None:
            return ""
        observation = self.device.observe(0, settled=self._settled())
        path = self._evidence_dir / f"{name}.png"
        try:
            self._evidence_dir.mkdir(parents=True, exist_ok=True)
            path.write_bytes(observation.screenshot.png)
            path.with_suffix(".xml").write_bytes(observation.tree.to_xml())
        except OSError as error:
            raise disk_error(error, path) from error
        return str(path)

    def close(self) -> None:
        """Close the connection to the device."""
        device, self._device = self._device, None
        if device is not None:
            device.close()
