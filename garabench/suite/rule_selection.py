"""Select rules of a suite by id, app or glob."""

from __future__ import annotations

import fnmatch

from garabench.core.rule import BoundRule
from garabench.core.suggestions import did_you_mean
from garabench.errors import InputError
from garabench.suite.suite import Suite


def select_rules(suite: Suite, selectors: tuple[str, ...]) -> tuple[BoundRule, ...]:
    """Return the rules that the selectors match, in the order of the suite.

    Args:
        suite: The suite.
        selectors: Each a rule's id, an app's package or short name, a glob, or ``all``.

    Raises:
        InputError: A selector matches nothing.
    """
    apps = {item.group: item.app for item in suite.tasks.values()}
    chosen: set[str] = set()
    for word in selectors:
        found = {
            name
            for name, bound in suite.rules.items()
            if word in ("all", name, bound.app)
            or apps.get(word) == bound.app
            or fnmatch.fnmatchcase(name, word)
        }
        if not found:
            known = {*suite.rules, *apps, *(bound.app for bound in suite.rules.values())}
            raise InputError(f"unknown rule or app {word!r}", hint=did_you_mean(word, known))
        chosen |= found
    return tuple(bound for name, bound in suite.rules.items() if name in chosen)
