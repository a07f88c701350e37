from __future__ import annotations

from dataclasses import replace

from garabench.core import action as act
from garabench.core.selector import Selector
from garabench.core.steps import TapStep
from garabench.core.tree import UiTree
from garabench.diagnosis.case_diagnosis import diagnose_case
from garabench.diagnosis.failure_summary import FailureType
from garabench.diagnosis.loop import AttributedTo, DiagnosisSettings, PerformedProbe
from garabench.diagnosis.offline_supervisor import OfflineSupervisor
from garabench.diagnosis.probe import (
    Continuation,
    DiagnosticProbeResult,
    OpenLink,
    ProbeOutcome,
    ProbeType,
    TurnScreen,
)
from garabench.diagnosis.probe_catalog import catalog
from garabench.diagnosis.routing import FailureCategory, quotas, routing_weights
from tests.cases import every_case
from tests.diagnosis.cases import DEAD_BUTTON, PAGE, SHOP, WRONG_ROW, failed_case, node, screen, tap

OFFLINE = OfflineSupervisor()
Moment = tuple[UiTree, act.Action | None]


def test_a_dead_button_suggests_the_environment() -> None:
    found = OFFLINE.summarize(DEAD_BUTTON, ())
    assert (found.fork, found.category) == (1, FailureCategory.ENV_BOUNDARY)
    assert found.failure_type is FailureType.ENVIRONMENT
    assert "'Buy' did not react" in found.explanation


def test_a_wrong_row_suggests_the_agent_and_is_not_repeated() -> None:
    found = OFFLINE.summarize(WRONG_ROW, ())
    assert (found.fork, found.category) == (0, FailureCategory.WRONG_TARGET)
    assert "'Blue kettle' fits the instruction" in found.explanation
    probes = OFFLINE.propose(WRONG_ROW, found, quotas(routing_weights(found.category), 5), ())
    assert len(probes) == 5
    assert not [each for each in probes if each.name in ("c-repeat", "c-slow", "a-long-press")]
    fitting = next(each for each in probes if each.name == "a-fitting-1")
    assert fitting.steps[0].what == TapStep(tap=Selector(id="org.shop:id/row", text="Blue kettle"))


def test_candidates_fill_the_quotas_of_the_category() -> None:
    found = OFFLINE.summarize(DEAD_BUTTON, ())
    shares = quotas(routing_weights(found.category), 5)
    probes = OFFLINE.propose(DEAD_BUTTON, found, shares, ())
    assert {kind: sum(each.type is kind for each in probes) for kind in ProbeType} == shares
    ranked = OFFLINE.select(DEAD_BUTTON, found, probes, ())
    assert sorted(each.name for each in ranked) == sorted(each.name for each in probes)
    assert ranked[0].type is ProbeType.A


def test_a_later_round_starts_over_with_new_probes() -> None:
    first = OFFLINE.summarize(DEAD_BUTTON, ())
    probe = OFFLINE.propose(DEAD_BUTTON, first, dict.fromkeys(ProbeType, 1), ())[0]
    history = (PerformedProbe(1, probe, DiagnosticProbeResult(ProbeOutcome.FAIL), 0.5, 0.6),)
    later = OFFLINE.summarize(DEAD_BUTTON, history)
    assert later.fork == 0
    again = OFFLINE.propose(DEAD_BUTTON, later, dict.fromkeys(ProbeType, 2), history)
    assert probe.name not in [each.name for each in again]


def test_without_a_sign_the_fork_is_the_end() -> None:
    case = failed_case([(SHOP, tap(1)), (screen(node("Page", 0)), None)], ending="step_limit")
    found = OFFLINE.summarize(case, ())
    assert (found.fork, found.category) == (1, FailureCategory.UNKNOWN)
    assert found.wrong is None
    assert found.explanation == "Up to step 1, no step looks wrong."


def test_the_catalog_offers_what_the_screen_allows() -> None:
    menu = screen(
        node("", 0, desc="More options", resource_id="x:id/menu"),
        node("", 100, desc="Open navigation drawer", resource_id="x:id/drawer"),
        node("Search", 200, resource_id="x:id/search"),
        node("Close", 300, resource_id="x:id/close"),
        scrollable=True,
    )
    case = failed_case([(menu, act.Type(text="Blue kettle")), (menu, act.GiveUp())])
    plans = catalog(case, 0, repeatable=True, continuation=Continuation.HEURISTIC)
    names = {each.name for probes in plans.values() for each in probes}
    assert {"b-scroll-down", "b-overflow", "b-drawer", "b-search", "b-dialog", "a-enter", "c-repeat"} <= names
    assert all(each.continuation is Continuation.HEURISTIC for probes in plans.values() for each in probes)
    assert all(each.type is kind for kind, probes in plans.items() for each in probes)


def test_a_turned_screen_is_turned_back() -> None:
    turned = replace(SHOP, rotation=1)
    case = failed_case([(SHOP, tap(1)), (turned, tap(0)), (turned, act.GiveUp())])
    plans = catalog(case, 1, repeatable=True, continuation=Continuation.REFERENCE)
    (probe,) = [each for each in plans[ProbeType.B] if each.name == "b-rotate-back"]
    assert [step.what for step in probe.steps] == [TurnScreen(0)]
    upright = catalog(case, 0, repeatable=True, continuation=Continuation.REFERENCE)
    assert "b-rotate-back" not in [each.name for each in upright[ProbeType.B]]


def test_a_published_deep_link_is_another_path_to_the_search_results() -> None:
    moments: list[Moment] = [(SHOP, act.Type(text="blue kettle")), (SHOP, tap(0)), (SHOP, act.GiveUp())]
    shop = "com.amazon.mShop.android.shopping"
    typed = replace(failed_case(moments), app=shop)
    quoted = replace(failed_case(moments[1:], "Open “50% wool & silk”."), app=shop)
    found = []
    for case in (typed, quoted, replace(quoted, instruction="Open it."), failed_case(moments)):
        plans = catalog(case, 0, repeatable=True, continuation=Continuation.REFERENCE)
        found.append([each.steps[0].what for each in plans[ProbeType.A] if each.name == "a-deep-link"])
    assert found == [
        [OpenLink(shop, "https://www.amazon.com/s?k=blue%20kettle")],
        [OpenLink(shop, "https://www.amazon.com/s?k=50%25%20wool%20%26%20silk")],
        [],
        [],
    ]


def test_a_silent_element_is_pressed_in_other_manners_first() -> None:
    supervisor = OfflineSupervisor()
    summary = supervisor.summarize(DEAD_BUTTON, ())
    shares = quotas(routing_weights(summary.category), 5)
    found = supervisor.select(DEAD_BUTTON, summary, supervisor.propose(DEAD_BUTTON, summary, shares, ()), ())
    assert (found[0].name, found[0].until_reaction) == ("a-other-presses", True)
    assert [step.label for step in found[0].steps] == ["press the edge of 'Buy'", "long-press 'Buy'"]
    assert summary.doubt == ""


def test_what_only_the_picture_shows_is_a_doubt() -> None:
    steps = tuple(replace(each, only_picture=True) for each in DEAD_BUTTON.steps)
    case = replace(DEAD_BUTTON, steps=steps)
    summary = OfflineSupervisor().summarize(case, ())
    assert summary.failure_type is FailureType.AMBIGUOUS
    assert "changed the picture, and nothing in the UI tree" in summary.explanation
    assert "was not read" in summary.doubt


FIELD = screen(node("Blue", 0, cls="android.widget.EditText", focused=True, resource_id="x:id/search"))


def test_a_text_that_was_typed_again_and_again_is_unsubmitted_from_the_first_time_on() -> None:
    typed = act.Type(text="Blue")
    steps: list[Moment] = [
        (SHOP, tap(1)),
        (FIELD, typed),
        (FIELD, act.Wait(seconds=1)),
        (FIELD, typed),
        (FIELD, None),
    ]
    found = OFFLINE.summarize(failed_case(steps), ())
    assert (found.fork, found.wrong) == (3, 1)
    assert found.explanation == "From step 1 to step 3, the typed text was never submitted."
    other: list[Moment] = [(FIELD, act.Type(text="Red")), *steps[3:]]
    assert OFFLINE.summarize(failed_case(other, "Red or Blue"), ()).wrong == 1, "only the last text counts"


def test_what_looks_wrong_before_the_end_is_the_first_wrong_step() -> None:
    moments: list[Moment] = [
        (SHOP, tap(1)),
        (FIELD, act.Type(text="Blue kettle")),
        (PAGE, tap(0)),
        (SHOP, act.Done()),
    ]
    found = OFFLINE.summarize(failed_case(moments, ending="false_done"), ())
    assert (found.fork, found.wrong) == (3, 1)
    assert found.explanation.startswith(
        "From step 1 to step 3, the typed text 'Blue kettle' is not on screen"
    )


def test_a_press_of_a_text_field_that_has_the_focus_is_named_so() -> None:
    found = OFFLINE.summarize(failed_case([(FIELD, tap(0)), (FIELD, act.GiveUp())]), ())
    assert (
        found.explanation == "In step 0, the text field 'Blue' was pressed although it had the focus already."
    )


SPINNER = node(cls="android.widget.ProgressBar", resource_id="x:id/spin", clickable=False)
SPINS = screen(SPINNER)
COMPOSER = screen(node("", 0, cls="android.widget.EditText"), node("Send", 100))
TYPED = act.Type(text="Blue kettle", at=(500, 50))


@every_case(
    ("moments", "step", "words"),
    [
        # A wrong row that is right in a broken app: what the app did later is said, or that nothing shows it.
        ([*((each.tree, each.action) for each in WRONG_ROW.steps)], None, "No step of the record shows"),
        ([(SHOP, tap(0)), (PAGE, tap(0)), (PAGE, None)], 1, "'Buy' did not react"),
        # A list that never loads, and a lost text, say more than what follows from them.
        ([(SHOP, tap(1)), (SPINS, act.Wait(seconds=1)), (SPINS, act.Back()), (SHOP, tap(1)), (PAGE, None)],
         1, "the page did not end loading"),
        ([(SHOP, tap(1)), (SPINS, act.Wait(seconds=1)), (PAGE, None)], None, ""),
        ([(COMPOSER, TYPED), (COMPOSER, tap(1)), (COMPOSER, None)], 0, "'Blue kettle' is not on screen"),
    ],
)  # fmt: skip
def test_where_the_app_is_broken_the_reason_names_the_app(
    moments: list[Moment], step: int | None, words: str
) -> None:
    found = OFFLINE.summarize(failed_case(moments), ())
    if not words:
        assert found.symptom is None
        return
    assert found.symptom is not None
    assert words in found.symptom.explanation
    assert "fits the instruction" not in found.symptom.explanation
    assert found.wrong_place(environment=True) == found.symptom.place == step
    assert found.wrong_place(environment=False) == found.wrong


def test_an_environment_verdict_quotes_no_wrong_object() -> None:
    failed = DiagnosticProbeResult(ProbeOutcome.FAIL, "step_limit", restore_quality=1.0)
    found = diagnose_case(WRONG_ROW, OFFLINE, DiagnosisSettings(), lambda case, task: failed)
    assert found.attributed_to is AttributedTo.ENVIRONMENT
    assert "fits the instruction" not in found.reason
    assert found.reason.startswith("No step of the record shows what is broken. ")
    assert found.wrong_step is None
