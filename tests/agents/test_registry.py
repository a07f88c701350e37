from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from garabench.agents import registry
from garabench.agents.context import AgentContext
from garabench.agents.external.autonomous_process import AutonomousProcess
from garabench.agents.external.http_agent import HttpAgent
from garabench.agents.external.isolated import IsolatedAgent
from garabench.agents.external.stdio_agent import StdioAgent
from garabench.agents.reference.agent import ReferenceAgent
from garabench.agents.registry import make_agent, resolve, resolve_all, resolve_lists
from garabench.agents.spec import AgentKind, CatalogEntry
from garabench.errors import InputError
from tests.bundled import bundled_suite

AGENT = """
class MyAgent:
    def __init__(self, steps: int = 3, *, fast: bool = False, label="x", ratio=0.5):
        self.options = (steps, fast, label, ratio)
    def start(self, brief): pass
    def decide(self, observation, history): pass
    def close(self): pass
"""
TASK = next(iter(bundled_suite().tasks.values())).task


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder that contains an agent's module."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "own_agent_of_a_test", raising=False)
    (tmp_path / "own_agent_of_a_test.py").write_text(AGENT, encoding="utf-8")
    program = tmp_path / "agent.sh"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "kind", "made"),
    [
        ("dismiss", AgentKind.REFERENCE, ReferenceAgent),
        ("easy=dismiss", AgentKind.REFERENCE, ReferenceAgent),
        ("own_agent_of_a_test:MyAgent", AgentKind.CLASS, IsolatedAgent),
        ("mine=own_agent_of_a_test:MyAgent?steps=4", AgentKind.CLASS, IsolatedAgent),
        ("process:./agent.sh", AgentKind.PROCESS, StdioAgent),
        ("process:sh ./agent.sh --x", AgentKind.PROCESS, StdioAgent),
        ("http://127.0.0.1:8000/agent", AgentKind.HTTP, HttpAgent),
        ("https://agents.example.com/", AgentKind.HTTP, HttpAgent),
        ("autonomous:./agent.sh 'a b'", AgentKind.AUTONOMOUS, AutonomousProcess),
        ("owning:./agent.sh 'a b'", AgentKind.AUTONOMOUS, AutonomousProcess),  # the deprecated prefix
    ],
)
def test_agents_of_every_kind_are_resolved(here: Path, text: str, kind: AgentKind, made: type) -> None:
    spec = resolve(text)
    assert (spec.named.text, spec.kind) == (text, kind)
    agent = make_agent(spec, AgentContext(spec.name, here), TASK)
    assert isinstance(agent, made)
    assert agent.reference is (kind is AgentKind.REFERENCE)
    assert make_agent(spec, AgentContext(spec.name, here), TASK) is not agent  # one for each episode


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dissmiss", "unknown agent 'dissmiss'\nDid you mean 'dismiss'?"),
        ("", "unknown agent ''"),
        ("proces:./x", "unknown agent 'proces:./x'\nExternal agents are named module:Class, process:"),
        ("own_agnt_of_a_test:MyAgent", "no module 'own_agnt_of_a_test' is installed or in"),
        ("own_agnt_of_a_test:MyAgent", "Did you mean 'own_agent_of_a_test'?"),
        ("own_agent_of_a_test:Agent", "own_agent_of_a_test has no 'Agent'\nDid you mean 'MyAgent'?"),
        ("own_agent_of_a_test:MyAgent?stepz=3", "has no option 'stepz'\nDid you mean 'steps'?"),
        ("own_agent_of_a_test:MyAgent?steps=many", "MyAgent?steps: invalid value 'many': Input should be a"),
        ("own_agent_of_a_test:MyAgent?steps", "are not key=value pairs"),
        ("dismiss=own_agent_of_a_test:MyAgent", "would be named 'dismiss', like a built-in agent"),
        ("gpt-4o=own_agent_of_a_test:MyAgent", "would be named 'gpt-4o', like a built-in agent"),
        ("process:dismiss", "unknown program 'dismiss'"),
        ("process:agent.sh", "unknown program 'agent.sh'\nWrite process:./agent.sh for the file in this"),
        ("process:./no.js", "no such file: ./no.js"),
        (
            "process:./own_agent_of_a_test.py",
            "is not executable\nRun chmod +x ./own_agent_o",
        ),
        ("process:./own_agent_of_a_test.py", "process:python3 ./own_agent_of_a_test.py"),
        ("process:", "names no program"),
        ("autonomous: ", "names no program"),
        ("process:./agent.sh 'x", "unclosed quote"),
        ("http://", "is not a valid URL"),
        ("http://h:port/", "is not a valid URL"),
        ("https://me:secret@h/", "must not contain a password"),
    ],
)
def test_an_invalid_agent_is_rejected(here: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        resolve_lists([text])
    assert message in str(caught.value)
    assert "secret" not in str(caught.value)


def test_lists_are_split_and_groups_expanded(here: Path) -> None:
    specs = resolve_lists(("reference, me=process:./agent.sh 'a,b'", "dismiss"))
    assert tuple(spec.named.text for spec in specs) == (
        "dismiss",
        "accept",
        "ignore",
        "random",
        "me=process:./agent.sh 'a,b'",
    )


def test_two_agents_cannot_have_one_name(here: Path) -> None:
    with pytest.raises(InputError, match=r"would both be named 'agent.sh'\nLabel one of them"):
        resolve_all(["process:./agent.sh", "autonomous:./agent.sh"])


def test_a_family_of_agents_is_one_line(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[dict[str, str]] = []

    def build(options: object) -> Callable[[AgentContext], StdioAgent]:
        taken.append(dict(options))  # type: ignore[call-overload]
        return lambda context: StdioAgent(["true"], context)

    family = (CatalogEntry("some-model-1.5", AgentKind.MODEL, "a model", build),)
    monkeypatch.setattr(registry, "_FAMILIES", (lambda: family,))
    assert resolve("some-model-1.5?mode=tree").kind is AgentKind.MODEL
    assert taken == [{"mode": "tree"}]
    assert ("some-model-1.5", AgentKind.MODEL, "a model") in registry.rows()
    assert "some-model-1.5" in registry.names()
    with pytest.raises(InputError, match=r"Did you mean 'some-model-1\.5'"):
        resolve("some-model-1")


def test_an_installed_agent_is_found_by_its_entry_point(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = here / "their_agents-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-agents\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(
        "[garabench.agents]\ntheirs = own_agent_of_a_test:MyAgent\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(here)
    assert resolve("theirs?steps=4").kind is AgentKind.CLASS
    assert (
        "theirs",
        AgentKind.CLASS,
        "installed Python class own_agent_of_a_test:MyAgent",
    ) in registry.rows()
    assert [spec.name for spec in resolve_lists(["theirs,again=theirs"])] == ["theirs", "again"]
