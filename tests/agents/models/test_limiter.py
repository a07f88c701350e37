"""URLs of the same endpoint share a limiter."""

from __future__ import annotations

import pytest

from garabench.agents.models.limiter import EndpointLimiters


@pytest.mark.parametrize(
    "same", ["http://x/v1", "http://x/v1/", "http://X/v1", "HTTP://x/v1", "http://x:80/v1", "http://x/v1//"]
)
def test_equivalent_urls_share_a_limiter(same: str) -> None:
    gates = EndpointLimiters()
    assert gates.for_url("http://x/v1") is gates.for_url(same)


@pytest.mark.parametrize(
    "other", ["http://x/V1", "http://x:8000/v1", "https://x/v1", "http://y/v1", "http://x", "http://x:443/v1"]
)
def test_other_endpoints_have_other_limiters(other: str) -> None:
    gates = EndpointLimiters()
    assert gates.for_url("http://x/v1") is not gates.for_url(other)
