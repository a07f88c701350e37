"""Graphs of a generated benchmark with the published statistics, against the paper's pairwise merging."""

from __future__ import annotations

import resource
import string
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from random import Random

from benchmarks.report import Measure
from garabench.core.seeds import generator
from garabench.graph.action_trajectory import ActionStep, ActionTrajectory
from garabench.graph.analysis import analyze
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.merge import THETA, merge_trajectories
from garabench.graph.web_actions import canonical_web_action
from garabench.graph.wording_similarity import wording_similarity

TASKS, TRAJECTORIES, ACTIONS = 812, 4768, 40_888
"""Size of the data set of the WebGraphEval paper."""
_KINDS = (("click", 0.474), ("type", 0.203), ("select", 0.032), ("scroll", 0.12), ("words", 0.171))
_SUCCESS = 0.457
_AGENTS = tuple(f"agent-{name}" for name in string.ascii_lowercase[:6])
# fmt: off
_WORDS = (
    "order", "status", "review", "product", "customer", "price", "table", "report", "item", "list",
    "date", "cart", "profile", "project", "issue", "comment", "branch", "setting", "filter", "sort",
    "search", "result", "page", "form", "address", "route", "map", "store", "menu", "invoice",
    "shipping", "account", "history", "member", "label", "title", "post", "forum", "thread", "vote",
    "repository", "commit", "catalog",
)
# fmt: on
_SHARED = 0.075
"""Share of the actions that repeat one of the same task; with it about 5.6% of the nodes are merged."""


def make_texts(
    tasks: int, trajectories: int, actions: int, seed: int = 0
) -> list[list[list[tuple[str, str]]]]:
    """Return actions as text with the address of their page, by task and trajectory."""
    rng = generator(seed, "graph")
    lengths = [1] * trajectories
    for _ in range(actions - trajectories):
        lengths[rng.randrange(trajectories)] += 1
    made: list[list[list[tuple[str, str]]]] = []
    remaining = iter(lengths)
    for number in range(tasks):
        count = trajectories // tasks + (number < trajectories % tasks)
        known: list[tuple[str, str]] = []
        paths = []
        for _ in range(count):
            path = []
            for _ in range(next(remaining)):
                if known and rng.random() < _SHARED:
                    text, url = rng.choice(known)
                    # Some agents word the same action in a slightly different way.
                    path.append((text.replace("look", "looks", 1) if rng.random() < 0.5 else text, url))
                else:
                    path.append(_text(rng))
                    known.append(path[-1])
            paths.append(path)
        made.append(paths)
    return made


def _text(rng: Random) -> tuple[str, str]:
    kind = rng.choices([name for name, _ in _KINDS], [weight for _, weight in _KINDS])[0]
    words = " ".join(rng.sample(_WORDS, 3))
    url = f"http://site{rng.randrange(5)}.example/{rng.choice(_WORDS)}/{rng.choice(_WORDS)}"
    texts: dict[str, Callable[[], str]] = {
        "click": lambda: f"click(text='{words} {rng.randrange(100)}', element='button')",
        "type": lambda: f"type(text='{words}', element='{rng.choice(_WORDS)}')",
        "select": lambda: f"select(value='{rng.choice(_WORDS)}', element='{words}')",
        "scroll": lambda: f"scroll({rng.choice(('200', '-200'))}, {rng.randrange(1, 900)})",
        "words": lambda: f"look at the {words} and check the {rng.choice(_WORDS)} of the {words}",
    }
    return texts[kind](), url


def make_trajectories(
    texts: Sequence[Sequence[Sequence[tuple[str, str]]]], seed: int = 0
) -> list[ActionTrajectory]:
    """Return trajectories of canonical actions."""
    rng = generator(seed, "graph")
    return [
        ActionTrajectory(
            id=f"{task:04}/{number:04}",
            task=f"task-{task:04}",
            agent=_AGENTS[number % len(_AGENTS)],
            success=rng.random() < _SUCCESS,
            steps=tuple(
                ActionStep(canonical_web_action(text, url), index) for index, (text, url) in enumerate(path)
            ),
            attempt=1 + number // len(_AGENTS),
        )
        for task, paths in enumerate(texts)
        for number, path in enumerate(paths)
    ]


def pairwise(trajectories: Sequence[ActionTrajectory], theta: float = THETA) -> list[int]:
    """Return the node of each action, merged as in the paper: every pair is compared, in two passes.

    As here, actions are merged only if the exact parts of their keys are equal.
    """
    items = [(number, step.action) for each in trajectories for number, step in enumerate(each.steps)]
    parent = list(range(len(items)))

    def find(item: int) -> int:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    for same_step in (True, False):
        for i, (step, a) in enumerate(items):
            for j in range(i):
                other, b = items[j]
                if same_step and step != other:
                    continue
                # The paper compares the whole texts; the exact parts are compared in addition.
                near = wording_similarity(a.text, b.text) >= theta
                if (
                    a.exact == b.exact
                    and (near or a == b)
                    and wording_similarity(a.wording, b.wording) >= theta
                ):
                    parent[max(find(i), find(j))] = min(find(i), find(j))
    return [find(index) for index in range(len(items))]


def same_partition(trajectories: Sequence[ActionTrajectory], nodes: Sequence[int]) -> bool:
    """Return whether the pairwise nodes are those of the blocked merging."""
    partition = merge_trajectories(trajectories)
    ours = [node for each in trajectories for node in partition.path(each)]
    pairs = set(zip(ours, nodes, strict=True))
    return len(pairs) == len(set(ours)) == len(set(nodes))


def _seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def _grouped(trajectories: Sequence[ActionTrajectory]) -> list[list[ActionTrajectory]]:
    groups: dict[str, list[ActionTrajectory]] = defaultdict(list)
    for each in trajectories:
        groups[each.task].append(each)
    return list(groups.values())


def _whole(scale: int = 1) -> float:
    """Return the seconds from texts to all values."""
    texts = make_texts(TASKS * scale, TRAJECTORIES * scale, ACTIONS * scale)
    return _seconds(lambda: analyze(make_trajectories(texts)))


def _one_block(count: int) -> float:
    """Return the seconds of merging actions that all have the same exact key."""
    rng = generator(1, "graph")
    actions = [CanonicalAction("other", "p", wording=" ".join(rng.sample(_WORDS, 7))) for _ in range(count)]
    steps = tuple(ActionStep(action) for action in actions)
    one = ActionTrajectory("one", "task", "agent", True, steps)
    return _seconds(lambda: merge_trajectories([one]))


def measure_graphs(every: int = 1) -> list[Measure]:
    """Measure the whole analysis, its memory, its growth, and merging against the paper's.

    Args:
        every: Merge the first of so many tasks pairwise; both ways of merging take the same tasks.
    """
    size = f"{TASKS} tasks, {TRAJECTORIES} trajectories, {ACTIONS} actions"
    once, twice = _whole(), _whole(2)
    wider = _seconds(lambda: analyze(make_trajectories(make_texts(TASKS, 2 * TRAJECTORIES, 2 * ACTIONS))))
    found = make_trajectories(make_texts(TASKS, TRAJECTORIES, ACTIONS))
    groups = _grouped(found)[::every]
    blocked = min(_seconds(lambda: [merge_trajectories(group) for group in groups]) for _ in range(3))
    nodes: list[list[int]] = []
    quadratic = _seconds(lambda: nodes.extend(pairwise(group) for group in groups))
    same = all(same_partition(group, each) for group, each in zip(groups, nodes, strict=True))
    if not same:
        raise AssertionError("the partitions differ")
    row = analyze(found).merging
    block = _one_block(2000)
    return [
        Measure(
            f"graphs: {size}",
            once,
            "s",
            15,
            note=f"from texts to all values; {row.nodes} nodes, {row.edges} edges, "
            f"{100 * (1 - row.nodes / row.actions):.1f}% of the actions merged",
        ),
        Measure("graphs: memory", _peak_mb(), "MB", 1000, note="highest of a process that does only this"),
        Measure("graphs: twice the tasks", twice / once, "x", 2.3, note=f"{twice:.1f} s"),
        Measure("graphs: twice the trajectories per task", wider / once, "x", 2.3, note=f"{wider:.1f} s"),
        Measure(
            "merging against the paper's pairwise",
            quadratic / blocked,
            "x",
            50,
            at_least=True,
            note=f"{quadratic:.1f} s and {blocked:.2f} s for {len(groups)} tasks, with the same partitions",
        ),
        Measure(
            "merging 4,000 wordings of 48 words in one block, against 2,000",
            _one_block(4000) / block,
            "x",
            note="the unfavourable case: few words, one key",
        ),
    ]


def _peak_mb() -> float:
    """Return the memory of a fresh process that analyzes the data set."""
    code = "from benchmarks import graph; graph.print_peak()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def print_peak() -> None:
    """Analyze the data set and print the peak memory of this process in megabytes."""
    _whole()
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)
