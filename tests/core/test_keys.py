"""A step presses only keys that there are."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from garabench.core.keys import KEYS
from garabench.core.steps import KeyStep
from tests.cases import every_case


@every_case("name", sorted(KEYS))
def test_a_key_is_pressed_by_its_name(name: str) -> None:
    assert KeyStep(key=name).key == name


def test_a_misspelt_key_is_told_with_the_nearest() -> None:
    with pytest.raises(ValidationError, match=r"unknown key name\. Did you mean 'enter'\?"):
        KeyStep(key="entr")
