from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from garabench.agents import registry
from garabench.agents.own import classes
from garabench.agents.own.guarded import GuardedAgent
from garabench.agents.own.owning import OwningAgent
from garabench.agents.own.process import ProcessAgent
from garabench.agents.own.service import ServiceAgent
from garabench.agents.reference.agent import ReferenceAgent
from garabench.agents.registry import check_agents, is_reference, make_agent, parse_agents, resolve
from garabench.agents.setting import Setting
from garabench.agents.spec import Entry, Kind
from garabench.campaign.suite import Suite
from garabench.errors import InputError

AGENT = """
class MyAgent:
    def __init__(self, steps: int = 3, *, fast: bool = False, label="x", ratio=0.5):
        self.told = (steps, fast, label, ratio)
    def start(self, brief): pass
    def decide(self, observation, history): pass
    def close(self): pass
"""
TASK = next(iter(Suite.load().tasks.values())).task


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an agent's module, in which the command is called."""
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
        ("dismiss", Kind.REFERENCE, ReferenceAgent),
        ("easy=dismiss", Kind.REFERENCE, ReferenceAgent),
        ("own_agent_of_a_test:MyAgent", Kind.CLASS, GuardedAgent),
        ("mine=own_agent_of_a_test:MyAgent?steps=4", Kind.CLASS, GuardedAgent),
        ("process:./agent.sh", Kind.PROCESS, ProcessAgent),
        ("process:sh ./agent.sh --x", Kind.PROCESS, ProcessAgent),
        ("http://127.0.0.1:8000/agent", Kind.HTTP, ServiceAgent),
        ("https://agents.example.com/", Kind.HTTP, ServiceAgent),
        ("owning:./agent.sh 'a b'", Kind.OWNING, OwningAgent),
    ],
)
def test_an_agent_of_every_kind_is_found_by_its_name(here: Path, text: str, kind: Kind, made: type) -> None:
    spec = resolve(text)
    assert (spec.named.text, spec.kind) == (text, kind)
    agent = make_agent(spec, Setting(spec.name, here), TASK)
    assert isinstance(agent, made)
    assert agent.reference is (kind is Kind.REFERENCE)
    assert is_reference(text) is (kind is Kind.REFERENCE)
    assert make_agent(spec, Setting(spec.name, here), TASK) is not agent  # one for each episode


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dissmiss", "no agent is called 'dissmiss'\nDid you mean 'dismiss'?"),
        ("", "no agent is called ''"),
        ("proces:./x", "no agent is called 'proces:./x'\nOne of your own is written module:Class, process:"),
        ("own_agnt_of_a_test:MyAgent", "there is no module 'own_agnt_of_a_test', neither installed nor in"),
        ("own_agnt_of_a_test:MyAgent", "Did you mean 'own_agent_of_a_test'?"),
        ("own_agent_of_a_test:Agent", "own_agent_of_a_test has no 'Agent'\nDid you mean 'MyAgent'?"),
        ("own_agent_of_a_test:MyAgent?stepz=3", "takes no option 'stepz'\nDid you mean 'steps'?"),
        ("own_agent_of_a_test:MyAgent?steps=many", "MyAgent?steps: 'many' does not fit: Input should be a"),
        ("own_agent_of_a_test:MyAgent?steps", "are not of the form key=value"),
        ("dismiss=own_agent_of_a_test:MyAgent", "would be called 'dismiss', as an agent of GaraBench is"),
        ("gpt-4o=own_agent_of_a_test:MyAgent", "would be called 'gpt-4o', as an agent of GaraBench is"),
        ("process:dismiss", "no program is called 'dismiss'"),
        ("process:agent.sh", "no program is called 'agent.sh'\nWrite process:./agent.sh for the one in this"),
        ("process:./no.js", "there is no file ./no.js"),
        (
            "process:./own_agent_of_a_test.py",
            "cannot be executed\nMake it executable (chmod +x ./own_agent_o",
        ),
        ("process:./own_agent_of_a_test.py", "process:python3 ./own_agent_of_a_test.py"),
        ("process:", "names no program"),
        ("owning: ", "names no program"),
        ("process:./agent.sh 'x", "a quote is not closed"),
        ("http://", "is no address"),
        ("http://h:port/", "is no address"),
        ("https://me:secret@h/", "a password does not belong into an agent's address"),
    ],
)
def test_what_is_no_agent_is_told_in_a_plain_sentence(here: Path, text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_agents(text)
    assert said in str(caught.value)
    assert "secret" not in str(caught.value)


def test_lists_are_read_and_groups_stand_for_their_agents(here: Path) -> None:
    found = parse_agents(("reference, me=process:./agent.sh 'a,b'", "dismiss"))
    assert found == ("dismiss", "accept", "ignore", "random", "me=process:./agent.sh 'a,b'")


def test_two_agents_cannot_have_one_name(here: Path) -> None:
    with pytest.raises(InputError, match=r"would both be called 'agent.sh'\nGive one of them another name"):
        check_agents(["process:./agent.sh", "owning:./agent.sh"])


def test_a_family_of_agents_is_one_entry(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[dict[str, str]] = []

    def build(options: object) -> Callable[[Setting], ProcessAgent]:
        taken.append(dict(options))  # type: ignore[call-overload]
        return lambda setting: ProcessAgent(["true"], setting)

    family = (Entry("some-model-1.5", Kind.MODEL, "a model", build),)
    monkeypatch.setattr(registry, "_FAMILIES", (lambda: family,))
    assert resolve("some-model-1.5?mode=tree").kind is Kind.MODEL
    assert taken == [{"mode": "tree"}]
    assert ("some-model-1.5", Kind.MODEL, "a model") in registry.rows()
    assert "some-model-1.5" in registry.names()
    with pytest.raises(InputError, match=r"Did you mean 'some-model-1\.5'"):
        resolve("some-model-1")


def test_an_installed_agent_is_found_by_its_entry_point(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = here / "their_agents-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-agents\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(
        f"[{classes.GROUP}]\ntheirs = own_agent_of_a_test:MyAgent\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(here)
    assert resolve("theirs?steps=4").kind is Kind.CLASS
    assert ("theirs", Kind.CLASS, "own_agent_of_a_test:MyAgent, installed") in registry.rows()
    assert parse_agents("theirs,again=theirs") == ("theirs", "again=theirs")
