from __future__ import annotations

import typing

import pytest

from garabench.core import action as act
from garabench.core.rule import ActionKind, Rule, RuleFile
from garabench.core.yamlmodel import load_model
from garabench.errors import CombinedInputError
from tests.cases import every_case

RULE = {"id": "r", "description": "a rule", "when": {"at_step": 3}, "inject": "x"}
HEAD = """\
app: com.example.reader
rules:
  - id: first
    description: A rule that is scheduled
"""


def test_the_kinds_of_actions_are_those_of_agents() -> None:
    (union, _) = typing.get_args(act.Action)
    kinds = {each.model_fields["type"].default for each in typing.get_args(union)}
    assert set(typing.get_args(ActionKind)) == kinds - {"done", "give_up"} | {"any"}


@pytest.mark.parametrize("inject", ["x", ["x"], ["x", "y"]])
def test_inject_is_a_name_or_a_list(inject: object) -> None:
    rule = Rule.model_validate({**RULE, "inject": inject})
    assert rule.inject == (("x",) if inject == "x" else tuple(typing.cast("list[str]", inject)))


@pytest.mark.parametrize(
    "when",
    [
        {"at_step": 0},
        {"after_action": {"kind": "tap", "at_least": 2}},
        {"after_action": {}},
        {"after_seconds": 20},
    ],
)
def test_a_schedule_needs_no_condition(when: dict[str, object]) -> None:
    assert Rule.model_validate({**RULE, "when": when}).when.scheduled


@every_case(
    ("text", "message"),
    [
        ("when: {at_stp: 3, at_step: 1}", ["x.yaml:5:12: unknown key 'at_stp'", "Did you mean 'at_step'?"]),
        ("when: {at_step: -1}", ["x.yaml:5:21: must be greater than or equal to 0 (found -1)"]),
        (
            "when: {min_step: 2}",
            ["x.yaml:5:11: when needs all: or any:", "at_step:, after_action: and after_seconds:"],
        ),
        ("when: {after_action: {kind: tipe}}", ["x.yaml:5:33: ", "(found 'tipe')", "Did you mean 'type'?"]),
        ("when: {after_action: {at_least: 0}}", ["x.yaml:5:37: ", "(found 0)"]),
        ("when: {at_step: '3'}", ["x.yaml:5:21: expected an integer (found '3')"]),
        ("when: {at_step: 3.0}", ["x.yaml:5:21: expected an integer (found 3.0)"]),
        ("when: {at_step: true}", ["x.yaml:5:21: expected an integer (found True)"]),
        ("when: {at_step: 1, min_step: '1'}", ["x.yaml:5:34: expected an integer (found '1')"]),
        (
            "when: {after_action: {at_least: '2'}}",
            ["x.yaml:5:37: expected an integer (found '2')"],
        ),
        ("when: {after_seconds: '20'}", ["x.yaml:5:27: expected a number (found '20')"]),
        ("when: {after_seconds: true}", ["x.yaml:5:27: expected a number (found True)"]),
        (
            "when: {at_step: 1}\n    probability: '0.5'",
            ["x.yaml:6:18: expected a number (found '0.5')"],
        ),
        (
            "when: {at_step: 1}\n    priority: '2'",
            ["x.yaml:6:15: expected an integer (found '2')"],
        ),
        (
            "when: {after_action: tap}",
            ["x.yaml:5:26: expected a mapping (found 'tap')"],
        ),
        ("when: {after_seconds: soon}", ["x.yaml:5:27: "]),
        ("when: {after_seconds: 0}", ["x.yaml:5:27: ", "greater than 0"]),
        ("when: {at_step: 1}\n    once: false", ["x.yaml:5:21: at_step fires once: use min_step"]),
    ],
)
def test_mistakes_in_a_schedule_have_a_location(text: str, message: list[str]) -> None:
    with pytest.raises(CombinedInputError) as caught:
        load_model(f"{HEAD}    {text}\n    inject: x\n", "x.yaml", RuleFile)
    (error,) = caught.value.errors
    for part in message:
        assert part in str(error)


@pytest.mark.parametrize(
    ("inject", "message"),
    [
        ("[]", "x.yaml:6:13: expected at least 1 item"),
        ("[a, 5]", "x.yaml:6:17: expected a string (found 5)"),
        ("{a: b}", "x.yaml:6:13: expected a list"),
        ("[a, a, a, a, a, a]", "x.yaml:6:13: at most 5 interruptions in a row are allowed, found 6"),
    ],
)
def test_mistakes_in_inject_have_a_location(inject: str, message: str) -> None:
    with pytest.raises(CombinedInputError) as caught:
        load_model(f"{HEAD}    when: {{at_step: 1}}\n    inject: {inject}\n", "x.yaml", RuleFile)
    assert message in str(caught.value.errors[0])
    assert len(caught.value.errors) == 1


def test_all_mistakes_in_a_rule_are_reported_together() -> None:
    text = f"{HEAD}    when: {{at_stp: 1, after_seconds: -1}}\n    inject: []\n    prob: 1\n"
    with pytest.raises(CombinedInputError) as caught:
        load_model(text, "x.yaml", RuleFile)
    assert {str(each).split(": ")[0] for each in caught.value.errors} == {
        "x.yaml:5:12",
        "x.yaml:5:38",
        "x.yaml:6:13",
        "x.yaml:7:5",
    }
