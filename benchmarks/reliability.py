"""Campaigns under trouble: faults of phones, models and agents, full disks, kills; and memory over time."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import psutil

from benchmarks.report import Measure, median_ms
from benchmarks.small_disk import SmallDisk
from garabench.agents.models.session import ModelSession
from garabench.agents.profiles import built_in
from garabench.agents.registry import resolve_all
from garabench.campaign.device_kind import kind_of
from garabench.campaign.devices import VirtualLease
from garabench.campaign.executor import perform_episodes
from garabench.campaign.planner import make_plan, recorded_agents
from garabench.core import campaign_events as ev
from garabench.core.clock import SystemClock
from garabench.core.seeds import generator
from garabench.device.device import Device
from garabench.device.health import read_health
from garabench.errors import DeviceError, GaraError, HarnessError, ModelError, RecordError
from garabench.records.campaign_log import read_campaign
from garabench.records.device_environment import Environment
from garabench.records.plan import Plan
from garabench.records.reader import load_run
from garabench.records.results import Summary
from garabench.records.run_file import RunFile
from garabench.records.run_layout import CAMPAIGN, RUN_FILE, EpisodeKey
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from garabench.testing.faults import FaultKind, PlannedFault
from garabench.testing.follower import Follower
from garabench.testing.screen_index import ScreenIndex
from garabench.testing.server import FakeModelServer
from garabench.virtual.android.faults import Faults
from garabench.virtual.phone_process import VirtualPhone

AGENT = "accept"
PHONES = 2
GAP = (1.0, 5.0)
"""Pause between two faults of a phone, in mean durations of an episode without faults."""
FAULT_S = (0.5, 10.0)
FULL_DISKS = 3
MODEL, SCRIPT = "model", "script"
"""A model agent, whose endpoint has faults, and an agent in a separate process, which is killed."""
MODEL_FAULTS = (FaultKind.RATE_LIMIT, FaultKind.ERROR, FaultKind.OVERLOADED, FaultKind.HANG, FaultKind.CLOSE)
REQUESTS_BETWEEN, REQUESTS_OF_FAULT = (10, 40), (1, 6)
"""Requests to the model without a fault, and then with one; an agent gives up after `TRIES`."""
TRIES, REPLY_S = 3, 3
CRASH_S, CRASH_AFTER_S = (20.0, 60.0), (0.0, 3.0)
"""Time between two kills of the agent's process, and time that it has been running then."""
EXAMPLE = Path(__file__).parents[1] / "docs" / "examples" / "agent.py"
GARABENCH = (sys.executable, "-c", "from garabench.cli.main import main; main()")
KILL_S = (0.5, 12.0)
"""Time from the beginning of a run, or of its continuation, to its kill."""
WHOLE_KILLS, WHOLE_KILL_S = 8, (5.0, 90.0)
"""The same for a campaign of the whole suite."""
_POLL_S = 0.1
_PROFILE = "android-34:720x1280"
Key = tuple[str, str, str, int]


class SharedPhone(VirtualPhone):
    """A virtual phone that several threads control."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self._turn = threading.RLock()

    def _send(self, verb: str, **values: object) -> None:
        with self._turn:
            super()._send(verb, **values)

    def start(self) -> VirtualPhone:
        """Start it."""
        with self._turn:
            return super().start()

    def stop(self) -> None:
        """Stop it."""
        with self._turn:
            super().stop()


class Saboteur:
    """Switches random faults of a phone on and off until it is stopped."""

    def __init__(self, phone: SharedPhone, draws: Random, episode_s: float) -> None:
        self._phone, self._draws, self._episode_s = phone, draws, episode_s
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._sabotage, daemon=True)
        self.faults: list[tuple[str, float]] = []

    def __enter__(self) -> Saboteur:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._end.set()
        self._thread.join()

    def _sabotage(self) -> None:
        names = sorted(Faults.known())
        while not self._end.wait(self._episode_s * self._draws.uniform(*GAP)):
            name, seconds = self._draws.choice(names), self._draws.uniform(*FAULT_S)
            with contextlib.suppress(GaraError):  # the phone is being restarted
                self._phone.fault(name)
                self.faults.append((name, seconds))
            self._end.wait(seconds)
            with contextlib.suppress(GaraError):
                self._phone.fault(name, on=False)


class AgentKiller:
    """Kills the process of the agent `SCRIPT` at random moments until it is stopped."""

    def __init__(self, draws: Random) -> None:
        self._draws = draws
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.kills = 0
        """Number of processes that were killed."""

    def __enter__(self) -> AgentKiller:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._end.wait(self._draws.uniform(*CRASH_S)):
            while not self._end.wait(_POLL_S) and not self._kill():
                pass

    def _kill(self) -> bool:
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if str(EXAMPLE) in process.cmdline():
                    self._end.wait(self._draws.uniform(*CRASH_AFTER_S))
                    process.kill()
                    self.kills += 1
                    return True
        return False


def _model_faults(draws: Random, requests: int) -> list[PlannedFault]:
    """Draw which requests to a model fail, and how."""
    faults: list[PlannedFault] = []
    number = 1
    while number < requests:
        number += draws.randint(*REQUESTS_BETWEEN)
        last = number + draws.randint(*REQUESTS_OF_FAULT) - 1
        faults.append(PlannedFault(draws.choice(MODEL_FAULTS), number, last))
        number = last + 1
    return faults


@contextlib.contextmanager
def _model_server(suite: Suite, run: Path, faults: Sequence[PlannedFault] = ()) -> Iterator[FakeModelServer]:
    """Serve a fake model that solves the tasks of a run."""
    follower = Follower(suite, ScreenIndex([run]), built_in())
    with FakeModelServer(follower, key=None, faults=faults) as server:
        yield server


def _agents(server: FakeModelServer) -> tuple[str, ...]:
    model = f"{MODEL}=t3a?base_url={server.base_url}&seconds={REPLY_S}&tries={TRIES}"
    return AGENT, model, f"{SCRIPT}=process:{sys.executable} {EXAMPLE}"


def _session() -> ModelSession:
    """Return the state of the model agents; the fake server accepts any key."""
    return ModelSession(environ={"OPENAI_API_KEY": "none"})


def _plan(suite: Suite, episodes: int, conditions: Sequence[str], agents: Sequence[str]) -> Plan:
    """Plan at least this many episodes, with as many seeds as needed."""
    tasks = suite.select("bilibili,weibo,jd,amap")
    per_task = len(conditions) * len(agents)
    limit = min(len(tasks), -(-episodes // per_task))
    seeds = -(-episodes // (limit * per_task))
    return make_plan(tasks, agents, conditions=conditions, seeds=seeds, shuffle=True, limit=limit)


def _begin(folder: Path, plan: Plan, suite: Suite, phone: VirtualPhone) -> RunWriter:
    with Device.connect(phone.serial, SystemClock()) as device:
        environment = Environment(kind=kind_of(device.info), model=device.info.model)
    agents = recorded_agents(plan, resolve_all(plan.agents))
    file = RunFile(garabench="0", plan=plan, agents=agents, suite_hash=suite.digest, device=environment)
    return RunWriter.create(folder, file)


@contextlib.contextmanager
def _phones(count: int) -> Iterator[list[SharedPhone]]:
    with contextlib.ExitStack() as stack:
        phones = [SharedPhone(_PROFILE) for _ in range(count)]
        for phone in phones:
            stack.enter_context(phone)
        yield phones


def _outcomes(folder: Path) -> dict[Key, str]:
    return {
        (each.task, each.agent, each.condition, each.seed): each.outcome
        for each in load_run(folder).summaries
    }


class _FullDisk:
    """Fills the disk of a run at chosen beginnings of attempts; raises the error if none is mounted."""

    def __init__(self, disk: SmallDisk, at: Sequence[int]) -> None:
        self._disk, self._at, self._count = disk, set(at), 0
        self.failures = 0

    def __call__(self, event: ev.CampaignEvent) -> None:
        if isinstance(event, ev.AttemptBegun):
            self._count += 1
            if self._count in self._at:
                if not self._disk.mounted:
                    raise RecordError("the disk is full (simulated)")
                self._disk.fill()

    def free(self, error: GaraError) -> None:
        """Give the disk space again, after an error has ended the run."""
        self.failures += "disk is full" in str(error)
        self._disk.free()


def measure_faults(folder: Path, episodes: int, seed: int = 0) -> list[Measure]:
    """Compare a campaign under random faults with the same campaign without any."""
    with SmallDisk(folder / "rough") as disk:
        return _measure_faults(folder, episodes, seed, disk)


def _measure_faults(folder: Path, episodes: int, seed: int, disk: SmallDisk) -> list[Measure]:
    suite, clock = Suite.load(), SystemClock()
    conditions = ("clean", "dual")
    draws = generator(seed, "benchmarks", "reliability")
    with _phones(PHONES) as phones:
        leases = [VirtualLease(phone, clock, _PROFILE) for phone in phones]
        start = time.perf_counter()
        with _model_server(suite, folder / "calm") as server:
            plan = _plan(suite, episodes, conditions, _agents(server))
            calm = _begin(folder / "calm", plan, suite, phones[0])
            perform_episodes(calm, suite, resolve_all(plan.agents), leases, clock, session=_session())
        calm_s = time.perf_counter() - start
        model_faults = _model_faults(generator(seed, "benchmarks", "model faults"), 20 * episodes)
        resumed = 0
        start = time.perf_counter()
        with contextlib.ExitStack() as stack:
            server = stack.enter_context(_model_server(suite, folder / "rough", model_faults))
            plan = _plan(suite, episodes, conditions, _agents(server))
            agents = resolve_all(plan.agents)
            rough = _begin(folder / "rough", plan, suite, phones[0])
            full = _FullDisk(disk, draws.sample(range(2, max(5, episodes)), FULL_DISKS))
            killer = stack.enter_context(AgentKiller(generator(seed, "benchmarks", "agent crashes")))
            episode_s = calm_s * PHONES / len(_outcomes(calm.folder))
            saboteurs = [
                stack.enter_context(
                    Saboteur(phone, generator(seed, "benchmarks", "reliability", number), episode_s)
                )
                for number, phone in enumerate(phones)
            ]
            while True:
                try:
                    perform_episodes(rough, suite, agents, leases, clock, session=_session(), on_event=full)
                    break
                except (DeviceError, HarnessError, ModelError) as error:
                    resumed += 1
                    full.free(error)
                    print(f"resumed: {error}", file=sys.stderr)
                    if resumed > 2 * FULL_DISKS + 10:
                        raise
        rough_s = time.perf_counter() - start
        failed_requests = sum(bool(request.fault) for request in server.requests)
    planned = [tuple(vars_of(key)) for key in rough.file.episode_keys()]
    before, after = _outcomes(calm.folder), _outcomes(rough.folder)
    lines = len((rough.folder / "results.jsonl").read_text("utf-8").splitlines())
    wrong = {
        key: f"{before[key]} -> {after[key]}" for key in after if after[key] not in ("error", before[key])
    }
    for key, change in wrong.items():
        print(f"decided by a fault: {'/'.join(map(str, key))}: {change}", file=sys.stderr)
        for episode in load_run(rough.folder).episodes:
            if _key(episode.key) == key:
                print(f"  {episode.folder}", file=sys.stderr)
    errors = sum(outcome == "error" for outcome in after.values())
    rungs = sum(isinstance(event, ev.RungPerformed) for event in read_campaign(rough.folder))
    repeated = sum(
        isinstance(event, ev.AttemptEnded) and not event.last for event in read_campaign(rough.folder)
    )
    number = sum(len(each.faults) for each in saboteurs)
    note = (
        f"{len(planned)} episodes of 3 agents, {number} faults of 0.5-10 s on {PHONES} phones, "
        f"{failed_requests} failed requests to a model, {killer.kills} killed agents, "
        f"{full.failures} full disks{'' if disk.mounted else ' (simulated)'}"
    )
    return [
        Measure("lost episodes", len(set(planned) - after.keys()), "times", 0, note=note),
        Measure("doubled episodes", lines - len(after), "times", 0),
        Measure(
            "episodes decided by a fault", len(wrong), "times", 0, note="outcome differs from the calm run"
        ),
        Measure(
            "episodes that ended without error",
            100 * (1 - errors / len(planned)),
            "%",
            98,
            at_least=True,
            note=f"{repeated} attempts repeated, {rungs} measures of recovery",
        ),
        Measure("duration under faults", rough_s / calm_s, "x", note=f"{calm_s:.0f} s without faults"),
    ]


def _key(each: EpisodeKey | Summary) -> Key:
    return each.task, each.agent, each.condition, each.seed


def vars_of(key: object) -> tuple[object, ...]:
    """Return the parts of an episode's key."""
    return tuple(getattr(key, name) for name in ("task", "agent", "condition", "seed"))


def measure_kills(folder: Path, kills: int, seed: int = 0) -> list[Measure]:
    """Kill a campaign at random moments, resume it each time, and compare it with an undisturbed one."""
    options = ["--tasks", "all", "--shuffle", "--limit", str(max(4, 4 * kills)), "--jobs", "2"]
    return _measure_killed_campaign(folder, options, kills, KILL_S, generator(seed, "benchmarks", "kills"))


def measure_whole_campaign(folder: Path, seed: int = 0) -> list[Measure]:
    """Kill a campaign of the whole suite on eight phones, and compare it with an undisturbed one."""
    options = ["--tasks", "all", "--seeds", "2", "--jobs", "8"]
    draws = generator(seed, "benchmarks", "whole campaign")
    return _measure_killed_campaign(folder, options, WHOLE_KILLS, WHOLE_KILL_S, draws)


def _measure_killed_campaign(
    folder: Path, options: Sequence[str], kills: int, kill_s: tuple[float, float], draws: Random
) -> list[Measure]:
    """Perform a campaign twice, once with kills.

    Args:
        folder: An empty folder.
        options: Options of ``garabench run``.
        kills: Number of SIGKILLs.
        kill_s: Shortest and longest time from the beginning of a run, or of its continuation, to its kill.
        draws: The random numbers.
    """
    folder.mkdir(parents=True)
    words = [*GARABENCH, "run", "--no-report", "--agents", AGENT, *options]
    subprocess.run([*words, "--out", str(folder / "calm")], check=True, capture_output=True)
    killed_folder = folder / "killed"
    done = 0
    for _ in range(kills):
        more = ["--resume"] if (killed_folder / RUN_FILE).is_file() else []
        process = subprocess.Popen(
            [*words, "--out", str(killed_folder), *more],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if _ends_within(process, killed_folder, draws.uniform(*kill_s)):
            break  # before all kills
        process.kill()
        process.wait()
        done += 1
    more = ["--resume"] if (killed_folder / RUN_FILE).is_file() else []
    subprocess.run([*words, "--out", str(killed_folder), *more], check=True, capture_output=True)
    calm, killed = _outcomes(folder / "calm"), _outcomes(folder / "killed")
    differ = sum(calm.get(key) != killed.get(key) for key in calm.keys() | killed.keys())
    lines = len((folder / "killed" / "results.jsonl").read_text("utf-8").splitlines())
    return [
        Measure(
            "results that differ after kills",
            differ,
            "times",
            0,
            note=f"{done} SIGKILLs, {len(calm)} episodes",
        ),
        Measure("doubled results after kills", lines - len(killed), "times", 0),
        Measure(
            "figures of the comparison that differ",
            sum(one != other for one, other in _compared(folder / "calm", folder / "killed")),
            "times",
            0,
            note="of `garabench compare --json`, all but durations",
        ),
    ]


def _compared(*runs: Path) -> Iterator[tuple[object, ...]]:
    """Yield the figures of the comparison of each run, side by side, without durations and paths."""
    tables = []
    for run in runs:
        words = [*GARABENCH, "compare", str(run), "--json"]
        printed = subprocess.run(words, check=True, capture_output=True).stdout
        tables.append(dict(_figures(json.loads(printed))))
    for path in sorted(set().union(*tables)):
        yield tuple(table.get(path) for table in tables)


def _figures(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            if key != "left_out" and "second" not in key:
                yield from _figures(each, f"{path}/{key}")
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _figures(each, f"{path}/{number}")
    else:
        yield path, value


def _ends_within(process: subprocess.Popen[bytes], folder: Path, seconds: float) -> bool:
    """Wait until a process has begun or resumed its run, and some seconds; return whether it ended."""
    log = folder / CAMPAIGN
    size = log.stat().st_size if log.is_file() else 0
    remaining = seconds
    while remaining > 0:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_POLL_S)
            return True
        if log.is_file() and log.stat().st_size > size:
            remaining -= _POLL_S
    return False


def measure_health_check() -> Measure:
    """Measure the check of a healthy virtual phone before an episode."""
    with VirtualPhone() as phone, Device.connect(phone.serial) as device:
        read_health(device)
        return Measure(
            "health check of a virtual phone", median_ms(lambda: read_health(device), 50), "ms", 20
        )
