"""Runs with an agent that is a model, from the command line to a server on loopback and a virtual phone."""

from __future__ import annotations

import itertools
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from garabench.testing.behaviour import ComputedReplies
from garabench.testing.requests import ReceivedRequest
from garabench.testing.server import FakeModelServer

CODE = "from garabench.cli.main import main; main()"
KEY = "sk-secret-0123456789abcdef"
TASKS = [
    "--tasks",
    "amap-favorite-tongji,amap-drive-jiading-no-highways",
    "--conditions",
    "clean",
    "--jobs",
    "1",
]
pytestmark = pytest.mark.timeout(240)


@pytest.fixture
def model() -> Iterator[FakeModelServer]:
    """A model that taps three times, says that it is done, and quotes the key, which it has never seen."""
    numbers = itertools.count(1)

    def reply(request: ReceivedRequest) -> str:
        verb = "click(start_box='(300,300)')" if next(numbers) % 4 else "finished(content='')"
        return f"Thought: my key is {KEY}\nAction: {verb}"

    with FakeModelServer(ComputedReplies(reply), key=KEY) as running:
        yield running


def garabench(*words: str, key: str = KEY) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", CODE, *words],
        capture_output=True,
        text=True,
        env={**os.environ, "MY_KEY": key},
        timeout=200,
    )


def agent(model: FakeModelServer) -> list[str]:
    return ["--agents", f"tapper=ui-tars?base_url={model.base_url}&key_env=MY_KEY&image.long_side=300"]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def command_to_go_on(said: str) -> list[str]:
    (line,) = [line for line in said.splitlines() if line.startswith("Resume: ")]
    return shlex.split(line.removeprefix("Resume: "))[1:]


def test_a_budget_stops_a_run_and_a_larger_one_goes_on(model: FakeModelServer, tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ["run", *TASKS, *agent(model), "--out", str(out)]
    stopped = garabench(*words, "--max-tokens", "3000")
    assert stopped.returncode == 1, stopped.stderr
    assert re.search(r"Stopped: the budget of 3,000 tokens is used up: [\d,]+ were used", stopped.stderr)
    # The command is typed as it is printed, until the run is whole: each stop raises the budget.
    commands = [command_to_go_on(stopped.stderr)]
    while (whole := garabench(*commands[-1])).returncode == 1:
        assert "Stopped: the budget of" in whole.stderr
        commands.append(command_to_go_on(whole.stderr))
    budgets = [int(words[words.index("--max-tokens") + 1]) for words in commands]
    used = int(re.findall(r"used up: ([\d,]+) were used", stopped.stderr)[0].replace(",", ""))
    assert budgets[0] == 2 * used
    assert all(later >= 2 * sooner for sooner, later in itertools.pairwise(budgets))
    assert "twice the tokens used so far, since the budget covers the whole run" in stopped.stderr
    assert whole.returncode == 0, whole.stderr
    compared = garabench("compare", str(out))
    assert "Model usage" in compared.stdout, compared.stderr
    results = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    assert [row["reason"] for row in results] == ["false_done"] * 2
    assert all(row["usage"]["requests"] == row["steps"] + 1 for row in results)
    assert 0 < results[0]["usage"]["seconds"] <= results[0]["deciding"] <= results[0]["seconds"]

    # A key is nowhere, although the model itself quotes it.
    told = stopped.stdout + stopped.stderr + whole.stdout + whole.stderr
    assert KEY not in told
    assert not [name for name, data in files(tmp_path).items() if KEY.encode() in data]
    assert any(b"my key is [key]" in data for data in files(tmp_path).values())

    # The same run without a model: the same requests, the same actions.
    before = len(model.requests)
    replayed = garabench(
        "run", *TASKS, *agent(model), "--out", str(tmp_path / "two"), "--replay", str(out), key=""
    )
    assert replayed.returncode == 0, replayed.stderr
    assert len(model.requests) == before
    assert "$0 " in garabench("compare", str(tmp_path / "two")).stdout
    read = garabench("agents", "replay", str(out))
    assert read.returncode == 0, read.stderr
    assert re.search(r"\d+ replies parsed, 0 of them differently", read.stdout)


@pytest.mark.parametrize(
    ("key", "status", "told"),
    [
        ("wrong-key-012345", 3, "rejects the key (401)"),
        ("", 2, "the environment variable MY_KEY is empty or missing"),
    ],
)
def test_what_is_wrong_for_every_episode_ends_the_run(
    tmp_path: Path, model: FakeModelServer, key: str, status: int, told: str
) -> None:
    done = garabench("run", *TASKS, *agent(model), "--out", str(tmp_path / "run"), key=key)
    assert (done.returncode, told in done.stderr) == (status, True), done.stderr
    assert model.requests == ()
    assert not key or key not in done.stderr + done.stdout
