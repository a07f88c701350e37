"""``garabench agents show`` and ``garabench agents parse``: output and exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.agents.profiles import built_in
from garabench.cli.main import main
from tests.agents.prompting.samples import TREE
from tests.cases import every_case

TAP = "Action: click(start_box='(197,525)')"


def run(*words: str, text: str = "") -> tuple[int, str]:
    result = CliRunner().invoke(main, ["agents", *words], input=text)
    return result.exit_code, result.output


@every_case("name", built_in())
def test_all_profiles_are_shown(name: str) -> None:
    status, output = run("show", name)
    assert status == 0
    assert built_in()[name].model in output and built_in()[name].dialect in output
    status, output = run("show", name, "--json")
    assert status == 0 and json.loads(output)["id"] == name
    status, output = run("show", name, "--prompt")
    assert status == 0 and output.startswith("You operate")


def test_image_size_depends_on_the_screen() -> None:
    assert "1440x3120 as png of 517x1120" in run("show", "agentcpm-gui", "--screen", "1440x3120")[1]
    assert "pixels of the screen, x before y" in run("show", "gpt-4o?input=tree")[1]
    assert "as jpeg of" in run("show", "gpt-4o?format=jpeg")[1]


def test_functions_are_shown_for_agents_that_call_them() -> None:
    assert '"scroll_direction"' in run("show", "claude-computer-use", "--prompt")[1]
    assert "mobile_use: " not in run("show", "qwen3-vl", "--prompt")[1]


def test_coordinates_are_converted_to_screen_pixels() -> None:
    assert run("parse", "ui-tars-1.5-7b", "-", text=TAP) == (0, '{"type": "tap", "x": 195, "y": 523}\n')
    status, output = run("parse", "ui-tars-1.5-7b", "-", "--screen", "540x1200", text=f"Thought: 点\n{TAP}")
    assert status == 0 and output.endswith("thought: 点\n")


def test_tool_call_and_element_number_are_parsed(tmp_path: Path) -> None:
    tree = tmp_path / "screen.xml"
    tree.write_bytes(TREE.to_xml())
    expected = run(
        "parse", "gpt-5", "-", "--call", "act", "--tree", str(tree), text='{"action":"tap","element":1}'
    )
    assert expected == (0, '{"type": "tap", "x": 540, "y": 300}\n')
    assert run("parse", "appagent", "-", "--tree", str(tree), text="Action: tap(2)") == expected


def test_reply_without_an_action_ends_with_status_1() -> None:
    status, output = run("parse", "gpt-4o", "-", text='{"action":"tap","coords":[5000,5]}')
    assert status == 1
    assert output == "no action (off-screen): (5000, 5) is outside 706 x 1568\n"
    status, output = run("parse", "gpt-4o", "-", "--json", text="\xff\x00")
    assert status == 1 and json.loads(output)["flaw"] == "no-action"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "dismiss"), "is not a model agent (kind: reference)"),
        (("show", "gpt-4"), "Did you mean 'gpt-4o'?"),
        (("show", "gpt-4o?tempratur=1"), "Did you mean 'temperature'?"),
        (("show", "gpt-4o", "--screen", "0x5"), "is not a screen size"),
        (("show", "gpt-4o", "--screen", "1080"), "is not a screen size"),
        (("show", "model:none.yaml#x"), "no such file: none.yaml"),
        (("parse", "gpt-4o", "none.txt"), "no such file: none.txt"),
        (("parse", "gpt-4o", "-", "--tree", "none.xml"), "no such file: none.xml"),
    ],
)
def test_wrong_input_ends_with_status_2(words: tuple[str, ...], message: str) -> None:
    status, output = run(*words)
    assert status == 2
    assert message in output
