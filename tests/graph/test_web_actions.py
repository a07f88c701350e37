from __future__ import annotations

import json
from pathlib import Path

import pytest

from garabench.errors import InputError
from garabench.graph.analysis import build_graphs
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.consensus import build_graph
from garabench.graph.slots import slots_of
from garabench.graph.web_actions import canonical_web_action, parse_elements, place_of, split_calls
from garabench.graph.web_trajectories import read_web_trajectories

URL = "http://shop.example:7770/checkout/?page=2#top"
PLACE = "shop.example:7770/checkout"
TREE = "RootWebArea 'Checkout'\n\t[51] button 'Submit'\n\t[a52] textbox 'Name' required: True\n\t[53] link ''"
ELEMENTS = parse_elements(TREE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("click('51')", CanonicalAction("click", PLACE, "button[submit]")),
        ("click [51]", CanonicalAction("click", PLACE, "button[submit]")),
        ("click(text='Submit', element='button')", CanonicalAction("click", PLACE, "button[submit]")),
        ("clicked on the 'Submit' button", CanonicalAction("click", PLACE, "button[submit]")),
        ("press 'Submit' button", CanonicalAction("click", PLACE, "button[submit]")),
        ("fill('a52', 'Ann Lee')", CanonicalAction("type", PLACE, "textbox[name]", "ann lee")),
        ("type [a52] [Ann Lee] [0]", CanonicalAction("type", PLACE, "textbox[name]", "ann lee")),
        ("type [a52] [Ann Lee] [1]", CanonicalAction("type", PLACE, "submit+textbox[name]", "ann lee")),
        ("type [a52] [Ann Lee]", CanonicalAction("type", PLACE, "submit+textbox[name]", "ann lee")),
        ("fill('a52', 'Lu Xun Park')", CanonicalAction("type", PLACE, "textbox[name]", "<1>")),
        ("click('99')", CanonicalAction("click", PLACE, "?99")),
        ("click('53')", CanonicalAction("click", PLACE, "link[53]")),
        ("scroll(0, -200)", CanonicalAction("scroll", PLACE, "", "up")),
        ("scroll [down]", CanonicalAction("scroll", PLACE, "", "down")),
        ("goto('http://a.example/x/?q=1')", CanonicalAction("goto", "", "a.example/x")),
        ("go_back", CanonicalAction("back", PLACE)),
        ("stop [27 min]", CanonicalAction("done", "", "", "27 min")),
        ("send_msg_to_user('27 min')", CanonicalAction("done", "", "", "27 min")),
        ("select_option('a52', 'Blue')", CanonicalAction("select", PLACE, "textbox[name]", "blue")),
        ("press('a52', 'Enter')", CanonicalAction("key", PLACE, "textbox[name]", "enter")),
        ("press [Enter]", CanonicalAction("key", PLACE, "", "enter")),
        ("noop(1000)", CanonicalAction("wait", PLACE)),
        ("report_infeasible('no')", CanonicalAction("give_up")),
        ("click [1582] where [1582] is link 'X' focused: True", CanonicalAction("click", PLACE, "link[x]")),
        (
            "type [9] [a] [1] where [9] is textbox 'Q'",
            CanonicalAction("type", PLACE, "submit+textbox[q]", "a"),
        ),
        ("click [7] where [7] is img", CanonicalAction("click", PLACE, "img[7]")),
        (
            "type [164] [green [tea] cup] [1]",
            CanonicalAction("type", PLACE, "submit+?164", "green [tea] cup"),
        ),
        ("type [a52] [a] b]", CanonicalAction("type", PLACE, "submit+textbox[name]", "a] b")),
        ("type [a52] [[1]] [0]", CanonicalAction("type", PLACE, "textbox[name]", "[1]")),
        ("stop [[1] foo]", CanonicalAction("done", "", "", "[1] foo")),
        ("stop [a ] long [ answer]", CanonicalAction("done", "", "", "a ] long [ answer")),
        ("stop [an answer without an end", CanonicalAction("done", "", "", "an answer without an end")),
        ("stop [see [1] where [2] is x]", CanonicalAction("done", "", "", "see [1] where [2] is x")),
        ("stop []", CanonicalAction("done")),
        ("goto [http://a.example/x?a[]=1]", CanonicalAction("goto", "", "a.example/x")),
        ("```click [51]```", CanonicalAction("click", PLACE, "button[submit]")),
        ("So I ```\nclick [51]\n``` now", CanonicalAction("click", PLACE, "button[submit]")),
        ("```python\nclick('51')\n```", CanonicalAction("click", PLACE, "button[submit]")),
        ("mouse_click(10, 20.5)", CanonicalAction("click", PLACE, "(10, 20.5)")),
        ("mouse_click(x=10, y=20, button='right')", CanonicalAction("click", PLACE, "(10, 20)", "right")),
        ("mouse_drag_and_drop(1, 2, 3, 4)", CanonicalAction("drag", PLACE, "(1, 2)", "(3, 4)")),
        ("keyboard_type('Lu Xun Park')", CanonicalAction("type", PLACE, "", "<1>")),
        ("keyboard_insert_text(text='a')", CanonicalAction("type", PLACE, "", "a")),
        ("keyboard_press('Enter')", CanonicalAction("key", PLACE, "", "enter")),
        ("keyboard_down('Shift')", CanonicalAction("key_down", PLACE, "", "shift")),
    ],
)
def test_the_forms_of_web_actions(text: str, expected: CanonicalAction) -> None:
    assert canonical_web_action(text, URL, ELEMENTS, slots_of("Go to 'Lu Xun Park'")) == expected


def test_only_wordings_are_fuzzy() -> None:
    def words(text: str) -> CanonicalAction:
        return canonical_web_action(text, URL)

    assert words("Check whether the order table is sorted by date").wording
    first, second = (words(f"Look at the profile of {name} carefully") for name in ("Alice", "Alicia"))
    assert first.exact != second.exact
    five, six = (words(f"Look at row {number} of the table") for number in (5, 6))
    assert five.exact != six.exact
    near = words("Look at the table of all orders"), words("Look at the tables of all orders")
    assert near[0].exact == near[1].exact
    assert near[0].wording != near[1].wording


@pytest.mark.parametrize(
    "text",
    [
        "click(",
        "click(__import__('os').system('x'))",
        "(" * 9000,
        "",
        "fill()",
        "type",
        "scroll(nan)",
        "mouse_click()",
        "keyboard_type()",
        "stop [",
        "type [[[",
        "click ]",
        "``````",
        "where [1] is",
        "\ud800",
        "x" * 9000,
    ],
)
def test_any_text_is_an_action(text: str) -> None:
    assert canonical_web_action(text, "http://[broken", {}).kind


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("fill('7', 'tea')\npress('7', 'Enter')", 2),
        ("# search\nfill('7', 'a\\nb')\n\npress('7', 'Enter')", 2),
        ("I search. ```python\nfill('7', 'tea')\npress('7', 'Enter')\n```", 2),
        ("click('7')", 1),
        ("click('7')\nprint('x')", 1),
        ("fill('7', 'a\nb')", 1),
    ],
)
def test_several_calls_are_several_actions(text: str, count: int) -> None:
    assert len(split_calls(text)) == count


def test_calls_of_one_action_are_steps(tmp_path: Path) -> None:
    file = tmp_path / "web.json"
    tree = "[7] textbox 'Search'"
    steps = [{"action": "fill('7', 'tea')\npress('7', 'Enter')", "url": URL, "axtree": tree}, "click('a9')"]
    file.write_text(json.dumps([entry("7", "a", True, *steps)]), encoding="utf-8")
    analysis = build_graphs([], [file]).tasks[0]
    (found,) = analysis.trajectories
    assert [step.action.label for step in found.steps] == [
        "type textbox[search] · tea",
        "key textbox[search] · enter",
        "click ?a9",
    ]
    assert analysis.paths.facts[0].necessary == (True, True, True)
    assert any("1 of 3 steps name an element by a number" in limit for limit in analysis.limits)


def test_elements_with_one_name_are_several_targets() -> None:
    elements = parse_elements("[1] button 'Add'\n[2] link 'Add'\n[3] button 'Add'")
    targets = [canonical_web_action(f"click('{number}')", URL, elements).target for number in (1, 2, 3)]
    assert targets == ["button[add#1]", "link[add]", "button[add#2]"]


def test_places_have_no_query() -> None:
    assert place_of(URL) == PLACE
    assert place_of("http://[") == ""


def entry(task: str, agent: str, success: object, *steps: object, **more: object) -> dict[str, object]:
    return {"task_id": task, "agent": agent, "success": success, "steps": list(steps), **more}


@pytest.mark.parametrize("form", ["list", "lines", "object", "object after another list", "byte order mark"])
def test_files_are_read(tmp_path: Path, form: str) -> None:
    step = {"action": "click('51')", "obs": {"url": URL, "axtree_txt": TREE}}
    entries = [
        entry("7", "a", True, step, {"action": {"action_str": "stop [x]"}}),
        {"task": 7, "model": "b", "reward": 0.0, "trajectory": [step, "scroll [down]", {"odd": 1}, None]},
        entry("7", "a", "FAIL", {"action": "click [51]", "url": URL, "observation": TREE}),
    ]
    file = tmp_path / "web.json"
    texts = {
        "list": json.dumps(entries),
        "lines": "\n".join(map(json.dumps, entries)),
        "object": json.dumps({"trajectories": entries}),
        "object after another list": json.dumps({"tags": ["shop"], "trajectories": entries}),
        "byte order mark": "\ufeff" + json.dumps(entries),
    }
    file.write_text(texts[form], encoding="utf-8")
    found = read_web_trajectories([file])
    assert [(each.agent, each.success, each.attempt, each.length) for each in found] == [
        ("a", True, 1, 2),
        ("b", False, 1, 2),
        ("a", False, 2, 1),
    ]
    assert build_graph("7", found).nodes[0].visits == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", None),
        ("", "web.json is empty"),
        ("\n \n", "web.json is empty"),
        ("{", r"web.json:1:2: not JSON"),
        ("3", "trajectory 1 is not an object"),
        ('[{"steps": [], "success": true}]', "names no task"),
        ('[{"task": "1", "success": true}]', "has no steps"),
        ('[{"task": "1", "steps": [], "success": "perhaps"}]', "has no outcome: success is 'perhaps'"),
        ('[{"task": "1", "steps": [], "success": NaN}]', "has no outcome: success is 'nan'"),
        ('[{"task": "1", "steps": [], "reward": "inf"}]', "has no outcome: reward is 'inf'"),
        ('[{"task": "1", "steps": []}]', "has no outcome\n"),
    ],
)
def test_broken_files_are_reported(tmp_path: Path, text: str, message: str | None) -> None:
    file = tmp_path / "web.json"
    file.write_text(text, encoding="utf-8")
    if message is None:
        assert read_web_trajectories([file]) == ()
        return
    with pytest.raises(InputError, match=message):
        read_web_trajectories([file])


@pytest.mark.parametrize(
    ("outcome", "success"), [({"reward": "0.9"}, False), ({"reward": "1.0"}, True), ({"score": 1}, True)]
)
def test_an_outcome_may_be_a_number_in_text(
    tmp_path: Path, outcome: dict[str, object], success: bool
) -> None:
    file = tmp_path / "web.json"
    file.write_text(json.dumps([{"task": "1", "steps": [], **outcome}]), encoding="utf-8")
    assert [each.success for each in read_web_trajectories([file])] == [success]


def test_files_with_the_same_name_have_distinct_sources(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("x/a/t.json", "y/a/t.json", "y/b/t.json", "y/other.json")]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps([entry("7", "a", True, "click('1')")]), encoding="utf-8")
    found = build_graphs([], files).trajectories
    assert sorted(each.source for each in found) == ["b/t.json", "other.json", "x/a/t.json", "y/a/t.json"]
    with pytest.raises(InputError, match="is given twice"):
        read_web_trajectories([files[0], files[0]])
