"""Run many cases in one test, and report all failures together.

`pytest.mark.parametrize` makes each case a test, which takes milliseconds to collect in every worker and to
report. For hundreds of rows of data that is longer than the cases themselves take.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

Failure = (Exception, pytest.fail.Exception)
"""`pytest.fail` does not raise an `Exception`."""


def every_case(
    names: str | Sequence[str],
    cases: Iterable[Any],
    *,
    ids: Callable[[Any], object] | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run the decorated test once per case, as one test whose cases share the fixtures.

    Args:
        names: The arguments that a case provides, as in `pytest.mark.parametrize`.
        cases: One value per case, or a tuple of values if there are several names.
        ids: Makes the id of a value in a failure; by default its `repr`.

    Raises:
        BaseExceptionGroup: Raised by the test: the failures, each with a note that names its case.
    """
    wanted = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = [_values(case, len(wanted)) for case in cases]
    assert rows, "no case"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
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

    return decorate


def _values(case: Any, count: int) -> tuple[Any, ...]:
    if count == 1:
        return (case,)
    assert len(case) == count, f"{count} values are wanted: {case!r}"
    return tuple(case)
