"""A device over adb as the stage of proofs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from garabench.agents.reference.agent import plan_step
from garabench.campaign.devices import Lease
from garabench.campaign.passages import pass_by
from garabench.campaign.rounds import Passage, Passed
from garabench.campaign.suite import Suite, SuiteTask
from garabench.core.selector import find
from garabench.core.steps import AnswerStep, DeviceStep, GiveUpStep, ScrollStep, SolutionStep, WaitForStep
from garabench.device.device import Device
from garabench.device.settle import Settled
from garabench.episode.recorder import disk_error
from garabench.episode.reset import prepare
from garabench.goals.check import DeviceFacts

_MOST_SCROLLS = 12
_LOOKS = 6
_WAIT_S = 0.5


class DeviceStage:
    """A device on which tasks are proven."""

    def __init__(self, lease: Lease, keep_in: Path | None) -> None:
        """Prepare; nothing is connected.

        Args:
            lease: The device.
            keep_in: Where the evidence of what failed is kept; None keeps none.
        """
        self._lease = lease
        self._keep_in = keep_in
        self._device: Device | None = None
        self._seen: Settled | None = None

    @property
    def device(self) -> Device:
        """The device, connected when it is first asked for.

        Raises:
            DeviceError: It cannot be reached.
        """
        if self._device is None:
            self._device = self._lease.connect()
        return self._device

    def keep_below(self, folder: Path | None) -> None:
        """Keep what follows in another folder."""
        self._keep_in = folder

    def begin(self, app: str, setup: Sequence[DeviceStep]) -> None:
        """See `garabench.campaign.prove.Stage`."""
        device = self.device
        self._lease.restore()
        prepare(device, app, setup)
        self._seen = None

    def pass_by(self, item: SuiteTask, suite: Suite, passages: Sequence[Passage]) -> Passed:
        """See `garabench.campaign.exit_proofs.Passages`."""
        device = self.device
        self._lease.restore()
        self._seen = None
        return pass_by(device, item, suite, passages)

    def facts(self, answer: str | None) -> DeviceFacts:
        """See `garabench.campaign.prove.Stage`."""
        return DeviceFacts(self._settled().reading.tree, self.device, answer=answer)

    def do(self, step: SolutionStep) -> str:
        """See `garabench.campaign.prove.Stage`."""
        match step:
            case AnswerStep() | GiveUpStep():
                return ""  # said, not done
            case WaitForStep():
                return self._wait_for(step)
            case ScrollStep() if step.scroll.until is not None:
                return self._scroll_until(step)
            case _:
                return self._once(step)

    def _once(self, step: SolutionStep) -> str:
        action = plan_step(step, self._settled().reading.tree, self.device.screen)
        if action is None:
            kind, value = next(iter(step))
            words = value.describe() if hasattr(value, "describe") else f"{kind}: {value}"
            return f"{words} is not on the screen"
        done = self.device.perform(action, self.device.screen)
        self._seen = None
        return "" if done.ok else done.detail

    def _wait_for(self, step: WaitForStep) -> str:
        for _ in range(_LOOKS):
            if find(self._settled().reading.tree, step.wait_for):
                return ""
            self.device.wait(_WAIT_S)
            self._seen = None
        return f"{step.wait_for.describe()} does not come"

    def _scroll_until(self, step: ScrollStep) -> str:
        wanted = step.scroll.until
        if wanted is None:
            return self._once(step)
        for _ in range(_MOST_SCROLLS):
            if find(self._settled().reading.tree, wanted):
                return ""
            if problem := self._once(step):
                return problem
        return f"no scrolling shows {wanted.describe()}"

    def _settled(self) -> Settled:
        if self._seen is None:
            self._seen = self.device.settle()
        return self._seen

    def keep(self, name: str) -> str:
        """See `garabench.campaign.prove.Stage`."""
        if self._keep_in is None:
            return ""
        seen = self.device.observe(0, settled=self._settled())
        path = self._keep_in / f"{name}.png"
        try:
            self._keep_in.mkdir(parents=True, exist_ok=True)
            path.write_bytes(seen.screenshot.png)
            path.with_suffix(".xml").write_bytes(seen.tree.to_xml())
        except OSError as error:
            raise disk_error(error, path) from error
        return str(path)

    def close(self) -> None:
        """Let the device go."""
        device, self._device = self._device, None
        if device is not None:
            device.close()
