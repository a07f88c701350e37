"""What an XPath expression of an untrusted file may do: nothing outside of the tree, and nothing endless."""

from __future__ import annotations

import re

_LITERAL = re.compile(r"\"[^\"]*\"|'[^']*'")
_CALL = re.compile(r"([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)\s*\(")
_WIDE_STEP = re.compile(r"//|\b(?:descendant|descendant-or-self|following|preceding)::")
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


def check_xpath(expression: str) -> None:
    """Refuse what an expression must not do.

    These are what XPath 1.0 does not have, searches of the whole tree for each element of another one, and
    steps above the root.

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
    if _leaves_tree(plain):
        raise ValueError("the XPath expression goes above the root of the tree; remove a step ..")


def _leaves_tree(plain: str) -> bool:
    """Return whether a path from the root has more steps up than down, and thus never finds an element."""
    while _PREDICATE.search(plain):
        plain = _PREDICATE.sub("", plain)
    for path in plain.split("|"):
        depth = 0
        first, *steps = (step.strip() for step in path.split("/"))
        if first:
            continue
        for step in steps:
            if not step or "::" in step:
                break  # from here on, the depth is unknown
            depth += (step != ".") - 2 * (step == "..")
            if depth < 0:
                return True
    return False
