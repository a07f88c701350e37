"""What a device, or who stands between, could send in place of a UI tree."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from garabench.core.geometry import Rect
from garabench.core.tree import TreeError, UiNode, UiTree, parse_tree


def _laughs(levels: int) -> str:
    entities = '<!ENTITY e0 "ha ha ha">' + "".join(
        f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, levels)
    )
    return f"<!DOCTYPE hierarchy [{entities}]>"


@pytest.mark.parametrize(
    ("xml", "reason"),
    [
        (f'{_laughs(12)}<hierarchy rotation="&e11;"/>', "document type"),
        (f"{_laughs(12)}<hierarchy>&e11;</hierarchy>", "document type"),
        ("<hierarchy>&nbsp;</hierarchy>", "not valid XML"),
        # Another encoding could hide a document type; Android writes UTF-8.
        ('<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE h+AD4-<hierarchy/>', "not valid XML"),
        ('<?xml version="1.0" encoding="UTF-16"?><hierarchy/>'.encode("utf-16"), "not valid XML"),
        (b'<hierarchy><node text="\xff"/></hierarchy>', "not valid XML"),
        ('<hierarchy><node text="a\0b"/></hierarchy>', "not valid XML"),
        ("<hierarchy>" + "<node>" * 100_000 + "</node>" * 100_000 + "</hierarchy>", "not valid XML"),
        (b"<hierarchy>" + b" " * (64 * 1024 * 1024), "larger than"),
    ],
)
def test_an_attack_is_refused_at_once(xml: str | bytes, reason: str) -> None:
    started = time.process_time()
    with pytest.raises(TreeError, match=reason):
        parse_tree(xml)
    assert time.process_time() - started < 2


def test_a_text_of_ten_million_letters_is_read() -> None:
    tree = parse_tree(f'<hierarchy><node text="{"稻" * 10_000_000}"/></hierarchy>')
    assert len(tree.nodes[0].text) == 10_000_000


def test_a_file_outside_is_never_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    include = f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{secret}" parse="text"/>'
    tree = parse_tree(f"<hierarchy><node>{include}</node></hierarchy>")
    assert b"secret" not in tree.to_xml()


def test_wrong_numbers_and_bounds_become_nothing() -> None:
    xml = (
        '<hierarchy rotation="x"><node index="-" bounds="[1,2][3]"/><node bounds="[-5,0][7,8]"/></hierarchy>'
    )
    tree = parse_tree(xml)
    assert (tree.rotation, tree.nodes[0].index, tree.nodes[0].bounds) == (0, 0, Rect(0, 0, 0, 0))
    assert tree.nodes[1].bounds == Rect(-5, 0, 7, 8)


def test_characters_that_xml_cannot_hold_become_a_dot_as_on_android() -> None:
    tree = UiTree((UiNode(text="a\x00b\ud800c"),))
    assert parse_tree(tree.to_xml()).nodes[0].text == "a.b.c"
