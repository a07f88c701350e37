"""Programs that are agents of one's own in tests, well-behaved and not."""

from __future__ import annotations

import sys
from pathlib import Path

HEAD = """
import json, os, subprocess, sys, time
def say(**message): print(json.dumps(message), flush=True)
def hear():
    line = sys.stdin.readline()
    return json.loads(line) if line else {"type": "end"}
def ready(**more):
    assert hear()["type"] == "hello"
    say(type="ready", protocol=1, **{"image": "none", **more})
    assert hear()["type"] == "start"
def back(step): say(type="decision", step=step, action={"type": "back"})
"""
GOOD = "ready()\nwhile (said := hear())['type'] == 'observe': back(said['step'])\n"


def program(folder: Path, body: str, name: str = "agent.py") -> tuple[str, ...]:
    """A program of Python with the helpers of `HEAD`, as a command."""
    path = folder / name
    path.write_text(HEAD + body, encoding="utf-8")
    return sys.executable, "-S", "-E", str(path)


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not reaped does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
