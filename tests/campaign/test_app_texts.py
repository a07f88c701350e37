"""What an app can show is in its texts and content, not in what surrounds them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import garabench
from garabench.campaign.app_texts import nearest_text, shows, string_constants

JD = "com.jingdong.app.mall"
APPS = Path(garabench.__file__).parent / "virtual" / "apps"
SOURCE = '''"""Docstring of the module."""

# A remark with 'quotes'.
NAME = "首页"
"""What NAME is."""


def one(count: int) -> str:
    """Returns: what it shows."""
    label = f"共{count}件{'，已选' if count else ''}。"
    return label + "它说\\n\\"好\\"" + r"\\d" + """多
行"""
'''


def test_only_string_constants_are_texts() -> None:
    assert list(string_constants(SOURCE)) == [
        "首页",
        "，已选",
        "",
        "共\n件\n。",
        '它说\n"好"',
        r"\d",
        "多\n行",
    ]


@pytest.mark.parametrize("folder", ["jd", "bilibili", "weibo", "gmaps"])
def test_the_texts_are_those_of_the_syntax_tree(folder: str) -> None:
    for path in sorted((APPS / folder).glob("*.py")):
        source = path.read_text(encoding="utf-8")
        tree = list(ast.walk(ast.parse(source)))
        formats = {
            id(part)
            for node in tree
            if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr)
            for part in node.format_spec.values
        }
        alone = {id(node.value) for node in tree if isinstance(node, ast.Expr)}
        mine = "\n".join(string_constants(source))
        constants = [node for node in tree if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        for node in constants:
            text = str(node.value)
            if id(node) in alone:
                assert text not in mine or len(text) < 20, f"{path.name}: the docstring {text!r} is taken in"
            elif id(node) not in formats:
                for part in re.split(r"[\n{}]", text):
                    assert part in mine, f"{path.name}: {part!r} is missing"


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("购物车", True),
        ("dataclass", False),  # an identifier
        ("Returns:", False),  # of docstrings
        ("annotations", False),
        ("987654", False),
        ("777", False),
        ("共987件", True),  # numbers are filled in
        ("购物篮子", False),
    ],
)
def test_what_an_app_shows(word: str, shown: bool) -> None:
    assert shows(JD, word) is shown


def test_an_app_that_is_not_known_may_show_anything() -> None:
    assert shows("com.example.reader", "囧")


def test_the_nearest_text_is_one_that_is_shown() -> None:
    near = nearest_text(JD, "加入购物车了")
    assert near is not None and shows(JD, near)
