"""Every configured agent solves tasks in its own dialect: from the prompt and the picture, over real HTTP."""

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
from tests.e2e.model_agents import AGENTS, KEY, KEY_ENV, TASK, VENDORS, at, server_for

SCREEN = Size(1080, 2400)
INTERRUPTED = ("agentcpm-gui", "qwen2.5-vl", "t3a", "appagent", "claude-computer-use")
"""One for each way of being shown a screen and of being told the steps so far."""
PLAYED = (*INTERRUPTED, *VENDORS)
"""What the other agents are sent, and what is read from their replies, is tested without a phone."""

pytestmark = pytest.mark.timeout(400)  # the first test waits for some dozen episodes


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def played(folder: Path) -> Iterator[tuple[Run, Run, tuple[ReceivedRequest, ...]]]:
    """A clean run over each vendor's protocol and an interrupted one, each beside the reference agent."""
    suite = bundled_suite()
    tasks = [suite.tasks[TASK]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_ENV, KEY)
        with server_for(suite, folder / "clean") as server:
            agents = ["dismiss", *(at(server, name) for name in VENDORS)]
            agents += [at(server, name, protocol=protocol) for name, protocol in VENDORS.items()]
            plan = make_plan(tasks, agents, conditions=("clean",))
            clean = run(plan, folder / "clean", jobs=2, suite=suite)
            requests = server.requests
        with server_for(suite, folder / "dual") as server:
            agents = ["dismiss", *(at(server, name) for name in INTERRUPTED)]
            dual = run(make_plan(tasks, agents, conditions=("dual",)), folder / "dual", jobs=2, suite=suite)
            requests += server.requests
    yield clean, dual, requests


def test_there_are_the_five_of_the_paper_and_ten_more() -> None:
    assert {"ui-tars", "agentcpm-gui", "gpt-4o", "qwen2.5-vl", "gemini"} < set(AGENTS)
    assert len(AGENTS) >= 15


def test_every_agent_is_as_good_as_the_reference_agent(
    played: tuple[Run, Run, tuple[ReceivedRequest, ...]],
) -> None:
    clean, _, _ = played
    ends = {each.agent.removesuffix("-there"): (each.outcome, each.fault) for each in clean.summaries}
    vendors = (f"{name}-{protocol}" for name, protocol in VENDORS.items())
    assert ends == dict.fromkeys(("dismiss", *VENDORS, *vendors), ("success", ""))


def test_interruptions_are_seen_and_left_as_by_the_reference_agent(
    played: tuple[Run, Run, tuple[ReceivedRequest, ...]],
) -> None:
    _, dual, _ = played
    (reference,) = (each for each in dual.summaries if each.agent == "dismiss")
    assert reference.shown and reference.outcome == "success"
    for each in dual.summaries:
        assert (each.agent, each.outcome, each.fault) == (each.agent, "success", "")
        assert (each.shown, each.exits) == (reference.shown, reference.exits)


def test_the_pictures_arrive_at_the_dialects_sizes(
    played: tuple[Run, Run, tuple[ReceivedRequest, ...]],
) -> None:
    """All agents in one test: tests that are shared out among processes would each wait for the runs."""
    for name in PLAYED:
        profile = built_in()[name]
        requests = [each for each in played[2] if each.model == profile.model]
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


def test_what_models_took_is_what_the_endpoint_told(
    played: tuple[Run, Run, tuple[ReceivedRequest, ...]],
) -> None:
    clean, dual, requests = played
    usage = [each.usage for each in (*clean.summaries, *dual.summaries) if each.agent != "dismiss"]
    assert all(each is not None and each.requests for each in usage)
    assert sum(each.sent for each in usage if each) == sum(each.usage.sent for each in requests)
    assert sum(each.received for each in usage if each) == sum(each.usage.received for each in requests)
    told = [each for each in requests if each.protocol in ("chat", "gemini")]  # others report no image tokens
    assert sum(each.pictures for each in usage if each) == sum(each.usage.pictures for each in told)


def test_the_vendors_own_protocols_were_spoken(played: tuple[Run, Run, tuple[ReceivedRequest, ...]]) -> None:
    spoken = {request.model: set[str]() for request in played[2]}
    for request in played[2]:
        spoken[request.model].add(request.protocol)
    for name, protocol in VENDORS.items():
        assert spoken[built_in()[name].model] == {"chat", protocol}


def test_the_key_is_nowhere_in_the_record(
    played: tuple[Run, Run, tuple[ReceivedRequest, ...]], folder: Path
) -> None:
    files = [Path(place) / name for place, _, names in os.walk(folder) for name in names]
    assert len(files) > 100
    assert [file for file in files if KEY.encode() in file.read_bytes()] == []
    assert KEY not in repr(played[2])


def test_nobody_was_told_of_the_solution(played: tuple[Run, Run, tuple[ReceivedRequest, ...]]) -> None:
    """What was sent speaks of the task's instruction only: no selector, no goal, no name of the task."""
    suite = bundled_suite()
    task = suite.tasks[TASK].task
    for each in played[2]:
        said = "\n".join(message.text for message in each.messages if message.role != "assistant")
        own = re.sub(r"<screen>.*?</screen>", "", said, flags=re.DOTALL)
        assert next(iter(task.instruction.values())) in own
        assert task.id not in own and task.goal.use not in own
