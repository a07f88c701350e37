from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from garabench.errors import InputError
from garabench.report.viewer.exchanges import exchanges_data
from tests.report.viewer.played_runs import HOSTILE, transcript


def written(path: Path, data: dict[str, Any]) -> Path:
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_prompts_and_replies(tmp_path: Path) -> None:
    found = exchanges_data(written(tmp_path / "000.json", transcript("a" * 64 + ".png")))
    (exchange,) = found["exchanges"]
    system, user = exchange["messages"]
    assert system == {"role": "system", "parts": [{"text": HOSTILE}]}
    assert user["parts"] == [{"picture": "a" * 64 + ".png", "size": "1080 x 2400"}]
    assert exchange["reply"]["text"] == f"Thought: {HOSTILE}"
    assert exchange["outcome"] == {"action": {"type": "tap", "x": 1, "y": 2}}


@pytest.mark.parametrize("name", ["../run.json", "a.png", "a" * 64 + ".exe"])
def test_pictures_are_named_by_their_hash(tmp_path: Path, name: str) -> None:
    found = exchanges_data(written(tmp_path / "000.json", transcript(name)))
    assert found["exchanges"][0]["messages"][1]["parts"][0]["picture"] == ""


@pytest.mark.parametrize("messages", [None, "text", [1, {"role": 3}, {"parts": "x"}]])
def test_requests_of_any_form_are_shown(tmp_path: Path, messages: object) -> None:
    data = transcript("a" * 64 + ".png")
    data["exchanges"][0]["request"]["messages"] = messages
    assert exchanges_data(written(tmp_path / "000.json", data))["exchanges"]


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"000\.json is broken"):
        exchanges_data(written(tmp_path / "000.json", {"version": 3}))
