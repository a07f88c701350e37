"""An answer from which two values can be read, over the real wire."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import garabench
from garabench import Decision, actions
from garabench.device.device import Device

pytestmark = pytest.mark.e2e


class Unsure:
    """Answers at once, with two numbers."""

    name = "unsure"

    def start(self, brief: object) -> None:
        pass

    def decide(self, observation: object, history: Sequence[object]) -> Decision:
        return Decision(actions.Done(answer="301.7万 or 302万"), "there are two numbers")

    def close(self) -> None:
        pass


def test_an_answer_with_two_values_is_ambiguous_not_wrong(device: Device, tmp_path: Path) -> None:
    ended = garabench.run_episode("bili-answer-fans", Unsure(), device, out=tmp_path)
    assert (ended.outcome, ended.reason, ended.steps) == ("failure", "ambiguous_answer", 0)
    assert ended.answer == "301.7万 or 302万"
