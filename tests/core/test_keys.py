"""A step presses only known keys."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from garabench.core.keys import KEYS
from garabench.core.steps import KeyStep
from tests.cases import every_case


@every_case("name", sorted(KEYS))
def test_a_key_has_a_name_and_a_code(name: str) -> None:
    assert KeyStep(key=name).key == name


def test_a_misspelled_key_gets_a_hint() -> None:
    with pytest.raises(ValidationError, match=r"unknown key name\. Did you mean 'enter'\?"):
        KeyStep(key="entr")
