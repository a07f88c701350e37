from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.apps.browser.html_page import MAX_BLOCKS, read_html, read_text

ADDRESS = "http://localhost/a/b"
PAGE = """<html><head><title>Tea &amp;
 more</title><style>p{}</style></head><body><script>no()</script><h1>Tea</h1>
<p>The <b>best</b>: <a href="../list?x=1">our list</a>.</p><hr><ul><li>Green<li>Black</ul>
<img alt="A cup"><a href="tel:1">Call</a><input type=hidden value=no><button value=Go>Buy</button></body>"""


def test_simple_html_becomes_blocks() -> None:
    page = read_html(PAGE.encode(), ADDRESS)
    assert page.title == "Tea & more"
    shown = [(block.text, block.link) for block in page.blocks]
    assert shown == [
        ("Tea", ""), ("The best:", ""), ("our list.", "http://localhost/list?x=1"), ("", ""), ("• Green", ""),
        ("• Black", ""), ("A cup", ""), ("Call", "tel:1"), ("GoBuy", ""),
    ]  # fmt: skip
    assert [block.bold for block in page.blocks][:2] == [True, False]
    assert [block.text for block in page.blocks if block.image] == ["A cup"]


def test_encodings_and_plain_text() -> None:
    assert read_html("<p>中文".encode("gb18030"), ADDRESS, "gb18030").blocks[0].text == "中文"
    assert read_html("<meta charset=utf-8><p>中文".encode(), ADDRESS).blocks[0].text == "中文"
    assert read_html(b"<p>x", ADDRESS, "no-such-charset").title == ADDRESS
    assert read_html(b"", ADDRESS).blocks == ()
    assert [block.text for block in read_text("a\n\nb", "t").blocks] == ["a", "b"]


def test_large_and_deep_pages_are_bounded() -> None:
    assert len(read_html(b"<p>x</p>" * 2000, ADDRESS).blocks) == MAX_BLOCKS
    assert len(read_html(b"<div>" * 5000 + b"x", ADDRESS).blocks) <= 1


@given(st.binary(max_size=300))
def test_any_bytes_are_a_page(content: bytes) -> None:
    assert len(read_html(content, ADDRESS).blocks) <= MAX_BLOCKS
