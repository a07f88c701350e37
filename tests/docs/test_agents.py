"""The page of agents has an example of each, which is parsed as documented."""

from __future__ import annotations

import json
import re
from pathlib import Path

from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.dialects.reply import ParsedReply
from garabench.agents.profile import HistoryForm, ModelInput
from garabench.agents.profiles import built_in, read_profiles
from garabench.agents.prompting.app_names import APPS
from garabench.agents.prompting.element_list import describe_elements
from garabench.agents.prompting.elements import elements_of
from garabench.core import action as act
from tests.agents.prompting.samples import SCREEN, TREE
from tests.cases import every_case

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```reply (\S+)(?: (\w+))?\n(.*?)\n```\n\n```action\n(.*?)\n```", PAGE, re.DOTALL)
ELEMENTS = elements_of(TREE, SCREEN)


@every_case(("name", "function", "reply", "action"), EXAMPLES)
def test_examples_are_parsed_as_documented(name: str, function: str, reply: str, action: str) -> None:
    profile = built_in()[name]
    dialect = profile.tuned_dialect()
    image = dialect.image.size(SCREEN) if profile.input.has_image else SCREEN
    view = ScreenView(SCREEN, image, tuple(element.rect for element in ELEMENTS), APPS)
    found = dialect.parse_tool_call(function, reply, view) if function else dialect.parse(reply, view)
    assert isinstance(found, ParsedReply), found
    assert act.to_json(found.action) == json.loads(action)


def test_every_agent_has_an_example_and_a_server() -> None:
    assert len(re.findall(r"^```reply ", PAGE, re.MULTILINE)) == len(EXAMPLES)
    assert {name for name, *_ in EXAMPLES} == set(built_in())
    sections = dict(re.findall(r"^#### `(\S+)`\n(.*?)(?=^#|\Z)", PAGE, re.DOTALL | re.MULTILINE))
    assert list(sections) == list(built_in()), "in the order of the file"
    for name, profile in built_in().items():
        assert f"Served by `{profile.serve}`." in sections[name]


def test_every_input_and_history_is_documented() -> None:
    assert re.findall(r"^\| `(screenshot|tree|both|marks)` \|", PAGE, re.MULTILINE) == list(ModelInput)
    table = PAGE.partition("| `history.form` |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(HistoryForm)


def test_documented_rows_equal_the_sent_ones() -> None:
    profile = built_in()["gpt-4o"]
    view = ScreenView(SCREEN, SCREEN, tuple(element.rect for element in ELEMENTS))
    assert f"```text\n{describe_elements(ELEMENTS, view, profile.tuned_dialect(), 3000).text}\n```" in PAGE


def test_example_of_custom_profiles_is_valid() -> None:
    (text,) = re.findall(r"```yaml file=my_agents.yaml\n(.*?)```", PAGE, re.DOTALL)
    found = read_profiles(text, "my_agents.yaml", built_in())
    assert found["my-tuned-qwen"].tuned_dialect().coordinates.span == 1000
    assert found["my-reader"].input is ModelInput.TREE
