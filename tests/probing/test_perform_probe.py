"""What explains the failure of a probe on a device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from garabench.core.action import Action, Back, LongPress, Tap, Type, to_json
from garabench.core.checkpoint import Restored
from garabench.core.events import Decided, EpisodeEnded, Event, Observed, PerformedEvent
from garabench.core.tree import UiTree
from garabench.device.adb import ShellResult
from garabench.diagnosis.probe import ProbeOutcome, ProbeStep
from garabench.errors import CommandError
from garabench.probing.perform_probe import _outcome, device_problem, other_result
from garabench.probing.probe_agent import SeenEvidence
from tests.diagnosis.cases import APP, DEAD_BUTTON, PAGE, SHOP, failed_case, screen, tap
from tests.diagnosis.cases import node as element

HEAD = "Filesystem 1K-blocks Used Available Use% Mounted on\n"


@dataclass(frozen=True)
class Shell:
    """A device's shell that answers three commands."""

    airplane: str = "0\n"
    routes: str = "192.168.0.0/24 dev wlan0\n"
    storage: str = f"{HEAD}/dev/block 100000000 1 90000000 1% /data\n"

    def __call__(self, argv: Sequence[str]) -> ShellResult:
        output = {"settings": self.airplane, "ip": self.routes, "df": self.storage}[argv[0]]
        return ShellResult(tuple(argv), 127 if "not found" in output else 0, output)


def failing(argv: Sequence[str]) -> ShellResult:
    raise CommandError("df: not found")


@pytest.mark.parametrize(
    ("shell", "problem"),
    [
        (Shell(), ""),
        (Shell(airplane="1\n"), "airplane mode is on"),
        (Shell(routes="\n"), "the device has no network route"),
        (Shell(routes="sh: ip: not found\n"), ""),
        (Shell(storage=f"{HEAD}/dev/block 100000000 99999990 10 100% /data\n"), "the storage is full"),
        (
            Shell(storage="Filesystem Size Used Free Blksize\n/data 5.8G 5.8G 2.0M 4096\n"),
            "the storage is full",
        ),
        (Shell(airplane="null\n", storage="Filesystem Size Used Free\n/data 5.8G 1.2G 4.6G\n"), ""),
        (Shell(storage=""), ""),
        (failing, ""),
    ],
)
def test_a_device_without_network_or_storage_is_a_problem(shell: object, problem: str) -> None:
    assert device_problem(SimpleNamespace(adb=SimpleNamespace(shell=shell))) == problem  # type: ignore[arg-type]


def test_a_goal_that_was_met_through_a_link_is_inconclusive() -> None:
    end = EpisodeEnded(step=1, t=1, outcome="success", reason="goal_met", steps=1)
    agent: Any = SimpleNamespace(aborted="", restored=Restored(1.0), opened_link=False, evidence=[])
    assert _outcome(end, (), agent)[0] is ProbeOutcome.PASS
    agent.opened_link = True
    assert _outcome(end, (), agent)[:2] == (
        ProbeOutcome.INCONCLUSIVE,
        "the goal was met through a link, which no agent can open",
    )


PRESS = ProbeStep(Back(), label="go back")
IMPOSSIBLE = SeenEvidence(PRESS, 3, False, "go back: not possible here", performed=False)
POSSIBLE = SeenEvidence(PRESS, 3, False, "go back: nothing changed")


@pytest.mark.parametrize(
    ("evidence", "ok", "outcome"),
    [
        ([], True, ProbeOutcome.FAIL),
        ([POSSIBLE], True, ProbeOutcome.FAIL),
        ([IMPOSSIBLE], True, ProbeOutcome.INCONCLUSIVE),
        ([IMPOSSIBLE, POSSIBLE], True, ProbeOutcome.FAIL),
        ([POSSIBLE], False, ProbeOutcome.INCONCLUSIVE),
    ],
)
def test_a_failure_without_any_own_step_is_inconclusive(
    evidence: list[SeenEvidence], ok: bool, outcome: ProbeOutcome
) -> None:
    agent: Any = SimpleNamespace(aborted="", restored=Restored(1.0), opened_link=False, evidence=evidence)
    performed = PerformedEvent(step=3, t=1, ok=ok)
    failed = EpisodeEnded(step=4, t=1, outcome="failure", reason="gave_up", steps=4)
    found, reason, _ = _outcome(failed, (performed,), agent)
    assert found is outcome
    assert ("none of the probe's steps could be performed" in reason) is (
        outcome is ProbeOutcome.INCONCLUSIVE
    )
    met = EpisodeEnded(step=4, t=1, outcome="success", reason="goal_met", steps=4)
    assert _outcome(met, (performed,), agent)[0] is ProbeOutcome.PASS


def observed(step: int, tree: UiTree) -> Observed:
    return Observed(
        step=step,
        t=1,
        tree="t",
        screen="s",
        package=APP,
        activity="",
        source="u2",
        signature=tree.signature,
    )


def probed(*moments: tuple[UiTree, Action | None]) -> tuple[Event, ...]:
    """Return the record of a probe from step 1: its screens and actions."""
    events: list[Event] = []
    for step, (tree, action) in enumerate(moments, start=1):
        events.append(observed(step, tree))
        if action is not None:
            events.append(Decided(step=step, t=1, action=to_json(action)))
    return tuple(events)


EDGE, LONG = Tap(x=6, y=50), LongPress(x=500, y=50)
OTHER = screen(element("Other", 0))


@pytest.mark.parametrize(
    ("events", "found"),
    [
        (probed((PAGE, tap(0)), (SHOP, None)), True),
        (probed((PAGE, EDGE), (PAGE, LONG), (SHOP, None)), True),
        (probed((PAGE, tap(0)), (PAGE, None)), False),
        (probed((PAGE, tap(0)), (PAGE, Back()), (SHOP, tap(0)), (OTHER, None)), False),
        (probed((PAGE, tap(9)), (SHOP, None)), False),
    ],
)
def test_a_press_that_works_when_repeated_has_another_result(events: tuple[Event, ...], found: bool) -> None:
    agent: Any = SimpleNamespace(restored=Restored(1.0), fork_step=1)
    assert bool(other_result(DEAD_BUTTON, 1, agent, events)) is found
    assert other_result(DEAD_BUTTON, 0, agent, probed((SHOP, tap(1)), (OTHER, None))) == ""
    agent.fork_step = 9
    assert other_result(DEAD_BUTTON, 1, agent, events) == "", "the prefix is not part of the probe"


@pytest.mark.parametrize(("submit", "found"), [(True, False), (False, True)])
def test_a_text_that_is_submitted_is_not_the_same_text_typed_again(submit: bool, found: bool) -> None:
    typed = Type(text="friday", at=(500, 50))
    case = failed_case([(SHOP, tap(1)), (PAGE, typed), (PAGE, None)])
    events = probed((PAGE, typed.model_copy(update={"submit": submit})), (SHOP, None))
    agent: Any = SimpleNamespace(restored=Restored(1.0), fork_step=1)
    assert bool(other_result(case, 1, agent, events)) is found


def test_a_prefix_that_meets_the_goal_has_another_result() -> None:
    agent: Any = SimpleNamespace(restored=None)
    assert "while the recorded actions were repeated" in other_result(DEAD_BUTTON, 1, agent, ())
