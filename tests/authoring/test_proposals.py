"""Rules and goals that are proposed from screens, and rules that are replayed over them."""

from __future__ import annotations

from pathlib import Path

import pytest

from garabench.authoring.goal_proposal import propose_goal
from garabench.authoring.rule_proposal import NamedScreen, propose_rule
from garabench.authoring.rule_replay import ReplayedScreen, replay_rows, replay_rules
from garabench.authoring.rule_watch import closeness_of
from garabench.authoring.suite_file_edits import require_folder, with_entry
from garabench.core.geometry import Rect
from garabench.core.observation import Focus
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.rule import BoundRule, Rule
from garabench.core.tree import UiNode, UiTree
from garabench.errors import InputError
from garabench.lint.suite_check import find_mistakes_in_loose_file
from garabench.records.recorded_screen import RecordedScreen

APP = "com.example.reader"
LABELS = ("搜索", "书架", "分类", "排行榜")


def node(text: str = "", entry: str = "", **more: object) -> UiNode:
    name = f"{APP}:id/{entry}" if entry else ""
    return UiNode(text=text, resource_id=name, package=APP, bounds=Rect(0, 0, 9, 9), **more)  # type: ignore[arg-type]


def facts(*nodes: UiNode) -> RecordedFacts:
    root = UiNode(package=APP, cls="android.widget.FrameLayout", children=nodes)
    return RecordedFacts(UiTree((root,)), Focus(APP, ".Main"))


def screen(name: str, *texts: str) -> NamedScreen:
    return NamedScreen(name, facts(*(node(text, f"row_{text}" if text.isascii() else "") for text in texts)))


def test_a_proposed_rule_fires_here_and_not_there_and_passes_the_check(tmp_path: Path) -> None:
    here = screen("here", *LABELS, "12 条评论", "昨天", "¥39")
    others = [screen("one", "搜索", "书架", "分类"), screen("two", "排行榜", "我的")]
    proposal = propose_rule(here, others, rule="shelf", inject="low-battery")
    keywords = proposal.bound.rule.when.all[0].model_dump()["keywords"]["of"]
    assert set(keywords) == set(LABELS)
    assert proposal.closest == ("one", 3)
    file = tmp_path / "rules.yaml"
    file.write_text(with_entry(file, "rules", APP, proposal.text), encoding="utf-8")
    second = propose_rule(others[1], [here], rule="mine", inject="low-battery")
    file.write_text(with_entry(file, "rules", APP, second.text), encoding="utf-8")
    assert find_mistakes_in_loose_file(file).findings == ()
    with pytest.raises(InputError, match="the entry for"):
        with_entry(file, "rules", "com.other", second.text)


def test_screens_without_a_difference_or_without_text_are_refused() -> None:
    here = screen("here", *LABELS)
    with pytest.raises(InputError, match="nothing tells here apart from same"):
        propose_rule(here, [screen("same", *LABELS, "more")], rule="r", inject="i")
    with pytest.raises(InputError, match="no text"):
        propose_rule(screen("here", "1", "2024-01-01"), rule="r", inject="i")
    with pytest.raises(InputError, match="shows no app"):
        propose_rule(NamedScreen("empty", RecordedFacts(UiTree(()))), rule="r", inject="i")


def test_a_proposed_goal_names_the_object_and_what_changed() -> None:
    title, count = node("静夜思", "poem_title"), node("12", "like_count")
    before = facts(title, count, node("", "like", checkable=True))
    after = facts(title, node("13", "like_count"), node("", "like", checkable=True, selected=True))
    proposal = propose_goal(before, after, goal="poem-liked")
    assert proposal.values == {"name": "静夜思"}
    assert proposal.schema.holds["all"] == [
        {"exists": {"id": "poem_title", "text": "{name}"}},
        {"selected": {"id": "like"}},
    ]
    with pytest.raises(InputError, match="no element of the second screen differs"):
        propose_goal(before, before, goal="g")
    with pytest.raises(InputError, match="does not show the text 'x'"):
        propose_goal(before, after, goal="g", named=["x"])


def test_several_objects_and_values_are_parameters_and_buttons_replace_nothing_better() -> None:
    before = facts(node("静夜思", "row"), node("王维", "row"))
    line = [node("静夜思", "line"), node("王维", "line"), node("大", "size"), node("× 2", "count")]
    buttons = [node(text, entry, clickable=True) for text, entry in (("a", "a"), ("b", "b"), ("c", "c"))]
    proposal = propose_goal(before, facts(*buttons, *line), goal="g", named=["静夜思", "王维", "大"])
    values = {"line": "静夜思", "line_2": "王维", "size": "大", "count": "× 2"}
    assert proposal.values == values
    assert proposal.schema.holds["all"][3:] == [{"exists": {"id": "count", "text": "{count}"}}]
    only_buttons = propose_goal(before, facts(*buttons), goal="g", named=["a"])
    assert only_buttons.schema.holds["all"][1:] == [
        {"exists": {"id": "b", "text": "b"}},
        {"exists": {"id": "c", "text": "c"}},
    ]


TITLE = node("静夜思", "poem_title")
LIKED = node("", "like", selected=True)
RADIO = "android.widget.RadioButton"


@pytest.mark.parametrize(
    ("before", "after", "named", "conditions"),
    [
        pytest.param(
            (TITLE, node("", "like"), node("1.2万", "plays")),
            (TITLE, LIKED, node("1.3万", "plays"), node("301万粉丝", "fans"), node("7", "badge")),
            "静夜思",
            [{"selected": {"id": "like"}}],
            id="counts",
        ),
        pytest.param(
            (node("1", "quantity"),),
            (node("2", "quantity"),),
            None,
            [{"exists": {"id": "quantity", "text": "{quantity}"}}],
            id="a number alone is what changed",
        ),
        pytest.param(
            (node("搜索", "search"), node("书", "toolbar_title")),
            (
                node("诗", "toolbar_title"),
                node("", "navigate_up", desc="返回", clickable=True),
                node("", "sheet_close", desc="关闭", clickable=True),
                node("", "tab_layout"),
                node("静夜思", "poem"),
                node("李白", "poet"),
                node("唐", "dynasty"),
            ),
            "静夜思",
            [{"exists": {"id": "poet", "text": "李白"}}, {"exists": {"id": "dynasty", "text": "唐"}}],
            id="toolbar, ways out and tabs",
        ),
        pytest.param(
            (node("x", "y"),),
            (TITLE, node("静夜思", "heading"), node("", "box"), node("李白", "poet"), node("李白", "line")),
            "静夜思",
            [{"exists": {"id": "poet", "text": "李白"}}],
            id="repeated texts and containers",
        ),
        pytest.param(
            (TITLE, node("小", "small", cls=RADIO, checked=True), node("大", "large", cls=RADIO)),
            (TITLE, node("小", "small", cls=RADIO), node("大", "large", cls=RADIO, checked=True)),
            "静夜思",
            [{"checked": {"id": "large", "text": "大"}}],
            id="one of several choices",
        ),
        pytest.param(
            (TITLE, node("", "tab_home", selected=True), node("", "tab_mine"), node("", "like")),
            (TITLE, node("", "tab_home"), node("", "tab_mine", selected=True), LIKED),
            "静夜思",
            [{"selected": {"id": "like"}}, {"selected": {"id": "tab_mine"}}],
            id="tabs after contents",
        ),
        pytest.param(
            (node("x", "y"),),
            (
                TITLE,
                node("a", "row"),
                node("b", "row"),
                node("李白", "poet"),
                node("读", "read", clickable=True),
            ),
            "静夜思",
            [{"exists": {"id": "poet", "text": "李白"}}],
            id="rows of which none is named",
        ),
    ],
)
def test_a_proposed_goal_leaves_out_what_says_little(
    before: tuple[UiNode, ...],
    after: tuple[UiNode, ...],
    named: str | None,
    conditions: list[dict[str, object]],
) -> None:
    proposal = propose_goal(facts(*before), facts(*after), goal="g", named=[] if named is None else [named])
    assert proposal.schema.holds["all"][0 if named is None else 1 :] == conditions


def test_a_proposed_rule_prefers_the_contents_to_the_toolbar() -> None:
    back = node("", "navigate_up", desc="返回")
    shown = facts(back, node("简介", "about"), node("目录", "contents"))
    proposal = propose_rule(
        NamedScreen("here", shown), [screen("other", "书架", "简介")], rule="r", inject="low-battery"
    )
    keywords, element = (each.model_dump(exclude_unset=True) for each in proposal.bound.rule.when.all)
    assert set(keywords["keywords"]["of"]) == {"目录", "简介"}
    assert element["exists"]["id"] == "about"


def test_texts_in_braces_are_not_read_as_parameters() -> None:
    before, after = (
        facts(node("{one}", "label"), node("x", "y")),
        facts(node("{two}", "label"), node("x", "y")),
    )
    proposal = propose_goal(before, after, goal="g", named=["x"])
    assert proposal.values == {"name": "x", "label": "{two}"}
    assert {"exists": {"id": "label", "text": "{label}"}} in proposal.schema.holds["all"]


def rule(name: str, words: tuple[str, ...], threshold: float, **when: object) -> BoundRule:
    condition = {"keywords": {"of": list(words), "threshold": threshold}}
    data = {"id": name, "description": "a rule", "inject": "i", "when": {"all": [condition], **when}}
    return BoundRule(Rule.model_validate(data), APP)


def test_a_replay_says_where_rules_fire_never_everywhere_together_and_at_which_threshold() -> None:
    rules = [
        rule("always", ("搜索",), 1.0),
        rule("late", LABELS, 0.5, min_step=1),
        rule("never", ("x", "y"), 1.0),
    ]
    shown = [("a", 0, LABELS), ("a", 1, LABELS[:3]), ("b", 0, ("搜索",)), ("b", 1, LABELS[:1])]
    screens = [
        ReplayedScreen(
            episode,
            RecordedScreen(f"{episode}{step}", screen("s", *texts).facts.tree, None, step, actions={}),
        )
        for episode, step, texts in shown
    ]
    empty = ReplayedScreen("b", RecordedScreen("empty", UiTree(()), None, 2, actions={}))
    result = replay_rules(rules, [*screens, empty])
    assert result.empty == 1
    always, delayed, never = result.rules
    assert (result.screens, result.episodes, result.overlaps) == (4, 2, (("always", "late", 2),))
    assert (always.everywhere, always.fires) == (True, (("a", 0), ("b", 0)))
    assert (delayed.holds, delayed.fires) == (2, (("a", 1),))
    assert delayed.curve is not None
    assert delayed.curve.screens == (4, 2, 2, 1)
    assert (never.never, never.largest_share) == (True, 0.0)
    assert replay_rows(result)[1]["curve"]["screens"]["4/4"] == 1


def test_a_replay_tells_trees_apart_whose_memory_is_used_again() -> None:
    texts = [("搜索",), ("其他",)] * 20
    screens = (
        ReplayedScreen("a", RecordedScreen(str(step), screen("s", *shown).facts.tree, None, step, actions={}))
        for step, shown in enumerate(texts)
    )
    result = replay_rules([rule("half", ("搜索",), 1.0)], screens)
    assert (result.trees, result.rules[0].seen, result.rules[0].holds) == (40, 40, 20)


def test_the_closest_rules_come_first() -> None:
    rules = [rule("half", ("搜索", "x"), 1.0), rule("far", ("x", "y"), 1.0), rule("fires", ("搜索",), 1.0)]
    found = closeness_of(rules, facts(node("搜索")))
    assert [(each.rule, each.closeness, each.fires) for each in found] == [
        ("fires", 1.0, True),
        ("half", 0.5, False),
        ("far", 0.0, False),
    ]
    assert found[1].missing == "1/2 keywords, missing x"


def test_only_the_missing_folder_of_a_suite_is_created(tmp_path: Path) -> None:
    (tmp_path / "mine" / "tasks").mkdir(parents=True)
    for known in ("mine/rules/a.yaml", "mine/tasks/a.yaml", "a.yaml"):
        require_folder(tmp_path / known, "rules")
    for misspelt in ("mine/ruels/a.yaml", "mien/rules/a.yaml", "rules/a.yaml"):
        with pytest.raises(InputError, match="no such folder"):
            require_folder(tmp_path / misspelt, "rules")
