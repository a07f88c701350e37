"""The baseline has no access to the task: not by its arguments, its imports, or its behaviour."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

from garabench.agents import registry
from garabench.agents.context import AgentContext
from garabench.agents.heuristic.agent import HeuristicAgent
from garabench.agents.spec import AgentKind
from garabench.core.steps import AnswerStep
from garabench.core.task import Task
from garabench.errors import InputError
from tests.agents.heuristic.worlds import APP, Line, Page, World, brief, play
from tests.bundled import bundled_suite
from tests.cases import every_case

HERE = Path(inspect.getfile(HeuristicAgent)).parent
ALLOWED = (
    "garabench.agents.heuristic",
    "garabench.agents.interface",
    "garabench.agents.context",
    "garabench.agents.spec",
    "garabench.core.action",
    "garabench.core.geometry",
    "garabench.core.observation",
    "garabench.core.seeds",
    "garabench.core.suggestions",
    "garabench.core.tree",
    "garabench.core.window_order",
    "garabench.errors",
)


def _imports(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            inside = module in ("garabench.core", "garabench.agents")
            found.update(f"{module}.{alias.name}" if inside else module for alias in node.names)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found


@every_case("file", sorted(HERE.glob("*.py")), ids=lambda file: file.stem)
def test_it_imports_only_what_every_agent_may_import(file: Path) -> None:
    ours = {name for name in _imports(file) if name.startswith("garabench")}
    assert not [name for name in ours if not name.startswith(ALLOWED)]
    assert not _imports(file) & {"inspect", "gc", "sys", "os", "pathlib", "subprocess", "socket", "importlib"}


def test_it_is_created_without_a_task(tmp_path: Path) -> None:
    spec = registry.resolve("heuristic")
    assert spec.kind is AgentKind.HEURISTIC
    assert spec.make is not None
    agent = spec.make(AgentContext(name="heuristic", folder=tmp_path))
    assert isinstance(agent, HeuristicAgent)
    assert agent.name == "heuristic"
    assert not agent.reference
    assert registry.resolve("heuristic").kind is not AgentKind.REFERENCE
    assert list(inspect.signature(HeuristicAgent).parameters) == ["name"]


def test_it_has_no_options() -> None:
    with pytest.raises(InputError, match="no option 'model'"):
        registry.resolve("heuristic?model=x")


def test_its_tables_contain_no_suite_texts_but_control_labels() -> None:
    """Its code contains no id of a task, a goal or a rule, and no quoted name of a task."""
    suite = bundled_suite()
    code = "\n".join(file.read_text(encoding="utf-8") for file in HERE.glob("*.py"))
    ids = [*suite.tasks, *suite.goals, *suite.rules]
    assert not [name for name in ids if name in code]
    packages = {each.app for each in suite.tasks.values()}
    assert not [name for name in packages if name in code]


def _junk(task: Task) -> Task:
    return task.model_copy(
        update={
            "id": "junk",
            "goal": task.goal.model_copy(update={"use": "junk"}),
            "solution": (AnswerStep(answer="junk"),),
            "near_misses": (),
            "tags": ("junk",),
            "rules": (),
        }
    )


def _world() -> World:
    return World(
        {
            "home": Page((Line("搜索", "search"), Line("视频一", "video"), Line("我的", "mine"))),
            "search": Page((Line("搜索", field=True),), submits_to="results"),
            "results": Page((Line("晴天", "video"), Line("稻香", "video"))),
            "video": Page((Line("点赞", state=False), Line("收藏")), title="稻香"),
            "mine": Page((Line("历史记录"), Line("设置"))),
        }
    )


def test_it_decides_the_same_for_a_task_with_another_goal_and_solution(tmp_path: Path) -> None:
    spec = registry.resolve("heuristic")
    task = next(each.task for each in bundled_suite().tasks.values() if len(each.task.solution) > 3)
    expected = brief("搜索“稻香”，打开“稻香”，并给它点赞。")
    ways = []
    for each in (task, _junk(task)):
        agent = registry.make_agent(spec, AgentContext(name="heuristic", folder=tmp_path), each)
        ways.append(play(agent, _world(), expected))
    assert ways[0] == ways[1]
    assert len(ways[0]) >= 4


def test_it_decides_the_same_for_the_same_seed() -> None:
    expected = brief("打开“没有的东西”。", seed=5)
    ways = [play(HeuristicAgent(), _world(), expected) for _ in range(2)]
    assert ways[0] == ways[1]
    assert APP not in str(ways[0][0].thought)
