"""Characters that XML does not allow."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from garabench.core.xml_text import replace_invalid


@given(st.text())
def test_lxml_accepts_what_is_left(text: str) -> None:
    etree.Element("a").text = replace_invalid(text, "\N{REPLACEMENT CHARACTER}")


def test_each_invalid_character_is_replaced_and_no_other() -> None:
    assert replace_invalid("a\x00\x0b\ud800\ufffeb", ".") == "a....b"
    assert replace_invalid("\t\n\r é中😀", ".") == "\t\n\r é中😀"
