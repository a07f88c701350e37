"""Autonomous agents: the environment they receive, their exit status, and the end of their processes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from garabench.agents.context import AgentContext
from garabench.agents.external.autonomous import AutonomousAgent, DeviceHandover, FinalReport
from garabench.agents.external.autonomous_process import AutonomousProcess
from garabench.agents.external.schemas import message_schema
from garabench.errors import AgentError, AgentFault, AgentStartError, HarnessError, ModelError
from garabench.records.run_layout import AGENT_LOG
from tests.agents.external.programs import alive, program
from tests.agents.external.views import BRIEF
from tests.waits import AMPLE, CLOCK, until

HANDOVER = DeviceHandover("emulator-5554", "127.0.0.1", 5099, "/opt/tools/adb", 600)
Make = Callable[[str], AutonomousProcess]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[AutonomousProcess] = []

    def one(body: str) -> AutonomousProcess:
        made.append(AutonomousProcess(program(tmp_path, body), AgentContext("mine", tmp_path)))
        return made[-1]

    yield one
    for agent in made:
        agent.close()


def poll_until_terminated(agent: AutonomousProcess, idle: Callable[[], float], limit: float = AMPLE) -> None:
    """Poll the agent until `wait` raises an error."""
    agent.start(BRIEF, HANDOVER)
    deadline = CLOCK.monotonic() + limit
    while CLOCK.monotonic() < deadline:
        assert agent.wait(0.05, idle()) is None
    raise AssertionError("the agent was not terminated")


HANGS = "time.sleep(999)"
CONNECTS = """
import socket
at = os.environ["ANDROID_ADB_SERVER_ADDRESS"], int(os.environ["ANDROID_ADB_SERVER_PORT"])
socket.create_connection(at).close()
"""


@pytest.mark.parametrize(
    ("body", "start_seconds", "error", "message"),
    [
        (HANGS, 1.5, AgentStartError, "mine did not use the device within 1.5 s"),
        (CONNECTS + HANGS, AMPLE, AgentError, "mine did nothing observable for 0.5 s"),
    ],
)
def test_a_hanging_program_times_out(
    tmp_path: Path, body: str, start_seconds: float, error: type[Exception], message: str
) -> None:
    context = AgentContext("mine", tmp_path, seconds=0.5, start_seconds=start_seconds)
    agent = AutonomousProcess(program(tmp_path, body), context)
    begun = CLOCK.monotonic()
    with pytest.raises(error) as caught:
        poll_until_terminated(agent, lambda: CLOCK.monotonic() - begun)
    agent.close()
    assert (type(caught.value), str(caught.value)) == (error, message)
    if isinstance(caught.value, AgentError):
        assert caught.value.kind is AgentFault.TIMEOUT


def test_a_program_that_bypasses_the_proxy_begins_with_its_first_action(tmp_path: Path) -> None:
    agent = AutonomousProcess(
        program(tmp_path, HANGS), AgentContext("mine", tmp_path, seconds=0.5, start_seconds=AMPLE)
    )
    begun = CLOCK.monotonic()
    seen = begun + 1  # its only action
    with pytest.raises(AgentError, match="did nothing observable"):
        poll_until_terminated(
            agent, lambda: CLOCK.monotonic() - (seen if CLOCK.monotonic() > seen else begun)
        )
    agent.close()
    assert CLOCK.monotonic() >= seen + 0.5


def test_a_program_that_acts_occasionally_continues(tmp_path: Path) -> None:
    agent = AutonomousProcess(
        program(tmp_path, CONNECTS + HANGS), AgentContext("mine", tmp_path, seconds=0.5)
    )
    with pytest.raises(AssertionError, match="the agent was not terminated"):
        poll_until_terminated(agent, lambda: 0, limit=2)
    agent.close()


def final_report(agent: AutonomousProcess) -> FinalReport:
    """Poll the agent until it exits by itself."""
    agent.start(BRIEF, HANDOVER)
    deadline = CLOCK.monotonic() + AMPLE
    while CLOCK.monotonic() < deadline:
        if (word := agent.wait(0.1, 0)) is not None:
            return word
    raise AssertionError("it has not ended")


def test_it_is_an_autonomous_agent(tmp_path: Path) -> None:
    assert isinstance(AutonomousProcess(["true"], AgentContext("mine", tmp_path)), AutonomousAgent)


def test_it_receives_the_task_and_the_device(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another")
    monkeypatch.setenv("MINE_KEY", "mine")
    monkeypatch.setenv("GARABENCH_AGENT_ENV", "MINE_*")
    word = final_report(
        make(
            "told = sys.stdin.read()\n"
            "same = told == open(os.environ['GARABENCH_BRIEF']).read()\n"
            "print(json.dumps([same, json.loads(told), dict(os.environ)]))\n"
        )
    )
    assert word == FinalReport(done=True, answer="", detail=word.detail)
    same, brief, env = json.loads((tmp_path / AGENT_LOG).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(message_schema("autonomous-brief")).validate(brief)
    assert same
    assert (brief["instruction"], brief["serial"], brief["seconds"]) == ("搜索“稻香”", "emulator-5554", 600)
    expected: dict[str, Any] = {
        "ANDROID_SERIAL": "emulator-5554",
        "ANDROID_ADB_SERVER_ADDRESS": "127.0.0.1",
        "GARABENCH_INSTRUCTION": "搜索“稻香”",
        "GARABENCH_LANGUAGE": "zh",
        "GARABENCH_APP": "com.example",
        "GARABENCH_MAX_STEPS": "7",
        "GARABENCH_SECONDS": "600",
        "GARABENCH_SEED": "11",
        "GARABENCH_ANSWER": brief["answer"],
    }
    assert {key: env.get(key) for key in expected} == expected
    assert int(env["ANDROID_ADB_SERVER_PORT"]) not in (0, HANDOVER.port)  # a separate proxy to the server
    assert (env.get("OPENAI_API_KEY"), env.get("MINE_KEY")) == (None, "mine")
    assert env["PATH"].split(os.pathsep)[-1] == "/opt/tools"


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("pass", FinalReport(done=True, detail="exited with status 0")),
        (
            "open(os.environ['GARABENCH_ANSWER'], 'w').write(' 301.7万\\n')",
            FinalReport(done=True, answer="301.7万", detail="exited with status 0"),
        ),
        (
            "print('no way on')\nsys.exit(10)",
            FinalReport(False, "", "exited with status 10; last output: no way on"),
        ),
    ],
)
def test_the_exit_status_is_the_final_report(make: Make, body: str, word: FinalReport) -> None:
    assert final_report(make(body)) == word


def test_an_answer_is_truncated(make: Make) -> None:
    word = final_report(make("open(os.environ['GARABENCH_ANSWER'], 'wb').write(b'\\xff' * 10_000_000)"))
    assert len(word.answer) == 10_000


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "sys.exit('adb: device not found')",
            "mine exited with status 1; last output: adb: device not found",
        ),
        ("sys.exit(2)", "mine exited with status 2"),
        ("os.kill(os.getpid(), 11)", "mine was killed by SIGSEGV"),
    ],
)
def test_any_other_exit_is_a_crash(make: Make, body: str, message: str) -> None:
    with pytest.raises(AgentError) as caught:
        final_report(make(body))
    assert (caught.value.kind, str(caught.value)) == (AgentFault.FAILED, message)


@pytest.mark.parametrize(
    ("body", "how"),
    [
        ("os.kill(os.getpid(), 9)", "was killed by SIGKILL"),
        ("os.kill(os.getpid(), 15)", "was killed by SIGTERM"),
        ("sys.exit(128 + 9)", "exited with status 137"),
    ],
)
def test_a_signal_from_outside_is_no_failure_of_the_agent(make: Make, body: str, how: str) -> None:
    with pytest.raises(HarnessError, match=f"mine {how}: a signal from outside ended it"):
        final_report(make(body))


def test_it_can_report_that_its_model_failed(make: Make) -> None:
    with pytest.raises(ModelError, match="mine exited with status 75; last output: 429: its model failed"):
        final_report(make("print('429')\nsys.exit(75)"))


def test_a_missing_program_is_a_start_error(tmp_path: Path) -> None:
    agent = AutonomousProcess([str(tmp_path / "nothing")], AgentContext("mine", tmp_path))
    with pytest.raises(AgentStartError, match="cannot be started"):
        agent.start(BRIEF, HANDOVER)
    agent.close()


def test_child_processes_are_terminated(make: Make, tmp_path: Path) -> None:
    agent = make(
        "print(subprocess.Popen(['sleep', '999']).pid, subprocess.Popen(['setsid', 'sleep', '999']).pid,\n"
        "      flush=True)\n"
        "time.sleep(999)\n"
    )
    agent.start(BRIEF, HANDOVER)
    pids: list[int] = []

    def reported() -> bool:
        assert agent.wait(0.2, 0) is None
        log = tmp_path / AGENT_LOG  # exists once the program has printed something
        pids[:] = [int(word) for word in log.read_text(encoding="utf-8").split()] if log.exists() else []
        return len(pids) == 2

    until(reported)
    assert all(map(alive, pids))
    agent.close()
    assert not any(map(alive, pids))


def test_remaining_child_processes_are_terminated_at_its_exit(make: Make, tmp_path: Path) -> None:
    final_report(make("print(subprocess.Popen(['setsid', 'sleep', '999']).pid)"))
    assert not alive(int((tmp_path / AGENT_LOG).read_text(encoding="utf-8")))


def test_a_program_may_flood_its_output_and_ignore_its_input(make: Make, tmp_path: Path) -> None:
    word = final_report(make("for _ in range(300): print('x' * 9999)\nsys.exit(10)"))
    assert not word.done
    assert (tmp_path / AGENT_LOG).stat().st_size < 400_000
