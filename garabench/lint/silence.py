"""Comments that silence warnings: ``# garabench: ignore[unused] reason``.

At the end of a line, the comment silences findings on that line. On a separate line, it silences those in
the entry or value below it; before the first key of a file, those in the whole file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from garabench.caret import SourcePlace
from garabench.core.suggestions import did_you_mean
from garabench.errors import InputError
from garabench.lint.codes import CODES, FindingLevel

_COMMENT = re.compile(r"(?:^|\s)#\s*garabench:\s*ignore(?P<codes>\[[^\]]*\])?(?P<reason>.*)$")
_SILENCEABLE = sorted(name for name, code in CODES.items() if code.severity is FindingLevel.WARNING)


@dataclass(frozen=True, slots=True)
class Ignore:
    """A comment that silences warnings.

    Attributes:
        place: Its location.
        codes: The codes that it silences.
        reason: Why.
        first, last: The lines that it covers, from 1; both included.
    """

    place: SourcePlace
    codes: tuple[str, ...]
    reason: str
    first: int
    last: int

    def covers(self, finding: InputError) -> bool:
        """Return whether it silences a finding."""
        place = finding.place
        return (
            place is not None
            and finding.code in self.codes
            and place.file == self.place.file
            and self.first <= place.line <= self.last
        )


def read_ignores(lines: Sequence[str], file: str) -> tuple[tuple[Ignore, ...], tuple[InputError, ...]]:
    """Return the comments of a file that silence warnings, and the mistakes in them.

    Args:
        lines: Its lines.
        file: Its name in messages.
    """
    found: list[Ignore] = []
    wrong: list[InputError] = []
    for number, line in enumerate(lines, start=1):
        match = _COMMENT.search(line) if "garabench:" in line else None
        if match is None:
            continue
        place = SourcePlace(file, number, match.start() + len(match[0]) - len(match[0].lstrip()) + 1, line)
        codes = tuple(part.strip() for part in (match["codes"] or "")[1:-1].split(",") if part.strip())
        mistakes = list(_mistakes(codes, match["reason"].strip(" :-"), place))
        wrong += mistakes
        if not mistakes:
            first, last = _covered(lines, number - 1, own_line=not line[: match.start()].strip())
            found.append(Ignore(place, codes, match["reason"].strip(" :-"), first + 1, last + 1))
    return tuple(found), tuple(wrong)


def _mistakes(codes: Sequence[str], reason: str, place: SourcePlace) -> Iterator[InputError]:
    if not codes:
        hint = "Write # garabench: ignore[CODE] REASON"
        yield InputError("which warnings to ignore is missing", place=place, hint=hint, code="invalid-ignore")
    for code in codes:
        if code not in CODES:
            hint = did_you_mean(code, _SILENCEABLE)
            yield InputError(f"unknown warning {code!r}", place=place, hint=hint, code="invalid-ignore")
        elif CODES[code].severity is FindingLevel.ERROR:
            yield InputError(f"{code} is an error and cannot be ignored", place=place, code="invalid-ignore")
    if codes and not reason:
        hint = f"Write # garabench: ignore[{', '.join(codes)}] REASON"
        yield InputError("the reason is missing", place=place, hint=hint, code="invalid-ignore")


def _covered(lines: Sequence[str], at: int, *, own_line: bool) -> tuple[int, int]:
    """Return the first and the last line that a comment covers, from 0."""
    if not own_line:
        return at, at
    start = next((number for number in range(at + 1, len(lines)) if _is_content(lines[number])), at)
    if not any(_is_content(line) for line in lines[:at]):
        return at, len(lines) - 1
    depth = _indent(lines[start])
    end = start
    for number in range(start + 1, len(lines)):
        line = lines[number]
        if _is_content(line):
            if _indent(line) <= depth:
                break
            end = number
    return at, end


def _is_content(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def silenced(
    findings: Iterable[InputError], ignores: Sequence[Ignore], unchecked: Set[str] = frozenset()
) -> tuple[list[InputError], int]:
    """Remove the silenced findings.

    Args:
        findings: All findings.
        ignores: The comments.
        unchecked: Codes that were not checked for; a comment with one of them may silence something.

    Returns:
        The other findings, with one for each comment that silences nothing, and the number of silenced ones.
    """
    used: set[int] = set()
    rest: list[InputError] = []
    count = 0
    for finding in findings:
        covering = [number for number, ignore in enumerate(ignores) if ignore.covers(finding)]
        used.update(covering)
        if covering:
            count += 1
        else:
            rest.append(finding)
    for number, ignore in enumerate(ignores):
        if number not in used and unchecked.isdisjoint(ignore.codes):
            message = f"there is no warning {', '.join(ignore.codes)} here"
            hint = "Remove the comment: garabench check --fix"
            rest.append(InputError(message, place=ignore.place, hint=hint, code="unused-ignore"))
    return rest, count
