"""What follows an interruption, in logs written by hand, with trees of a few elements."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from garabench.core import events as ev
from garabench.core.geometry import Rect
from garabench.core.screen_structure import structure_similarity
from garabench.core.tree import UiNode, UiTree
from garabench.records.aftermath import AfterInterruption, Drift, RecoveredTo, aftermath
from garabench.records.results import repeated_actions, summarize

APP, WINDOW = "a.shop", "org.garabench.interruptions"
FIELD, BUTTON = Rect(0, 0, 100, 20), Rect(0, 40, 100, 60)


def screen(*nodes: UiNode, package: str = APP) -> UiTree:
    return UiTree((UiNode(package=package, cls="Frame", bounds=Rect(0, 0, 100, 200), children=nodes),))


def field(text: str) -> UiNode:
    return UiNode(text, "a.shop:id/query", "android.widget.EditText", APP, bounds=FIELD, clickable=True)


def button(label: str) -> UiNode:
    return UiNode(label, "a.shop:id/go", "android.widget.Button", APP, bounds=BUTTON, clickable=True)


TREES: Mapping[str, UiTree] = {
    "typed": screen(field("tea"), button("Search")),
    "empty": screen(field(""), button("Search")),
    "home": screen(
        UiNode(resource_id="a.shop:id/tabs", cls="Tabs", package=APP, bounds=Rect(0, 150, 100, 200))
    ),
    "window": screen(package=WINDOW),
}


def observed(step: int, tree: str, activity: str = "Search", package: str = APP) -> ev.Observed:
    package = WINDOW if tree == "window" else package
    return ev.Observed(
        step=step,
        t=step,
        tree=tree,
        screen="",
        package=package,
        activity=activity,
        source="u2",
        signature=tree,
    )


def decided(step: int, **action: object) -> ev.Decided:
    return ev.Decided(step=step, t=step + 0.1, action=action)


def performed(step: int, *, ok: bool = True) -> ev.PerformedEvent:
    return ev.PerformedEvent(step=step, t=step + 0.2, ok=ok)


BEFORE = (
    ev.EpisodeStarted(
        step=0, t=0, task="x", agent="a", condition="dual", seed=1, suite_hash="h", instruction="i"
    ),
    observed(0, "empty"),
    decided(0, type="type", text="tea"),
    performed(0),
    observed(1, "typed"),
    ev.InterruptionInjected(
        step=1, t=1, rule="r", interruption="app-crash", category="app-fault", mode="dual", token="k"
    ),
    observed(1, "window"),
    ev.InterruptionShown(step=1, t=1.5, token="k"),
    decided(1, type="tap", x=50, y=90),
    performed(1),
)
ANSWERED = ev.InterruptionResolved(
    step=1, t=2, token="k", how="answered", exit="accept", role="accept", steps=0
)
SAME = observed(2, "typed").model_dump(exclude={"type"})
TAP_BUTTON = {"type": "tap", "x": 50, "y": 50}


def after(*events: ev.Event, trees: Mapping[str, UiTree] = TREES) -> AfterInterruption | None:
    return aftermath((*BEFORE, *events), "k", lambda event: trees.get(event.tree))


@pytest.mark.parametrize(
    ("events", "recovered", "steps"),
    [
        ((ANSWERED, observed(2, "typed")), RecoveredTo.SAME, 1),
        ((ANSWERED, observed(2, "empty")), RecoveredTo.SAME, 1),  # nearly the same structure
        ((ANSWERED, observed(2, "home", "Main"), observed(3, "typed")), RecoveredTo.SAME, 2),
        ((ANSWERED, observed(2, "home", "Main")), RecoveredTo.ANOTHER, 1),
        ((ANSWERED, observed(2, "home")), RecoveredTo.ANOTHER, 1),  # of the same activity
        ((ANSWERED, observed(2, "store", package="a.store")), RecoveredTo.NEVER, None),
        ((ANSWERED, ev.FinalObserved(**SAME)), RecoveredTo.SAME, 1),
        ((ANSWERED,), RecoveredTo.UNKNOWN, None),
        ((ANSWERED, observed(2, "lost")), RecoveredTo.UNKNOWN, None),  # its tree cannot be read
        ((observed(2, "window"),), RecoveredTo.NEVER, None),
        (
            (ANSWERED.model_copy(update={"how": "open", "role": ""}), observed(2, "typed")),
            RecoveredTo.NEVER,
            None,
        ),
    ],
)
def test_recovery_is_to_the_same_screen_another_or_never(
    events: tuple[ev.Event, ...], recovered: RecoveredTo, steps: int | None
) -> None:
    found = after(*events)
    assert found is not None
    assert (found.recovered, found.steps) == (recovered, steps)
    assert (found.seconds is None) == (steps is None)


def test_seconds_run_from_shown_to_back_on_the_path() -> None:
    found = after(ANSWERED, observed(4, "typed"))
    assert found == AfterInterruption(RecoveredTo.SAME, 3, 2.5, ())


def test_an_interruption_that_was_not_shown_has_no_aftermath() -> None:
    log = tuple(event for event in BEFORE if not isinstance(event, ev.InterruptionShown))
    assert aftermath(log, "k", lambda _: None) is None


def test_a_system_anomaly_is_over_when_the_app_is_back_although_it_stays_in_force() -> None:
    log = [
        event.model_copy(update={"category": "system"})
        if isinstance(event, ev.InterruptionInjected | ev.InterruptionShown)
        else event
        for event in BEFORE
        if not (isinstance(event, ev.Observed) and event.tree == "window")
    ]
    found = aftermath([*log, observed(2, "typed")], "k", lambda event: TREES.get(event.tree))
    assert found is not None
    assert (found.recovered, found.steps) == (RecoveredTo.SAME, 1)


@pytest.mark.parametrize(
    ("events", "drift"),
    [
        # The text is gone, and the agent searches without typing it again (D-GARA, figure 4).
        ((observed(2, "empty"), decided(2, **TAP_BUTTON), performed(2)), (Drift.TEXT_GONE,)),
        ((observed(2, "empty"), decided(2, type="key", name="enter"), performed(2)), (Drift.TEXT_GONE,)),
        # The field is gone, too.
        ((observed(2, "home"), decided(2, type="key", name="enter"), performed(2)), (Drift.TEXT_GONE,)),
        ((observed(2, "home"), decided(2, type="key", name="back"), performed(2)), ()),
        # It types again, goes to the field first, or waits.
        (
            (
                observed(2, "empty"),
                decided(2, type="type", text="tea"),
                performed(2),
                observed(3, "empty"),
                decided(3, **TAP_BUTTON),
            ),
            (),
        ),
        ((observed(2, "empty"), decided(2, type="tap", x=50, y=10), decided(2, **TAP_BUTTON)), ()),
        ((observed(2, "empty"), decided(2, type="wait")), ()),
        # The button is gone, and nothing else is there.
        ((observed(2, "home", "Main"), decided(2, **TAP_BUTTON), performed(2)), (Drift.TARGET_GONE,)),
        ((observed(2, "home", "Main"), decided(2, type="tap", x=50, y=170), performed(2)), ()),
        # It continues in another app, which the interruption opened.
        (
            (observed(2, "home", package="a.store"), decided(2, **TAP_BUTTON), performed(2)),
            (Drift.TARGET_GONE,),
        ),
        # Nothing is gone.
        ((observed(2, "typed"), decided(2, **TAP_BUTTON), performed(2)), ()),
        # What follows belongs to the next interruption.
        (
            (
                observed(2, "home", "Main"),
                ev.InterruptionInjected(
                    step=2, t=2, rule="r", interruption="n", category="network", mode="dual", token="l"
                ),
                observed(2, "home", "Main"),
                decided(2, **TAP_BUTTON),
            ),
            (),
        ),
    ],
)
def test_drift_is_an_action_that_refers_to_what_is_gone(
    events: tuple[ev.Event, ...], drift: tuple[Drift, ...]
) -> None:
    found = after(ANSWERED, *events)
    assert found is not None
    assert found.drift == drift


def test_drift_is_unknown_without_the_trees() -> None:
    found = after(ANSWERED, observed(2, "home", "Main"), decided(2, **TAP_BUTTON), trees={})
    assert found == AfterInterruption(RecoveredTo.ANOTHER, 1, 0.5, None)


def test_screens_are_alike_by_their_elements_not_their_texts() -> None:
    assert structure_similarity(TREES["typed"], TREES["empty"]) == 1
    assert structure_similarity(TREES["typed"], TREES["home"]) < 0.5
    assert structure_similarity(UiTree(()), UiTree(())) == 1


def test_an_action_repeated_three_times_on_one_screen_is_a_loop() -> None:
    def log(times: int, **action: object) -> list[ev.Event]:
        return [
            event
            for step in range(times)
            for event in (observed(step, "home"), decided(step, **action), observed(step, "empty"))
        ]

    assert repeated_actions(log(2, **TAP_BUTTON)) == 0
    assert repeated_actions(log(3, **TAP_BUTTON)) == 2
    assert repeated_actions(log(5, type="wait", seconds=1)) == 0
    assert repeated_actions([ev.ActionObserved(step=0, t=0)]) is None


OPEN = ANSWERED.model_copy(update={"how": "open", "role": ""})


@pytest.mark.parametrize(
    ("holds", "reason", "resolved", "unknown"),
    [
        (None, "false_done", ANSWERED, "id=cart was not readable"),
        (None, "step_limit", ANSWERED, "id=cart was not readable"),
        (None, "agent_failed", ANSWERED, ""),
        (False, "false_done", ANSWERED, ""),
        (None, "step_limit", OPEN, ""),  # the agent did not get past the interruption
        (None, "step_limit", OPEN.model_copy(update={"category": "system"}), "id=cart was not readable"),
    ],
)
def test_a_goal_that_could_not_be_read_at_the_end_makes_the_outcome_unknown(
    holds: bool | None, reason: str, resolved: ev.InterruptionResolved, unknown: str
) -> None:
    summary = summarize(
        (
            *BEFORE,
            resolved,
            ev.GoalChecked(step=2, t=3, holds=holds, reason="id=cart was not readable"),
            ev.EpisodeEnded.model_validate(
                {"step": 2, "t": 3, "outcome": "failure", "reason": reason, "steps": 2}
            ),
        )
    )
    assert summary is not None
    assert (summary.unknown, summary.counts) == (unknown, not unknown)
    assert (summary.app, summary.goal_reached, summary.step_limit) == (APP, False, None)
