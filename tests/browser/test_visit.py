"""The page fixture sees what it is there for."""

from __future__ import annotations

from tests.browser.conftest import Visit


def test_errors_foreign_requests_and_barriers_are_seen(visit: Visit) -> None:
    visit.page.set_content(
        "<html lang=en><title>t</title><img src='http://example.invalid/x.png'>"
        "<script>console.error('broken')</script>"
    )
    visit.page.wait_for_load_state()
    assert "broken" in visit.errors
    assert visit.foreign == ["http://example.invalid/x.png"]
    assert any(line.startswith("image-alt") for line in visit.serious_barriers())
    visit.errors.clear()
    visit.foreign.clear()
