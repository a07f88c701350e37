"""Agents that are Python classes: checked before a run, and called in a separate thread."""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from garabench.agents.agent_name import parse_agent_name
from garabench.agents.context import AgentContext
from garabench.agents.deadline import CallCancelledError, CallThread
from garabench.agents.external import python_agent
from garabench.agents.interface import Agent, Decision
from garabench.core import action as act
from garabench.errors import AgentError, AgentFault, AgentStartError, InputError, ModelError
from tests.agents.external.views import BRIEF, HISTORY, an_observation
from tests.waits import AMPLE, CLOCK

HEAD = """
import threading, time
from garabench import Brief, Decision
from garabench.core.action import *
from garabench.errors import *
class Base:
    def start(self, brief): self.brief = brief
    def decide(self, observation, history): return Decision(Back())
    def close(self): pass
"""
Load = Callable[..., Callable[[AgentContext], Agent]]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """Return a function that loads a class from a module with a given text in the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    numbers = itertools.count()
    names: list[str] = []

    def one(text: str, name: str = "A") -> Callable[[AgentContext], Agent]:
        module = f"own_classes_of_a_test_{next(numbers)}"
        names.append(module)
        (tmp_path / f"{module}.py").write_text(HEAD + text, encoding="utf-8")
        return python_agent.build(parse_agent_name(f"{module}:{name}"))

    yield one
    for name in names:
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A = 7", "is not a class but int"),
        ("def A(): pass", "is not a class but function"),
        ("class A: pass", "is not an agent: it has no method start(self, brief)"),
        ("class A(Base):\n  decide = None", "has no method decide(self, observation, history)"),
        (
            "class A(Base):\n  def decide(self, observation): pass",
            "the signature of decide is not decide(self, obs",
        ),
        ("class A(Base):\n  def close(self, why): pass", "the signature of close is not close(self)"),
        ("class A(Base):\n  async def decide(self, o, h): pass", "decide is a coroutine"),
        ("class A(Base):\n  def __init__(self, model, *, key): pass", "requires model, key"),
        ("import abc\nclass A(Base, abc.ABC):\n  @abc.abstractmethod\n  def f(self): pass", "is abstract"),
        ("class A(Base", "cannot be imported (SyntaxError: "),
        ("1 / 0", "cannot be imported (ZeroDivisionError: division by zero)"),
        ("raise SystemExit(3)", "cannot be imported (SystemExit: 3)"),
        (
            "import nothing_of_that_name",
            "cannot be imported (ModuleNotFoundError: No module named 'nothing_of",
        ),
    ],
)
def test_an_invalid_agent_class_is_rejected_before_the_run(load: Load, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load(text)
    assert message in str(caught.value)


def test_options_are_converted_to_the_annotated_types(load: Load, tmp_path: Path) -> None:
    text = (
        "from pathlib import Path\n"
        "class A(Base):\n"
        "  def __init__(self, n: int, *, fast: bool = False, ratio=0.5, file: Path = None, "
        "other: object = 1, **more):\n"
        "    self.options = (n, fast, ratio, file, other, more)\n"
        "  def decide(self, o, h): return Decision(Done(answer=repr(self.options)))\n"
    )
    make = load(text, "A?n=3&fast=yes&ratio=0.25&file=/a/b&other=x&free=1")
    agent = make(AgentContext("mine", tmp_path))
    agent.start(BRIEF)
    assert agent.decide(an_observation(), ()).action == act.Done(
        answer="(3, True, 0.25, PosixPath('/a/b'), 'x', {'free': '1'})"
    )
    agent.close()


def test_each_episode_has_its_own_object_and_thread(load: Load, tmp_path: Path) -> None:
    make = load(
        "class A(Base):\n"
        "  def __init__(self): self.thread = threading.get_ident()\n"
        "  def decide(self, observation, history):\n"
        "    same = self.thread == threading.get_ident()\n"
        "    return Decision(Done(answer=f'{same} {id(self)} {len(history)} {self.brief.instruction}'))\n"
    )
    agents = [make(AgentContext("mine", tmp_path)) for _ in range(2)]
    for agent in agents:
        agent.start(BRIEF)
    message = [agent.decide(an_observation(), HISTORY).action for agent in agents]
    assert all(isinstance(each, act.Done) and each.answer.startswith("True ") for each in message)
    assert all(isinstance(each, act.Done) and each.answer.endswith(" 2 搜索“稻香”") for each in message)
    assert message[0] != message[1]
    for agent in agents:
        agent.close()


@pytest.mark.parametrize(
    ("body", "kind", "message"),
    [
        ("return None", "UNPARSEABLE", "returned NoneType, not Decision"),
        ("return {'type': 'tap'}", "UNPARSEABLE", "returned dict, not Decision"),
        ("return Decision('tap')", "UNPARSEABLE", "`Decision.action` is str, not a valid action"),
        ("1 / 0", "FAILED", "mine raised an exception (ZeroDivisionError: division by zero); see fault.log"),
        ("raise SystemExit(0)", "FAILED", "mine raised an exception (SystemExit: 0)"),
        ("raise ValueError('a\\nb\\n' + 'x' * 999)", "FAILED", "(ValueError: a b xxx"),
        ("raise DeviceError('gone')", "FAILED", "mine raised an exception (DeviceError: gone)"),
        ("time.sleep(20)", "TIMEOUT", "mine did not answer within 0.2 s"),
        ("raise AgentError(AgentFault.UNPARSEABLE, 'it said: tap')", "UNPARSEABLE", "it said: tap"),
    ],
)
def test_a_misbehaving_agent_fails(load: Load, tmp_path: Path, body: str, kind: str, message: str) -> None:
    seconds = 0.2 if kind == "TIMEOUT" else AMPLE
    agent = load(f"class A(Base):\n  def decide(self, o, h): {body}")(
        AgentContext("mine", tmp_path, seconds=seconds)
    )
    agent.start(BRIEF)
    with pytest.raises(AgentError) as caught:
        agent.decide(an_observation(), ())
    assert (caught.value.kind, message in str(caught.value)) == (AgentFault[kind], True), str(caught.value)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("def start(self, brief): raise KeyError('token')", "mine could not start: mine raised an exception"),
        ("def __init__(self): raise OSError('no such file')", "OSError: no such file"),
        ("def start(self, brief): time.sleep(20)", "mine could not start: mine did not answer within 0.2 s"),
    ],
)
def test_an_exception_in_start_is_a_start_error(load: Load, tmp_path: Path, body: str, message: str) -> None:
    seconds = 0.2 if "sleep" in body else AMPLE
    agent = load(f"class A(Base):\n  {body}")(AgentContext("mine", tmp_path, start_seconds=seconds))
    with pytest.raises(AgentStartError) as caught:
        agent.start(BRIEF)
    assert message in str(caught.value)


def test_a_reported_model_error_is_not_a_failure_of_the_agent(load: Load, tmp_path: Path) -> None:
    agent = load("class A(Base):\n  def decide(self, o, h): raise ModelError('quota')")(
        AgentContext("mine", tmp_path)
    )
    agent.start(BRIEF)
    with pytest.raises(ModelError, match="quota"):
        agent.decide(an_observation(), ())


def test_a_late_answer_is_discarded(load: Load, tmp_path: Path) -> None:
    make = load("class A(Base):\n  def decide(self, o, h):\n    time.sleep(20)\n    return Decision(Home())")
    agent = make(AgentContext("mine", tmp_path, seconds=0.1))
    agent.start(BRIEF)
    for step in range(2):
        with pytest.raises(AgentError):
            agent.decide(an_observation(step), ())
    following = load("class A(Base):\n  def decide(self, o, h): return Decision(Recents())")(
        AgentContext("mine", tmp_path)
    )
    following.start(BRIEF)
    assert following.decide(an_observation(), ()) == Decision(act.Recents())


def test_an_infinite_loop_is_interrupted(load: Load, tmp_path: Path) -> None:
    agent = load("class A(Base):\n  def decide(self, o, h):\n    while True: pass")(
        AgentContext("looping", tmp_path, seconds=0.2)
    )
    agent.start(BRIEF)
    with pytest.raises(AgentError, match="did not answer"):
        agent.decide(an_observation(), ())
    (thread,) = [each for each in threading.enumerate() if each.name == "agent-looping"]
    thread.join(AMPLE)
    assert not thread.is_alive()


def test_a_stopping_run_does_not_wait(tmp_path: Path) -> None:
    stop = threading.Event()
    thread = CallThread("mine", CLOCK, stop.is_set)
    assert thread.call(lambda: 7, AMPLE).value == 7
    stop.set()
    before = CLOCK.monotonic()
    with pytest.raises(CallCancelledError):
        thread.call(threading.Event().wait, AMPLE)
    assert CLOCK.monotonic() - before < AMPLE
