from __future__ import annotations

import json
from typing import Any

import pytest

from garabench.agents.agent_name import parse_agent_name
from garabench.errors import InputError
from garabench.records.run_file import RunAgentKind, RunFile, read_run_file
from garabench.records.run_layout import RUN_FILE
from garabench.records.run_writer import RunWriter
from garabench.records.versions import RUN_VERSION


def changed(writer: RunWriter, **changes: Any) -> None:
    path = writer.folder / RUN_FILE
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(data | changes), encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is broken"),
        (b'{"version": 1, "garabench"', "is broken"),
        (b"\xff\xfe", "is broken"),
        (b"[]", r"run\.json is broken: Input should be"),
        (b"{}", r"is broken: garabench: Field required"),
    ],
)
def test_a_broken_run_file_is_reported(writer: RunWriter, content: bytes, message: str) -> None:
    (writer.folder / RUN_FILE).write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_run_file(writer.folder)


def test_a_wrong_value_in_a_run_file_is_named(writer: RunWriter) -> None:
    changed(writer, plan={**writer.file.plan.model_dump(mode="json"), "seeds": 0})
    with pytest.raises(InputError, match=r"is broken: plan\.seeds: Input should be greater"):
        read_run_file(writer.folder)


def test_a_run_without_a_stress_level_is_read(writer: RunWriter) -> None:
    plan = writer.file.plan.model_dump(mode="json")
    del plan["interruptions"]
    changed(writer, plan=plan)
    assert read_run_file(writer.folder).plan.interruptions is None


def test_a_newer_run_is_refused_by_its_version(writer: RunWriter) -> None:
    changed(writer, version=RUN_VERSION + 1, what_is_new=True)
    with pytest.raises(InputError, match=f"has version {RUN_VERSION + 1}; this GaraBench") as caught:
        read_run_file(writer.folder)
    assert caught.value.hint == "Use a newer GaraBench to read it."


def test_a_run_file_has_its_version(writer: RunWriter) -> None:
    data = json.loads((writer.folder / RUN_FILE).read_text(encoding="utf-8"))
    assert data["version"] == RUN_VERSION
    assert RunFile.model_validate(data) == writer.file


def test_the_agents_of_a_run_are_those_of_its_plan(writer: RunWriter) -> None:
    agent = {"name": "dismiss", "text": "dismiss", "kind": "reference"}
    changed(writer, agents=[agent | {"text": "accept"}])
    with pytest.raises(InputError, match="the agents are not those of the plan"):
        read_run_file(writer.folder)
    plan = writer.file.plan.model_dump(mode="json") | {"agents": ["dismiss", "x=dismiss"]}
    changed(writer, plan=plan, agents=[agent, agent | {"text": "x=dismiss"}])
    with pytest.raises(InputError, match="two agents have the same name"):
        read_run_file(writer.folder)


def test_a_run_of_version_2_is_read_without_profiles(writer: RunWriter) -> None:
    agent = {"name": "dismiss", "text": "dismiss", "kind": "reference"}
    changed(writer, version=2, agents=[agent])
    (read,) = read_run_file(writer.folder).agents
    assert (read.name, read.profile) == ("dismiss", "")


def test_episode_keys_are_in_the_order_of_the_plan(writer: RunWriter) -> None:
    keys = list(writer.file.episode_keys())
    assert [(key.task, key.condition) for key in keys[:3]] == [
        ("like-a", "clean"),
        ("like-a", "dual"),
        ("like-b", "clean"),
    ]
    assert len(keys) == 8
    assert keys[0].folder.as_posix() == f"episodes/like-a/dismiss/clean/{keys[0].seed}"


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("dismiss", "dismiss", RunAgentKind.REFERENCE),
        ("me=random", "me", RunAgentKind.REFERENCE),
        ("heuristic", "heuristic", RunAgentKind.HEURISTIC),
        ("gpt-4o?mode=tree", "gpt-4o-mode-tree", RunAgentKind.UNKNOWN),
        ("model:mine.yaml#one", "model-mine.yaml-one", RunAgentKind.MODEL),
        ("process:./agent.sh -x", "agent.sh-x", RunAgentKind.EXTERNAL),
        ("owning:./agent.sh", "agent.sh", RunAgentKind.EXTERNAL),
        ("my_agent:Agent", "my_agent-Agent", RunAgentKind.EXTERNAL),
        ("http://127.0.0.1:8000/act", "http-127.0.0.1-8000-act", RunAgentKind.EXTERNAL),
    ],
)
def test_agents_of_version_1_get_their_name_and_kind(
    writer: RunWriter, text: str, name: str, kind: RunAgentKind
) -> None:
    data = json.loads((writer.folder / RUN_FILE).read_text(encoding="utf-8"))
    del data["agents"]
    data |= {"version": 1, "plan": data["plan"] | {"agents": [text]}}
    (writer.folder / RUN_FILE).write_text(json.dumps(data), encoding="utf-8")
    (agent,) = read_run_file(writer.folder).agents
    assert (agent.name, agent.text, agent.kind) == (name, text, kind)
    assert agent.name == parse_agent_name(text).name
