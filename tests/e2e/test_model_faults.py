"""The effect of endpoint faults on episodes and runs, over real HTTP."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from garabench.agents.context import AgentContext
from garabench.agents.models.catalog import make_model_agent
from garabench.agents.options import with_options
from garabench.agents.profiles import built_in
from garabench.campaign.planner import make_plan
from garabench.cli.main import main
from garabench.core import events as ev
from garabench.core.clock import SystemClock
from garabench.device.device import Device
from garabench.episode.runner import perform_episode
from garabench.records.event_reader import read_events
from garabench.records.reader import load_run
from garabench.suite.suite import Suite
from garabench.testing.server import FakeModelServer
from garabench.virtual.phone_process import VirtualPhone
from tests.bundled import bundled_suite
from tests.e2e.model_agents import KEY, KEY_ENV, TASK, agent_at, serve_models
from tests.phones import PhonePool
from tests.planned import episodes

AGENT = "gpt-4o"


@pytest.fixture(scope="module")
def phone(phone_pool: PhonePool) -> Iterator[VirtualPhone]:
    with phone_pool.borrow() as running:
        yield running


@pytest.fixture(scope="module")
def device(phone: VirtualPhone) -> Iterator[Device]:
    connected = Device.connect(phone.serial, SystemClock())
    yield connected
    connected.close()


@pytest.fixture(scope="module")
def suite() -> Suite:
    return bundled_suite()


@dataclasses.dataclass(frozen=True)
class FaultyEpisode:
    """An episode whose endpoint failed as planned."""

    end: ev.EpisodeEnded
    events: tuple[ev.Event, ...]
    server: FakeModelServer
    seconds: float

    @property
    def faults(self) -> list[str]:
        return [request.fault for request in self.server.requests]

    @property
    def fault(self) -> ev.FaultEvent:
        (found,) = (event for event in self.events if isinstance(event, ev.FaultEvent))
        return found


RunWithFaults = Callable[..., FaultyEpisode]


@pytest.fixture
def run_with_faults(
    suite: Suite, phone: VirtualPhone, device: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> RunWithFaults:
    """Return a function that runs an episode with planned endpoint faults."""

    def run(*faults: str, agent: str = AGENT, **options: object) -> FaultyEpisode:
        monkeypatch.setenv(KEY_ENV, KEY)
        phone.reset()
        clock = SystemClock()
        with serve_models(suite, tmp_path, faults=faults) as server:
            settings = {"base_url": server.base_url, "key_env": KEY_ENV, **options}
            profile = with_options(built_in()[agent], {key: str(value) for key, value in settings.items()})
            (spec,) = episodes(make_plan([suite.tasks[TASK]], (agent,), conditions=("clean",)), suite)
            made = make_model_agent(profile, AgentContext(name=agent, folder=tmp_path / spec.folder))
            started = clock.monotonic()
            end = perform_episode(spec, device, made, tmp_path, clock)
            return FaultyEpisode(
                end, read_events(tmp_path / spec.folder), server, clock.monotonic() - started
            )

    return run


@pytest.mark.parametrize(
    ("faults", "fault_sequence"),
    [
        (("429=1@2",), ["", "429", "", ""]),
        (("500@2", "502@3", "close@4"), ["", "500", "502", "close", "", ""]),
        (("cut@1", "malformed@2", "no-choice@3"), ["cut", "malformed", "no-choice", "", "", ""]),
        (("slow=0.01@2",), ["", "slow", ""]),
        (("nonsense@1", "empty@3", "length@5"), ["nonsense", "", "empty", "", "length", ""]),
    ],
)
def test_transient_fault_is_survived(
    run_with_faults: RunWithFaults, faults: tuple[str, ...], fault_sequence: list[str]
) -> None:
    done = run_with_faults(*faults)
    assert (done.end.outcome, done.end.reason) == ("success", "goal_met")
    assert done.faults == fault_sequence
    if "429=1@2" in faults:
        assert done.seconds > 1
    decided = [event for event in done.events if isinstance(event, ev.Decided)]
    assert sum(event.usage.tries for event in decided if event.usage) == len(fault_sequence)
    repaired = sum(fault in ("nonsense", "empty", "length") for fault in fault_sequence)
    assert sum(event.usage.repairs for event in decided if event.usage) == repaired


@pytest.mark.parametrize("agent", ["gpt-4o", "claude"])
def test_broken_stream_is_retried(run_with_faults: RunWithFaults, agent: str) -> None:
    done = run_with_faults("cut@1", "malformed@3", agent=agent, stream="true")
    assert (done.end.outcome, done.end.reason) == ("success", "goal_met")
    assert done.faults == ["cut", "", "malformed", "", ""]
    assert all(request.stream for request in done.server.requests)
    usage = [event.usage for event in done.events if isinstance(event, ev.Decided)]
    assert sum(each.sent for each in usage if each) == sum(
        request.usage.sent for request in done.server.requests if not request.fault
    )


@pytest.mark.parametrize(
    ("fault", "options", "error"),
    [
        ("hang@1+", {"seconds": 0.5, "tries": 1}, "ReplyTimeoutError"),
        ("slow=1@1+", {"seconds": 1, "tries": 1}, "ReplyTimeoutError"),
        ("500@2+", {"tries": 2}, "EndpointServerError"),
        ("malformed@2+", {"tries": 2}, "InvalidReplyError"),
        ("wrong-types@2+", {"tries": 1}, "InvalidReplyError"),
        ("close@2+", {"tries": 1}, "EndpointUnreachableError"),
        ("huge@2+", {"tries": 1}, "ReplyTooLargeError"),
    ],
)
def test_permanent_fault_is_a_model_error(
    run_with_faults: RunWithFaults, fault: str, options: dict[str, object], error: str
) -> None:
    done = run_with_faults(fault, **options)
    assert (done.end.outcome, done.end.reason) == ("error", "fault")
    assert (done.fault.at_fault, done.fault.error) == ("model", error)
    assert KEY not in done.fault.message


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("nonsense@2+", "unparseable"),
        ("empty@2+", "unparseable"),
        ("refusal@2+", "refused"),
        ("filter@2+", "refused"),
    ],
)
def test_unusable_reply_after_repair_is_an_agent_failure(
    run_with_faults: RunWithFaults, fault: str, reason: str
) -> None:
    done = run_with_faults(fault)
    assert (done.end.outcome, done.end.reason) == ("failure", reason)
    assert done.faults == ["", fault.partition("@")[0], fault.partition("@")[0]]


def run_cli(server: FakeModelServer, out: Path, phone: VirtualPhone, **options: object) -> Result:
    return run_agent(agent_at(server, AGENT, **options), out, phone)


def run_agent(agent: str, out: Path, phone: VirtualPhone) -> Result:
    argv = ["run", "--device", phone.serial, "--tasks", TASK, "--conditions", "clean", "--out", str(out)]
    return CliRunner().invoke(main, [*argv, "--agents", agent, "--yes"])


@pytest.mark.parametrize(
    ("fault", "options", "status"),
    [("429=0.2@1", {}, 0), ("nonsense@all", {}, 0), ("500@all", {"tries": 1}, 3)],
)
def test_run_exits_with_the_documented_status(
    suite: Suite,
    phone: VirtualPhone,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
    options: dict[str, object],
    status: int,
) -> None:
    monkeypatch.setenv(KEY_ENV, KEY)
    with serve_models(suite, tmp_path / "run", faults=[fault]) as server:
        done = run_cli(server, tmp_path / "run", phone, **options)
    assert done.exit_code == status, done.output
    (summary,) = load_run(tmp_path / "run").summaries
    assert summary.outcome == {"429=0.2@1": "success", "nonsense@all": "failure", "500@all": "error"}[fault]


def test_unreachable_endpoint_exits_with_3_after_one_episode(
    suite: Suite, phone: VirtualPhone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_ENV, KEY)
    with serve_models(suite, tmp_path / "run") as server:
        agent = agent_at(server, AGENT, tries=1)
    done = run_agent(agent, tmp_path / "run", phone)  # nothing listens on the port any more
    assert done.exit_code == 3, done.output
    assert "could not perform any episode" in done.output and "connection refused" in done.output
    assert "--resume" in done.output


def test_rejected_key_ends_the_run_without_revealing_it(
    suite: Suite, phone: VirtualPhone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_ENV, "sk-wrong-one")
    with serve_models(suite, tmp_path / "run") as server:
        done = run_cli(server, tmp_path / "run", phone)
    assert done.exit_code == 3, done.output
    assert KEY_ENV in done.output and "sk-wrong-one" not in done.output
    assert server.requests == ()


def test_unknown_model_ends_the_run(
    suite: Suite, phone: VirtualPhone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_ENV, KEY)
    with serve_models(suite, tmp_path / "run") as server:
        done = run_cli(server, tmp_path / "run", phone, model="gpt-400")
    assert done.exit_code == 3, done.output
    assert "gpt-400" in done.output
