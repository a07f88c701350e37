"""Messages of uiautomator2's errors are short."""

from __future__ import annotations

from garabench.device.u2_client import describe_u2_error


def test_repeated_lines_of_a_log_are_shown_once() -> None:
    error = RuntimeError("server not ready", "INFO: Starting Server\n" * 55)
    assert describe_u2_error(error) == "server not ready: INFO: Starting Server"
    assert describe_u2_error(RuntimeError("gone")) == "gone"
    assert describe_u2_error(RuntimeError()) == ""
