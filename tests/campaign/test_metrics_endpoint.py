from __future__ import annotations

import urllib.error
import urllib.request

import pytest

from garabench.campaign.live_state import LiveState, after_all
from garabench.campaign.metrics_endpoint import metrics_endpoint, metrics_text
from garabench.errors import InputError
from tests.campaign.test_live_state import ATTEMPT, BEGUN, ended

STATE = after_all(LiveState(), [BEGUN, ATTEMPT, ended("one", 10)])


def test_every_line_is_a_comment_or_a_sample() -> None:
    text = metrics_text(STATE)
    assert text.endswith("\n")
    samples = [line for line in text.splitlines() if not line.startswith("# ")]
    assert all(len(line.rsplit(" ", 1)) == 2 and float(line.rsplit(" ", 1)[1]) >= 0 for line in samples)
    assert "garabench_episodes_ended 3" in samples
    assert 'garabench_outcomes_total{outcome="success"} 1' in samples
    assert 'garabench_device_activity{device="one",activity="idle"} 1' in samples


def test_metrics_are_served_on_loopback() -> None:
    with metrics_endpoint(0, lambda: STATE) as port:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
            assert answer.read().decode() == metrics_text(STATE)
            assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/other", timeout=60)
        with (
            pytest.raises(InputError, match=f"port {port} cannot be used"),
            metrics_endpoint(port, lambda: STATE),
        ):
            pass
