from __future__ import annotations

import pytest

from garabench.core.task import Task

TASK = {"id": "t", "goal": {"use": "g"}, "solution": [{"back": None}]}


@pytest.mark.parametrize(
    ("languages", "device", "chosen"),
    [
        (("zh", "en"), "en", "en"),
        (("zh", "en"), "zh", "zh"),
        (("zh", "en"), "fr", "zh"),
        (("zh", "en"), "", "zh"),
        (("en",), "zh", "en"),
    ],
)
def test_an_instruction_is_in_the_devices_language_if_it_has_one(
    languages: tuple[str, ...], device: str, chosen: str
) -> None:
    task = Task.model_validate({**TASK, "instruction": dict.fromkeys(languages, "Do it")})
    assert task.instruction_language(device) == chosen
