"""Python programs that act as external agents in tests."""

from __future__ import annotations

import sys
from pathlib import Path

HEAD = """
import json, os, subprocess, sys, time
def send(**message): print(json.dumps(message), flush=True)
def receive():
    line = sys.stdin.readline()
    return json.loads(line) if line else {"type": "end"}
def ready(**more):
    assert receive()["type"] == "hello"
    send(type="ready", protocol=1, **{"image": "none", **more})
    assert receive()["type"] == "start"
def back(step): send(type="decision", step=step, action={"type": "back"})
"""
GOOD = "ready()\nwhile (message := receive())['type'] == 'observe': back(message['step'])\n"


def program(folder: Path, body: str, name: str = "agent.py") -> tuple[str, ...]:
    """Write a Python program that begins with `HEAD`, and return the command that runs it."""
    path = folder / name
    path.write_text(HEAD + body, encoding="utf-8")
    return sys.executable, "-S", "-E", str(path)


def alive(pid: int) -> bool:
    """Return whether a process is running; a zombie is not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
