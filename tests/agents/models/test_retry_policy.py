from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.agents.models.retry_policy import Backoff, retry_after, retry_info
from garabench.core.seeds import generator
from tests.cases import every_case

NOW = dt.datetime(2024, 5, 20, 9, 41, tzinfo=dt.UTC)


@every_case(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after": "Mon, 20 May 2024 09:41:30 GMT"}, 30.0),
        ({"retry-after": "Mon, 20 May 2024 09:41:30 -0000"}, 30.0),
        ({"retry-after": "Mon, 20 May 2024 09:40:00 GMT"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "x", "retry-after": "9"}, 9.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e999"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_the_requested_wait_is_parsed(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


@given(st.text(max_size=60))
def test_any_header_is_a_wait_or_ignored(text: str) -> None:
    seconds = retry_after({"retry-after": text, "retry-after-ms": text}, NOW)
    assert seconds is None or seconds >= 0


@given(st.integers(1, 40), st.integers())
def test_pauses_are_below_a_doubling_bound_with_a_cap(failed: int, seed: int) -> None:
    backoff = Backoff(tries=100, base=0.5, cap=30)
    pause = backoff.pause(failed, generator(seed), None)
    assert pause is not None
    assert 0 <= pause <= min(30, 0.5 * 2 ** (failed - 1))


def test_the_same_seed_gives_the_same_pauses() -> None:
    def pauses() -> list[float | None]:
        rng = generator(3, "retry")
        return [Backoff(tries=9).pause(failed, rng, None) for failed in range(1, 9)]

    assert pauses() == pauses()
    assert len(set(pauses())) == 8


@given(st.floats(0, 120), st.integers())
def test_a_retry_is_never_sooner_than_requested(asked: float, seed: int) -> None:
    pause = Backoff().pause(1, generator(seed), asked)
    assert pause is not None
    assert asked <= pause <= asked + 0.5


def test_retries_end() -> None:
    backoff = Backoff(tries=3)
    assert backoff.pause(2, generator(0), None) is not None
    assert backoff.pause(3, generator(0), None) is None
    assert backoff.pause(1, generator(0), 121) is None, "an hour is not waited for"


@pytest.mark.parametrize("wrong", [{"tries": 0}, {"base": 0}, {"base": 40, "cap": 30}])
def test_an_invalid_backoff_is_rejected(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"tries must be|base must be"):
        Backoff(**wrong)  # type: ignore[arg-type]


INFO = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}
HELP = {"@type": "type.googleapis.com/google.rpc.Help", "links": []}
REFUSED = {"code": 429, "message": "quota", "status": "RESOURCE_EXHAUSTED", "details": [HELP, INFO]}


@every_case(
    ("body", "seconds"),
    [
        (REFUSED, 34.0),
        ({"error": REFUSED}, 34.0),
        ([{"error": REFUSED}], 34.0),
        ({"details": [{"retryDelay": "0.25s"}]}, 0.25),
        ({"details": [{"retryDelay": "-1s"}]}, None),
        ({"details": [{"retryDelay": "infs"}]}, None),
        ({"details": [{"retryDelay": 34}]}, None),
        ({"details": [HELP]}, None),
        ({"details": "34s"}, None),
        ({"error": "quota"}, None),
        ([], None),
        ("quota", None),
        (None, None),
    ],
)
def test_googles_errors_request_a_wait_in_the_body(body: object, seconds: float | None) -> None:
    assert retry_info(body) == seconds
