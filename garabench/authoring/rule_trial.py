"""Try a rule on a device: inject its interruption now, follow its button up, and report what happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from garabench.core.companion_app import CLOSE, LOG_TAG
from garabench.core.interruption import Mode, SystemInterruption
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.rule import BoundRule
from garabench.core.selector import Selector, find
from garabench.core.steps import ShowStep
from garabench.device.device import Device
from garabench.device.undo.entry import Scope
from garabench.device.undo.restore import restore_device
from garabench.errors import InputError
from garabench.interruptions import follow_up
from garabench.interruptions.follow_up import StepResult
from garabench.interruptions.inject import inject
from garabench.interruptions.lifecycle import CompanionEvent, on_screen, parse_companion_event
from garabench.interruptions.planned_interruption import (
    PlannedInterruption,
    make_token,
    plan_interruption,
    text_in,
)
from garabench.interruptions.system.perform import ActiveAnomalies, plan_anomaly
from garabench.rules.engine import foreground
from garabench.rules.explain import Explanation, explain_rule
from garabench.suite.suite import Suite

_PAUSE = 0.2
_PRESSED = "pressed:"


@dataclass(frozen=True, slots=True)
class InterruptionTrial:
    """What happened with one interruption.

    Attributes:
        interruption: Its id.
        shown: Whether it was seen on the screen, or took effect.
        reason: Why not; otherwise how it was delivered.
        seconds: Time until it was seen; None if it was not.
        buttons: The labels of the offered buttons, by key.
        exit: The button that was pressed, or how it was left; empty if it is still open.
        follow_up: The steps of the button and what became of them.
        front: The app in the foreground afterwards; empty if the window was closed without an answer.
    """

    interruption: str
    shown: bool
    reason: str
    seconds: float | None = None
    buttons: tuple[tuple[str, str], ...] = ()
    exit: str = ""
    follow_up: tuple[StepResult, ...] = ()
    front: str = ""


@dataclass(frozen=True, slots=True)
class RuleTrial:
    """The result of trying a rule.

    Attributes:
        rule: Its id.
        mode: The mode.
        app: The app that was in the foreground.
        explanation: Whether the rule would fire on the screen that was up, and why.
        trials: Its interruptions in order, until one was not shown or stayed open.
    """

    rule: str
    mode: Mode
    app: str
    explanation: Explanation
    trials: tuple[InterruptionTrial, ...]


def try_rule(
    device: Device,
    bound: BoundRule,
    suite: Suite,
    mode: Mode,
    *,
    press: str | None = None,
    wait: float = 30.0,
    on_shown: Callable[[InterruptionTrial], None] = lambda trial: None,
) -> RuleTrial:
    """Inject a rule's interruptions on the screen that is up, whether the rule fires there or not.

    Afterwards, windows of the companion app are closed, and what was changed on the device is undone.

    Args:
        device: The device, with the lease of its owner.
        bound: The rule.
        suite: The suite with its interruptions.
        mode: The mode.
        press: Key of the button to press; None waits for a person to answer.
        wait: Seconds to wait for the answer.
        on_shown: Called when an interruption is shown, before it is answered.

    Raises:
        InputError: An interruption has no such button in this mode.
        DeviceError: The device is gone.
    """
    settled = device.settle()
    facts = RecordedFacts(settled.reading.tree, device.focus())
    app = foreground(facts)
    trials: list[InterruptionTrial] = []
    try:
        for number, name in enumerate(bound.rule.inject):
            token = make_token(0, f"try/{bound.rule.id}/{device.clock.monotonic()}", number)
            if name in suite.anomalies:
                trial = _try_anomaly(device, suite.anomalies[name], mode, app, token, on_shown)
            else:
                planned = plan_interruption(
                    suite.interruptions[name], mode, app=app, language=device.info.language, token=token
                )
                trial = _Window(device, suite, planned).try_out(press, wait, on_shown)
            trials.append(trial)
            if not trial.shown or not trial.exit:
                break
    finally:
        closed = device.adb.shell(CLOSE)
        restore_device(device.adb, device.journal, Scope.EPISODE)
    closed.check("close the interruption")
    return RuleTrial(bound.rule.id, mode, app, explain_rule(bound, facts, None, closest=False), tuple(trials))


def _try_anomaly(
    device: Device,
    use: SystemInterruption,
    mode: Mode,
    app: str,
    token: str,
    on_shown: Callable[[InterruptionTrial], None],
) -> InterruptionTrial:
    """Make a system anomaly take effect; it has no buttons, and is undone at the end."""
    planned = plan_anomaly(use, mode, app=app, language=device.info.language, token=token)
    delivery = ActiveAnomalies(device).inject(planned)
    shown = delivery.kind is None
    reason = delivery.reason or "; ".join(delivery.evidence) or "it took effect"
    trial = InterruptionTrial(use.id, shown, reason, exit="undone" if shown else "")
    on_shown(trial)
    return trial


@dataclass(frozen=True, slots=True)
class _Window:
    """A window of the companion app on the device."""

    device: Device
    suite: Suite
    planned: PlannedInterruption

    def try_out(
        self, press: str | None, wait: float, on_shown: Callable[[InterruptionTrial], None]
    ) -> InterruptionTrial:
        offered = {each.key: text_in(each.label, self.planned.language) for each in self.planned.buttons}
        if press is not None and press not in offered:
            raise InputError(
                f"{self.planned.name} has no button {press!r} in {self.planned.mode} mode",
                hint=f"Its buttons: {', '.join(offered)}",
            )
        watch = self.device.log_watch(LOG_TAG)
        injected = inject(self.device, self.planned)
        trial = InterruptionTrial(
            self.planned.name,
            injected.shown,
            injected.reason or f"by {injected.method.value}",
            injected.seconds,
            tuple(offered.items()),
        )
        on_shown(trial)
        if not injected.shown:
            return trial
        if press is not None:
            self._press(offered[press])

        def events() -> Iterator[CompanionEvent]:
            for line in watch.read():
                event = parse_companion_event(line.message)
                if event is not None and event.token == injected.token:
                    yield event

        left = self._answer(events, wait)
        if not left:
            return trial
        results = self._follow_up(left.removeprefix(_PRESSED)) if left.startswith(_PRESSED) else ()
        front = self.device.focus()
        return InterruptionTrial(
            trial.interruption,
            trial.shown,
            trial.reason,
            trial.seconds,
            trial.buttons,
            left.removeprefix(_PRESSED),
            results,
            front.package,
        )

    def _press(self, label: str) -> None:
        """Tap the button with a label."""
        tree = self.device.settle().reading.tree
        found = [*find(tree, Selector(text=label)), *find(tree, Selector(desc=label))]
        if not found:
            raise InputError(f"the button {label!r} is not on the screen yet", hint="Press it by hand.")
        at = found[-1].bounds.center
        self.device.adb.shell(("input", "tap", str(at.x), str(at.y))).check("press the button")

    def _answer(self, events: Callable[[], Iterator[CompanionEvent]], wait: float) -> str:
        """Wait for an answer; empty if there is none in time."""
        clock = self.device.clock
        end = clock.monotonic() + wait
        while clock.monotonic() < end:
            for event in events():
                if event.event.startswith((_PRESSED, "dismissed", "error", "killed")):
                    return event.event
            if not on_screen(self.device.read_tree().tree, self.planned, notified=True):
                return next((each.event for each in events() if each.event.startswith(_PRESSED)), "left")
            clock.sleep(_PAUSE)
        return ""

    def _follow_up(self, key: str) -> tuple[StepResult, ...]:
        steps = self.planned.follow_up(key)
        title = text_in(self.planned.interruption.title, self.planned.language)
        token = self.planned.token
        results = follow_up.perform_follow_up(
            self.device, steps, app=self.planned.app, token=token, title=title
        )
        for step in steps:
            if isinstance(step, ShowStep):
                further = plan_interruption(
                    self.suite.interruptions[step.show],
                    self.planned.mode,
                    app=self.planned.app,
                    language=self.planned.language,
                    token=make_token(0, f"{token}/{key}", 0),
                )
                shown = inject(self.device, further)
                done = StepResult(follow_up.describe_follow_up(step), shown.shown, shown.reason)
                results = tuple(done if each.description == done.description else each for each in results)
        return results
