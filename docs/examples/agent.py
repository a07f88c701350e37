#!/usr/bin/env python3
"""Taps what the instruction names, in order, and closes dialogs that interrupt.

A process:  garabench run --agents process:./agent.py
A service:  python agent.py --port 8000     garabench run --agents http://127.0.0.1:8000/
It needs nothing but Python's own library.
"""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xml.etree import ElementTree

CLOSE = ("以后再说", "稍后再说", "暂不更新", "我知道了", "取消", "Not now", "Cancel")


def elements(tree):
    """Every element that shows something: its label and the middle of its bounds."""
    for node in ElementTree.fromstring(tree).iter("node"):
        label = node.get("text") or node.get("content-desc") or ""
        if len(label) > 1:
            left, top, right, bottom = map(int, re.findall(r"-?\d+", node.get("bounds")))
            yield label, (left + right) // 2, (top + bottom) // 2


def decide(message):
    """The next action, from what is seen and what was done."""
    instruction = message["task"]["instruction"]
    tapped = {past["thought"].removeprefix("tap ") for past in message["history"]}
    named = []
    for label, x, y in elements(message["tree"]):
        if label in CLOSE:
            return {"action": {"type": "tap", "x": x, "y": y}, "thought": f"close by {label}"}
        if label in instruction and label not in tapped:
            named.append((instruction.index(label), label, x, y))
    if named:
        _, label, x, y = min(named)
        return {"action": {"type": "tap", "x": x, "y": y}, "thought": f"tap {label}"}
    return {"action": {"type": "done"}, "thought": "nothing more is named"}


def answer(message):
    """One message in, one answer out; start and end have none."""
    if message["type"] == "hello":
        return {"type": "ready", "protocol": 1, "image": "none"}
    if message["type"] == "observe":
        return {"type": "decision", "step": message["step"], **decide(message)}
    return None


class Service(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        said = json.dumps(answer(json.loads(body))).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)


if sys.argv[1:2] == ["--port"]:
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Service)
    print(f"listening on port {server.server_port}", file=sys.stderr, flush=True)
    server.serve_forever()
else:
    for line in sys.stdin:
        said = answer(json.loads(line))
        if said is not None:
            print(json.dumps(said), flush=True)
