from __future__ import annotations

from garabench.core.phrases import counted, first_and_more, joined


def test_phrases_are_singular_or_plural() -> None:
    assert [counted(number, "task") for number in (0, 1, 1204)] == ["0 tasks", "1 task", "1,204 tasks"]
    assert counted(2, "trajectory", "trajectories") == "2 trajectories"
    assert [first_and_more(names) for names in ("a", "abc")] == ["a", "a and 2 more"]
    assert [joined(names) for names in ("", "a", "ab", "abc")] == ["", "a", "a and b", "a, b and c"]
