from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from garabench.core.condition import Condition
from garabench.core.evaluate import Verdict, evaluate
from garabench.core.observation import Focus
from garabench.core.tree import UiNode, UiTree
from tests.cases import every_case

CONDITIONS: TypeAdapter[Any] = TypeAdapter(Condition)
APP = "com.example.reader"
TREE = UiTree(
    (
        UiNode(text="收藏", package="com.android.systemui"),
        UiNode(
            package=APP,
            children=(
                UiNode(
                    text=" 稻香 ", resource_id=f"{APP}:id/title", cls="android.widget.TextView", package=APP
                ),
                UiNode(desc="Like", resource_id=f"{APP}:id/like", selected=True, package=APP),
                UiNode(desc="Like", resource_id=f"{APP}:id/like", package=APP),
                UiNode(
                    text="C++ 2048", resource_id=f"{APP}:id/row", checkable=True, checked=True, package=APP
                ),
            ),
        ),
    )
)
VIDEO = Focus(APP, f"{APP}.page.Video")


@dataclass(frozen=True)
class FakeFacts:
    """Facts as values; missing ones are unknown."""

    tree: UiTree = TREE
    focus: Focus | None = VIDEO
    answer: str | None = "It is Three  Apples"
    settings: dict[tuple[str, str], str] = field(default_factory=lambda: {("system", "font_scale"): "1.3\n"})
    states: dict[tuple[str, str], bool] = field(
        default_factory=lambda: {(APP, "installed"): True, (APP, "running"): False}
    )
    contents: dict[str, str] = field(default_factory=lambda: {"content://sms": "Row: 0 body=hello"})

    def setting(self, namespace: str, key: str) -> str | None:
        return self.settings.get((namespace, key))

    def package_state(self, package: str, state: str) -> bool | None:
        return self.states.get((package, state))

    def content(self, uri: str) -> str | None:
        return self.contents.get(uri)


UNKNOWN_FACTS = FakeFacts(focus=None, answer=None, settings={}, states={}, contents={})


def holds(data: object, facts: FakeFacts | None = None) -> bool | None:
    return evaluate(CONDITIONS.validate_python(data), facts or FakeFacts()).holds


LIKE, TITLE, ROW, GONE = {"id": "like"}, {"id": "title"}, {"id": "row"}, {"id": "gone"}


@every_case(
    ("condition", "expected"),
    [
        ({"exists": LIKE}, True),
        ({"exists": GONE}, False),
        ({"exists": {"id": f"{APP}:id/like"}}, True),
        ({"exists": {"id": "com.other:id/like"}}, False),
        ({"absent": GONE}, True),
        ({"absent": LIKE}, False),
        ({"count": {"select": LIKE, "equals": 2}}, True),
        ({"count": {"select": LIKE, "equals": 1}}, False),
        ({"count": {"select": LIKE, "at_least": 2}}, True),
        ({"count": {"select": LIKE, "at_least": 3}}, False),
        ({"count": {"select": LIKE, "at_most": 2}}, True),
        ({"count": {"select": LIKE, "at_most": 1}}, False),
        ({"count": {"select": LIKE, "at_least": 1, "at_most": 3}}, True),
        ({"count": {"select": GONE, "equals": 0}}, True),
        ({"equals": {"select": TITLE, "value": "稻香"}}, True),
        ({"equals": {"select": TITLE, "value": "稻"}}, False),
        ({"equals": {"select": GONE, "value": ""}}, False),
        ({"equals": {"select": LIKE, "attribute": "desc", "value": "Like"}}, True),
        ({"contains": {"select": TITLE, "value": "稻"}}, True),
        ({"contains": {"select": TITLE, "value": "麦"}}, False),
        ({"contains": {"select": ROW, "value": 2048}}, True),
        ({"matches": {"select": ROW, "pattern": r"\d{4}$"}}, True),
        ({"matches": {"select": ROW, "pattern": r"^\d"}}, False),
        ({"selected": LIKE}, True),
        ({"selected": {"id": "like", "index": 1}}, False),
        ({"selected": GONE}, False),
        ({"checked": ROW}, True),
        ({"checked": LIKE}, False),
        ({"keywords": {"of": ["稻香", "like"]}}, True),
        ({"keywords": {"of": ["稻香", "晴天"]}}, False),
        ({"keywords": {"of": ["稻香", "晴天"], "threshold": 0.5}}, True),
        ({"keywords": {"of": ["稻香", "c++", "x"], "threshold": 0.67}}, False),
        ({"keywords": {"of": ["收藏"]}}, False),  # in the status bar, not in an app
        ({"activity": f"{APP}.page.Video"}, True),
        ({"activity": ".page.Video"}, True),
        ({"activity": f"{APP}/{APP}.page.Video"}, True),
        ({"activity": ".page.*"}, True),
        ({"activity": ".page.Vid"}, False),
        ({"activity": ".Home"}, False),
        ({"package": APP}, True),
        ({"package": "com.example.other"}, False),
        ({"setting": {"namespace": "system", "key": "font_scale", "equals": 1.3}}, True),
        ({"setting": {"namespace": "system", "key": "font_scale", "equals": "1.0"}}, False),
        ({"package_state": {"package": APP, "is": "installed"}}, True),
        ({"package_state": {"package": APP, "is": "running"}}, False),
        ({"content": {"uri": "content://sms", "contains": "hello"}}, True),
        ({"content": {"uri": "content://sms", "contains": "bye"}}, False),
        ({"answer": {"equals": "it is three apples"}}, True),
        ({"answer": {"equals": "three apples"}}, False),
        ({"answer": {"contains": "THREE APPLES"}}, True),
        ({"answer": {"contains": "four"}}, False),
        ({"answer": {"matches": r"Three\s+Apples$"}}, True),
        ({"answer": {"matches": r"^Apples"}}, False),
    ],
)
def test_every_kind_of_condition_is_evaluated(condition: dict[str, Any], expected: bool) -> None:
    assert holds(condition) is expected
    assert holds({"not": condition}) is not expected


@pytest.mark.parametrize(
    "condition",
    [
        {"activity": ".page.Video"},
        {"package": APP},
        {"setting": {"namespace": "global", "key": "airplane_mode_on", "equals": 1}},
        {"package_state": {"package": APP, "is": "running"}},
        {"content": {"uri": "content://sms", "contains": "hello"}},
    ],
)
def test_an_unreadable_fact_is_unknown_even_under_not(condition: dict[str, Any]) -> None:
    verdict = evaluate(CONDITIONS.validate_python(condition), UNKNOWN_FACTS)
    assert verdict.holds is None
    assert "could not be read" in verdict.reason
    assert holds({"not": condition}, UNKNOWN_FACTS) is None


@pytest.mark.parametrize("message", ["３３２路", "**332**路", "`332`路", "３３２路".replace("路", " 路")])
def test_full_width_digits_and_emphasis_are_ignored(message: str) -> None:
    assert holds({"answer": {"matches": "^332 ?路$"}}, FakeFacts(answer=message)) is True
    assert holds({"answer": {"equals": "332路"}}, FakeFacts(answer=message)) is True
    assert holds({"answer": {"contains": "332"}}, FakeFacts(answer=message)) is True


def test_a_missing_answer_does_not_match() -> None:
    assert holds({"answer": {"matches": ".*"}}, UNKNOWN_FACTS) is False
    assert holds({"answer": {"equals": ""}}, FakeFacts(answer="")) is True


TRUE, FALSE, UNKNOWN = (
    {"exists": LIKE},
    {"exists": GONE},
    {"content": {"uri": "content://x", "contains": "y"}},
)
VALUES = {True: TRUE, False: FALSE, None: UNKNOWN}


@pytest.mark.parametrize("parts", list(itertools.product([True, False, None], repeat=2)))
def test_all_and_any_are_three_valued(parts: tuple[bool | None, ...]) -> None:
    conditions = [VALUES[part] for part in parts]
    every = False if False in parts else None if None in parts else True
    some = True if True in parts else None if None in parts else False
    assert holds({"all": conditions}) is every
    assert holds({"any": conditions}) is some


_three = st.recursive(
    st.sampled_from([TRUE, FALSE, UNKNOWN]),
    lambda inner: (
        st.builds(lambda part: {"not": part}, inner)
        | st.builds(lambda parts: {"all": parts}, st.lists(inner, min_size=1, max_size=3))
        | st.builds(lambda parts: {"any": parts}, st.lists(inner, min_size=1, max_size=3))
    ),
    max_leaves=8,
)


@given(st.lists(_three, min_size=1, max_size=4))
def test_de_morgan_holds_with_unknowns(parts: list[dict[str, Any]]) -> None:
    negated = [{"not": part} for part in parts]
    assert holds({"not": {"all": parts}}) is holds({"any": negated})
    assert holds({"not": {"any": parts}}) is holds({"all": negated})


@given(_three)
def test_an_unknown_fact_never_decides_what_its_value_would_change(condition: dict[str, Any]) -> None:
    holds_unknown = holds(condition)
    if holds_unknown is not None:
        for rows in ("y", "n"):
            assert holds(condition, FakeFacts(contents={"content://x": rows})) is holds_unknown


def test_a_verdict_has_its_evidence() -> None:
    exists = evaluate(CONDITIONS.validate_python(TRUE), FakeFacts())
    assert [node.desc for node in exists.evidence] == ["Like", "Like"]
    selected = evaluate(CONDITIONS.validate_python({"selected": LIKE}), FakeFacts())
    assert [node.selected for node in selected.evidence] == [True]
    none = evaluate(CONDITIONS.validate_python({"checked": LIKE}), FakeFacts())
    assert none.reason.startswith("none of 2")
    assert len(none.evidence) == 2
    missing = evaluate(CONDITIONS.validate_python({"all": [TRUE, {"checked": GONE}]}), FakeFacts())
    assert missing.reason.endswith("is not on the screen")
    assert missing.evidence == ()


def test_the_verdict_on_keywords_names_those_found() -> None:
    verdict = evaluate(CONDITIONS.validate_python({"keywords": {"of": ["稻香", "晴天"]}}), FakeFacts())
    assert verdict == Verdict(False, "1 of 2 keywords are on the screen: 稻香")


AMBIGUOUS, RIGHT = ({"answer": {"type": "number", "value": value}} for value in ("3", "4"))


@every_case(
    ("condition", "ambiguous"),
    [
        (AMBIGUOUS, True),
        ({"all": [AMBIGUOUS, TRUE]}, True),
        ({"all": [AMBIGUOUS, FALSE]}, False),
        ({"all": [AMBIGUOUS, UNKNOWN]}, False),
        ({"any": [AMBIGUOUS, FALSE]}, True),
        ({"any": [AMBIGUOUS, TRUE]}, False),
        ({"any": [AMBIGUOUS, UNKNOWN]}, False),
        ({"all": [TRUE, {"any": [FALSE, {"all": [AMBIGUOUS]}]}]}, True),
        ({"not": AMBIGUOUS}, False),
        (FALSE, False),
    ],
)
def test_a_verdict_shows_whether_only_the_answer_was_ambiguous(
    condition: dict[str, Any], ambiguous: bool
) -> None:
    verdict = evaluate(CONDITIONS.validate_python(condition), FakeFacts(answer="3 or 5"))
    assert verdict.ambiguous_answer is ambiguous
    assert not (verdict.ambiguous_answer and verdict.holds is not False)
    assert not evaluate(CONDITIONS.validate_python(RIGHT), FakeFacts(answer="4")).ambiguous_answer


def test_an_invalid_condition_is_refused() -> None:
    with pytest.raises(TypeError, match="not a condition: str"):
        evaluate("exists", FakeFacts())


@every_case(
    "data",
    [
        {},
        {"exist": LIKE},
        {"exists": LIKE, "absent": GONE},
        {"exists": {}},
        {"all": []},
        {"count": {"select": LIKE}},
        {"count": {"select": LIKE, "at_least": -1}},
        {"keywords": {"of": []}},
        {"keywords": {"of": ["a", "A"]}},
        {"keywords": {"of": [" a"]}},
        {"keywords": {"of": ["a"], "threshold": 0}},
        {"matches": {"select": LIKE, "pattern": r"(a+)\1"}},
        {"matches": {"select": LIKE, "pattern": "("}},
        {"answer": {}},
        {"answer": {"equals": "a", "contains": "a"}},
        {"content": {"uri": "file:///etc/passwd", "contains": "root"}},
        {"setting": {"namespace": "system", "key": "a; reboot", "equals": "1"}},
        {"package_state": {"package": APP, "is": "happy"}},
    ],
)
def test_a_contradictory_condition_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        CONDITIONS.validate_python(data)
