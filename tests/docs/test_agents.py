"""The page of agents: each has an example, each example is read as the page says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from garabench.agents.dialects.coordinates import View
from garabench.agents.dialects.reply import Parsed
from garabench.agents.modes.apps import APPS
from garabench.agents.modes.compact import tell
from garabench.agents.modes.elements import elements_of
from garabench.agents.profile import HistoryForm, Input
from garabench.agents.profiles import built_in, read_profiles
from garabench.core import action as act
from tests.agents.modes.samples import SCREEN, TREE

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```reply (\S+)(?: (\w+))?\n(.*?)\n```\n\n```action\n(.*?)\n```", PAGE, re.DOTALL)
ELEMENTS = elements_of(TREE, SCREEN)


@pytest.mark.parametrize(("name", "function", "reply", "action"), EXAMPLES)
def test_an_example_is_read_as_the_page_says(name: str, function: str, reply: str, action: str) -> None:
    profile = built_in()[name]
    dialect = profile.spoken()
    image = dialect.image.size(SCREEN) if profile.input.has_picture else SCREEN
    view = View(SCREEN, image, tuple(element.rect for element in ELEMENTS), APPS)
    found = dialect.parse_tool_call(function, reply, view) if function else dialect.parse(reply, view)
    assert isinstance(found, Parsed), found
    assert act.to_json(found.action) == json.loads(action)


def test_every_agent_has_an_example_and_says_how_it_is_served() -> None:
    assert len(re.findall(r"^```reply ", PAGE, re.MULTILINE)) == len(EXAMPLES)
    assert {name for name, *_ in EXAMPLES} == set(built_in())
    sections = dict(re.findall(r"^#### `(\S+)`\n(.*?)(?=^#|\Z)", PAGE, re.DOTALL | re.MULTILINE))
    assert list(sections) == list(built_in()), "in the order of the file"
    for name, profile in built_in().items():
        assert f"Served by `{profile.serve}`." in sections[name]


def test_every_input_and_history_is_told() -> None:
    assert re.findall(r"^\| `(screenshot|tree|both|marks)` \|", PAGE, re.MULTILINE) == list(Input)
    told = PAGE.partition("| `history.form` |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", told, re.MULTILINE) == list(HistoryForm)


def test_the_rows_are_those_that_are_sent() -> None:
    profile = built_in()["gpt-4o"]
    view = View(SCREEN, SCREEN, tuple(element.rect for element in ELEMENTS))
    assert f"```text\n{tell(ELEMENTS, view, profile.spoken(), 3000).text}\n```" in PAGE


def test_the_file_of_ones_own_is_valid() -> None:
    (text,) = re.findall(r"```yaml file=my_agents.yaml\n(.*?)```", PAGE, re.DOTALL)
    found = read_profiles(text, "my_agents.yaml", built_in())
    assert found["my-tuned-qwen"].spoken().coordinates.span == 1000
    assert found["my-reader"].input is Input.TREE
