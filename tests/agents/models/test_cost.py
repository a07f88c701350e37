from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from garabench.agents.models.cost import ModelPrice, PriceTable, format_cost, load_prices, usage_of
from garabench.agents.models.messages import ModelReply, StopReason, TokenUsage
from garabench.agents.profiles import built_in
from garabench.core.usage import NO_USAGE, Usage
from garabench.errors import CombinedInputError, InputError

OPENAI = "https://api.openai.com/v1"
COUNTS = st.integers(0, 10**7)


def answer(usage: TokenUsage, *, from_cache: bool = False, tries: int = 1) -> ModelReply:
    return ModelReply("x", (), StopReason.DONE, usage, 1.5, tries=tries, from_cache=from_cache, queued=0.5)


@pytest.mark.parametrize(
    ("usage", "money"),
    [
        (TokenUsage(1_000_000, 0), "2.5"),
        (TokenUsage(0, 1_000_000), "10"),
        (TokenUsage(1000, 100), "0.0035"),
        (TokenUsage(1000, 100, cached=600), "0.00275"),
        (TokenUsage(1000, 100, cached=5000), "0.00225"),
        (TokenUsage(1, 0), "0.0000025"),
        (TokenUsage(), "0"),
    ],
)
def test_costs_are_exact(usage: TokenUsage, money: str) -> None:
    price = ModelPrice.model_validate({"model": "m", "input": 2.5, "cached": 1.25, "output": 10})
    assert price.of(usage) == Decimal(money)


@given(COUNTS, COUNTS, COUNTS)
def test_a_cache_never_increases_the_cost(sent: int, received: int, cached: int) -> None:
    price = ModelPrice(model="m", input=Decimal("2.5"), cached=Decimal("0.3"), output=Decimal(10))
    assert Decimal(0) <= price.of(TokenUsage(sent, received, cached)) <= price.of(TokenUsage(sent, received))


def test_an_unknown_cost_is_not_zero() -> None:
    prices = load_prices()
    assert prices.cost(answer(TokenUsage(10, 10)), "my-own-model", OPENAI) is None
    assert prices.cost(answer(TokenUsage(10, 10)), "gpt-4o", "http://127.0.0.1:8000/v1") is None
    assert prices.cost(answer(TokenUsage()), "gpt-4o", OPENAI) is None, "an endpoint that counts nothing"
    assert format_cost(None) == "unknown"


def test_a_cached_reply_costs_nothing() -> None:
    got = answer(TokenUsage(10, 10), from_cache=True)
    assert load_prices().cost(got, "my-own-model", OPENAI) == 0
    took = usage_of(got, Decimal(0), repair=False)
    assert (took.requests, took.tries, took.from_cache, took.tokens) == (1, 0, 1, 0)


@pytest.mark.parametrize(
    ("model", "found"),
    [
        ("gpt-4o", "gpt-4o"),
        ("gpt-4o-2024-08-06", "gpt-4o"),
        ("gpt-4o-mini", "gpt-4o-mini"),
        ("gpt-4o-mini-2024-07-18", "gpt-4o-mini"),
        ("gpt-4o-audio-preview", None),
        ("gpt-4", None),
        ("gpt-4o-5", None),
    ],
)
def test_a_dated_version_has_the_price_of_its_model(model: str, found: str | None) -> None:
    price = load_prices().price(model, OPENAI)
    assert (price.model if price else None) == found


def test_every_price_has_a_source_and_a_date() -> None:
    rows = load_prices().rows
    assert len({(row.model, row.host) for row in rows}) == len(rows)
    for row in rows:
        assert row.source.startswith("https://")
        assert row.date is not None
        assert row.host


def test_the_built_in_commercial_models_have_a_price() -> None:
    prices = load_prices()
    sold = {
        profile.id: prices.price(profile.model, profile.endpoint.base_url)
        for profile in built_in().values()
        if "openai.com" in profile.endpoint.base_url or "anthropic" in profile.endpoint.base_url
    }
    assert sold
    assert all(sold.values()), sold


def test_a_users_table_takes_precedence(tmp_path: Path) -> None:
    own = tmp_path / "prices.yaml"
    own.write_text(
        "prices:\n  - {model: gpt-4o, input: 1, output: 2}\n  - {model: mine, input: 0, output: 0}\n"
    )
    prices = load_prices(own)
    assert prices.cost(answer(TokenUsage(1_000_000, 1_000_000)), "gpt-4o", OPENAI) == 3
    assert prices.cost(answer(TokenUsage()), "mine", "http://x/v1") == 0, (
        "its own server, said to cost nothing"
    )
    assert prices.price("gpt-5", OPENAI) is not None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("prices: [{model: m, input: -1, output: 2}]", "input"),
        ("prices: [{model: m, input: .nan, output: 2}]", "input"),
        ("prices: [{model: m, output: 2}]", "input"),
        ("prices: [{model: m, inptu: 1, output: 2}]", "inptu"),
        ("prices: [{model: m, host: 'https://x', input: 1, output: 2}]", "host"),
        (
            "prices: [{model: m, input: 1, output: 2}, {model: m, input: 3, output: 4}]",
            "duplicate price of 'm'",
        ),
    ],
)
def test_mistakes_in_a_table_are_reported_with_their_place(tmp_path: Path, text: str, expected: str) -> None:
    own = tmp_path / "prices.yaml"
    own.write_text(text + "\n")
    with pytest.raises((InputError, CombinedInputError), match=expected) as caught:
        load_prices(own)
    assert "prices.yaml:1" in str(caught.value)


def test_a_missing_table_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        load_prices(tmp_path / "none.yaml")


def test_a_sum_with_an_unknown_cost_is_unknown() -> None:
    known = usage_of(answer(TokenUsage(10, 5), tries=3), Decimal("0.1"), repair=True)
    assert (known + known).cost == Decimal("0.2")
    assert (known + known).repairs == 2
    assert (known + Usage(requests=1)).cost is None
    assert (NO_USAGE + known) == known
    with pytest.raises(ValidationError):
        Usage(sent=-1)


@pytest.mark.parametrize(
    ("cost", "expected"),
    [("0", "$0"), ("0.00001", "<$0.0001"), ("0.0123", "$0.0123"), ("1", "$1.00"), ("1234.5", "$1234.50")],
)
def test_costs_are_formatted(cost: str, expected: str) -> None:
    assert format_cost(Decimal(cost)) == expected


def test_an_empty_table_has_no_prices() -> None:
    assert PriceTable().price("m", OPENAI) is None
