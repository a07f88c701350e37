from __future__ import annotations

from pathlib import Path

import pytest

from garabench.errors import InputError
from garabench.testing.asked import Asked, Called
from garabench.testing.behaviour import Scripted, read_script, read_scripts
from garabench.testing.refused import Refused
from garabench.testing.replies import Finish, Reply

ASKED = Asked(1, "m", ())


def test_a_script_is_played_in_order_and_ends() -> None:
    script = Scripted(["one", Reply("two")])
    assert [script.answer(ASKED).text for _ in range(2)] == ["one", "two"]
    with pytest.raises(Refused, match="has 2 replies, and this is request 3"):
        script.answer(ASKED)


def test_a_script_may_go_on_with_its_last_reply() -> None:
    script = Scripted(["one", "two"], again=True)
    assert [script.answer(ASKED).text for _ in range(4)] == ["one", "two", "two", "two"]


def test_a_script_has_a_reply() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Scripted([])


def test_a_script_is_read_from_a_list_or_from_lines(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text('["one", {"text": "two", "finish": "length"}]', encoding="utf-8")
    (tmp_path / "lines.jsonl").write_text(
        '"one"\n\n{"calls": [{"name": "tap", "arguments": {"text": "稻香"}}], "reasoning": "so"}\n',
        encoding="utf-8",
    )
    assert read_script(tmp_path / "list.json") == (Reply("one"), Reply("two", finish=Finish.LENGTH))
    assert read_scripts([tmp_path / "lines.jsonl"]) == (
        Reply("one"),
        Reply(calls=(Called("tap", '{"text": "稻香"}'),), reasoning="so"),
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "holds no reply"),
        ("[]", "holds no reply"),
        ("[", "is not JSON"),
        ("[5]", "reply 1 is neither"),
        ('["a", {}]', "reply 2 is neither"),
        ('[{"txt": "a"}]', "neither a text nor an object of calls, finish"),
        ('[{"text": 5}]', "text is no text"),
        ('[{"finish": "soon"}]', "finish is one of stop, length"),
        ('[{"calls": 5}]', "calls is no list"),
        ('[{"calls": [5]}]', "a call has a name and arguments"),
    ],
)
def test_a_script_that_is_wrong_is_told(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "script.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=why):
        read_script(file)


def test_a_script_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_script(tmp_path / "none.json")
