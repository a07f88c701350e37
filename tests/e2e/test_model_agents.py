"""Every built-in model agent solves a task in its own dialect, over real HTTP."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from garabench.agents.profiles import built_in
from garabench.campaign.planner import make_plan
from garabench.campaign.run import run
from garabench.core.geometry import Size
from garabench.records.reader import Run
from garabench.testing.requests import ReceivedRequest
from tests.bundled import bundled_suite
from tests.e2e.model_agents import AGENTS, KEY, KEY_ENV, TASK, VENDORS, agent_at, serve_models

SCREEN = Size(1080, 2400)
INTERRUPTED = ("agentcpm-gui", "qwen2.5-vl", "t3a", "appagent", "claude-computer-use")
"""One agent for each form of screen input and of history."""
TESTED = (*INTERRUPTED, *VENDORS)
"""The requests and replies of the other agents are tested without a phone."""

pytestmark = pytest.mark.timeout(400)  # the first test waits for a dozen episodes


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def runs(folder: Path) -> Iterator[tuple[Run, Run, tuple[ReceivedRequest, ...]]]:
    """A clean run over each vendor's protocol, an interrupted run, and the requests of both."""
    suite = bundled_suite()
    tasks = [suite.tasks[TASK]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_ENV, KEY)
        with serve_models(suite, folder / "clean") as server:
            agents = ["dismiss", *(agent_at(server, name) for name in VENDORS)]
            agents += [agent_at(server, name, protocol=protocol) for name, protocol in VENDORS.items()]
            plan = make_plan(tasks, agents, conditions=("clean",))
            clean = run(plan, folder / "clean", jobs=2, suite=suite)
            requests = server.requests
        with serve_models(suite, folder / "dual") as server:
            agents = ["dismiss", *(agent_at(server, name) for name in INTERRUPTED)]
            dual = run(make_plan(tasks, agents, conditions=("dual",)), folder / "dual", jobs=2, suite=suite)
            requests += server.requests
    yield clean, dual, requests


def test_agents_of_the_paper_are_built_in() -> None:
    assert {"ui-tars", "agentcpm-gui", "gpt-4o", "qwen2.5-vl", "gemini"} < set(AGENTS)
    assert len(AGENTS) >= 15


def check_every_agent_matches_the_reference_agent(
    runs: tuple[Run, Run, tuple[ReceivedRequest, ...]],
) -> None:
    clean, _, _ = runs
    ends = {each.agent.removesuffix("-fake"): (each.outcome, each.fault) for each in clean.summaries}
    vendors = (f"{name}-{protocol}" for name, protocol in VENDORS.items())
    assert ends == dict.fromkeys(("dismiss", *VENDORS, *vendors), ("success", ""))


def check_interruptions_are_answered_as_by_the_reference_agent(
    runs: tuple[Run, Run, tuple[ReceivedRequest, ...]],
) -> None:
    _, dual, _ = runs
    (reference,) = (each for each in dual.summaries if each.agent == "dismiss")
    assert reference.shown and reference.outcome == "success"
    for each in dual.summaries:
        assert (each.agent, each.outcome, each.fault) == (each.agent, "success", "")
        assert (each.shown, each.exits) == (reference.shown, reference.exits)


def check_screenshots_are_sent_in_the_dialects_size(
    runs: tuple[Run, Run, tuple[ReceivedRequest, ...]],
) -> None:
    for name in TESTED:
        profile = built_in()[name]
        requests = [each for each in runs[2] if each.model == profile.model]
        assert requests, name
        wanted = profile.tuned_dialect().image.size(SCREEN)
        sizes = {picture.size for each in requests for picture in each.images}
        known = {
            one.tuned_dialect().image.size(SCREEN)
            for one in built_in().values()
            if one.model == profile.model
        }
        assert sizes <= known, name
        assert wanted in sizes or not profile.input.has_image, name


def check_recorded_usage_equals_the_endpoints_usage(
    runs: tuple[Run, Run, tuple[ReceivedRequest, ...]],
) -> None:
    clean, dual, requests = runs
    usage = [each.usage for each in (*clean.summaries, *dual.summaries) if each.agent != "dismiss"]
    assert all(each is not None and each.requests for each in usage)
    assert sum(each.sent for each in usage if each) == sum(each.usage.sent for each in requests)
    assert sum(each.received for each in usage if each) == sum(each.usage.received for each in requests)
    reporting = [
        each for each in requests if each.protocol in ("chat", "gemini")
    ]  # others report no image tokens
    assert sum(each.pictures for each in usage if each) == sum(each.usage.pictures for each in reporting)


def check_vendor_agents_use_both_protocols(runs: tuple[Run, Run, tuple[ReceivedRequest, ...]]) -> None:
    protocols = {request.model: set[str]() for request in runs[2]}
    for request in runs[2]:
        protocols[request.model].add(request.protocol)
    for name, protocol in VENDORS.items():
        assert protocols[built_in()[name].model] == {"chat", protocol}


def check_api_key_is_not_recorded(runs: tuple[Run, Run, tuple[ReceivedRequest, ...]], folder: Path) -> None:
    files = [Path(place) / name for place, _, names in os.walk(folder) for name in names]
    assert len(files) > 100
    assert [file for file in files if KEY.encode() in file.read_bytes()] == []
    assert KEY not in repr(runs[2])


def check_requests_do_not_reveal_the_solution(runs: tuple[Run, Run, tuple[ReceivedRequest, ...]]) -> None:
    """Requests contain the instruction, but neither the goal nor the id of the task."""
    suite = bundled_suite()
    task = suite.tasks[TASK].task
    for each in runs[2]:
        text = "\n".join(message.text for message in each.messages if message.role != "assistant")
        prompt = re.sub(r"<screen>.*?</screen>", "", text, flags=re.DOTALL)
        assert next(iter(task.instruction.values())) in prompt
        assert task.id not in prompt and task.goal.use not in prompt


def test_model_agents(runs: tuple[Run, Run, tuple[ReceivedRequest, ...]], folder: Path) -> None:
    """All checks share one test: in several processes each would repeat the runs."""
    check_every_agent_matches_the_reference_agent(runs)
    check_interruptions_are_answered_as_by_the_reference_agent(runs)
    check_screenshots_are_sent_in_the_dialects_size(runs)
    check_recorded_usage_equals_the_endpoints_usage(runs)
    check_vendor_agents_use_both_protocols(runs)
    check_api_key_is_not_recorded(runs, folder)
    check_requests_do_not_reveal_the_solution(runs)
