"""Turn the screen in every episode and count the wrong verdicts: ``python -m benchmarks.rotation``.

A reference agent follows each task's solution, which is known to reach the goal; the anomaly ``rotation``
turns the first screen. A turned screen shows less of a list, so some steps cannot be performed, and the agent
repeats them until the step limit.

The app's state decides whether a verdict is wrong, however the episode ended. A failure is wrong if the
state changed exactly as the task asks for; a success is wrong if the state lacks such a change. The state
cannot tell if a task asks for no change, or asks to look at something after its changes. There the steps that
the agent completed are performed once more, on an upright screen: the failure is right only if they fail
there, too, and change the same. An unknown verdict is in no rate; the list says whether the state changed as
the task asks for.
"""

from __future__ import annotations

import argparse
import dataclasses
import enum
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import with_block
from garabench.agents.reference.agent import SEARCHING_THOUGHTS, ReferenceAgent
from garabench.agents.reference.exit_choice import Policy
from garabench.campaign.planner import episodes, make_plan
from garabench.core import events as ev
from garabench.core.app_state import SYSTEM
from garabench.core.clock import SystemClock
from garabench.core.expected_effects import EffectExpectation, StateChange
from garabench.core.interruption import SystemInterruption
from garabench.core.rule import BoundRule, Rule
from garabench.core.side_effects import deliberate_effects
from garabench.core.steps import SolutionStep
from garabench.device.device import Device
from garabench.episode.runner import perform_episode
from garabench.episode.spec import EpisodeSpec
from garabench.interruptions import companion_apk
from garabench.proof.step_progress import summarize_step
from garabench.records.event_reader import read_events
from garabench.suite.suite import Suite, SuiteTask
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.phone_process import VirtualPhone

AGENT = Policy.DISMISS
PROFILE = "android-19:1080x2400"
"""The size on which all tasks fit."""
DOCS = Path("docs/emulators.md")
_ALL = "all"
_USE = SystemInterruption(id="turned", description="The screen turns.", system="rotation", value="90")


class TurnedVerdict(enum.StrEnum):
    """What a turned episode shows about the verdicts."""

    SUCCEEDED = "succeeded"
    NOT_PERFORMED = "failed, and the state lacks what the task asks for"
    FAILS_UPRIGHT = "failed, and its steps fail on an upright screen, too"
    UNKNOWN = "with an unknown verdict"
    MISSCORED = "misscored"
    ERROR = "ended in an error"


class StateComparison(enum.StrEnum):
    """How the apps' state differs from what the task asks for."""

    AS_EXPECTED = "as the task asks for"
    LACKING = "a change is missing"
    OTHER_CHANGES = "nothing is missing, but something else changed"
    CANNOT_TELL = "the state is unknown, or the task asks for no change"


class UprightResult(enum.StrEnum):
    """How an episode with the same completed steps ended on an upright screen."""

    NOT_PERFORMED = "not repeated upright"
    FAILURE = "fails upright, too"
    SUCCESS = "succeeds upright"
    INCOMPARABLE = "upright, it ended in an error or changed something else"


@dataclass(frozen=True, slots=True)
class TurnedEpisode:
    """An episode with a turned screen.

    Attributes:
        task: The task's id.
        turned: Whether the screen was turned; False if the app keeps its orientation.
        outcome, reason: How the episode ended.
        steps: Number of the agent's actions.
        state: How the apps' state at the end differs from what the task asks for.
        missed: The step whose element the agent did not find; empty if it performed all steps.
        fault: The fault that ended it; empty without one.
        unknown: Whether the last check could not tell if the goal was met.
        completed: How many steps of the solution the agent completed.
        changes: What it changed, except for what is incidental.
        upright: How the completed steps ended on an upright screen.
    """

    task: str
    turned: bool
    outcome: str
    reason: str
    steps: int
    state: StateComparison
    missed: str = ""
    fault: str = ""
    unknown: bool = False
    completed: int = 0
    changes: tuple[StateChange, ...] = ()
    upright: UprightResult = UprightResult.NOT_PERFORMED

    @property
    def needs_upright(self) -> bool:
        """Whether only the same steps on an upright screen show what the agent did."""
        if self.outcome != "failure":
            return False
        if self.unknown:
            return self.state is StateComparison.CANNOT_TELL
        return self.state in (StateComparison.AS_EXPECTED, StateComparison.CANNOT_TELL)

    @property
    def truth(self) -> str:
        """What shows whether the agent did what the task asks for, if the verdict is unknown."""
        match self.state, self.upright:
            case StateComparison.AS_EXPECTED, _:
                return "changed exactly what the task asks for"
            case StateComparison.LACKING | StateComparison.OTHER_CHANGES, _:
                return str(self.state)
            case _:
                return str(self.upright)

    @property
    def verdict(self) -> TurnedVerdict:
        """What the episode shows."""
        match self.outcome, self.state:
            case "error", _:
                return TurnedVerdict.ERROR
            case "success", StateComparison.LACKING:
                return TurnedVerdict.MISSCORED
            case "success", _:
                return TurnedVerdict.SUCCEEDED
            case _ if self.unknown:
                return TurnedVerdict.UNKNOWN
            case _, StateComparison.LACKING | StateComparison.OTHER_CHANGES:
                return TurnedVerdict.NOT_PERFORMED
            case _ if self.upright is UprightResult.FAILURE:
                # Tasks ask to look at something, too, often after the last change.
                return TurnedVerdict.FAILS_UPRIGHT
            case _:
                return TurnedVerdict.MISSCORED

    def __str__(self) -> str:
        turned = "turned" if self.turned else "keeps its orientation"
        return (
            f"{self.task}: {turned}, {self.verdict} ({self.reason}, {self.steps} steps; {self.state}"
            f"{self.missed and f'; missed: {self.missed}'}; {self.upright}) {self.fault}".rstrip()
        )


def turned_spec(spec: EpisodeSpec) -> EpisodeSpec:
    """Return an episode in which only the anomaly is injected, on the first screen of the task's app."""
    rule = Rule.model_validate(
        {
            "id": "turn-at-once",
            "description": "On the first screen",
            "when": {"all": [{"package": spec.app}]},
            "inject": _USE.id,
        }
    )
    return dataclasses.replace(
        spec, rules=(BoundRule(rule, spec.app),), anomalies={_USE.id: _USE}, stress_level=1
    )


def summarize(spec: EpisodeSpec, log: Sequence[ev.Event], completed: int) -> TurnedEpisode:
    """Summarize the record of an episode.

    Args:
        spec: The episode.
        log: Its events.
        completed: How many steps of the task's solution the agent completed.
    """
    end = log[-1]
    assert isinstance(end, ev.EpisodeEnded)
    faults = [event.message for event in log if isinstance(event, ev.FaultEvent)]
    shown = any(isinstance(event, ev.InterruptionShown) for event in log)
    checks = [event.holds for event in log if isinstance(event, ev.GoalChecked)]
    return TurnedEpisode(
        spec.task.id,
        shown,
        end.outcome,
        end.reason,
        end.steps,
        compare_state(spec.effects, log),
        missed_step(spec.task.solution, completed, log),
        "; ".join(faults),
        unknown=bool(checks) and checks[-1] is None,
        completed=completed,
        changes=changes_of(spec.effects, log) or (),
    )


def compare_upright(turned: TurnedEpisode, upright: TurnedEpisode) -> TurnedEpisode:
    """Return a turned episode with the result of its completed steps on an upright screen."""
    result = UprightResult.INCOMPARABLE
    if upright.outcome == "success":
        result = UprightResult.SUCCESS
    elif upright.outcome == "failure" and not upright.unknown and _same(turned.changes, upright.changes):
        result = UprightResult.FAILURE
    return dataclasses.replace(turned, upright=result)


def _same(changes: Sequence[StateChange], others: Sequence[StateChange]) -> bool:
    return len(changes) == len(others) and all(any(each.same(one) for one in others) for each in changes)


def changes_of(expected: EffectExpectation, log: Sequence[ev.Event]) -> tuple[StateChange, ...] | None:
    """Return what an episode changed in the apps, except for what is incidental; None if it is unknown."""
    found = [event.apps for event in log if isinstance(event, ev.Effects)]
    apps = [app for app in found[-1] if app.package != SYSTEM] if found else []
    if not found or not all(app.known for app in apps):
        return None
    return deliberate_effects(apps, expected.incidental)


def missed_step(solution: Sequence[SolutionStep], completed: int, log: Sequence[ev.Event]) -> str:
    """Return the step whose element the agent searched for and did not find; empty if there is none.

    Args:
        solution: The task's solution.
        completed: How many of its steps the agent completed.
        log: The episode's events.
    """
    searched = any(isinstance(event, ev.Decided) and event.thought in SEARCHING_THOUGHTS for event in log)
    if not searched or completed >= len(solution):
        return ""
    return f"step {completed + 1} of {len(solution)}, {summarize_step(solution[completed])}"


def compare_state(expected: EffectExpectation, log: Sequence[ev.Event]) -> StateComparison:
    """Compare the apps' state at the end of an episode with what the task asks for."""
    changes = changes_of(expected, log)
    if changes is None or expected.variants is None:
        return StateComparison.CANNOT_TELL
    variants = [[each for each in variant if each.package != SYSTEM] for variant in expected.variants]
    complete = [
        variant for variant in variants if all(any(each.same(one) for one in changes) for each in variant)
    ]
    if not complete:
        return StateComparison.LACKING
    if not any(len(variant) == len(changes) for variant in complete):
        return StateComparison.OTHER_CHANGES
    return StateComparison.AS_EXPECTED if changes else StateComparison.CANNOT_TELL


def _fits(item: SuiteTask, profile: Profile) -> bool:
    """Return whether the upright screen shows everything that the goal names."""
    return (item.task.min_height_dp or 0) <= profile.size.height * 160 // profile.density


def run_turned(tasks: Sequence[SuiteTask], suite: Suite, profile: str, jobs: int) -> list[TurnedEpisode]:
    """Run tasks on virtual phones, and print each result.

    Args:
        tasks: The tasks.
        suite: Their suite.
        profile: The phones' profile.
        jobs: Number of phones.
    """
    shares = [share for job in range(jobs) if (share := tasks[job::jobs])]
    with ThreadPoolExecutor(max_workers=len(shares)) as threads:
        done = threads.map(lambda share: _run_on_one_phone(share, suite, profile), shares)
        return [each for share in done for each in share]


def _run_on_one_phone(tasks: Sequence[SuiteTask], suite: Suite, profile: str) -> list[TurnedEpisode]:
    """Run tasks one after another on a virtual phone, and print each result."""
    plan = make_plan(tuple(tasks), (AGENT.value,), conditions=("dual",))
    done = []
    with tempfile.TemporaryDirectory() as folder, VirtualPhone(profile) as phone:
        device = Device.connect(phone.serial, SystemClock())
        try:
            companion_apk.set_up(device)
            for spec in map(turned_spec, episodes(plan, suite, (AGENT.value,))):
                agent = ReferenceAgent(spec.task.solution, AGENT)
                perform_episode(spec, device, agent, Path(folder), SystemClock())
                episode = summarize(spec, read_events(Path(folder) / spec.folder), agent.furthest)
                if episode.needs_upright:
                    upright = _perform_upright(spec, episode.completed, device, Path(folder) / "upright")
                    episode = compare_upright(episode, upright)
                done.append(episode)
                print(f"{profile}: {done[-1]}", flush=True)
        finally:
            device.close()
    return done


def _perform_upright(spec: EpisodeSpec, completed: int, device: Device, folder: Path) -> TurnedEpisode:
    """Perform the first steps of a task's solution on an upright screen.

    The agent then says that it is done: an answer or giving up is a step of the solution.
    """
    spec = dataclasses.replace(spec, rules=(), anomalies={}, stress_level=None)
    agent = ReferenceAgent(spec.task.solution[:completed], AGENT)
    perform_episode(spec, device, agent, folder, SystemClock())
    return summarize(spec, read_events(folder / spec.folder), agent.furthest)


def as_block(profile: str, done: Sequence[TurnedEpisode]) -> str:
    """Return the result of a run as a Markdown table; tasks to look at and their missed steps are below."""
    counts = Counter(each.verdict for each in done)
    turned = sum(each.turned for each in done)
    names = ("succeeded", "state differs", "fails upright, too", "unknown", "wrong", "errors")
    head = ("virtual phone", "tasks that fit", "screens turned", *names)
    row = (f"`{profile}`", len(done), turned, *(counts[verdict] for verdict in TurnedVerdict))
    lines = [
        f"| {' | '.join(map(str, cells))} |" for cells in (head, ("---", *["---:"] * (len(head) - 1)), row)
    ]
    lists = [("Not turned", sorted(f"`{each.task}`" for each in done if not each.turned))]
    for name, verdict in zip(names[2:], list(TurnedVerdict)[2:], strict=True):
        lists.append(
            (name.capitalize(), sorted(_explained(each) for each in done if each.verdict is verdict))
        )
    notes = [
        textwrap.fill(f"{name}: {', '.join(tasks)}.", 120, break_on_hyphens=False)
        for name, tasks in lists
        if tasks
    ]
    return "\n".join((*lines, *(f"\n{note}" for note in notes)))


def _explained(episode: TurnedEpisode) -> str:
    """Return an episode's task with the step that missed its element, for a line of the table's notes.

    With an unknown verdict, what the agent did is shown instead.
    """
    why = episode.truth if episode.verdict is TurnedVerdict.UNKNOWN else episode.missed
    return f"`{episode.task}`" + (f" ({why})" if why else "")


def main() -> int:
    """Run the tasks named by the arguments; return 1 if an episode was misscored or ended in an error."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rotation", description=__doc__)
    parser.add_argument("--tasks", default=_ALL, help="task selector (default: all, which takes minutes)")
    parser.add_argument("--profile", default=PROFILE, help=f"profile of the phone (default: {PROFILE})")
    parser.add_argument("--jobs", type=int, default=1, help="number of virtual phones (default: 1)")
    parser.add_argument("--docs", action="store_true", help=f"also replace the table in {DOCS}")
    options = parser.parse_args()
    if options.docs and options.tasks != _ALL:
        parser.error("--docs needs all tasks, since the table is of one run")
    if options.jobs < 1:
        parser.error("--jobs must be at least 1")
    suite = Suite.load()
    on_screen = [item for item in suite.select(options.tasks) if _fits(item, Profile.parse(options.profile))]
    done = run_turned(on_screen, suite, options.profile, options.jobs)
    print(as_block(options.profile, done))
    if options.docs:
        page = with_block(DOCS.read_text(encoding="utf-8"), "rotation", as_block(options.profile, done))
        DOCS.write_text(page, encoding="utf-8")
    wrong = {TurnedVerdict.MISSCORED, TurnedVerdict.ERROR} & {each.verdict for each in done}
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
