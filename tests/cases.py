"""Many cases in one test: each of them runs, and all that fail are reported together.

`pytest.mark.parametrize` makes a test of each case, which costs milliseconds to collect, in every worker, and
to report. For hundreds of rows of data that is more than the rows themselves take.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

Failure = (Exception, pytest.fail.Exception)
"""Pytest's own failures are no exceptions of the usual kind."""


def every_case(
    names: str | Sequence[str],
    cases: Iterable[Any],
    *,
    ids: Callable[[Any], object] | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test once with each case, as one test; its fixtures are the same for all cases.

    Args:
        names: Arguments that a case gives, as of `pytest.mark.parametrize`.
        cases: A value each, or a tuple of them if there are several names.
        ids: What a failure names a case by; the values themselves unless given.

    Raises:
        BaseExceptionGroup: From the test: the failures, each with a note that names its case.
    """
    wanted = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = [_values(case, len(wanted)) for case in cases]
    assert rows, "no case"

    def made(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)
        assert set(wanted) <= signature.parameters.keys(), f"{test.__name__} does not take {wanted}"

        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            failures: list[BaseException] = []
            for row in rows:
                try:
                    test(**fixtures, **dict(zip(wanted, row, strict=True)))
                except Failure as error:
                    error.add_note(
                        "case: " + ", ".join(str(ids(value) if ids else repr(value)) for value in row)
                    )
                    failures.append(error)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(rows)} cases fail", failures)

        left = [each for name, each in signature.parameters.items() if name not in wanted]
        run.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]  # read by pytest
        return run

    return made


def _values(case: Any, count: int) -> tuple[Any, ...]:
    if count == 1:
        return (case,)
    assert len(case) == count, f"{count} values are wanted: {case!r}"
    return tuple(case)
