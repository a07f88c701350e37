from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from garabench.core.evaluate import evaluate
from garabench.core.rule import When
from garabench.rules.match import KeywordSets, ScreenReading, compile_when, keyword_specs
from tests.rules.test_engine import Screen

_words = st.lists(st.sampled_from(["One", "two", "n", "中"]), min_size=1, max_size=3, unique=True)
_leaf: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.builds(
        lambda of, share: {"keywords": {"of": of, "threshold": share}}, _words, st.sampled_from([0.3, 0.5, 1])
    ),
    st.builds(lambda word: {"exists": {"text_contains": word}}, st.sampled_from(["one", "w", "x"])),
    st.builds(lambda word: {"absent": {"text": word}}, st.sampled_from(["one", "two"])),
    st.just({"setting": {"namespace": "global", "key": "k", "equals": "1"}}),
    st.just({"package": "a.b"}),
)
_conditions = st.recursive(
    _leaf,
    lambda inner: st.one_of(
        st.builds(lambda parts: {"all": parts}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda parts: {"any": parts}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda part: {"not": part}, inner),
    ),
    max_leaves=6,
)
_screens = st.lists(st.sampled_from(["one", "ONE two", "中文", ""]), max_size=3).map(
    lambda texts: Screen(*texts)
)


@given(_screens, st.lists(_conditions, min_size=1, max_size=5))
def test_compiled_conditions_agree_with_evaluate(screen: Screen, conditions: list[dict[str, Any]]) -> None:
    whens = [When.model_validate({"any": [each]}) for each in conditions]
    sets = KeywordSets(keyword_specs(part for when in whens for part in when.any))
    for when in whens:
        assert compile_when(when, sets)(ScreenReading(screen, sets)) == evaluate(when.any[0], screen).holds


def test_equal_keyword_sets_are_shared() -> None:
    keywords = [{"keywords": {"of": of, "threshold": 0.5}} for of in (["a", "B"], ["b", "A"], ["a"])]
    specs = keyword_specs(When.model_validate({"all": keywords}).all)
    sets = KeywordSets(specs)
    assert [sets.number(spec) for spec in specs] == [0, 0, 1]
    assert sets.met(["xbx"]) == {0}
