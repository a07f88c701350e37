"""Agents that are programs: their answers are parsed, and no misbehaviour blocks the episode."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from garabench.agents.context import AgentContext
from garabench.agents.external import stdio_agent
from garabench.agents.external.agent_process import AgentProcess, ChildExitedError
from garabench.agents.external.stdio_agent import StdioAgent
from garabench.agents.interface import Decision
from garabench.core import action as act
from garabench.errors import AgentError, AgentFault, AgentStartError, HarnessError, ModelError
from garabench.records.bounded_log import BoundedLog
from garabench.records.run_layout import AGENT_LOG
from tests.agents.external.programs import GOOD, alive, program
from tests.agents.external.views import BRIEF, HISTORY, an_observation
from tests.waits import AMPLE, CLOCK

Make = Callable[..., StdioAgent]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Return a function that makes an agent of a program's body; all agents are closed at the end."""
    made: list[StdioAgent] = []

    def one(
        body: str,
        *,
        seconds: float = AMPLE,
        start_seconds: float = AMPLE,
        stop: Callable[[], bool] = lambda: False,
    ) -> StdioAgent:
        context = AgentContext("mine", tmp_path, seconds=seconds, start_seconds=start_seconds, stop=stop)
        made.append(StdioAgent(program(tmp_path, body), context))
        return made[-1]

    yield one
    for agent in made:
        agent.close()


def log(tmp_path: Path) -> str:
    return (tmp_path / AGENT_LOG).read_text(encoding="utf-8")


def assert_first_decision_fails(agent: StdioAgent, kind: AgentFault, message: str) -> None:
    """Check that the first decision fails, and that closing does not wait for the program."""
    before = CLOCK.monotonic()
    agent.start(BRIEF)
    with pytest.raises(AgentError) as caught:
        agent.decide(an_observation(), ())
    assert (caught.value.kind, message in str(caught.value)) == (kind, True), str(caught.value)
    agent.close()
    assert CLOCK.monotonic() - before < AMPLE


def test_it_decides_step_by_step(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio_agent, "_CLOSE_SECONDS", AMPLE)
    agent = make(
        "ready()\n"
        "print('warming up', file=sys.stderr, flush=True)\n"
        "while (message := receive())['type'] == 'observe':\n"
        "    step = message['step']\n"
        "    send(type='decision', step=step, action={'type': 'tap', 'x': step, 'y': 2},\n"
        "        thought=message['last']['detail'] if message['last'] else 'first')\n"
        "print('ended by', message['type'], file=sys.stderr)\n"
    )
    agent.start(BRIEF)
    assert agent.decide(an_observation(0), ()) == Decision(act.Tap(x=0, y=2), "first")
    assert agent.decide(an_observation(1), HISTORY) == Decision(act.Tap(x=1, y=2), "no field has the focus")
    agent.close()
    agent.close()  # does nothing
    assert log(tmp_path) == "warming up\nended by end\n"


def test_it_receives_only_listed_keys(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another")
    monkeypatch.setenv("MINE_KEY", "mine")
    monkeypatch.setenv("GARABENCH_AGENT_ENV", "MINE_KEY")
    agent = make("print(json.dumps(dict(os.environ)), file=sys.stderr)\n" + GOOD)
    agent.start(BRIEF)
    agent.close()
    env = json.loads(log(tmp_path))
    assert (env.get("OPENAI_API_KEY"), env.get("MINE_KEY")) == (None, "mine")
    assert "PATH" in env and "GARABENCH_PROCESS" in env


def test_a_screenshot_file_exists_until_the_answer(make: Make, tmp_path: Path) -> None:
    agent = make(
        "ready(image='file')\n"
        "path = receive()['image']['path']\n"
        "data = open(path, 'rb').read()\n"
        "send(type='decision', step=0, action={'type': 'done', 'answer': data[:4].hex()}, thought=path)\n"
        "receive()\n"
    )
    agent.start(BRIEF)
    decision = agent.decide(an_observation(), ())
    assert decision.action == act.Done(answer="89504e47")
    agent.close()
    assert not Path(decision.thought).exists()


@pytest.mark.parametrize(
    ("body", "kind", "message"),
    [
        (
            "ready()\nreceive()\nsys.exit('out of memory')",
            "FAILED",
            "exited with status 1; last output: out of",
        ),
        ("ready()\nreceive()\nos.kill(os.getpid(), 6)", "FAILED", "was killed by SIGABRT"),
        (
            "ready()\nreceive()\nos._exit(0)",
            "FAILED",
            "mine, in the middle of the episode, exited with status 0",
        ),
        ("ready()\nos._exit(3)", "FAILED", "exited with status 3"),
        (
            "ready()\nreceive()\nos.close(1)\ntime.sleep(999)",
            "FAILED",
            "in the middle of the episode, closed its output",
        ),
        (
            "ready()\nreceive()\nprint('I tap there', flush=True)\nreceive()",
            "UNPARSEABLE",
            "invalid JSON (only protocol",
        ),
        (
            "ready()\nback(5)\nreceive()\nback(0)\nreceive()",
            "UNPARSEABLE",
            "answered step 5 instead of step 0",
        ),
        (
            "ready()\nreceive()\nprint('x' * 10_000_000)\nreceive()",
            "UNPARSEABLE",
            "more than 1048576 bytes on one",
        ),
        (
            "ready()\nreceive()\nwhile True: os.write(1, b'x' * 65536)",
            "UNPARSEABLE",
            "more than 1048576 bytes on one line, starting with 'xxxxx",
        ),
        ("ready()\nreceive()\nwhile True: print('\\n' * 1000)", "TIMEOUT", "did not answer within 0.5 s"),
        (
            "ready()\nreceive()\nwhile True: print('flood', file=sys.stderr)",
            "TIMEOUT",
            "did not answer within 0",
        ),
        ("ready()\ntime.sleep(999)", "TIMEOUT", "did not answer within 0.5 s"),
        ("ready()\nreceive()\ntime.sleep(999)\nback(0)", "TIMEOUT", "did not answer within 0.5 s"),
        (
            "import signal\nsignal.signal(15, signal.SIG_IGN)\nready()\nreceive()\ntime.sleep(999)",
            "TIMEOUT",
            "did not answer within 0.5 s",
        ),
    ],
)
def test_a_misbehaving_program_fails_and_is_terminated(
    make: Make, body: str, kind: str, message: str
) -> None:
    seconds = 0.5 if kind == "TIMEOUT" else AMPLE
    assert_first_decision_fails(make(body, seconds=seconds), AgentFault[kind], message)


@pytest.mark.parametrize(
    ("end", "how"),
    [
        ("os.kill(os.getpid(), 9)", "was killed by SIGKILL"),
        ("import signal; signal.signal(1, signal.SIG_DFL); os.kill(os.getpid(), 1)", "was killed by SIGHUP"),
        ("os.kill(os.getpid(), 2)", "was killed by SIGINT"),
        ("os._exit(128 + 15)", "exited with status 143"),
    ],
)
def test_a_signal_from_outside_is_no_failure_of_the_agent(make: Make, end: str, how: str) -> None:
    agent = make(f"ready()\nreceive()\n{end}")
    agent.start(BRIEF)
    with pytest.raises(HarnessError, match=f"mine {how}.*: a signal from outside ended it"):
        agent.decide(an_observation(), ())


def test_an_unread_observation_times_out(make: Make) -> None:
    agent = make("ready(image='base64')\ntime.sleep(999)", seconds=0.5)
    agent.start(BRIEF)
    with pytest.raises(AgentError) as caught:
        for step in range(200):  # more than a pipe holds, with pictures of any size
            agent.decide(an_observation(step), HISTORY * 100)
    assert caught.value.kind is AgentFault.TIMEOUT


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "sys.exit('no model there')",
            "mine, before it was ready, exited with status 1; last output: no model there",
        ),
        (
            "print('hello, I am here', flush=True)\nreceive()",
            "mine could not start: mine answered invalid JSON",
        ),
        (
            "receive()\nsend(type='ready', protocol=7)\nreceive()",
            "mine speaks version 7 of the protocol; this",
        ),
        ("receive()\nprint('x' * 2_000_000)", "answered 'hello' with more than 1048576 bytes"),
        ("receive()\ntime.sleep(999)", "mine was not ready within 0.5 s"),
        ("receive()\nsend(type='ready', protocol=1)\nos._exit(2)", ""),
    ],
)
def test_an_agent_that_is_not_ready_is_a_start_error(make: Make, body: str, message: str) -> None:
    agent = make(body, start_seconds=0.5 if "sleep" in body else AMPLE)
    if not message:  # it ends just after it was ready: at the start, or at the first look
        with pytest.raises((AgentStartError, AgentError), match="exited with status 2"):
            agent.start(BRIEF)
            agent.decide(an_observation(), ())
        return
    with pytest.raises(AgentStartError) as caught:
        agent.start(BRIEF)
    assert message in str(caught.value)


def test_a_reported_model_error_is_not_a_failure_of_the_agent(make: Make) -> None:
    agent = make("ready()\nreceive()\nsend(type='fault', message='the quota is spent')\nreceive()")
    agent.start(BRIEF)
    with pytest.raises(ModelError, match="mine reports: the quota is spent"):
        agent.decide(an_observation(), ())


def test_a_program_that_cannot_be_started_is_a_start_error(tmp_path: Path) -> None:
    text = tmp_path / "agent"
    text.write_text("not a program", encoding="utf-8")
    text.chmod(0o755)
    agent = StdioAgent([str(text)], AgentContext("mine", tmp_path))
    with pytest.raises(AgentStartError, match=r"cannot be started: .*Exec format error"):
        agent.start(BRIEF)
    agent.close()


def test_a_late_answer_is_discarded(make: Make, tmp_path: Path) -> None:
    late = make("ready()\nreceive()\ntime.sleep(20)\nback(0)\nreceive()", seconds=0.4)
    late.start(BRIEF)
    with pytest.raises(AgentError):
        late.decide(an_observation(), ())
    with pytest.raises(AgentError):  # the answer to the last look is not taken for one to this
        late.decide(an_observation(1), ())
    late.close()
    following = make(GOOD)
    following.start(BRIEF)
    assert following.decide(an_observation(), ()) == Decision(act.Back())


def test_child_processes_are_terminated_outside_the_session_too(make: Make, tmp_path: Path) -> None:
    agent = make(
        "ready()\nreceive()\n"
        "near = subprocess.Popen(['sleep', '999'])\n"
        "far = subprocess.Popen(['setsid', 'sleep', '999'])\n"
        "while 'setsid' in open(f'/proc/{far.pid}/cmdline').read(): time.sleep(0.02)\n"
        "send(type='decision', step=0, action={'type': 'back'}, thought=f'{near.pid} {far.pid}')\n"
        "receive()\n"
    )
    agent.start(BRIEF)
    pids = [int(word) for word in agent.decide(an_observation(), ()).thought.split()]
    assert all(alive(pid) for pid in pids)
    agent.close()
    assert [pid for pid in pids if alive(pid)] == []


def test_a_stopping_run_does_not_wait_for_the_program(make: Make) -> None:
    stop: list[bool] = []
    agent = make("ready()\nreceive()\ntime.sleep(999)", seconds=999, stop=lambda: bool(stop))
    agent.start(BRIEF)
    stop.append(True)
    before = CLOCK.monotonic()
    with pytest.raises(AgentError):
        agent.decide(an_observation(), ())
    agent.close()
    assert CLOCK.monotonic() - before < AMPLE


def test_nothing_is_sent_to_a_program_that_stopped_reading(make: Make, tmp_path: Path) -> None:
    child = AgentProcess(
        program(tmp_path, "os.close(0)\ntime.sleep(999)"),
        BoundedLog(tmp_path / AGENT_LOG),
        AgentContext("a", tmp_path),
    )
    try:
        for _ in range(2):
            with pytest.raises(ChildExitedError):
                for _ in range(100):
                    child.send(b"x" * 65536, AMPLE)
    finally:
        child.terminate()
