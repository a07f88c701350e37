"""Fuzz one task: draw walks, perform and classify them, and shrink the findings."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from garabench.core.expected_effects import StateChange
from garabench.core.seeds import generator
from garabench.core.selector import find
from garabench.core.step_planner import target_of
from garabench.core.steps import BackStep, LongPressStep, OpenAppStep, SolutionStep, TapStep
from garabench.core.tree import UiTree, is_system
from garabench.core.yaml_text import flow
from garabench.proof.findings import VARIANTS
from garabench.proof.fuzz.accepted_findings import AcceptedFinding, step_data
from garabench.proof.fuzz.drawing import Screen, draw_acting, draw_harmless, unselected_tab, words_of
from garabench.proof.fuzz.known_paths import KnownPaths
from garabench.proof.fuzz.phone_page import Page
from garabench.proof.fuzz.phone_performer import PhonePerformer, SavedPerformance
from garabench.proof.fuzz.shrink import shrink
from garabench.proof.fuzz.walk import (
    ActionKind,
    FuzzedTask,
    FuzzFinding,
    FuzzWalk,
    Insertion,
    WalkResult,
    finding_of,
)
from garabench.proof.fuzz.walk_classification import CorrectEnd, WalkEnd, classify_walk, is_expected
from garabench.proof.path_evaluator import PathEvaluator
from garabench.suite.suite import SuiteTask

_NUMBERS, _NUMBER_WEIGHTS = (1, 2, 3), (45, 35, 20)
_HARMLESS_SHARE = 0.4
_AT_LAST_STEP = 0.35
_ALTERNATIVE_SHARE = 0.25
_MAX_RETURNS = 8
_TASK_SHARE = 0.25
"""Share of the walks that begin with another task."""
_BORROWED_SHARE = 0.3
"""Share of the acting actions that are the end of another task's path, where there is one."""
_SHEET_SHARE = 0.85
_MAX_IN_SHEET = 2
"""Share and number of the actions that follow in a sheet, dialog or menu which an action has opened."""
NO_EFFECTS = "its expected effects are not recorded"
"""The problem of a task without expected effects, which `garabench tasks prove --write-effects` derives."""


Watch = Callable[[PhonePerformer, str], None]
"""Looks at a settled screen of a walk, after a step, as YAML; empty on the first one."""


class UnfuzzableTaskError(ValueError):
    """A correct path of a task cannot be performed or is not accepted as correct; the text says why."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """The moment before a step of a correct path.

    Attributes:
        saved: The phone.
        evaluator: Evaluates the path so far.
        page: The page in the foreground.
        windows: Number of the apps' windows on it.
        opened: Whether the previous step has opened this page.
        target: The words of the element that the step acts on; empty if there is none.
    """

    saved: SavedPerformance
    evaluator: PathEvaluator
    page: Page
    windows: int
    opened: bool
    target: str


@dataclass(frozen=True, slots=True)
class _CorrectPath:
    """A correct path of a task, performed once.

    Attributes:
        name: Name of the alternative; empty for the solution.
        steps: Its steps.
        moments: The moment before each step.
        end: Its last page.
    """

    name: str
    steps: tuple[SolutionStep, ...]
    moments: tuple[_Moment, ...]
    end: CorrectEnd


@dataclass
class _Performance:
    """A walk that is being performed.

    Attributes:
        performer: The phone.
        evaluator: Evaluates each screen.
        inserted: The inserted actions so far.
        verdict: The goal's verdict on the last screen.
        reason: Its reason, or why the walk is blocked.
        blocked: Whether a step could not be performed.
        cut: Whether the goal held before an inserted action was over.
        strayed: The element that a step of the path acted on, where it was another one; else empty.
        watch: Called with the phone on each settled screen, and with the step that led to it.
    """

    performer: PhonePerformer
    evaluator: PathEvaluator
    inserted: list[Insertion] = field(default_factory=list)
    verdict: bool | None = False
    reason: str = ""
    blocked: bool = False
    cut: bool = False
    strayed: str = ""
    watch: Watch | None = None

    @property
    def over(self) -> bool:
        """Whether the episode would end here."""
        return self.blocked or self.verdict is True

    def perform(self, step: SolutionStep) -> None:
        """Perform a step and evaluate the screen."""
        problem = self.performer.perform(step)
        if problem:
            self.blocked, self.reason = True, problem
        else:
            self._observe(step)

    def follow(self, step: SolutionStep, moment: _Moment) -> None:
        """Perform a step of the path."""
        target = _target_words(self.performer.settle(), step)
        if target != moment.target and target and not self.strayed:
            self.strayed = f"the path acts on {target!r}, not on {moment.target!r}"
        self.perform(step)

    def insert(self, insertion: Insertion) -> None:
        """Perform an inserted action and evaluate each screen; stop where the goal holds."""
        self.inserted.append(insertion)
        if insertion.kind is ActionKind.ROTATE:
            self.performer.rotate()
            self._observe(BackStep(), "rotate and back")
        for step in insertion.steps:
            if self.over:
                self.cut = True
            else:
                self.perform(step)

    def borrow(self, insertion: Insertion) -> None:
        """Perform the steps of another task's path until one is impossible, and insert those before it."""
        done: list[SolutionStep] = []
        for step in insertion.steps:
            if self.over:
                break
            self.perform(step)
            if (
                self.blocked and done and isinstance(step, TapStep | LongPressStep)
            ):  # these change nothing then
                self.blocked = False
                break
            done.append(step)
        self.inserted.append(insertion.model_copy(update={"steps": tuple(done)}))

    def _observe(self, step: SolutionStep, shown: str = "") -> None:
        verdict = self.evaluator.observe(self.performer.facts(), step)
        self.verdict, self.reason = verdict.holds, verdict.reason
        if self.watch is not None:
            self.watch(self.performer, shown or flow(step_data(step)))


class TaskFuzzer:
    """Performs walks of one task on a virtual phone."""

    def __init__(
        self, item: SuiteTask, performer: PhonePerformer | None = None, others: Sequence[SuiteTask] = ()
    ) -> None:
        """Perform the correct paths of a task, from which its walks begin.

        Args:
            item: The task.
            performer: The phone; default: a new one.
            others: The suite's tasks; walks contain parts of those of its app.

        Raises:
            UnfuzzableTaskError: The solution cannot be performed, or is not accepted as correct.
        """
        self.item = item
        self._performer = performer or PhonePerformer.start(VARIANTS[0])
        self._known = KnownPaths.of(item, others)
        if item.task.setup:
            raise UnfuzzableTaskError("its set-up needs a device")
        if item.effects.variants is None:
            raise UnfuzzableTaskError(NO_EFFECTS)
        self._paths = [self._correct_path("", item.task.solution)]
        for other in item.task.alternatives:
            if other.steps:
                self._paths.append(self._correct_path(other.name, other.steps))

    def walk(self, number: int, seed: int) -> WalkResult:
        """Draw and perform a walk.

        Args:
            number: Its number, from 1.
            seed: Seed of the run.
        """
        rng = generator(seed, "fuzz", self.item.task.id, number)
        path = self._paths[0]
        if len(self._paths) > 1 and rng.random() < _ALTERNATIVE_SHARE:
            path = rng.choice(self._paths[1:])
        places = _draw_places(rng, len(path.steps))
        known = self._known.draw_task(rng) if rng.random() < _TASK_SHARE else None
        first = min(places) if known is None else 0
        walking = self._begin(path, first)
        if known is not None:
            start, page = self._performer.settle(), self._performer.page
            walking.insert(Insertion(before=1, kind=ActionKind.TASK, task=known.task, steps=known.steps))
            self._return(walking, path, 0, start, page)
            places = places[1:]
        for place in range(first, len(path.steps)):
            if walking.over:
                break
            if place in places:
                # after another task only harmless actions, so that the changes are known
                self._draw_here(walking, path, place, places.count(place), rng, may_act=known is None)
            if walking.over:
                break
            walking.follow(path.steps[place], path.moments[place])
            if walking.over:
                break
        walk = FuzzWalk(task=self.item.task.id, path=path.name, inserted=tuple(walking.inserted))
        return self._classify(number, walk, walking, path)

    def replay(self, walk: FuzzWalk, number: int = 1, watch: Watch | None = None) -> WalkResult:
        """Perform a walk again.

        Args:
            walk: The walk.
            number: Its number.
            watch: Called on each screen of the walk, from its first one; without it, the walk begins at its
                first inserted action.

        Raises:
            UnfuzzableTaskError: The task has no such path, or the path is too short.
        """
        path = next((each for each in self._paths if each.name == walk.path), None)
        if path is None:
            raise UnfuzzableTaskError(f"it has no alternative {walk.path!r}")
        if any(each.before > len(path.steps) for each in walk.inserted):
            raise UnfuzzableTaskError(f"the path has only {len(path.steps)} steps")
        first = 0 if watch is not None else min((each.before for each in walk.inserted), default=1) - 1
        walking = self._begin(path, first)
        if watch is not None:
            walking.watch = watch
            watch(self._performer, "")
        for place in range(first, len(path.steps)):
            here = [each for each in walk.inserted if each.before == place + 1]
            for insertion in here:
                if not walking.over:
                    walking.insert(insertion)
            if walking.over:
                break
            walking.follow(path.steps[place], path.moments[place])
            if walking.over:
                break
        return self._classify(number, walk, walking, path)

    def minimal(self, result: WalkResult) -> FuzzFinding:
        """Return the finding of a walk, with the minimal walk that is decided wrongly in the same way."""
        wanted = {each.name for each in result.unasked}
        best = result

        def decided_wrongly(inserted: tuple[Insertion, ...]) -> bool:
            nonlocal best
            if not inserted:
                return False
            found = self.replay(result.walk.model_copy(update={"inserted": inserted}), result.number)
            same = found.verdict is result.verdict and {each.name for each in found.unasked} <= wanted
            if same:
                best = found
            return same

        if not decided_wrongly(result.walk.inserted):  # it cannot be repeated; show it as it was
            return finding_of(result)
        shrink(result.walk.inserted, decided_wrongly)
        return finding_of(best)

    def _correct_path(self, name: str, steps: Sequence[SolutionStep]) -> _CorrectPath:
        performer, evaluator, title = self._performer, PathEvaluator(self.item), name or "the solution"
        performer.begin(self.item.app)
        moments: list[_Moment] = []
        page = Page()
        walking = _Performance(performer, evaluator)
        for number, step in enumerate(steps, start=1):
            opened = number > 1 and performer.page != page
            page = performer.page
            tree = performer.settle()
            saved, target = performer.save(), _target_words(tree, step)
            moments.append(_Moment(saved, copy.copy(evaluator), page, _windows(tree), opened, target))
            walking.perform(step)
            if walking.blocked:
                raise UnfuzzableTaskError(f"{title}: cannot perform step {number}: {walking.reason}")
            if walking.verdict and number < len(steps):
                if name:  # an alternative may go on to another page; an episode would end here
                    steps = steps[:number]
                    break
                raise UnfuzzableTaskError(f"{title}: accepted after step {number} of {len(steps)}")
        if walking.verdict is not True:
            raise UnfuzzableTaskError(f"{title}: refused: {walking.reason}")
        if not is_expected(performer.effects(), self.item.effects):
            raise UnfuzzableTaskError(f"{title}: has other effects than expected")
        return _CorrectPath(
            name, tuple(steps), tuple(moments), CorrectEnd(performer.settle(), performer.page)
        )

    def _begin(self, path: _CorrectPath, place: int) -> _Performance:
        moment = path.moments[place]
        self._performer.load(moment.saved)
        return _Performance(self._performer, copy.copy(moment.evaluator))

    def _draw_here(
        self,
        walking: _Performance,
        path: _CorrectPath,
        place: int,
        count: int,
        rng: random.Random,
        *,
        may_act: bool,
    ) -> None:
        """Draw and perform actions before a step, then return to the page where they began."""
        performer = self._performer
        start, page = performer.settle(), performer.page
        for number in range(count):
            acts = may_act and (rng.random() >= _HARMLESS_SHARE or performer.page != page)
            if acts and rng.random() < _BORROWED_SHARE:
                found = self._known.draw_end(performer.settle(), path.steps[place:], rng)
                if found is not None:
                    borrowed = Insertion(
                        before=place + 1, kind=ActionKind.BORROWED, task=found.task, steps=found.steps
                    )
                    walking.borrow(borrowed)
                    if walking.over:
                        break
                    continue
            self._insert_drawn(walking, path, place, rng, acts=acts, follows=number > 0)
            for _ in range(_MAX_IN_SHEET):
                if walking.over or not acts or _windows(performer.settle()) == _windows(start):
                    break
                if rng.random() < _SHEET_SHARE:
                    self._insert_drawn(walking, path, place, rng, acts=True, follows=True)
            if walking.over:
                break
        self._return(walking, path, place, start, page)

    def _insert_drawn(
        self,
        walking: _Performance,
        path: _CorrectPath,
        place: int,
        rng: random.Random,
        *,
        acts: bool,
        follows: bool,
    ) -> None:
        tree = self._performer.settle()
        screen = Screen(tree, self.item.app, path.steps, place, path.moments[place].opened)
        drawn = draw_acting(screen, rng, follows=follows) if acts else None
        drawn = drawn or draw_harmless(screen, rng)
        walking.insert(Insertion(before=place + 1, kind=drawn.kind, steps=drawn.steps))
        if (
            drawn.kind is ActionKind.TAB
            and not walking.over
            and _chosen(self._performer.settle()) != _chosen(tree)
        ):
            # what looked like tabs are options, of which another one is selected now
            walking.inserted[-1] = walking.inserted[-1].model_copy(update={"kind": ActionKind.TOGGLE})

    def _return(
        self, walking: _Performance, path: _CorrectPath, place: int, start: UiTree, page: Page
    ) -> None:
        """Return to the page on which actions were inserted."""
        for _ in range(_MAX_RETURNS):
            if walking.over or self._is_back(start, page, path.steps[place]):
                break
            steps = self._way_back(path, place, start)
            walking.insert(Insertion(before=place + 1, kind=ActionKind.RETURN, steps=steps))

    def _is_back(self, start: UiTree, page: Page, step: SolutionStep) -> bool:
        tree, target = self._performer.settle(), target_of(step)
        if self._performer.page != page or _windows(tree) != _windows(start):
            return False
        return target is None or bool(find(tree, target)) or not find(start, target)

    def _way_back(self, path: _CorrectPath, place: int, start: UiTree) -> tuple[SolutionStep, ...]:
        """Return the next steps towards the page on which actions were inserted."""
        performer, tree = self._performer, self._performer.settle()
        page = performer.page
        if page == path.moments[place].page and (unselected := unselected_tab(start, tree)) is not None:
            return (TapStep(tap=unselected),)
        for earlier in range(place - 1, -1, -1):
            moment, target = path.moments[earlier], target_of(path.steps[earlier])
            if page == moment.page and _windows(tree) == moment.windows and target and find(tree, target):
                return path.steps[earlier:place]
        if page.package != path.moments[place].page.package:
            return (OpenAppStep(open_app=self.item.app),)
        return (BackStep(),)

    def _classify(self, number: int, walk: FuzzWalk, walking: _Performance, path: _CorrectPath) -> WalkResult:
        # After acting actions, an element's words may have changed because of them.
        strayed = walking.strayed if walk.harmless else ""
        blocked = walking.blocked or bool(strayed)
        end = WalkEnd(
            accepted=walking.verdict,
            reason=walking.reason if walking.blocked or not strayed else strayed,
            last=self._performer.settle(),
            effects=() if blocked else self._performer.effects(),
            blocked=blocked,
            page=self._performer.page,
            inserted=None if walking.cut or walking.strayed else self._inserted_effects(walk),
            earlier=walking.verdict is False and walking.evaluator.lacks_earlier,
            harmed=walking.evaluator.harmed,
        )
        return classify_walk(number, walk, end, self.item.effects, path.end)

    def _inserted_effects(self, walk: FuzzWalk) -> tuple[tuple[tuple[StateChange, ...], ...], ...] | None:
        """Return what the inserted tasks change; None if something else was inserted that may act."""
        found = []
        for each in walk.inserted:
            if each.kind is ActionKind.TASK and each.task in self._known.effects:
                found.append(self._known.effects[each.task])
            elif each.kind is ActionKind.RETURN and each.before == 1:
                continue  # to the first page, by Back and tabs
            elif not each.harmless:
                return None
        return tuple(found)


def fuzz_task(
    item: SuiteTask,
    *,
    walks: int,
    seed: int,
    accepted: Sequence[AcceptedFinding] = (),
    performer: PhonePerformer | None = None,
    others: Sequence[SuiteTask] = (),
) -> FuzzedTask:
    """Draw, perform, classify and shrink the walks of a task.

    Args:
        item: The task.
        walks: Number of walks.
        seed: Seed of the run.
        accepted: The accepted findings of this task; each is performed again.
        performer: The phone; default: a new one.
        others: The suite's tasks; walks contain parts of those of its app.
    """
    try:
        fuzzer = TaskFuzzer(item, performer, others)
    except UnfuzzableTaskError as error:
        return FuzzedTask(task=item.task.id, problem=str(error))
    stale = tuple(reason for entry in accepted if (reason := _stale(fuzzer, entry)))
    results = tuple(fuzzer.walk(number, seed) for number in range(1, walks + 1))
    found: dict[str, FuzzFinding] = {}
    for result in results:
        if result.verdict.finding:
            finding = fuzzer.minimal(result)
            numbers = (*found[finding.id].walks, result.number) if finding.id in found else (result.number,)
            found[finding.id] = finding.model_copy(update={"walks": numbers})
    return FuzzedTask(task=item.task.id, walks=results, findings=tuple(found.values()), stale=stale)


def _stale(fuzzer: TaskFuzzer, entry: AcceptedFinding) -> str:
    """Return why an accepted finding is no longer one; empty if it still is."""
    try:
        found = fuzzer.replay(entry.walk)
    except UnfuzzableTaskError as error:
        return f"{entry.task}: {error}"
    if entry.covers(finding_of(found)):
        return ""
    changes = ", ".join(finding_of(found).changes)
    return f"{entry.task}: its walk is {found.verdict.value} now" + (f" ({changes})" if changes else "")


def _draw_places(rng: random.Random, steps: int) -> list[int]:
    """Draw the steps before which actions are inserted, as indices; several may be inserted before one."""
    places: list[int] = []
    for _ in range(rng.choices(_NUMBERS, _NUMBER_WEIGHTS)[0]):
        if places and rng.random() < 0.5:
            places.append(places[-1])
        elif rng.random() < _AT_LAST_STEP:
            places.append(steps - 1)
        else:
            places.append(rng.randrange(steps))
    return sorted(places)


def _target_words(tree: UiTree, step: SolutionStep) -> str:
    """Return the words of the element that a step acts on; empty if there is none."""
    target = target_of(step)
    found = find(tree, target) if target is not None else ()
    return words_of(found[0]) if found else ""


def _chosen(tree: UiTree) -> set[tuple[str, str, str]]:
    """Return the selected and checked elements of a page."""
    return {(node.entry, node.text, node.desc) for node in tree.app_nodes if node.selected or node.checked}


def _windows(tree: UiTree) -> int:
    return sum(1 for root in tree.roots if not is_system(root.package))
