"""A run's progress for Prometheus: its text format, served on loopback."""

from __future__ import annotations

import contextlib
import http.server
import threading
from collections.abc import Callable, Iterator

from garabench.campaign.live_state import DeviceActivity, LiveState
from garabench.errors import InputError

_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def metrics_text(state: LiveState) -> str:
    """Return the progress of a run in Prometheus' text format."""
    lines = [
        "# HELP garabench_episodes_planned Planned episodes.",
        "# TYPE garabench_episodes_planned gauge",
        f"garabench_episodes_planned {state.planned}",
        "# HELP garabench_episodes_ended Ended episodes, including those of earlier parts of a resumed run.",
        "# TYPE garabench_episodes_ended gauge",
        f"garabench_episodes_ended {state.ended}",
        "# HELP garabench_outcomes_total Episodes ended since the run began or was resumed, by outcome.",
        "# TYPE garabench_outcomes_total counter",
    ]
    for outcome in ("success", "failure", "error"):
        lines.append(f'garabench_outcomes_total{{outcome="{outcome}"}} {state.outcomes.get(outcome, 0)}')
    if (remaining := state.remaining_seconds) is not None:
        lines += [
            "# HELP garabench_remaining_seconds Estimated time to the end.",
            "# TYPE garabench_remaining_seconds gauge",
            f"garabench_remaining_seconds {remaining:.1f}",
        ]
    for name, kind, text in (
        ("ended", "counter", "Episodes ended on a device."),
        ("faults", "counter", "Attempts on a device that ended in error."),
        ("rungs", "counter", "Measures of device recovery."),
    ):
        lines += [
            f"# HELP garabench_device_{name}_total {text}",
            f"# TYPE garabench_device_{name}_total {kind}",
        ]
        for label, device in state.devices.items():
            lines.append(
                f'garabench_device_{name}_total{{device="{_escape(label)}"}} {getattr(device, name)}'
            )
    lines += [
        "# HELP garabench_device_activity What a device does: 1 for its present activity.",
        "# TYPE garabench_device_activity gauge",
    ]
    for label, device in state.devices.items():
        for activity in DeviceActivity:
            value = int(device.activity is activity)
            lines.append(
                f'garabench_device_activity{{device="{_escape(label)}",activity="{activity.value}"}} {value}'
            )
    return "\n".join(lines) + "\n"


def _escape(label: str) -> str:
    return label.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


@contextlib.contextmanager
def metrics_endpoint(port: int, state: Callable[[], LiveState]) -> Iterator[int]:
    """Serve a run's progress at ``http://127.0.0.1:PORT/metrics`` within the block.

    Args:
        port: The port; 0 for any free one.
        state: Returns the present state.

    Yields:
        The port.

    Raises:
        InputError: The port is in use.
    """

    class Handler(http.server.BaseHTTPRequestHandler):
        """Answers ``GET /metrics``."""

        timeout = 10

        def do_GET(self) -> None:  # the name of http.server
            """Answer with the metrics."""
            if self.path.partition("?")[0] != "/metrics":
                self.send_error(404)
                return
            body = metrics_text(state()).encode()
            self.send_response(200)
            self.send_header("Content-Type", _CONTENT_TYPE)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name of http.server
            """Log nothing."""

    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    except OSError as error:
        raise InputError(f"port {port} cannot be used for metrics: {error.strerror or error}") from error
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
    thread.start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
