"""Read a run and its episodes, of this version and of earlier ones."""

from __future__ import annotations

import gc
import json
import shutil
import weakref
from decimal import Decimal
from pathlib import Path

import pytest

from garabench.core import events as ev
from garabench.core.action import Tap
from garabench.core.app_state import AppEffects, EpisodeEffects, StateRecord
from garabench.core.geometry import Size
from garabench.core.injection import DeliveryMethod, FailureKind
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import UiNode, UiTree
from garabench.core.usage import Usage
from garabench.errors import InputError
from garabench.records.device_environment import DeviceKind
from garabench.records.episode import Episode
from garabench.records.episode_writer import EpisodeWriter
from garabench.records.plan import Plan
from garabench.records.reader import load_run
from garabench.records.results import as_version, rebuild_results
from garabench.records.run_layout import EVENTS, RUN_FILE, EpisodeKey
from garabench.records.run_writer import RunWriter
from garabench.records.versions import RUN_VERSION
from tests.small_suite import run_file

RUNS = Path(__file__).parents[1] / "data" / "runs"
V1 = RUNS / "v1"
TREE = UiTree((UiNode(text="稻香", package="com.example.reader"),))
SEEN = Observation(
    0, TREE, Screenshot(b"picture", Size(1, 2)), Focus("p.q", ".A"), TreeSource.U2, "", 0.0, Size(1, 2)
)


def key_of(writer: RunWriter, number: int = 0) -> EpisodeKey:
    return list(writer.file.episode_keys())[number]


def started(key: EpisodeKey, attempt: int = 1) -> ev.EpisodeStarted:
    return ev.EpisodeStarted(
        step=0, t=0, task=key.task, agent=key.agent, condition=key.condition, seed=key.seed,
        attempt=attempt, suite_hash="s", instruction="Like it", solution_steps=2,
    )  # fmt: skip


def observed(tree: str, picture: str, step: int = 0) -> ev.Observed:
    return ev.Observed(
        step=step, t=1, tree=tree, screen=picture, package="p.q", activity=".A", source="uiautomator2",
        signature="x",
    )  # fmt: skip


@pytest.fixture
def episode(writer: RunWriter) -> Episode:
    """An episode that was interrupted twice: one was answered, one could not be shown."""
    key = key_of(writer, 1)
    with EpisodeWriter(writer.folder / key.folder) as attempt:
        stored = attempt.store(SEEN)
        attempt.append(
            [
                started(key),
                observed(stored.tree, stored.picture),
                ev.InterruptionInjected(
                    step=0, t=2, rule="battery", interruption="low-battery", category="resource", mode="dual",
                    token="one",
                ),
                ev.InterruptionShown(step=0, t=3, token="one"),
                ev.Decided(step=0, t=4, action={"type": "tap", "x": 1, "y": 2}, usage=Usage(sent=5)),
                ev.PerformedEvent(step=0, t=5, ok=False, detail="nothing there"),
                ev.SettledEvent(step=0, t=6, still=True, readings=2, seconds=0.5),
                ev.InterruptionEvent(step=0, t=6, token="one", event="pressed:close", seq=2),
                ev.FollowUpPerformed(
                    step=0,
                    t=7,
                    token="one",
                    button="close",
                    description="relaunch",
                    ok=True,
                    detail="by monkey",
                ),
                ev.InterruptionResolved(
                    step=0, t=8, token="one", how="answered", exit="close", role="dismiss", steps=1
                ),
                ev.InterruptionInjected(
                    step=1, t=9, rule="battery", interruption="update", category="app-prompt", mode="dual",
                    token="two",
                ),
                ev.InjectionFailed(step=1, t=9, token="two", reason="the screen is off"),
                ev.Decided(step=1, t=10, action={"type": "back"}, usage=Usage(sent=7)),
                ev.EpisodeEnded(step=1, t=11, outcome="failure", reason="gave_up", steps=1),
            ]
        )  # fmt: skip
    found = load_run(writer.folder).episode(key)
    assert found is not None
    return found


def test_an_episodes_observations_are_opened_on_demand(episode: Episode) -> None:
    (seen,) = episode.observations
    assert (seen.step, seen.focus) == (0, Focus("p.q", ".A"))
    assert seen.open_tree() == TREE
    assert seen.open_picture() == b"picture"
    seen.tree_path.unlink()
    seen.picture_path.unlink()
    (again,) = episode.observations
    with pytest.raises(InputError, match="no such file"):
        again.open_tree()
    with pytest.raises(InputError, match="no such file"):
        again.open_picture()


def test_an_episodes_actions_have_their_results(episode: Episode) -> None:
    tap, back = episode.actions
    assert tap.action == Tap(x=1, y=2)
    assert tap.performed is not None
    assert (tap.performed.ok, tap.performed.detail) == (False, "nothing there")
    assert tap.settled is not None
    assert tap.settled.seconds == 0.5
    assert (back.step, back.performed, back.settled) == (1, None, None)
    assert episode.usage is not None
    assert episode.usage.sent == 12


def test_an_episodes_interruptions_have_their_events_and_end(episode: Episode) -> None:
    one, two = episode.interruptions
    assert (one.id, one.token, one.exit, one.role) == ("low-battery", "one", "close", "dismiss")
    assert one.shown is not None
    assert one.failed is None
    assert [event.event for event in one.events] == ["pressed:close"]
    assert [(step.description, step.ok, step.detail) for step in one.follow_ups] == [
        ("relaunch", True, "by monkey")
    ]
    assert one.resolved is not None
    assert (two.shown, two.events, two.follow_ups, two.resolved, two.exit) == (None, (), (), None, "")
    assert two.failed is not None
    assert two.failed.reason == "the screen is off"


def test_an_episode_has_an_outcome_and_a_summary(episode: Episode) -> None:
    assert episode.outcome == "failure"
    summary = episode.summary
    assert summary is not None
    assert (summary.key, summary.reference, summary.solution_steps, summary.injected, summary.shown) == (
        episode.key, True, 2, 2, 1,
    )  # fmt: skip
    assert (episode.transcripts, episode.agent_log, episode.fault_log) == ((), None, None)


def test_a_run_has_a_plan_agents_and_an_environment(writer: RunWriter, plan: Plan) -> None:
    run = load_run(str(writer.folder))
    assert run.plan == plan
    assert [(agent.name, agent.reference) for agent in run.agents] == [("dismiss", True)]
    assert run.environment.kind is run.kind is DeviceKind.VIRTUAL
    assert (run.summaries, list(run.episodes)) == ((), [])
    assert run.episode(EpisodeKey("like-a", "unknown", "clean", 0)) is None


def test_episodes_are_in_the_plans_order_with_every_attempt(writer: RunWriter) -> None:
    second, first = key_of(writer, 2), key_of(writer)
    for key, attempts in ((second, 1), (first, 3)):
        for number in range(1, attempts + 1):
            with EpisodeWriter(writer.folder / key.folder) as attempt:
                attempt.append([started(key, number)])
    run = load_run(writer.folder)
    assert [episode.key for episode in run.episodes] == [first, second]
    (episode, _) = run.episodes
    numbers = [attempt.started.attempt for attempt in episode.attempts if attempt.started]
    assert numbers == [1, 2, 3]
    assert len(episode.earlier_attempts) == 2
    assert episode.outcome is episode.summary is None


def test_a_truncated_last_line_is_ignored(writer: RunWriter) -> None:
    key = key_of(writer)
    with EpisodeWriter(writer.folder / key.folder) as attempt:
        attempt.append([started(key)])
    with (writer.folder / key.folder / EVENTS).open("a", encoding="utf-8") as log:
        log.write('{"type":"decided","st')
    (episode,) = load_run(writer.folder).episodes
    assert episode.events == (started(key),)


def end(outcome: str) -> ev.EpisodeEnded:
    reason = "goal_met" if outcome == "success" else "fault"
    return ev.EpisodeEnded.model_validate(
        {"step": 0, "t": 3, "outcome": outcome, "reason": reason, "steps": 0}
    )


LIKED = AppEffects(package="a.b", added=(StateRecord(kind="like", object="v"),))


@pytest.mark.parametrize(
    ("more", "effects"),
    [
        ([ev.Effects(step=0, t=3, apps=(LIKED,)), end("success")], EpisodeEffects(apps=(LIKED,))),
        ([end("error")], EpisodeEffects(unknown="the episode ended with the outcome error")),
        ([], EpisodeEffects(unknown="the episode has not ended")),
    ],
)
def test_effects_are_read_or_unknown_with_a_reason(
    writer: RunWriter, more: list[ev.Event], effects: EpisodeEffects
) -> None:
    key = key_of(writer)
    with EpisodeWriter(writer.folder / key.folder) as attempt:
        attempt.append([started(key), *more])
    (episode,) = load_run(writer.folder).episodes
    assert episode.effects == effects
    assert episode.effects.app("a.b") in (LIKED, AppEffects(package="a.b", unknown=effects.unknown))
    other = episode.effects.app("c.d")
    assert (other.known, other.none) == (False, False)


def test_a_file_outside_the_record_is_refused(writer: RunWriter) -> None:
    key = key_of(writer)
    with EpisodeWriter(writer.folder / key.folder) as attempt:
        attempt.append([started(key), observed("../../../../../run.json", "screens/000.png")])
    (episode,) = load_run(writer.folder).episodes
    with pytest.raises(InputError, match=r"names a file outside of its folder: \.\./"):
        _ = episode.observations


def test_iterating_over_a_run_holds_no_episode_in_memory(tmp_path: Path) -> None:
    plan = Plan(tasks=("t",), agents=("dismiss",), conditions=("clean",), seeds=200)
    writer = RunWriter.create(tmp_path / "run", run_file(plan))
    for key in writer.file.episode_keys():
        with EpisodeWriter(writer.folder / key.folder) as attempt:
            attempt.append([started(key)])
    alive: list[weakref.ref[Episode]] = []
    most = count = 0
    for episode in load_run(writer.folder).episodes:
        assert episode.events
        alive.append(weakref.ref(episode))
        count += 1
        most = max(most, sum(reference() is not None for reference in alive[-10:]))
    del episode
    gc.collect()
    assert (count, most <= 2) == (200, True)
    assert not any(reference() for reference in alive)


def test_a_run_of_version_1_is_read(tmp_path: Path) -> None:
    run = load_run(V1)
    assert [(agent.name, agent.kind, agent.reference) for agent in run.agents] == [
        ("heuristic", "heuristic", False),
        ("dismiss", "reference", True),
    ]
    assert (run.kind, run.environment.model, run.environment.companion) == ("virtual", "Virtual 14", "")
    dual, clean = run.episodes
    assert (dual.key.agent, dual.key.condition, clean.key.agent) == ("heuristic", "dual", "dismiss")
    assert [one.role for one in dual.interruptions] == ["dismiss", "accept", "dismiss"]
    assert all(one.shown and one.resolved for one in dual.interruptions)
    assert len(clean.actions) == 4
    for episode in (dual, clean):
        for seen in episode.observations:
            assert seen.open_tree().nodes
            assert seen.open_picture().startswith(b"\x89PNG")
            assert seen.tree_path.parent == episode.folder / "trees"
    shutil.copytree(V1, tmp_path / "run")
    rebuilt = rebuild_results(tmp_path / "run", run.file)
    assert tuple(as_version(summary, 1) for summary in rebuilt) == run.summaries
    assert load_run(tmp_path / "run").summaries == rebuilt


def test_a_run_of_the_present_versions_is_read(tmp_path: Path) -> None:
    """An external agent answers a question with two numbers."""
    folder = RUNS / f"log-{ev.SCHEMA_VERSION}"
    assert json.loads((folder / RUN_FILE).read_bytes())["version"] == RUN_VERSION
    run = load_run(folder)
    (summary,), (episode,) = run.summaries, run.episodes
    assert episode.started is not None
    assert (episode.started.version, episode.started.end) == (ev.SCHEMA_VERSION, "goal")
    assert (summary.outcome, summary.reason, summary.steps) == ("failure", "ambiguous_answer", 1)
    assert (episode.outcome, episode.effects.unknown) == ("failure", "")
    assert [(app.package, app.none) for app in episode.effects.apps] == [
        ("android", True),
        ("tv.danmaku.bili", True),
    ]
    assert (summary.side_effects, summary.side_effects_unknown) == ((), "")
    shutil.copytree(folder, tmp_path / "run")
    assert rebuild_results(tmp_path / "run", run.file) == run.summaries


@pytest.mark.parametrize(("run_version", "log_version"), [(2, 3), (3, 4)])
def test_an_interrupted_run_of_earlier_versions_is_read(
    run_version: int, log_version: int, tmp_path: Path
) -> None:
    """An external agent closes the window, for which a notification was needed, and gives up."""
    folder = RUNS / f"log-{log_version}"
    assert json.loads((folder / RUN_FILE).read_bytes())["version"] == run_version
    run = load_run(folder)
    assert (run.file.version, run.file.garabench) == (RUN_VERSION, "0.2.0")
    assert [(agent.name, agent.text, agent.kind) for agent in run.agents] == [
        ("billed-Billed", "billed:Billed", "external")
    ]
    assert (run.environment.sdk, run.environment.size) == (34, "720x1280")
    (episode,) = run.episodes
    assert episode.started is not None
    assert (episode.started.version, episode.outcome) == (log_version, "failure")
    actions = [item.decided.action["type"] for item in episode.actions if item.decided]
    assert actions == ["tap", "tap", "give_up"]
    (window,) = episode.interruptions
    assert (window.id, window.role, len(window.events)) == ("youth-mode", "dismiss", 3)
    assert window.shown is not None
    assert window.shown.method is DeliveryMethod.NOTIFICATION
    assert [(attempt.method, attempt.kind) for attempt in window.shown.tries] == [
        (DeliveryMethod.ACTIVITY, FailureKind.START_REFUSED)
    ]
    assert episode.effects == EpisodeEffects(unknown=f"log version {log_version} does not record effects")
    usage = Usage(requests=3, tries=3, sent=6300, received=255, seconds=1.5, cost=Decimal("0.0183"))
    (summary,) = run.summaries
    assert episode.usage == summary.usage == usage
    assert all(seen.open_tree().nodes and seen.open_picture() for seen in episode.observations)
    shutil.copytree(folder, tmp_path / "run")
    rebuilt = rebuild_results(tmp_path / "run", run.file)
    assert tuple(as_version(summary, 1) for summary in rebuilt) == run.summaries
    assert load_run(tmp_path / "run").summaries == rebuilt


def test_a_newer_run_is_refused_by_its_version() -> None:
    with pytest.raises(
        InputError, match=r"newer/run\.json has version 99; this GaraBench reads versions up to"
    ):
        load_run(RUNS / "newer")


def test_a_newer_log_is_refused_by_its_version() -> None:
    (episode,) = load_run(RUNS / "newer-log").episodes
    with pytest.raises(InputError, match=r"events\.jsonl has log version 99; this GaraBench reads"):
        _ = episode.events
