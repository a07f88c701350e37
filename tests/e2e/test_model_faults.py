"""What an endpoint's faults do to an episode and to a run: over real HTTP, through the whole harness."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
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
from garabench.episode.runner import run_episode
from garabench.records.event_reader import read_events
from garabench.records.reader import load_run
from garabench.suite.suite import Suite
from garabench.testing.server import FakeModelServer
from garabench.virtual.phone_process import VirtualPhone
from tests.bundled import bundled_suite
from tests.e2e.model_agents import KEY, KEY_ENV, TASK, at, server_for
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
class Played:
    """An episode that met a fault."""

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


@pytest.fixture
def play(
    suite: Suite, phone: VirtualPhone, device: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> object:
    """Performs an episode of one agent, whose endpoint fails by plan."""

    def played(*faults: str, agent: str = AGENT, **options: object) -> Played:
        monkeypatch.setenv(KEY_ENV, KEY)
        phone.reset()
        clock = SystemClock()
        with server_for(suite, tmp_path, faults=faults) as server:
            given = {"base_url": server.base_url, "key_env": KEY_ENV, **options}
            profile = with_options(built_in()[agent], {key: str(value) for key, value in given.items()})
            (spec,) = episodes(make_plan([suite.tasks[TASK]], (agent,), conditions=("clean",)), suite)
            made = make_model_agent(profile, AgentContext(name=agent, folder=tmp_path / spec.folder))
            started = clock.monotonic()
            end = run_episode(spec, device, made, tmp_path, clock)
            return Played(end, read_events(tmp_path / spec.folder), server, clock.monotonic() - started)

    return played


@pytest.mark.parametrize(
    ("faults", "met"),
    [
        (("429=1@2",), ["", "429", "", ""]),
        (("500@2", "502@3", "close@4"), ["", "500", "502", "close", "", ""]),
        (("cut@1", "malformed@2", "no-choice@3"), ["cut", "malformed", "no-choice", "", "", ""]),
        (("slow=0.01@2",), ["", "slow", ""]),
        (("nonsense@1", "empty@3", "length@5"), ["nonsense", "", "empty", "", "length", ""]),
    ],
)
def test_what_passes_is_got_over(play, faults: tuple[str, ...], met: list[str]) -> None:  # type: ignore[no-untyped-def]
    done = play(*faults)
    assert (done.end.outcome, done.end.reason) == ("success", "goal_met")
    assert done.faults == met
    if "429=1@2" in faults:
        assert done.seconds > 1
    decided = [event for event in done.events if isinstance(event, ev.Decided)]
    assert sum(event.usage.tries for event in decided if event.usage) == len(met)
    repaired = sum(fault in ("nonsense", "empty", "length") for fault in met)
    assert sum(event.usage.repairs for event in decided if event.usage) == repaired


@pytest.mark.parametrize("agent", ["gpt-4o", "claude"])
def test_a_stream_that_breaks_off_is_got_over(play, agent: str) -> None:  # type: ignore[no-untyped-def]
    done = play("cut@1", "malformed@3", agent=agent, stream="true")
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
def test_what_lasts_is_an_error_of_the_model_and_no_failure(  # type: ignore[no-untyped-def]
    play, fault: str, options: dict[str, object], error: str
) -> None:
    done = play(fault, **options)
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
def test_what_is_no_action_even_when_repaired_is_the_agents_own_failure(  # type: ignore[no-untyped-def]
    play, fault: str, reason: str
) -> None:
    done = play(fault)
    assert (done.end.outcome, done.end.reason) == ("failure", reason)
    assert done.faults == ["", fault.partition("@")[0], fault.partition("@")[0]]


def run_cli(server: FakeModelServer, out: Path, phone: VirtualPhone, **options: object) -> Result:
    return run_agent(at(server, AGENT, **options), out, phone)


def run_agent(agent: str, out: Path, phone: VirtualPhone) -> Result:
    argv = ["run", "--device", phone.serial, "--tasks", TASK, "--conditions", "clean", "--out", str(out)]
    return CliRunner().invoke(main, [*argv, "--agents", agent, "--yes"])


@pytest.mark.parametrize(
    ("fault", "options", "status"),
    [("429=0.2@1", {}, 0), ("nonsense@all", {}, 0), ("500@all", {"tries": 1}, 3)],
)
def test_a_run_ends_with_the_right_status(
    suite: Suite,
    phone: VirtualPhone,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
    options: dict[str, object],
    status: int,
) -> None:
    monkeypatch.setenv(KEY_ENV, KEY)
    with server_for(suite, tmp_path / "run", faults=[fault]) as server:
        done = run_cli(server, tmp_path / "run", phone, **options)
    assert done.exit_code == status, done.output
    (summary,) = load_run(tmp_path / "run").summaries
    assert summary.outcome == {"429=0.2@1": "success", "nonsense@all": "failure", "500@all": "error"}[fault]


def test_an_endpoint_that_is_down_ends_with_the_same_status_however_few_the_episodes(
    suite: Suite, phone: VirtualPhone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_ENV, KEY)
    with server_for(suite, tmp_path / "run") as server:
        agent = at(server, AGENT, tries=1)
    done = run_agent(agent, tmp_path / "run", phone)  # the port is free again, and connection refused there
    assert done.exit_code == 3, done.output
    assert "could not perform any episode" in done.output and "connection refused" in done.output
    assert "--resume" in done.output


def test_a_wrong_key_ends_the_run_and_is_told_without_the_key(
    suite: Suite, phone: VirtualPhone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_ENV, "sk-wrong-one")
    with server_for(suite, tmp_path / "run") as server:
        done = run_cli(server, tmp_path / "run", phone)
    assert done.exit_code == 3, done.output
    assert KEY_ENV in done.output and "sk-wrong-one" not in done.output
    assert server.requests == ()


def test_an_unknown_model_ends_the_run(
    suite: Suite, phone: VirtualPhone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_ENV, KEY)
    with server_for(suite, tmp_path / "run") as server:
        done = run_cli(server, tmp_path / "run", phone, model="gpt-400")
    assert done.exit_code == 3, done.output
    assert "gpt-400" in done.output
