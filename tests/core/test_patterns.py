from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from garabench.core.patterns import check_pattern, occurs
from tests.cases import every_case
from tests.waits import AMPLE, CLOCK


@pytest.mark.parametrize(
    "pattern",
    [
        "((a)+)+$",
        "(a|a)+$",
        "(a|aa)+$",
        "(a+)+$",
        "(.*)*$",
        ".*.*.*.*.*.*b$",
        "([a-z]+)*$",
        "(?:(?:a?){30})a{30}$",
    ],
)
def test_a_pattern_that_would_backtrack_ends_at_once(pattern: str) -> None:
    check_pattern(pattern)
    started = CLOCK.monotonic()
    assert not occurs(pattern + "x", "a" * 20_000 + "!")
    assert CLOCK.monotonic() - started < AMPLE / 3  # not exponential


@every_case(
    "pattern",
    [
        r"(a)\1",
        r"a(?=b)c",
        r"(?=ab)a",
        r"a(?!bc)",
        r"((?<!\d)a)+",
        r"(?<!ab)c",
        r"(a(?!b))*c",
        "(?x)a # )",
        "a++",
        "(((a{90}){90}){90}){90}",
        r"[\W]",
        "(",
        "a" * 301,
    ],
)
def test_patterns_that_need_backtracking_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"pattern|regular expression|look around|brackets"):
        check_pattern(pattern)


@every_case(
    "pattern",
    [
        "^点赞",
        "^(显示|Display)$",
        r"^@甲：[\s\S]*部",
        r"(?<!\d)12(?!\d)",
        r"(?i)((?<!\d)5:30(?!\d)|(?<!\d)17:30(?!\d))",
        r"(?<!\d)\(?020\)?[- .]*55[- .]*01(?!\d)",
        r"(^|\D)3\s*(个?工作日|working\s*days|\D*$)",
        r"^\D*3\D*$",
        r"(?<=共)\d+(?=件)",
        r"(?<![a\d])\w+",
        r"\u70b9+",
        r"^[^\s]+$",
        r"\A\w{2,4}\Z",
        "{number}",
        "a{2}",
        "^a{,2}b?$",
        "^a{,}$",
        "[[:alpha:]]",
        r"C\+\+\ \(live\)",
    ],
)
@every_case(
    "text",
    [
        *(
            "",
            "点赞 3",
            "显示",
            "x显示",
            "@甲：一\n部",
            "12",
            "112",
            "a12b",
            "1２",
            "at 17:30",
            "15:30",
            "5:301",
        ),
        *(
            "(020) 55-01",
            "02055012",
            "3 个工作日",
            "13",
            "３个工作日",
            "共12件",
            "中文",
            "a b",
            "aa",
            "{number}",
        ),
        *("C++ (live)", "约\u30003\u00a0working days"),
    ],
)
def test_a_pattern_matches_as_in_python(pattern: str, text: str) -> None:
    check_pattern(pattern)
    assert occurs(pattern, text) == (re.search(pattern, text) is not None)


@given(
    st.text(alphabet=r"ab1中()|*+?[]^$.\dws{},<!=:", max_size=14), st.text(alphabet="ab1中 .", max_size=10)
)
def test_accepted_patterns_agree_with_python(pattern: str, text: str) -> None:
    assume(r"\b" not in pattern)  # only knows ASCII words
    try:
        check_pattern(pattern)
    except ValueError:
        return
    assert occurs(pattern, text) == (re.search(pattern, text) is not None)


def test_an_unpaired_surrogate_is_searched() -> None:
    assert occurs("a.b", "a\ud83db")
