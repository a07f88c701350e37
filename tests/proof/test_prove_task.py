"""Proofs on a fake performer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from garabench.errors import DeviceLostError
from garabench.proof.findings import Proof, ProofCheck, ProofFinding, Variant, summary_line
from tests.proof.word_performer import APP, WordPerformer, bad, prove, proved, when


def test_a_good_task_is_proven() -> None:
    performer = WordPerformer()
    proof = prove(
        "middle",
        "end",
        misses={"elsewhere": ["middle", "other"], "nothing-done": ["home"]},
        kinds=["wrong-object", "half-done"],
        rules={"at-home": when("home"), "in-the-middle": when("middle", inject="y", when={"min_step": 1})},
        performer=performer,
    )
    assert proof.ok
    assert [(f.check, f.subject, f.step) for f in proof.findings] == [
        (ProofCheck.UNMET_BEFORE, "", 0),
        (ProofCheck.SOLVED, "", 2),
        (ProofCheck.RULE_FIRES, "at-home", 0),
        (ProofCheck.RULE_FIRES, "in-the-middle", 1),
        (ProofCheck.RULE_KINDS, "", None),
        (ProofCheck.NEAR_MISS, "elsewhere", 2),
        (ProofCheck.NEAR_MISS, "nothing-done", 1),
        (ProofCheck.NEAR_MISS_KINDS, "", None),
    ]
    assert performer.started_apps == [APP] * 3  # each path starts from the initial state
    assert performer.saved == []
    assert summary_line(proof) == "proven: goal, 2 rules, 2 near misses"


def test_a_goal_that_holds_at_the_start_is_reported() -> None:
    performer = WordPerformer(first="end")
    proof = prove("end", performer=performer)
    assert bad(proof) == [(ProofCheck.UNMET_BEFORE, "", 0, "goal goal holds: text=end is on the screen")]
    assert performer.saved == ["unmet-before@end"]
    assert proof.findings[0].evidence == "saved/unmet-before.png"


def test_a_solution_that_misses_the_goal_is_reported() -> None:
    performer = WordPerformer()
    assert bad(prove("middle", performer=performer)) == [
        (ProofCheck.SOLVED, "", 1, "does not hold: text=end is not on the screen")
    ]
    assert performer.saved == ["solved@middle"]


def test_a_solution_that_is_too_long_is_reported() -> None:
    assert bad(prove("middle", "end", "end")) == [
        (ProofCheck.SOLVED, "", 2, "the goal already holds after step 2 of 3")
    ]


@pytest.mark.parametrize(
    ("word", "message"),
    [("absent", "text=absent is not on the screen"), ("refused", "the device refuses it")],
)
def test_an_impossible_step_is_reported_and_ends_the_path(word: str, message: str) -> None:
    proof = prove("middle", word, "end", rules={"late": when("end"), "early": when("middle")})
    assert bad(proof) == [
        (ProofCheck.SOLVED, "", 2, f"cannot perform step 2: {message}"),
        (ProofCheck.RULE_FIRES, "late", None, "fires on no screen before step 2, which cannot be performed"),
    ]


def test_a_rule_that_does_not_fire_on_the_path_is_reported() -> None:
    # Nothing is injected on the screen after the last step.
    proof = prove("middle", "end", rules={"elsewhere": when("other"), "too-late": when("end")})
    assert bad(proof) == [
        (ProofCheck.RULE_FIRES, "elsewhere", None, "fires on no screen of the solution"),
        (ProofCheck.RULE_FIRES, "too-late", None, "fires on no screen of the solution"),
    ]


@pytest.mark.parametrize(("word", "last"), [("middle", "end"), ("absent", "home")])
def test_the_evidence_of_a_rule_that_does_not_fire_is_the_last_screen(word: str, last: str) -> None:
    performer = WordPerformer()
    proof = prove(
        word, "end", rules={"elsewhere": when("other"), "at-home": when("home")}, performer=performer
    )
    fires = {f.subject: f.evidence for f in proof.findings if f.check is ProofCheck.RULE_FIRES}
    assert fires == {"elsewhere": "saved/rule-fires-elsewhere.png", "at-home": ""}
    assert f"rule-fires-elsewhere@{last}" in performer.saved


def test_a_rule_that_fires_too_late_is_reported() -> None:
    proof = prove("middle", "end", rules={"late": when("home", when={"min_step": 1})})
    assert [row[1] for row in bad(proof)] == ["late"]


def test_a_rule_with_a_probability_is_proven_as_certain() -> None:
    assert not bad(prove("end", rules={"rare": when("home", probability=0.001)}))


@pytest.mark.parametrize(
    ("schedule", "step"),
    [
        ({"at_step": 1}, 1),
        ({"at_step": 2}, None),
        ({"after_action": {"kind": "tap", "at_least": 1}}, 1),
        ({"after_action": {"kind": "type"}}, None),
        ({"after_action": {"at_least": 2}}, None),
        ({"after_seconds": 20}, 1),
    ],
)
def test_a_scheduled_rule_is_proven_to_fire_on_the_path(schedule: dict[str, Any], step: int | None) -> None:
    proof = prove("middle", "end", rules={"due": {"when": schedule}})
    (found,) = [f for f in proof.findings if f.check is ProofCheck.RULE_FIRES]
    assert (found.ok, found.step) == (step is not None, step)


@pytest.mark.parametrize("steps", [["end"], ["end", "other"]])
def test_a_near_miss_that_meets_the_goal_midway_is_reported(steps: list[str]) -> None:
    performer = WordPerformer()
    proof = prove("end", misses={"not-a-miss": steps}, performer=performer)
    assert bad(proof) == [
        (ProofCheck.NEAR_MISS, "not-a-miss", 1, "goal goal holds: text=end is on the screen")
    ]
    assert performer.saved == ["near-miss-not-a-miss@end"]


def test_an_impossible_near_miss_is_not_a_proof() -> None:
    assert bad(prove("end", misses={"broken": ["absent"]})) == [
        (ProofCheck.NEAR_MISS, "broken", 1, "cannot perform step 1: text=absent is not on the screen")
    ]


def test_an_unknown_verdict_is_not_a_proof() -> None:
    unread = {"setting": {"namespace": "global", "key": "x", "equals": "1"}}
    checks = [row[0] for row in bad(prove("end", goal=unread, misses={"any": ["other"]}))]
    assert checks == [ProofCheck.UNMET_BEFORE, ProofCheck.SOLVED, ProofCheck.NEAR_MISS]


def test_an_answer_is_part_of_the_path() -> None:
    goal = {"answer": {"equals": "42"}}
    assert not bad(prove("middle", "=42", goal=goal, misses={"wrong": ["=41"]}))
    assert bad(prove("middle", "=41", goal=goal))
    assert bad(prove("=42", goal=goal, misses={"not-wrong": ["middle", "=4 2"]}))


def test_a_lost_device_proves_nothing() -> None:
    with pytest.raises(DeviceLostError):
        prove("lost")


def test_a_summary_counts_what_is_missing() -> None:
    proof = Proof(
        "t",
        (
            ProofFinding(ProofCheck.SOLVED, "", False, "x"),
            ProofFinding(ProofCheck.UNMET_BEFORE, "", True, "y"),
        ),
    )
    assert summary_line(proof) == "1 of 2 not proven"


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ([], "one (no kind), two (no kind)"),
        (["undone", "undone"], "one (undone), two (undone)"),
        (["undone", "half-done"], ""),
    ],
)
def test_near_misses_must_be_of_different_kinds(kinds: Sequence[str], message: str) -> None:
    proof = prove("end", misses={"one": ["a"], "two": ["b"]}, kinds=kinds)
    assert [f.reason for f in proof.failures if f.check is ProofCheck.NEAR_MISS_KINDS] == (
        [f"two near misses of different kinds are needed; the task has: {message}"] if message else []
    )


def test_one_near_miss_is_too_few() -> None:
    failed = {f.check for f in prove("end", misses={"one": ["a"]}, kinds=["undone"]).failures}
    assert failed == {ProofCheck.NEAR_MISS_KINDS, ProofCheck.RULE_KINDS}


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({}, "no rule"),
        ({"one": when("home")}, "one (network) before step 1"),
        ({"one": when("home", inject=["x", "y"])}, "one (network and resource) before step 1"),
        (
            {"one": when("home"), "two": when("middle")},
            "one (network) before step 1, two (network) before step 2",
        ),
        (
            {"one": when("home"), "two": when("home", inject="y")},
            "one (network) before step 1, two (resource) before step 1",
        ),
        (
            {"one": when("home"), "two": when("home", inject="y"), "three": when("middle", inject="y")},
            "",
        ),
        ({"one": when("home"), "two": when("middle", inject="y")}, ""),
        ({"one": when("home"), "two": when("middle", inject="battery-low")}, ""),
        (
            {"one": when("home"), "never": when("nowhere", inject="y")},
            "one (network) before step 1",
        ),
    ],
)
def test_rules_of_different_categories_must_fire_at_different_steps(
    rules: dict[str, dict[str, Any]], message: str
) -> None:
    (found,) = [f for f in prove("middle", "end", rules=rules).findings if f.check is ProofCheck.RULE_KINDS]
    needed = (
        "two rules with interruptions of different categories must fire at different steps; on this path: "
    )
    assert (found.ok, "" if found.ok else found.reason) == (not message, message and needed + message)


def test_the_parts_needed_midway_by_near_misses_are_recorded() -> None:
    goal = {"all": [{"exists": {"text": "end"}}, {"answer": {"equals": "42"}}, {"absent": {"text": "error"}}]}
    misses = {"not-said": ["end", "other"], "said-elsewhere": ["=42"]}
    assert proved("end", "=42", goal=goal, misses=misses).needed == (
        ("1", "said-elsewhere"),
        ("2", "not-said"),
    )
    assert proved("end", "=42", goal=goal).needed == ()


def test_the_facts_at_the_end_are_recorded() -> None:
    end = proved("middle", "=42", goal={"answer": {"equals": "42"}}).end
    assert end is not None
    assert (end.answer, [node.text for node in end.tree.nodes]) == ("42", ["", "middle"])
    assert proved("absent").end is None


def test_the_goal_must_be_unmet_without_the_set_up() -> None:
    performer = WordPerformer()
    assert not bad(prove("end", setup=["home"], performer=performer))
    assert performer.started_apps == [APP] * 2
    met = prove("other", setup=["home"], performer=WordPerformer(first="end"))
    assert bad(met)[0][3] == "before the set-up: goal goal holds: text=end is on the screen"


def test_the_phone_of_a_failure_is_named() -> None:
    variants = [Variant("android-34", "zh", 0), Variant("android-30", "en", 1)]
    performers = [(variants[0], WordPerformer()), (variants[1], WordPerformer(first="end"))]
    proof = prove("end", misses={"one": ["other"]}, performers=performers)
    (before,) = [f for f in proof.failures if f.check is ProofCheck.UNMET_BEFORE]
    assert (before.variant, before.reason) == (
        "android-30 en seed 1",
        "goal goal holds: text=end is on the screen",
    )
    assert performers[1][1].started_apps == [APP]  # near misses are performed only on the first phone


def test_alternatives_reach_the_goal_and_show_which_conditions_are_needed() -> None:
    end, other = {"exists": {"text": "end"}}, {"exists": {"text": "other"}}
    performer = WordPerformer()
    found = proved(
        "end", goal={"any": [end, other]}, others={"by-the-list": ["middle", "other"]}, performer=performer
    )
    ways = [finding for finding in found.proof.findings if finding.check is ProofCheck.ALTERNATIVE]
    assert [(steps.subject, steps.ok, steps.step) for steps in ways] == [("by-the-list", True, 2)]
    assert found.needed == (("1", "the solution"), ("2", "by-the-list"))
    assert len(performer.started_apps) == 2
    assert proved("end", goal={"any": [end, other]}).needed == (("1", "the solution"),)


def test_another_answer_is_evaluated_without_performing_steps() -> None:
    end = {"exists": {"text": "end"}}
    numbers = [{"answer": {"equals": "42"}}, {"answer": {"equals": "forty-two"}}]
    performer = WordPerformer()
    found = proved(
        "end",
        "=42",
        goal={"all": [end, {"any": numbers}, {"not": {"answer": {"contains": "or 43"}}}]},
        others={"in-words": "forty-two", "hedged": "42 or 43"},
        performer=performer,
    )
    alternatives = [finding for finding in found.proof.findings if finding.check is ProofCheck.ALTERNATIVE]
    assert [(finding.subject, finding.ok) for finding in alternatives] == [
        ("in-words", True),
        ("hedged", False),
    ]
    assert len(performer.started_apps) == 1
    goal = {"all": [end, {"any": numbers}]}
    assert proved("end", "=42", goal=goal, others={"in-words": "forty-two"}).needed == (
        ("2.1", "the solution"),
        ("2.2", "in-words"),
    )


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (["middle"], (1, "does not hold: text=end is not on the screen")),
        (["middle", "absent"], (2, "cannot perform step 2: text=absent is not on the screen")),
    ],
)
def test_an_alternative_that_misses_the_goal_is_reported(steps: list[str], expected: tuple[int, str]) -> None:
    assert bad(prove("end", others={"astray": steps})) == [(ProofCheck.ALTERNATIVE, "astray", *expected)]


def test_a_near_miss_can_be_another_answer_at_the_end_of_the_solution() -> None:
    message, denied = {"answer": {"contains": "42"}}, {"answer": {"contains": "not"}}
    performer = WordPerformer()
    goal = {"all": [{"exists": {"text": "end"}}, message, {"not": denied}]}
    misses = {"denied": "not 42", "another": "41"}
    found = proved("end", "=42", goal=goal, misses=misses, performer=performer)
    assert [f.ok for f in found.proof.findings if f.check is ProofCheck.NEAR_MISS] == [True, True]
    assert found.needed == (("2", "another"), ("3", "denied"))
    assert len(performer.started_apps) == 1
    ((check, name, step, reason),) = bad(prove("end", "=42", goal=goal, misses={"in-words": "it is 42"}))
    assert (check, name, step) == (ProofCheck.NEAR_MISS, "in-words", 2) and reason.startswith(
        "goal goal holds"
    )


def test_another_answer_needs_the_end_of_the_solution() -> None:
    found = bad(prove("absent", "=42", others={"in-words": "forty-two"}))
    assert found[-1] == (ProofCheck.ALTERNATIVE, "in-words", 2, "the solution does not reach its end")


def test_a_task_is_not_proven_on_a_screen_that_is_too_low() -> None:
    assert len(prove("end", task={"min_height_dp": 640}).findings) > 1
    (finding,) = prove("end", task={"min_height_dp": 641}).findings
    assert (finding.ok, finding.reason) == (
        False,
        "needs a screen of at least 641 dp height; this one has 640 dp",
    )
