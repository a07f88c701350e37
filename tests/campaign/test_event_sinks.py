from __future__ import annotations

import http.server
import io
import threading
from pathlib import Path

from garabench.campaign.event_sinks import to_file, to_stream, to_webhook
from garabench.core.campaign_events import campaign_line
from tests.core.test_campaign_events import ALL


def test_events_are_lines_of_a_stream_or_a_file(tmp_path: Path) -> None:
    stream = io.BytesIO()
    sink = to_stream(stream)
    sink(ALL[0])
    assert stream.getvalue().decode() == campaign_line(ALL[0])
    stream.close()
    sink(ALL[1])  # the reader has gone
    for event in ALL[:2]:
        with to_file(tmp_path / "events") as sink:
            sink(event)
    assert (tmp_path / "events").read_text("utf-8") == "".join(map(campaign_line, ALL[:2]))


def test_a_full_disk_is_reported_once_and_ends_nothing() -> None:
    messages: list[str] = []
    with to_file(Path("/dev/full"), messages.append) as sink:
        for event in ALL[:3]:
            sink(event)
    assert messages == [
        "--events: /dev/full could not be written (No space left on device) and gets no further events"
    ]


def test_events_are_posted_and_failures_do_not_matter() -> None:
    received: list[str] = []
    messages: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.send_response(500 if len(received) == 1 else 204)
            self.end_headers()

        def log_message(self, *args: object) -> None: ...

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with to_webhook(f"http://127.0.0.1:{server.server_address[1]}", messages.append) as sink:
            for event in ALL[:3]:
                sink(event)
        server.shutdown()
    assert received == [campaign_line(event) for event in ALL[:3]]
    assert messages == ["--webhook: 1 event of 3 could not be posted"]
    messages.clear()
    with to_webhook("http://127.0.0.1:1", messages.append) as sink:
        sink(ALL[0])
        sink(ALL[1])
    assert messages == ["--webhook: 2 events of 2 could not be posted"]
