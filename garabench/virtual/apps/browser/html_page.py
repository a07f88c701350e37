"""Read simple HTML into blocks of text, links and images; no scripts, styles or forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urljoin

from lxml import etree
from lxml import html as lxml_html

MAX_BLOCKS = 500
MAX_TEXT = 2000
_SPACE = re.compile(r"\s+")
_HEADINGS = {"h1": 28, "h2": 24, "h3": 20, "h4": 18, "h5": 16, "h6": 15}
_BLOCKS = frozenset(
    {"p", "div", "section", "article", "main", "header", "footer", "nav", "ul", "ol", "table", "tr", "body"}
    | {"blockquote", "form", "figure", "dl", "dt", "dd", "tbody", "thead", "fieldset", "address", "aside"}
    | {"li", "pre", "hr", "br", *_HEADINGS}
)
_IGNORED = frozenset({"script", "style", "template", "noscript", "head", "iframe", "object", "svg"})
_TEXT_SIZE = 16
_Step = tuple[lxml_html.HtmlElement | str | None, int, bool, str]
"""An element, a text, or the end of a block; with size, weight and link of its text."""


@dataclass(frozen=True, slots=True)
class PageBlock:
    """A part of a page.

    Attributes:
        text: Its text; empty for a line.
        size: Size of the text, in sp.
        bold: Whether it is a heading.
        link: Address that it links to; empty if it is not a link.
        image: Whether it stands for an image.
    """

    text: str
    size: int = _TEXT_SIZE
    bold: bool = False
    link: str = ""
    image: bool = False


_LINE = PageBlock("")


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A page: its title and its blocks."""

    title: str
    blocks: tuple[PageBlock, ...]


def read_text(text: str, title: str) -> HtmlPage:
    """Return plain text as a page."""
    lines = [line[:MAX_TEXT] for line in text.splitlines() if line.strip()]
    return HtmlPage(title, tuple(PageBlock(line) for line in lines[:MAX_BLOCKS]))


def read_html(content: bytes, address: str, charset: str = "") -> HtmlPage:
    """Return the blocks of an HTML page; malformed markup is read as browsers do, as far as possible.

    Args:
        content: The page.
        address: Its address, for relative links and as the title of a page without one.
        charset: Its encoding; empty for the one that it declares.
    """
    try:
        parser = lxml_html.HTMLParser(encoding=charset or None, huge_tree=False)
        root = lxml_html.document_fromstring(content, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, LookupError, ValueError):
        return read_text(content.decode("utf-8", "replace"), address)
    title = _clean(root.findtext(".//title") or "")
    blocks: list[PageBlock] = []
    for block in _merged(_pieces(root, address)):
        blocks.append(block)
        if len(blocks) == MAX_BLOCKS:
            break
    return HtmlPage(title or address, tuple(blocks))


def _pieces(root: lxml_html.HtmlElement, address: str) -> Iterator[PageBlock | None]:
    """Yield the pieces of text in order; None ends a block. Iterative: pages may be nested deeply."""
    todo: list[_Step] = [(root, _TEXT_SIZE, False, "")]
    while todo:
        node, size, bold, link = todo.pop()
        if node is None:
            yield None
            continue
        if isinstance(node, str):
            if node:
                yield PageBlock(node, size, bold, link)
            continue
        tag = node.tag if isinstance(node.tag, str) else ""
        if not tag or tag in _IGNORED:
            continue
        if tag == "a":
            link = _target(address, node.get("href", "")) or link
        size, bold = _HEADINGS.get(tag, size), bold or tag in _HEADINGS
        ends: list[_Step] = [(None, size, bold, "")] if tag in _BLOCKS else []
        inside = [*ends]
        if tag == "li":
            inside.append(("• ", size, bold, ""))
        if tag == "hr":
            yield None
            yield _LINE
        if tag == "img":
            yield None
            yield PageBlock(_clean(node.get("alt", "")) or "…", size, bold, link, image=True)
            yield None
        if tag in ("input", "button") and node.get("type") != "hidden":
            inside.append((node.get("value", ""), size, bold, ""))
        inside.append((node.text or "", size, bold, link))
        for child in node:
            inside.append((child, size, bold, link))
            inside.append((child.tail or "", size, bold, link))
        todo.extend(reversed([*inside, *ends]))


def _merged(pieces: Iterator[PageBlock | None]) -> Iterator[PageBlock]:
    """Yield blocks of adjacent pieces; a link in a paragraph is a separate block."""
    text, last = "", PageBlock("")
    for piece in pieces:
        if piece is not None and not piece.image and piece is not _LINE and text and _continues(piece, last):
            text += piece.text
            continue
        if text.strip():
            yield PageBlock(_clean(text), last.size, last.bold, last.link)
        text = ""
        if piece is None:
            continue
        if piece.image or piece is _LINE:
            yield piece
            continue
        text, last = piece.text, piece
    if text.strip():
        yield PageBlock(_clean(text), last.size, last.bold, last.link)


def _continues(piece: PageBlock, last: PageBlock) -> bool:
    """Return whether a piece belongs to the block of the last one; the punctuation after a link does."""
    return piece.link == last.link or not any(char.isalnum() for char in piece.text)


def _clean(text: str) -> str:
    return _SPACE.sub(" ", text).strip()[:MAX_TEXT]


def _target(address: str, href: str) -> str:
    try:
        return urljoin(address, href.strip()) if href.strip() else ""
    except ValueError:
        return ""
