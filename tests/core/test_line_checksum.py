from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.core.line_checksum import with_checksum, without_checksum

TEXT = st.text(max_size=5)
JSON = st.dictionaries(TEXT, st.integers() | TEXT | st.none(), min_size=1, max_size=3)


@given(JSON, st.sampled_from(["", "\n"]))
def test_a_line_is_read_back_without_its_checksum(value: dict[str, object], end: str) -> None:
    line = json.dumps(value, separators=(",", ":"), ensure_ascii=False) + end
    assert without_checksum(with_checksum(line)) == line
    assert json.loads(with_checksum(line)).keys() == {*value, "crc"}


@given(JSON, st.data())
def test_a_changed_character_is_noticed(value: dict[str, object], data: st.DataObject) -> None:
    line = with_checksum(json.dumps(value))
    at = data.draw(st.integers(0, len(line) - len(',"crc":"00000000"}') - 1))
    other = data.draw(st.characters(codec="utf-8").filter(lambda letter: letter != line[at]))
    with pytest.raises(ValueError, match="checksum does not match"):
        without_checksum(line[:at] + other + line[at + 1 :])


def test_lines_of_older_versions_have_none() -> None:
    assert without_checksum('{"type":"observed"}\n') == '{"type":"observed"}\n'


@pytest.mark.parametrize("line", ["", "{}", "[1]", "1"])
def test_only_objects_with_a_key_get_one(line: str) -> None:
    with pytest.raises(ValueError, match="not a JSON object"):
        with_checksum(line)
