"""Runs of a model agent from the command line, with a fake server and a virtual phone."""

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

import garabench
from garabench.export.export_run import ExportFormat
from garabench.testing.behaviour import ComputedReplies
from garabench.testing.requests import ReceivedRequest
from garabench.testing.server import FakeModelServer

MAIN = "from garabench.cli.main import main; main()"
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
    """A model that taps three times, reports success, and quotes the API key in every reply."""
    numbers = itertools.count(1)

    def reply(request: ReceivedRequest) -> str:
        verb = "click(start_box='(300,300)')" if next(numbers) % 4 else "finished(content='')"
        return f"Thought: my key is {KEY}\nAction: {verb}"

    with FakeModelServer(ComputedReplies(reply), key=KEY) as running:
        yield running


def run_garabench(*arguments: str, key: str = KEY) -> subprocess.CompletedProcess[str]:
    arguments += ("--no-report",) if arguments[0] == "run" else ()
    return subprocess.run(
        [sys.executable, "-c", MAIN, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "MY_KEY": key},
        timeout=200,
    )


def agent_arguments(model: FakeModelServer) -> list[str]:
    return ["--agents", f"tapper=ui-tars?base_url={model.base_url}&key_env=MY_KEY&image.long_side=300"]


def read_files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def resume_command(stderr: str) -> list[str]:
    (line,) = [line for line in stderr.splitlines() if line.startswith("Resume: ")]
    return shlex.split(line.removeprefix("Resume: "))[1:]


def test_budget_stops_a_run_that_resumes_with_a_larger_one(model: FakeModelServer, tmp_path: Path) -> None:
    out = tmp_path / "run"
    arguments = ["run", *TASKS, *agent_arguments(model), "--out", str(out)]
    stopped = run_garabench(*arguments, "--max-tokens", "3000")
    assert stopped.returncode == 1, stopped.stderr
    assert re.search(r"Stopped: the budget of 3,000 tokens is used up: [\d,]+ were used", stopped.stderr)
    # Run the printed command until the run is complete: each stop raises the budget.
    commands = [resume_command(stopped.stderr)]
    while (completed := run_garabench(*commands[-1])).returncode == 1:
        assert "Stopped: the budget of" in completed.stderr
        commands.append(resume_command(completed.stderr))
    budgets = [int(arguments[arguments.index("--max-tokens") + 1]) for arguments in commands]
    used = int(re.findall(r"used up: ([\d,]+) were used", stopped.stderr)[0].replace(",", ""))
    assert budgets[0] == 2 * used
    assert all(later >= 2 * sooner for sooner, later in itertools.pairwise(budgets))
    assert "twice the tokens used so far, since the budget covers the whole run" in stopped.stderr
    assert completed.returncode == 0, completed.stderr
    compared = run_garabench("compare", str(out))
    assert "Model usage" in compared.stdout, compared.stderr
    results = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    assert [row["reason"] for row in results] == ["false_done"] * 2
    assert all(row["usage"]["requests"] == row["steps"] + 1 for row in results)
    assert 0 < results[0]["usage"]["seconds"] <= results[0]["deciding"] <= results[0]["seconds"]

    # The key is neither recorded nor published, although the model quotes it.
    published = tmp_path / "published"
    for format_ in ExportFormat:
        garabench.export_run(out, format_, published / format_.value)
    garabench.write_report(out, published / "report.html")
    garabench.write_bundle(garabench.load_run(out), published / "run.zip")
    garabench.open_bundle(published / "run.zip", published / "opened")
    assert len(read_files(published / "opened")) > 10
    output = stopped.stdout + stopped.stderr + completed.stdout + completed.stderr
    assert KEY not in output
    assert not [name for name, data in read_files(tmp_path).items() if KEY.encode() in data]
    assert any(b"my key is [key]" in data for data in read_files(tmp_path).values())

    # A replay sends no requests.
    before = len(model.requests)
    replayed = run_garabench(
        "run", *TASKS, *agent_arguments(model), "--out", str(tmp_path / "two"), "--replay", str(out), key=""
    )
    assert replayed.returncode == 0, replayed.stderr
    assert len(model.requests) == before
    assert "$0 " in run_garabench("compare", str(tmp_path / "two")).stdout
    read = run_garabench("agents", "replay", str(out))
    assert read.returncode == 0, read.stderr
    assert re.search(r"\d+ replies parsed, 0 of them differently", read.stdout)


@pytest.mark.parametrize(
    ("key", "status", "output"),
    [
        ("wrong-key-012345", 3, "rejects the key (401)"),
        ("", 2, "the environment variable MY_KEY is empty or missing"),
    ],
)
def test_unusable_key_ends_the_run(
    tmp_path: Path, model: FakeModelServer, key: str, status: int, output: str
) -> None:
    done = run_garabench("run", *TASKS, *agent_arguments(model), "--out", str(tmp_path / "run"), key=key)
    assert (done.returncode, output in done.stderr) == (status, True), done.stderr
    assert model.requests == ()
    assert not key or key not in done.stderr + done.stdout
