"""The connections and the budget that all models of a run share."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from garabench.agents.context import AgentContext
from garabench.agents.models import endpoint_errors as ft
from garabench.agents.models.budget import MAX_REPLIES_WITHOUT_USAGE, Budget, Meter, recorded_usage
from garabench.agents.models.catalog import ModelAgentMaker, make_model_agent, model_entries, profiles_of
from garabench.agents.models.messages import ChatMessage, ChatRequest, ChatRole, TextPart
from garabench.agents.models.session import MAX_CONSECUTIVE_ERRORS, ModelOptions, ModelSession
from garabench.agents.models.transcript import TranscriptWriter
from garabench.agents.profile import AgentProfile
from garabench.agents.registry import resolve
from garabench.core.clock import FakeClock
from garabench.core.usage import NO_USAGE, Usage
from garabench.errors import InputError
from garabench.testing.behaviour import ScriptedReplies
from garabench.testing.server import FakeModelServer
from tests.agents.models.screens import BRIEF, observation
from tests.agents.models.test_recorded_replies import ANSWER, VIEW, request

KEY = "sk-secret-0123456789"
TAP = '{"action": "tap", "coords": [300, 250]}'
REQUEST = ChatRequest("m", (ChatMessage(ChatRole.USER, (TextPart("Go."),)),))


def profile(url: str = "http://127.0.0.1:9/v1", **more: object) -> AgentProfile:
    endpoint = {"base_url": url, "key_env": "MY_KEY"}
    usual = {"id": "one", "dialect": "json", "model": "m", "endpoint": endpoint, "image": {"native": True}}
    return AgentProfile.model_validate({**usual, **more})


def never() -> bool:
    return False


def session(**options: object) -> ModelSession:
    return ModelSession(ModelOptions(**options), FakeClock(), environ={"MY_KEY": KEY})  # type: ignore[arg-type]


def test_a_missing_key_is_reported_before_any_request() -> None:
    with pytest.raises(InputError, match="MY_KEY is empty or missing"):
        ModelSession(clock=FakeClock(), environ={}).check(profile())


def test_a_cost_budget_needs_a_price(tmp_path: Path) -> None:
    budget = Budget(cost=Decimal(1))
    with pytest.raises(InputError, match=r"the price of 'm' at .* is unknown"):
        session(budget=budget).check(profile())
    own = tmp_path / "prices.yaml"
    own.write_text("prices: [{model: m, input: 1, output: 2}]")
    session(budget=budget, prices=str(own)).check(profile())


def test_a_rejected_key_ends_the_run() -> None:
    with FakeModelServer(ScriptedReplies(["x"]), key="another") as server:
        shared = session()
        with pytest.raises(ft.KeyRejectedError) as caught:
            shared.chat(profile(server.base_url), Path("a/b/c/d/e"), never).ask(REQUEST)
    assert shared.fatal_error is caught.value
    assert "MY_KEY" in str(shared.fatal_error)


def test_an_unknown_model_ends_the_run() -> None:
    with FakeModelServer(ScriptedReplies(["x"]), key=KEY, models=("n",)) as server:
        shared = session()
        with pytest.raises(ft.UnknownModelError, match="has no model 'm'"):
            shared.chat(profile(server.base_url), Path("a/b/c/d/e"), never).ask(REQUEST)
    assert shared.fatal_error is not None


def test_an_endpoint_that_is_down_ends_the_run_after_some_requests() -> None:
    shared = session()
    with FakeModelServer(
        ScriptedReplies(["x"], repeat=True), key=KEY, faults=["500@1-7", "500@9+"]
    ) as server:
        chat = shared.chat(profile(server.base_url, limits={"tries": 1}), Path("a/b/c/d/e"), never)
        for number in range(1, 9 + MAX_CONSECUTIVE_ERRORS):
            assert shared.fatal_error is None, number
            if number == 8:
                chat.ask(REQUEST)
                continue
            with pytest.raises(ft.EndpointServerError):
                chat.ask(REQUEST)
    assert isinstance(shared.fatal_error, ft.EndpointServerError)


def test_agents_of_one_endpoint_share_its_client_and_its_key() -> None:
    shared = session()
    first, second = profile(), profile(history={"form": "none"})
    assert shared._transport(first) is shared._transport(second)
    assert shared._transport(first) is not shared._transport(profile(limits={"seconds": 5}))
    assert KEY not in repr(shared._transports)


def test_replies_are_streamed_if_the_profile_says_so() -> None:
    endpoint = {"key_env": "MY_KEY", "stream": True}
    with FakeModelServer(ScriptedReplies([TAP]), key=KEY) as server:
        streaming = profile(endpoint={**endpoint, "base_url": server.base_url})
        assert session().chat(streaming, Path("a/b/c/d/e"), never).ask(REQUEST).text == TAP
        assert [request.stream for request in server.requests] == [True]


def test_an_agent_is_made_by_name_and_its_usage_is_metered(tmp_path: Path) -> None:
    with FakeModelServer(ScriptedReplies([TAP], repeat=True), key=KEY) as server:
        shared = session()
        folder = tmp_path / "episodes" / "t" / "one" / "clean" / "1"
        agent = make_model_agent(
            profile(server.base_url), AgentContext("one", folder, clock=FakeClock(), models=shared)
        )
        agent.start(BRIEF)
        decision = agent.decide(observation(), ())
        agent.close()
    assert decision.usage is not None
    kept = json.loads((folder / "requests" / "000.json").read_text())
    assert (kept["profile"]["dialect"], kept["profile"]["endpoint"]["key_env"]) == ("json", "MY_KEY")
    assert shared.meter.total.tokens == decision.usage.tokens > 0
    assert recorded_usage(tmp_path) == (decision.usage,)


def test_a_cached_reply_is_not_metered(tmp_path: Path) -> None:
    with FakeModelServer(ScriptedReplies([TAP]), key=KEY) as server:
        shared = session(cache=tmp_path / "cache")
        for number in (1, 2):
            folder = tmp_path / "episodes" / "t" / "one" / "clean" / str(number)
            context = AgentContext("one", folder, clock=FakeClock(), models=shared)
            agent = make_model_agent(profile(server.base_url), context)
            agent.start(BRIEF)
            took = agent.decide(observation(), ()).usage
            assert took is not None
            assert (took.from_cache, took.tries) == ((0, 1) if number == 1 else (1, 0))
    assert shared.meter.total.from_cache == 1


def test_a_replay_sends_no_requests(tmp_path: Path) -> None:
    parts = ("episodes", "t", "one", "clean", "1")
    old, new = tmp_path / "old", tmp_path / "new"
    with FakeModelServer(ScriptedReplies([TAP]), key=KEY) as server:
        url = server.base_url
        for folder, shared in (
            (old, session()),
            (new, ModelSession(ModelOptions(replay=str(old)), FakeClock(), environ={})),
        ):
            context = AgentContext("one", folder.joinpath(*parts), clock=FakeClock(), models=shared)
            shared.check(profile(url))
            agent = make_model_agent(profile(url), context)
            agent.start(BRIEF)
            decision = agent.decide(observation(), ())
        assert len(server.requests) == 1
    assert decision.usage is not None
    assert decision.usage.from_cache == 1
    with pytest.raises(ft.EndpointError, match="does not contain the episode"):
        ModelSession(ModelOptions(replay=old), FakeClock()).chat(
            profile(url), Path("episodes/u/one/clean/1"), never
        )


@pytest.mark.parametrize(
    ("budget", "took", "expected"),
    [
        (Budget(), Usage(sent=10**9, cost=Decimal(10**6)), ""),
        (Budget(tokens=100), Usage(sent=60, received=39), ""),
        (
            Budget(tokens=100),
            Usage(sent=60, received=40),
            "the budget of 100 tokens is used up: 100 were used",
        ),
        (Budget(cost=Decimal(2)), Usage(cost=Decimal("1.99")), ""),
        (Budget(cost=Decimal(2)), Usage(cost=Decimal(2)), "the budget of $2.00 is used up: $2.00 was spent"),
    ],
)
def test_a_budget_is_enforced(budget: Budget, took: Usage, expected: str) -> None:
    meter = Meter(budget, FakeClock())
    meter.add(took)
    assert meter.exceeded() == expected


def test_an_unknown_cost_does_not_hide_known_costs() -> None:
    meter = Meter(Budget(cost=Decimal(1)), FakeClock(), [Usage(requests=1, sent=9, cost=None)])
    meter.add(Usage(requests=1, sent=9, cost=Decimal("0.6")))
    assert meter.exceeded() == ""
    meter.add(Usage(requests=1, sent=9, cost=Decimal("0.6")))
    assert meter.exceeded() == "the budget of $1.00 is used up: $1.20 was spent"
    assert meter.total.cost is None, "what is shown as the sum stays unknown"
    stopped = meter.limit_error(progressed=True)
    assert stopped is not None and stopped.cost == Decimal("2.40")


@pytest.mark.parametrize("budget", [Budget(cost=Decimal(5)), Budget(tokens=10**9)])
def test_replies_without_usage_end_a_run_with_a_budget(budget: Budget) -> None:
    silent = Usage(requests=1, tries=1)
    meter = Meter(budget, FakeClock(), [silent] * MAX_REPLIES_WITHOUT_USAGE)
    assert meter.exceeded() == "", "those of an earlier call may have been an accident each"
    for _ in range(MAX_REPLIES_WITHOUT_USAGE - 1):
        meter.add(silent)
        meter.add(Usage(requests=1, from_cache=1, cost=Decimal(0)))
        meter.add(Usage(requests=1, sent=10))
        meter.add(Usage())  # of an agent that asks nobody
    assert meter.exceeded() == ""
    meter.add(silent)
    assert "3 replies reported no token usage. Use --max-time" in meter.exceeded()
    assert Meter(Budget(), FakeClock(), [silent] * 9).exceeded() == ""


def test_a_wait_that_is_too_long_ends_the_run() -> None:
    session = ModelSession(clock=FakeClock(), environ={})
    session._record_result(ft.RateLimitedError("wait", retry_after=120))
    assert session.fatal_error is None
    far = ft.RateLimitedError("come back in an hour", retry_after=3600)
    session._record_result(far)
    assert session.fatal_error is far, "a retry would come before the requested time"


def test_time_counts_from_now_and_cost_includes_earlier_invocations() -> None:
    clock = FakeClock()
    meter = Meter(Budget(seconds=60, tokens=100), clock, [Usage(sent=50, cost=Decimal(0))])
    clock.advance(59)
    assert meter.exceeded() == ""
    meter.add(Usage(sent=50))
    assert "100 were used" in meter.exceeded()
    late = Meter(Budget(seconds=60), clock)
    clock.advance(60)
    assert late.exceeded() == "the time budget of 60 s is used up"


@pytest.mark.parametrize(
    ("budget", "took", "progressed", "raised"),
    [
        (Budget(tokens=100), Usage(sent=170), True, (None, 340, None)),
        (Budget(cost=Decimal("0.5")), Usage(cost=Decimal("0.6011")), False, (Decimal("1.21"), None, None)),
        (Budget(seconds=60), Usage(), True, (None, None, None)),  # it begins at 0 again
        (Budget(seconds=60), Usage(), False, (None, None, 120)),
        (Budget(Decimal(1), 9, 60), Usage(sent=9, cost=Decimal(2)), False, (Decimal(4), 18, 120)),
        (Budget(Decimal(1), 9, 61), Usage(sent=9, cost=None), True, (None, 18, None)),
    ],
)
def test_the_error_suggests_limits_to_resume(
    budget: Budget, took: Usage, progressed: bool, raised: tuple[Decimal | None, int | None, float | None]
) -> None:
    clock = FakeClock()
    meter = Meter(budget, clock, [took])
    clock.advance(60)
    stopped = meter.limit_error(progressed=progressed)
    assert stopped is not None
    assert (stopped.cost, stopped.tokens, stopped.seconds) == raised
    assert str(stopped) == meter.exceeded()
    again = Meter(
        Budget(raised[0] or budget.cost, raised[1] or budget.tokens, raised[2] or budget.seconds),
        clock,
        [took],
    )
    assert again.limit_error(progressed=False) is None


def test_recorded_usage_includes_interrupted_attempts(tmp_path: Path) -> None:
    episode = tmp_path / "episodes" / "t" / "one" / "clean" / "1"
    for folder in (episode, episode / "attempt-1"):
        TranscriptWriter(folder, "").write(
            0, VIEW, request(), answer=ANSWER, usage=Usage(sent=7, cost=Decimal("0.5"))
        )
        TranscriptWriter(folder, "").write(1, VIEW, request(), fault="down")
    total = sum(recorded_usage(tmp_path), NO_USAGE)
    assert (total.sent, total.cost) == (14, Decimal("1.0"))


def test_every_built_in_model_can_be_named() -> None:
    for entry in model_entries():
        spec = resolve(entry.name)
        (found,) = profiles_of([spec])
        assert found.id == entry.name
    assert isinstance(resolve("gpt-4o?temperature=0.5").make, ModelAgentMaker)


def test_a_model_of_a_users_file_can_be_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("agents:\n  - {id: mine, extends: gpt-4o, model: my-model}\n")
    (found,) = profiles_of([resolve(f"me=model:{file}#mine?temperature=1")])
    assert (found.model, found.parameters["temperature"]) == ("my-model", 1)
    with pytest.raises(InputError, match="has no agent 'mien'"):
        resolve(f"model:{file}#mien")
    with pytest.raises(InputError, match="does not name an agent in a file"):
        resolve("model:mine.yaml")
