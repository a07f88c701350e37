"""The overhead of the harness per model call can be measured; the results are judged by hand."""

from __future__ import annotations

from benchmarks import prompts


def test_pictures_requests_and_replies_are_measured() -> None:
    measures = prompts.measure_prompts("android-34:720x1280", times=1, longest=4000)
    assert all(item.value > 0 for item in measures)
    names = " ".join(item.name for item in measures)
    assert (
        "app to 630x1120" in names
        and "photograph to 630x1120" in names
        and "a request of gpt-4o" in names
        and "parsing a reply" in names
    )
