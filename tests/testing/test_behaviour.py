from __future__ import annotations

from pathlib import Path

import pytest

from garabench.errors import InputError
from garabench.testing.behaviour import ScriptedReplies, read_script, read_scripts
from garabench.testing.http_error import ApiError
from garabench.testing.replies import FakeReply, FinishReason
from garabench.testing.requests import FunctionCall, ReceivedRequest

REQUEST = ReceivedRequest(1, "m", ())


def test_a_script_replies_in_order_and_ends() -> None:
    script = ScriptedReplies(["one", FakeReply("two")])
    assert [script.answer(REQUEST).text for _ in range(2)] == ["one", "two"]
    with pytest.raises(ApiError, match="has 2 replies, and this is request 3"):
        script.answer(REQUEST)


def test_a_script_may_repeat_its_last_reply() -> None:
    script = ScriptedReplies(["one", "two"], repeat=True)
    assert [script.answer(REQUEST).text for _ in range(4)] == ["one", "two", "two", "two"]


def test_a_script_needs_a_reply() -> None:
    with pytest.raises(ValueError, match="at least one"):
        ScriptedReplies([])


def test_a_script_is_read_from_a_list_or_from_lines(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text('["one", {"text": "two", "finish": "length"}]', encoding="utf-8")
    (tmp_path / "lines.jsonl").write_text(
        '"one"\n\n{"calls": [{"name": "tap", "arguments": {"text": "稻香"}}], "reasoning": "so"}\n',
        encoding="utf-8",
    )
    assert read_script(tmp_path / "list.json") == (
        FakeReply("one"),
        FakeReply("two", finish=FinishReason.LENGTH),
    )
    assert read_scripts([tmp_path / "lines.jsonl"]) == (
        FakeReply("one"),
        FakeReply(calls=(FunctionCall("tap", '{"text": "稻香"}'),), reasoning="so"),
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "contains no reply"),
        ("[]", "contains no reply"),
        ("[", "is not JSON"),
        ("[5]", "reply 1 is neither"),
        ('["a", {}]', "reply 2 is neither"),
        ('[{"txt": "a"}]', "neither a string nor an object with calls, finish"),
        ('[{"text": 5}]', "text is not a string"),
        ('[{"finish": "soon"}]', "finish must be one of stop, length"),
        ('[{"calls": 5}]', "calls is not a list"),
        ('[{"calls": [5]}]', "a call needs a name and arguments"),
    ],
)
def test_a_malformed_script_is_rejected(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "script.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=reason):
        read_script(file)


def test_a_missing_script_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_script(tmp_path / "none.json")
