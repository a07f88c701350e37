"""The taxonomy has the published categories and codes, each explained."""

from __future__ import annotations

from collections import Counter

from garabench.verifier.taxonomy import TAXONOMY, ErrorCategory, ErrorCode


def test_seven_categories_with_29_codes() -> None:
    assert Counter(code.category for code in ErrorCode) == dict(
        zip(ErrorCategory, (5, 5, 6, 3, 4, 2, 4), strict=True)
    )
    assert [code.value for code in ErrorCode] == sorted(code.value for code in ErrorCode)


def test_every_code_has_a_meaning_on_android_and_an_example_of_its_own() -> None:
    assert set(TAXONOMY) == set(ErrorCode)
    for field in ("title", "description", "android", "example"):
        texts = [getattr(entry, field) for entry in TAXONOMY.values()]
        assert all(texts)
        assert len(set(texts)) == len(texts), field


def test_only_the_environment_and_the_task_are_beyond_control() -> None:
    assert not ErrorCode.ENVIRONMENT_FAILURE.controllable
    assert not ErrorCode.AMBIGUOUS.controllable
    assert ErrorCode.VIOLATION.controllable
