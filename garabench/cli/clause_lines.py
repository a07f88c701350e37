"""Print the parts of a rule or a goal on a screen, with reasons."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from garabench.rules.explain import Clause, KeywordShare

_TRUTH = {True: "yes", False: "no", None: "?"}
_MAX_TEXT = 60


def clause_lines(part: Clause, indent: int) -> Iterator[str]:
    """Iterate over the lines for a clause and its parts."""
    name = part.name if part.needed == "all" else f"or {part.name}"
    reason = part.reason if part.keywords is None else _share(part.keywords)
    yield f"{'':{indent}}{_TRUTH[part.holds]:4}{name:12} {reason}"
    for near in (*part.closest, *(part.keywords.closest if part.keywords is not None else ())):
        shown = _brief(near.found)
        found = f"the screen has {shown}, {near.reason}" if near.reason else f"closest: {shown}"
        yield f"{'':{indent + 4}}{near.expected!r}: {found}"
    for each in part.parts:
        yield from clause_lines(each, indent + 2)


def _brief(text: str) -> str:
    """Return a text of the screen in quotes, shortened."""
    return repr(text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]}…")


def _share(share: KeywordShare) -> str:
    number = len(share.found) + len(share.missing)
    text = f"{len(share.found)}/{number} = {share.share:.0%}, needs {share.threshold:.0%}"
    found = f"; found {', '.join(share.found)}" if share.found else ""
    missing = f"; missing {', '.join(share.missing)}" if share.missing else ""
    return text + found + missing


def clause_row(part: Clause) -> dict[str, Any]:
    """Return a clause and its parts as JSON-compatible data."""
    row: dict[str, Any] = {
        "name": part.name,
        "holds": part.holds,
        "needed": part.needed,
        "reason": part.reason,
    }
    if part.keywords is not None:
        keywords = dataclasses.asdict(part.keywords) | {"share": round(part.keywords.share, 4)}
        row["keywords"] = {name: value for name, value in keywords.items() if name != "closest" or value}
    if part.closest:
        row["closest"] = [dataclasses.asdict(each) for each in part.closest]
    if part.parts:
        row["parts"] = [clause_row(each) for each in part.parts]
    return row
