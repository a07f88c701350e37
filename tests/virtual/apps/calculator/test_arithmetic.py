from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.apps.calculator.arithmetic import OPERATORS, CalculationError, evaluate

VALUES = {
    **{"1+2×3": "7", "7×8.5": "59.5", "−2×−3": "6", "0.1+0.2": "0.3", "10÷4": "2.5", "2−5": "−3"},
    **{"1÷3": "0.333333333333", "5.": "5", ".5+1": "1.5", "999999×999999": "999998000001"},
    **{"999999999×999999999": "9.99999998E17", "1÷10000000000": "1E−10"},
}


def test_values_are_exact_and_shown_with_twelve_digits() -> None:
    assert {formula: evaluate(formula) for formula in VALUES} == VALUES


@pytest.mark.parametrize("formula", ["", "1÷0", "1+", "×2", "1++2", "1.2.3", "a", "1 + 1"])
def test_what_has_no_value_is_refused(formula: str) -> None:
    with pytest.raises(CalculationError):
        evaluate(formula)


@given(st.text("0123456789.=" + OPERATORS, max_size=40))
def test_any_keys_have_a_value_or_none(keys: str) -> None:
    try:
        shown = evaluate(keys)
    except CalculationError:
        return
    assert Decimal(shown.replace("−", "-")).is_finite()
