"""Proofs of goals that ask for an earlier screen, on a fake performer."""

from __future__ import annotations

from typing import Any

from garabench.core.goal import GoalSchema
from garabench.core.recorded_facts import recorded_facts_from_json
from garabench.proof.condition_mutants import Change, condition_mutants
from garabench.proof.field_mutants import field_mutants
from garabench.proof.findings import ProofCheck
from tests.proof.word_performer import WordPerformer, bad, prove, proved

VIA = {"all": [{"exists": {"text": "end"}}, {"earlier": {"exists": {"text": "saved"}}}]}


def test_a_near_miss_that_skips_the_step_is_refused_and_shows_that_the_part_is_needed() -> None:
    result = proved("saved", "end", goal=VIA, misses={"directly": ["end"], "not-done": ["saved", "other"]})
    assert bad(result.proof) == []
    assert dict(result.needed) == {"1": "not-done", "2": "directly"}
    assert result.end is not None
    assert recorded_facts_from_json(result.end.to_json()).earlier == result.end.earlier


def test_an_alternative_that_skips_the_step_is_refused() -> None:
    proof = prove("saved", "end", goal=VIA, others={"directly": ["end"], "later": ["other", "saved", "end"]})
    message = "does not hold: there is no earlier screen"
    assert bad(proof) == [(ProofCheck.ALTERNATIVE, "directly", 1, message)]


def test_an_earlier_that_holds_on_the_first_screen_is_reported() -> None:
    goal = {"all": [{"exists": {"text": "end"}}, {"earlier": {"exists": {"text": "home"}}}]}
    reason = "what the goal asks of an earlier screen holds on the first one: text=home is on the screen"
    findings = bad(prove("middle", "home", "end", goal=goal))
    assert findings == [(ProofCheck.UNMET_BEFORE, "earlier", 0, reason)]
    unknown = {"setting": {"namespace": "global", "key": "x", "equals": "1"}}
    goal = {"all": [{"exists": {"text": "end"}}, {"earlier": {"not": unknown}}]}
    assert "is unknown on the first one" in bad(prove("end", goal=goal))[0][3]


def test_other_answers_are_evaluated_with_the_screens_of_the_solution() -> None:
    goal = {"all": [{"answer": {"contains": "5"}}, {"earlier": {"exists": {"text": "saved"}}}]}
    result = proved(
        "saved", "end", "=5", goal=goal, misses={"six": "6", "guessed": ["=5"]}, others={"in-words": "5!"}
    )
    assert bad(result.proof) == []
    assert dict(result.needed) == {"1": "six", "2": "guessed"}
    lost = proved("saved", "absent", "=5", goal=goal, misses={"six": "6"})
    assert "the solution does not reach its end" in [finding[3] for finding in bad(lost.proof)]


def test_the_conditions_inside_are_left_out_in_turn() -> None:
    inner: dict[str, Any] = {"all": [{"exists": {"text": "{who}"}}, {"exists": {"id": "a", "text": "{who}"}}]}
    schema = GoalSchema.model_validate(
        {
            "id": "goal",
            "description": "a goal",
            "params": {"who": {}},
            "holds": {"all": [{"exists": {"id": "b"}}, {"earlier": inner}]},
            "guards": [
                {"part": "2.1", "reason": "nested"},
                {"part": "2.2", "field": "text", "reason": "a field"},
            ],
        }
    )
    (opened,) = field_mutants(schema, {"who": "x"})
    assert (opened.part, opened.guard, opened.change) == ("2.2 text", "a field", Change.LOOSER)
    result = proved(
        "x", "b", goal={"earlier": {"all": [{"exists": {"text": "x"}}]}}, performer=WordPerformer()
    )
    assert bad(result.proof) == []
    mutants = condition_mutants(opened.condition, schema.guards) if opened.condition is not None else ()
    assert [(each.part, each.change) for each in mutants] == [
        ("1", Change.LOOSER),
        ("2", Change.LOOSER),
        ("2.1", Change.LOOSER),
        ("2.2", Change.LOOSER),
    ]
