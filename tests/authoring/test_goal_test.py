"""Parameters of a goal that a person gives on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.authoring.goal_test import bound_goal
from garabench.cli.main import main
from garabench.core.goal import GoalSchema
from garabench.core.tree import UiTree
from garabench.errors import InputError
from garabench.suite.suite import Suite

GOALS = {
    name: GoalSchema.model_validate(
        {"id": name, "description": "a goal", "params": params, "holds": holds}
        | ({} if params else {"object": "there is only one"})
    )
    for name, params, holds in (
        (
            "poem",
            {"title": {"type": "text"}, "lines": {"type": "number"}},
            {"count": {"select": {"text": "{title}"}, "equals": "{lines}"}},
        ),
        ("answer", {"number": {"type": "text"}}, {"answer": {"type": "number", "value": "{number}"}}),
        ("none", {}, {"exists": {"text": "x"}}),
    )
}


@pytest.mark.parametrize(
    ("goal", "given", "message"),
    [
        (
            "poem",
            {"titel": "x"},
            "the goal 'poem' has no parameter 'titel'; the goal 'poem' is missing the parameter 'title'; "
            "the goal 'poem' is missing the parameter 'lines'\n"
            "Did you mean 'title'? Its parameters: --with title=… --with lines=…",
        ),
        (
            "poem",
            {"title": "x", "lines": "many"},
            "the parameter 'lines' of 'poem' must be a number, not 'many'\n"
            "Its parameters: --with title=… --with lines=…",
        ),
        (
            "answer",
            {"number": "many"},
            "the goal 'answer' does not accept these values: 'many' is not a single value of type number",
        ),
        ("none", {"x": "y"}, "the goal 'none' has no parameter 'x'\nIt has no parameters."),
        ("poet", {}, "unknown goal 'poet'\nDid you mean 'poem'?"),
    ],
)
def test_wrong_parameters_are_one_sentence(goal: str, given: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        bound_goal(Suite({}, GOALS, {}, {}, "", Path()), goal, given)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--with", "title"], "--with title is not of the form NAME=VALUE"),
        (["--with", "title="], "--with title= is not of the form NAME=VALUE"),
        (["--with", "title=a", "--with", "title=b"], "--with title=… is given twice"),
    ],
)
def test_each_parameter_is_given_once_with_a_value(
    tmp_path: Path, words: Sequence[str], message: str
) -> None:
    screen = tmp_path / "screen.xml"
    screen.write_bytes(UiTree(()).to_xml())
    printed = CliRunner().invoke(main, ["goals", "test", str(screen), "--goal", "poem", *words])
    assert (printed.exit_code, message in printed.output) == (2, True), printed.output
