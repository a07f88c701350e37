"""Agents of one's own on the virtual phone: the examples complete episodes; who misbehaves costs its own."""

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
from garabench.episode.runner import run_episode
from garabench.records.event_reader import read_events
from garabench.records.layout import AGENT_LOG, FAULT_LOG
from garabench.records.reader import Run
from tests.agents.external.programs import alive, program
from tests.bundled import bundled_suite
from tests.planned import episodes
from tests.waits import until

pytestmark = pytest.mark.e2e
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
TASK = "amap-satellite-with-traffic"
WORDS = "图层 卫星图 实时路况"
MINE = """
from garabench import Decision
from garabench.core.action import Tap
class Mine:
    def __init__(self, words: str): self.words = words.split()
    def start(self, brief): pass
    def decide(self, observation, history):
        word = self.words.pop(0)
        place = next(n.bounds.center for n in observation.tree.nodes if word in (n.text, n.desc))
        return Decision(Tap(x=place.x, y=place.y), word)
    def close(self): pass
"""


@pytest.fixture
def here(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """A folder with the examples, in which the run is started."""
    for name in ("agent.js", "agent.py", "drive.sh"):
        shutil.copy(EXAMPLES / name, tmp_path / name)
    (tmp_path / "own_agents_of_an_e2e_test.py").write_text(MINE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def services(here: Path) -> Iterator[dict[str, str]]:
    """The examples as services: their addresses by the program that runs them."""
    running = {
        name: subprocess.Popen(
            [program, file, "--port", "0"],
            cwd=here,
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


def perform(out: Path, agents: tuple[str, ...], *, seeds: int = 1, limit: float = 120, jobs: int = 1) -> Run:
    plan = garabench.make_plan(
        bundled_suite().select(TASK),
        agents,
        conditions=("clean",),
        seeds=seeds,
        decision_seconds=limit,
    )
    return garabench.run(plan, out, jobs=jobs)


def told(run: Run) -> list[tuple[str, str, str]]:
    return [(each.agent, each.outcome, each.reason) for each in run.summaries]


def record(run: Run, agent: str, condition: str = "clean") -> Path:
    """The folder of an agent's first episode."""
    seed = next(each.seed for each in run.summaries if each.agent == agent)
    return run.folder / "episodes" / TASK / agent / condition / str(seed)


def test_the_examples_complete_an_episode_on_several_phones_at_once(
    here: Path, services: dict[str, str]
) -> None:
    agents = (
        "process:./agent.js",
        "process:./agent.py",
        f"js-service={services['js']}",
        f"py-service={services['py']}",
        f"autonomous:./drive.sh {WORDS}",
        f"mine=own_agents_of_an_e2e_test:Mine?words={WORDS.replace(' ', '+')}",
    )
    run = perform(here / "run", agents, jobs=2)
    names = ("agent.js", "agent.py", "js-service", "py-service", "drive.sh", "mine")
    assert told(run) == [(name, "success", "goal_met") for name in names]
    again = garabench.load_run(run.folder)
    assert again.file.plan.agents == agents  # what a run is gone on with
    assert told(again) == told(run)
    autonomous = run.summaries[4]
    assert 1 <= autonomous.steps <= 3
    log = read_events(record(run, autonomous.agent))
    assert sum(isinstance(event, ev.ActionObserved) for event in log) == autonomous.steps
    assert "tap 实时路况 at" in (record(run, autonomous.agent) / AGENT_LOG).read_text(encoding="utf-8")


def test_one_that_misbehaves_costs_its_episode_only(here: Path) -> None:
    once = (
        "import pathlib\n"
        "first = not pathlib.Path('{0}').exists()\n"
        "pathlib.Path('{0}').touch()\n"
        "ready()\n"
        "said = hear()\n"
        "if first:\n"
        "    {1}\n"
        "say(type='decision', step=said['step'], action={{'type': 'give_up'}})\n"
        "hear()\n"
    )
    misdeeds = {
        "crash": "sys.exit('segmentation fault')",
        "hang": "time.sleep(999)",
        "flood": "print('x' * 10_000_000)",
        "nonsense": "say(type='decision', step='one', action=[1])",
        "late": "time.sleep(6)",
    }
    commands = {
        name: program(here, once.format(here / f"{name}-was-here", misdeed), f"{name}.py")
        for name, misdeed in misdeeds.items()
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
        run = perform(here / f"run-{limit}", tuple(agents[name] for name in names), seeds=2, limit=limit)
        assert told(run) == [
            each
            for name in names
            for each in ((name, "failure", reasons[name]), (name, "failure", "gave_up"))
        ]
    run = garabench.load_run(here / "run-120")
    (fault,) = [event for event in read_events(record(run, "crash")) if isinstance(event, ev.FaultEvent)]
    assert (fault.at_fault, fault.error) == ("agent", "AgentError")
    assert fault.message == (
        "crash, in the middle of the episode, exited with status 1; last output: segmentation fault"
    )
    assert not (record(run, "crash") / FAULT_LOG).exists()


def test_one_that_drives_the_device_is_interrupted_and_watched(here: Path) -> None:
    suite = bundled_suite()
    plan = garabench.make_plan(suite.select(TASK), ("autonomous:./close.sh",), conditions=("dual",))
    (spec,) = episodes(plan, suite)
    buttons = [b for interruption in spec.interruptions.values() for b in interruption.buttons]
    ways_out = {b.label["zh"] for b in buttons if b.role == "dismiss"}
    words = "|".join(sorted(ways_out - {b.label["zh"] for b in buttons if b.role != "dismiss"}))
    drive = here / "close.sh"
    drive.write_text(
        "#!/bin/sh\n"
        "adb shell uiautomator dump /data/local/tmp/x.xml >/dev/null\n"
        f"adb shell cat /data/local/tmp/x.xml | grep -qE '\"({words})\"' && ./drive.sh '{words}' 图层\n"
        "sleep 999 & echo $! > pids; setsid sleep 999 & echo $! >> pids; wait\n",
        encoding="utf-8",
    )
    drive.chmod(0o755)
    text = (here / "drive.sh").read_text(encoding="utf-8").replace('CLOSE="', 'CLOSE="nothing|')
    (here / "drive.sh").write_text(text, encoding="utf-8")
    plan = plan.model_copy(update={"decision_seconds": 15.0})
    run = garabench.run(plan, here / "run", jobs=1)
    (each,) = run.summaries
    assert (each.outcome, each.reason) == ("failure", "agent_timeout")  # it goes on, and does nothing more
    assert each.exits[0] == "dismiss"  # closed through adb
    log = read_events(record(run, "close.sh", "dual"))
    kinds = [event.type for event in log]
    assert kinds.index("interruption_injected") < kinds.index("action_observed")
    assert each.steps >= 1
    assert not any(alive(int(pid)) for pid in (here / "pids").read_text(encoding="utf-8").split())
    assert json.loads((run.folder / "run.json").read_text(encoding="utf-8"))["plan"]["decision_seconds"] == 15


def test_ctrl_c_ends_an_agent_that_hangs_and_the_run_goes_on_with_it(here: Path) -> None:
    command = program(
        here,
        "ready()\n"
        "said = hear()\n"
        "open('pid', 'w').write(str(os.getpid()))\n"
        "if not os.path.exists('cured'): time.sleep(999)\n"
        "say(type='decision', step=said['step'], action={'type': 'give_up'})\n"
        "hear()\n",
    )
    words = [
        str(Path(sys.executable).with_name("garabench")),
        "run",
        "--tasks",
        TASK,
        "--conditions",
        "clean",
    ]
    words += ["--agents", f"slow=process:{shlex.join(command)}", "--jobs", "1", "--out", "run"]
    begun = subprocess.Popen(words, cwd=here, stderr=subprocess.PIPE, text=True)
    until(lambda: begun.poll() is not None or ((here / "pid").exists() and (here / "pid").read_bytes()))
    begun.send_signal(signal.SIGINT)
    _, said = begun.communicate(timeout=120)
    assert begun.returncode == 130, said
    assert f"--agents 'slow=process:{shlex.join(command)}'" in said
    assert not alive(int((here / "pid").read_text(encoding="utf-8")))
    (here / "cured").touch()
    done = subprocess.run(
        [*words, "--resume"], cwd=here, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert told(garabench.load_run(here / "run")) == [("slow", "failure", "gave_up")]


@pytest.mark.parametrize("scheme", ["autonomous", "process"])
def test_what_a_killed_run_has_started_does_not_go_on(here: Path, scheme: str) -> None:
    command = program(
        here,
        "if 'GARABENCH_BRIEF' not in os.environ: ready()\n"
        "pids = [os.getpid(), *(subprocess.Popen([*far, 'sleep', '999']).pid for far in ([], ['setsid']))]\n"
        "open('pids', 'w').write(' '.join(map(str, pids)) + '.')\n"
        "time.sleep(999)\n",
    )
    words = [str(Path(sys.executable).with_name("garabench")), "run", "--tasks", TASK, "--jobs", "1"]
    words += ["--conditions", "clean", "--agents", f"mine={scheme}:{shlex.join(command)}", "--out", "run"]
    begun = subprocess.Popen(words, cwd=here, stderr=subprocess.DEVNULL)
    pids_file = here / "pids"
    until(lambda: begun.poll() is not None or (pids_file.exists() and pids_file.read_text().endswith(".")))
    pids = [int(pid) for pid in (here / "pids").read_text(encoding="utf-8").rstrip(".").split()]
    assert all(map(alive, pids))
    begun.kill()
    begun.wait()
    until(lambda: not any(map(alive, pids)))


def test_where_commands_take_their_time_every_action_is_seen(here: Path) -> None:
    suite, clock = bundled_suite(), SystemClock()
    text = f"autonomous:./drive.sh {WORDS}"
    (spec,) = episodes(garabench.make_plan(suite.select(TASK), (text,), conditions=("clean",)), suite)
    setting = AgentContext(spec.agent, here / "run" / spec.folder)
    with garabench.VirtualPhone(latency="phone") as phone:
        device = garabench.Device.connect(phone.serial, clock)
        end = run_episode(spec, device, make_agent(resolve(text), setting, spec.task), here / "run", clock)
        device.close()
    assert (end.outcome, end.steps) == ("success", len(WORDS.split()))
