"""External agents on virtual phones: the shipped examples, misbehaving agents, interrupts and kills."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import garabench
from garabench.agents.context import AgentContext
from garabench.agents.registry import make_agent, resolve
from garabench.core import events as ev
from garabench.core.clock import SystemClock
from garabench.episode.runner import perform_episode
from garabench.records.event_reader import read_events
from garabench.records.reader import Run
from garabench.records.run_layout import AGENT_LOG, FAULT_LOG
from tests.agents.external.programs import alive, program
from tests.bundled import bundled_suite
from tests.planned import episodes
from tests.waits import until

pytestmark = pytest.mark.e2e
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
TASK = "amap-satellite-with-traffic"
TAP_LABELS = "图层 卫星图 实时路况"
CUSTOM_AGENT = """
from garabench import Decision
from garabench.core.action import Tap
class CustomAgent:
    def __init__(self, words: str): self.words = words.split()
    def start(self, brief): pass
    def decide(self, observation, history):
        word = self.words.pop(0)
        place = next(n.bounds.center for n in observation.tree.nodes if word in (n.text, n.desc))
        return Decision(Tap(x=place.x, y=place.y), word)
    def close(self): pass
"""


@pytest.fixture
def example_dir(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """The working directory of the run, with copies of the shipped examples."""
    for name in ("agent.js", "agent.py", "drive.sh"):
        shutil.copy(EXAMPLES / name, tmp_path / name)
    (tmp_path / "custom_agent_for_e2e_test.py").write_text(CUSTOM_AGENT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def services(example_dir: Path) -> Iterator[dict[str, str]]:
    """The addresses of the examples that run as HTTP services."""
    running = {
        name: subprocess.Popen(
            [program, file, "--port", "0"],
            cwd=example_dir,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name, program, file in (("js", "node", "agent.js"), ("py", sys.executable, "agent.py"))
    }
    found = {}
    for name, each in running.items():
        assert each.stderr is not None
        (port,) = re.findall(r"port (\d+)", each.stderr.readline())
        found[name] = f"http://127.0.0.1:{port}/"
    yield found
    for each in running.values():
        each.kill()
        each.communicate()


def run_agents(
    out: Path, agents: tuple[str, ...], *, seeds: int = 1, limit: float = 120, jobs: int = 1
) -> Run:
    plan = garabench.make_plan(
        bundled_suite().select(TASK),
        agents,
        conditions=("clean",),
        seeds=seeds,
        decision_seconds=limit,
    )
    return garabench.run(plan, out, jobs=jobs)


def outcomes(run: Run) -> list[tuple[str, str, str]]:
    return [(each.agent, each.outcome, each.reason) for each in run.summaries]


def episode_folder(run: Run, agent: str, condition: str = "clean") -> Path:
    """Return the folder of an agent's first episode."""
    seed = next(each.seed for each in run.summaries if each.agent == agent)
    return run.folder / "episodes" / TASK / agent / condition / str(seed)


def test_examples_complete_an_episode_on_concurrent_phones(
    example_dir: Path, services: dict[str, str]
) -> None:
    agents = (
        "process:./agent.js",
        "process:./agent.py",
        f"js-service={services['js']}",
        f"py-service={services['py']}",
        f"autonomous:./drive.sh {TAP_LABELS}",
        f"custom=custom_agent_for_e2e_test:CustomAgent?words={TAP_LABELS.replace(' ', '+')}",
    )
    run = run_agents(example_dir / "run", agents, jobs=2)
    names = ("agent.js", "agent.py", "js-service", "py-service", "drive.sh", "custom")
    assert outcomes(run) == [(name, "success", "goal_met") for name in names]
    reloaded = garabench.load_run(run.folder)
    assert reloaded.file.plan.agents == agents  # a resumed run starts the same agents
    assert outcomes(reloaded) == outcomes(run)
    autonomous = run.summaries[4]
    assert 1 <= autonomous.steps <= 3
    log = read_events(episode_folder(run, autonomous.agent))
    assert sum(isinstance(event, ev.ActionObserved) for event in log) == autonomous.steps
    assert "tap 实时路况 at" in (episode_folder(run, autonomous.agent) / AGENT_LOG).read_text(
        encoding="utf-8"
    )


def test_an_episode_whose_agent_was_killed_is_retried(example_dir: Path) -> None:
    (example_dir / "killed_once.py").write_text(
        "import os, pathlib, signal, sys\n"
        "mark = pathlib.Path('killed')\n"
        "if mark.exists(): os.execv(sys.executable, [sys.executable, 'agent.py'])\n"
        "mark.touch()\n"
        "sys.stdin.readline()\n"
        'print(\'{"type": "ready", "protocol": 1}\', flush=True)\n'
        "sys.stdin.readline(), sys.stdin.readline()\n"  # the start and the first observation
        "os.kill(os.getpid(), signal.SIGKILL)\n",
        encoding="utf-8",
    )
    run = run_agents(example_dir / "run", (f"mine=process:{sys.executable} killed_once.py",))
    assert outcomes(run) == [("mine", "success", "goal_met")]
    (episode,) = run.episodes
    (attempt,) = episode.earlier_attempts
    (fault,) = (event for event in read_events(attempt.folder) if isinstance(event, ev.FaultEvent))
    assert (fault.at_fault, fault.message) == (
        "harness",
        "mine was killed by SIGKILL: a signal from outside ended it",
    )


def test_misbehaving_agent_fails_only_its_own_episode(example_dir: Path) -> None:
    script = (
        "import pathlib\n"
        "first = not pathlib.Path('{0}').exists()\n"
        "pathlib.Path('{0}').touch()\n"
        "ready()\n"
        "message = receive()\n"
        "if first:\n"
        "    {1}\n"
        "send(type='decision', step=message['step'], action={{'type': 'give_up'}})\n"
        "receive()\n"
    )
    failures = {
        "crash": "sys.exit('segmentation fault')",
        "hang": "time.sleep(999)",
        "flood": "print('x' * 10_000_000)",
        "nonsense": "send(type='decision', step='one', action=[1])",
        "late": "time.sleep(6)",
    }
    commands = {
        name: program(example_dir, script.format(example_dir / f"{name}-was-here", failure), f"{name}.py")
        for name, failure in failures.items()
    }
    agents = {name: f"{name}=process:{' '.join(command)}" for name, command in commands.items()}
    reasons = {
        "crash": "agent_failed",
        "hang": "agent_timeout",
        "flood": "unparseable",
        "nonsense": "unparseable",
        "late": "agent_timeout",
    }
    timed = ("hang", "late")
    for names, limit in ((tuple(name for name in reasons if name not in timed), 120), (timed, 4)):
        run = run_agents(
            example_dir / f"run-{limit}", tuple(agents[name] for name in names), seeds=2, limit=limit
        )
        assert outcomes(run) == [
            each
            for name in names
            for each in ((name, "failure", reasons[name]), (name, "failure", "gave_up"))
        ]
    run = garabench.load_run(example_dir / "run-120")
    (fault,) = [
        event for event in read_events(episode_folder(run, "crash")) if isinstance(event, ev.FaultEvent)
    ]
    assert (fault.at_fault, fault.error) == ("agent", "AgentError")
    assert fault.message == (
        "crash, in the middle of the episode, exited with status 1; last output: segmentation fault"
    )
    assert not (episode_folder(run, "crash") / FAULT_LOG).exists()


def test_autonomous_agent_is_interrupted_and_observed(example_dir: Path) -> None:
    suite = bundled_suite()
    plan = garabench.make_plan(suite.select(TASK), ("autonomous:./close.sh",), conditions=("dual",))
    (spec,) = episodes(plan, suite)
    buttons = [b for interruption in spec.interruptions.values() for b in interruption.buttons]
    dismiss_labels = {b.label["zh"] for b in buttons if b.role == "dismiss"}
    labels = "|".join(sorted(dismiss_labels - {b.label["zh"] for b in buttons if b.role != "dismiss"}))
    wrapper = example_dir / "close.sh"
    wrapper.write_text(
        "#!/bin/sh\n"
        "adb shell uiautomator dump /data/local/tmp/x.xml >/dev/null\n"
        f"adb shell cat /data/local/tmp/x.xml | grep -qE '\"({labels})\"' && ./drive.sh '{labels}' 图层\n"
        "sleep 999 & echo $! > pids; setsid sleep 999 & echo $! >> pids; wait\n",
        encoding="utf-8",
    )
    wrapper.chmod(0o755)
    example = (example_dir / "drive.sh").read_text(encoding="utf-8").replace('CLOSE="', 'CLOSE="nothing|')
    (example_dir / "drive.sh").write_text(example, encoding="utf-8")
    plan = plan.model_copy(update={"decision_seconds": 15.0})
    run = garabench.run(plan, example_dir / "run", jobs=1)
    (each,) = run.summaries
    assert (each.outcome, each.reason) == ("failure", "agent_timeout")  # it keeps running without acting
    assert each.exits[0] == "dismiss"  # closed through adb
    log = read_events(episode_folder(run, "close.sh", "dual"))
    kinds = [event.type for event in log]
    assert kinds.index("interruption_injected") < kinds.index("action_observed")
    assert each.steps >= 1
    assert not any(alive(int(pid)) for pid in (example_dir / "pids").read_text(encoding="utf-8").split())
    assert json.loads((run.folder / "run.json").read_text(encoding="utf-8"))["plan"]["decision_seconds"] == 15


def test_ctrl_c_ends_a_hanging_agent_and_the_run_resumes(example_dir: Path) -> None:
    command = program(
        example_dir,
        "ready()\n"
        "message = receive()\n"
        "open('pid', 'w').write(str(os.getpid()))\n"
        "if not os.path.exists('cured'): time.sleep(999)\n"
        "send(type='decision', step=message['step'], action={'type': 'give_up'})\n"
        "receive()\n",
    )
    argv = [
        str(Path(sys.executable).with_name("garabench")),
        "run",
        "--tasks",
        TASK,
        "--conditions",
        "clean",
    ]
    argv += ["--agents", f"slow=process:{shlex.join(command)}", "--jobs", "1", "--out", "run"]
    process = subprocess.Popen(argv, cwd=example_dir, stderr=subprocess.PIPE, text=True)
    until(
        lambda: (
            process.poll() is not None
            or ((example_dir / "pid").exists() and (example_dir / "pid").read_bytes())
        )
    )
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=120)
    assert process.returncode == 130, stderr
    assert f"--agents 'slow=process:{shlex.join(command)}'" in stderr
    assert not alive(int((example_dir / "pid").read_text(encoding="utf-8")))
    (example_dir / "cured").touch()
    done = subprocess.run(
        [*argv, "--resume"], cwd=example_dir, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert outcomes(garabench.load_run(example_dir / "run")) == [("slow", "failure", "gave_up")]


@pytest.mark.parametrize("scheme", ["autonomous", "process"])
def test_processes_of_a_killed_run_are_ended(example_dir: Path, scheme: str) -> None:
    command = program(
        example_dir,
        "if 'GARABENCH_BRIEF' not in os.environ: ready()\n"
        "pids = [os.getpid(), *(subprocess.Popen([*far, 'sleep', '999']).pid for far in ([], ['setsid']))]\n"
        "open('pids', 'w').write(' '.join(map(str, pids)) + '.')\n"
        "time.sleep(999)\n",
    )
    argv = [str(Path(sys.executable).with_name("garabench")), "run", "--tasks", TASK, "--jobs", "1"]
    argv += ["--conditions", "clean", "--agents", f"custom={scheme}:{shlex.join(command)}", "--out", "run"]
    process = subprocess.Popen(argv, cwd=example_dir, stderr=subprocess.DEVNULL)
    pids_file = example_dir / "pids"
    until(lambda: process.poll() is not None or (pids_file.exists() and pids_file.read_text().endswith(".")))
    pids = [int(pid) for pid in (example_dir / "pids").read_text(encoding="utf-8").rstrip(".").split()]
    assert all(map(alive, pids))
    process.kill()
    process.wait()
    until(lambda: not any(map(alive, pids)))


def test_every_action_is_observed_on_a_slow_phone(example_dir: Path) -> None:
    suite, clock = bundled_suite(), SystemClock()
    agent_option = f"autonomous:./drive.sh {TAP_LABELS}"
    (spec,) = episodes(garabench.make_plan(suite.select(TASK), (agent_option,), conditions=("clean",)), suite)
    context = AgentContext(spec.agent, example_dir / "run" / spec.folder)
    with garabench.VirtualPhone(latency="phone") as phone:
        device = garabench.Device.connect(phone.serial, clock)
        end = perform_episode(
            spec, device, make_agent(resolve(agent_option), context, spec.task), example_dir / "run", clock
        )
        device.close()
    assert (end.outcome, end.steps) == ("success", len(TAP_LABELS.split()))
