"""What an XPath expression of an untrusted file may do: nothing outside of the tree, and nothing endless."""

from __future__ import annotations

import functools
import re
from typing import Any

from lxml import etree

_LITERAL = re.compile(r"\"[^\"]*\"|'[^']*'")
_CALL = re.compile(r"([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)\s*\(")
_WIDE_STEP = re.compile(r"//|\b(?:descendant|descendant-or-self|following|preceding)::")
_NO_ELEMENTS = "the XPath expression selects attributes, texts or comments instead of elements"
_ATTRIBUTE = re.compile(r"(?:@|\battribute::)[^/|]*(?:\||$)")
_PREDICATE = re.compile(r"\[[^\[\]]*\]")
# fmt: off
_FUNCTIONS = frozenset(
    (
        "last", "position", "count", "id", "local-name", "namespace-uri", "name", "string", "concat",
        "starts-with", "contains", "substring-before", "substring-after", "substring", "string-length",
        "normalize-space", "translate", "boolean", "not", "true", "false", "lang", "number", "sum",
        "floor", "ceiling", "round", "node", "text", "comment", "processing-instruction", "and", "or",
        "div", "mod",
    )
)
# fmt: on
"""The functions and node tests of XPath 1.0, and its operators, which a parenthesis may follow."""

_DEPTH = 60
"""Nested elements of the sample tree: more than the steps up of any selector that a person writes."""


def check_xpath(expression: str) -> None:
    """Refuse what an expression must not do.

    These are what XPath 1.0 does not have, searches of the whole tree for each element of another one, steps
    above the root, and results that are not elements of a screen.

    Raises:
        ValueError: The expression is refused; the message says why.
    """
    plain = _LITERAL.sub("''", expression)
    for name in _CALL.findall(plain):
        if name not in _FUNCTIONS:
            raise ValueError(f"not an XPath expression: it has no function {name}()")
    if "$" in plain:
        raise ValueError("not an XPath expression: variables ($name) have no value here")
    depth = wide = 0
    for place, character in enumerate(plain):
        depth += (character == "[") - (character == "]")
        if depth and _WIDE_STEP.match(plain, place):
            wide += 1
    if wide > 1:
        raise ValueError("an XPath expression may search the whole tree in only one of its predicates")
    bare = _without_predicates(plain)
    if _leaves_tree(bare):
        raise ValueError(
            "the XPath expression ends at or goes above the root of the tree, where no elements are"
        )
    _result_on_sample(expression)
    if _ATTRIBUTE.search(bare):
        raise ValueError(_NO_ELEMENTS)
    _check_result(_result_on_sample(bare))


def _without_predicates(plain: str) -> str:
    while _PREDICATE.search(plain):
        plain = _PREDICATE.sub("", plain)
    return plain


@functools.cache
def _sample() -> Any:
    """Return a tree on which expressions are tried: each kind of XML node that an expression may select.

    It is deep, so that steps up from an element end above the root only if they always do.
    """
    deep = "<node>" * _DEPTH + "</node>" * _DEPTH
    return etree.fromstring(
        f'<hierarchy><node text="a" class="b">c<!--d--><?e f?><node text="g">{deep}</node></node></hierarchy>'
    )


def _result_on_sample(expression: str) -> Any:
    try:
        return etree.XPath(expression)(_sample())
    except etree.XPathError as error:
        raise ValueError(f"not an XPath expression: {error}") from error


def _check_result(result: Any) -> None:
    """Refuse a result that has no element of a screen.

    Raises:
        ValueError: It has none; the message says what it has.
    """
    if not isinstance(result, list):
        kinds = {bool: "a truth value", float: "a number"}
        kind = next((text for type_, text in kinds.items() if isinstance(result, type_)), "a text")
        raise ValueError(f"the XPath expression returns {kind} instead of elements")
    if any(not isinstance(each, etree._Element) or not isinstance(each.tag, str) for each in result):
        raise ValueError(_NO_ELEMENTS)
    if result and all(each is _sample() for each in result):
        raise ValueError("the XPath expression selects the root of the tree, which is not on the screen")


def _leaves_tree(bare: str) -> bool:
    """Return whether a path from the root never finds an element: it has as many steps up as down, or more.

    Args:
        bare: The expression without literals and predicates.
    """
    for path in bare.split("|"):
        depth = 0
        first, *steps = (step.strip() for step in path.split("/"))
        if first in (".", ".."):  # from the element below the document
            depth, steps = 1, [first, *steps]
        elif first or steps == [""]:
            if not first:
                return True  # the document
            continue
        for step in steps:
            if not step or "::" in step:
                break  # from here on, the depth is unknown
            depth += (step != ".") - 2 * (step == "..")
            if depth < 0:
                return True
        else:
            if depth == 0:
                return True
    return False
