"""Write runs with screens, trees and interruptions for the tests and benchmarks of the viewer."""

from __future__ import annotations

import functools
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from garabench.core import events as ev
from garabench.core.geometry import Rect
from garabench.core.tree import UiNode, UiTree
from garabench.records.content_store import ContentStore
from garabench.records.device_environment import DeviceKind, Environment
from garabench.records.episode_writer import EpisodeWriter
from garabench.records.plan import Plan
from garabench.records.results import summarize
from garabench.records.run_file import RunAgent, RunAgentKind, RunFile
from garabench.records.run_layout import EpisodeKey
from garabench.records.run_writer import RunWriter

APP = "com.example.reader"
SIZE = (1080, 2400)
BUTTON = Rect(160, 960, 920, 1200)
FIELD = Rect(80, 240, 1000, 440)
HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>\u202eevil\u202c\x07{{ 7 * 7 }}"


@functools.cache
def picture(color: str) -> bytes:
    """Return a screenshot of one colour with a button."""
    image = Image.new("RGB", SIZE, color)
    ImageDraw.Draw(image).rectangle((BUTTON.left, BUTTON.top, BUTTON.right, BUTTON.bottom), "white")
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=1)
    return out.getvalue()


def screen_tree(title: str, button: str = "Continue", package: str = APP) -> UiTree:
    """Return a tree with a title, a text field and a button."""
    nodes = (
        UiNode(
            title, f"{package}:id/title", "android.widget.TextView", package, bounds=Rect(80, 80, 1000, 200)
        ),
        UiNode("", f"{package}:id/query", "android.widget.EditText", package, bounds=FIELD, focused=True),
        UiNode(button, f"{package}:id/go", "android.widget.Button", package, bounds=BUTTON, clickable=True),
    )
    root = UiNode(cls="android.widget.FrameLayout", package=package, bounds=Rect(0, 0, *SIZE), children=nodes)
    return UiTree((root,))


@dataclass(frozen=True, eq=False)
class PlayedScreen:
    """A screen of a played episode."""

    color: str
    tree: UiTree
    package: str = APP

    def store(self, store: ContentStore) -> tuple[str, str]:
        """Store its tree and picture; return their names."""
        return _stored(self, store)


@functools.cache
def _stored(screen: PlayedScreen, store: ContentStore) -> tuple[str, str]:
    return store.add_tree(screen.tree.to_xml()), store.add_picture(picture(screen.color))


HOME = PlayedScreen("#335577", screen_tree("Home"))
SEARCH = PlayedScreen("#557733", screen_tree("Search", "Find"))
RESULT = PlayedScreen("#773355", screen_tree("Result", "Open"))
WINDOW = PlayedScreen("#222222", screen_tree("Update now?", "Later", "org.garabench.interruptions"), "org.x")
TAP = {"type": "tap", "x": 540, "y": 1080}
TYPE = {"type": "type", "text": "岩石", "submit": True, "at": [540, 340]}
SWIPE = {"type": "swipe", "x1": 540, "y1": 2000, "x2": 540, "y2": 480}
PATH = ((HOME, TAP), (SEARCH, TYPE), (RESULT, SWIPE))


def played_events(
    key: EpisodeKey,
    store: ContentStore,
    *,
    succeeds: bool = True,
    label: str = "",
    path: Iterable[tuple[PlayedScreen, dict[str, object]]] = PATH,
) -> Iterator[ev.Event]:
    """Yield the events of an episode; an interruption comes at step 1 unless the condition is clean.

    Args:
        key: The episode.
        store: The run's store.
        succeeds: Whether the goal is met at the end.
        label: Thought and texts of the episode.
        path: The screens with the actions on them.
    """
    t = 0.0
    yield ev.EpisodeStarted(
        step=0,
        t=0,
        task=key.task,
        agent=key.agent,
        condition=key.condition,
        seed=key.seed,
        suite_hash="s" * 64,
        instruction=label or f"Do {key.task}",
        language="en",
        solution_steps=3,
    )
    step = 0
    for place, (screen, action) in enumerate(path):
        t += 0.25
        yield _observed(screen, store, step, t)
        if place == 1 and key.condition != "clean":
            yield from _interruption(store, key, step, t, label)
            t += 0.75
            step += 1
            yield _observed(screen, store, step, t)
        t += 0.1
        yield ev.Decided(step=step, t=t, action=action, thought=label or f"step {step}", seconds=0.1)
        yield ev.PerformedEvent(step=step, t=t + 0.01, ok=True)
        yield ev.SettledEvent(step=step, t=t + 0.1, still=True, readings=2, seconds=0.09)
        last = screen is RESULT and succeeds
        yield ev.GoalChecked(step=step, t=t + 0.12, holds=last, reason=label or "id=result is on the screen")
        t += 0.12
        step += 1
    tree, shot = RESULT.store(store)
    yield ev.FinalObserved(
        step=step - 1,
        t=t,
        tree=tree,
        screen=shot,
        package=APP,
        activity="Main",
        source="uiautomator2",
        signature="e" * 64,
    )
    outcome = (
        {"outcome": "success", "reason": "goal_met"}
        if succeeds
        else {"outcome": "failure", "reason": "step_limit"}
    )
    yield ev.EpisodeEnded.model_validate({"step": step - 1, "t": t, "steps": step, **outcome})


def _observed(screen: PlayedScreen, store: ContentStore, step: int, t: float) -> ev.Observed:
    tree, shot = screen.store(store)
    return ev.Observed(
        step=step,
        t=t,
        tree=tree,
        screen=shot,
        package=screen.package,
        activity="Main",
        source="uiautomator2",
        signature=screen.tree.signature,
    )


def _interruption(
    store: ContentStore, key: EpisodeKey, step: int, t: float, label: str
) -> Iterator[ev.Event]:
    kind = {"token": "t1", "category": "app-prompt", "severity": "low"}
    yield ev.InterruptionInjected(
        step=step,
        t=t,
        rule="reader-update",
        interruption="app-update",
        mode=key.condition,
        reason=label or "2 of 2 keywords are on the screen",
        **kind,
    )
    yield _observed(WINDOW, store, step, t + 0.2)
    yield ev.InterruptionShown(step=step, t=t + 0.21, seconds=0.2, **kind)
    yield ev.Decided(step=step, t=t + 0.3, action=TAP, thought="close it")
    yield ev.PerformedEvent(step=step, t=t + 0.31, ok=True)
    yield ev.SettledEvent(step=step, t=t + 0.4, still=True, readings=2, seconds=0.09)
    yield ev.InterruptionEvent(step=step, t=t + 0.41, event="pressed:dismiss", seq=1, **kind)
    yield ev.FollowUpPerformed(
        step=step, t=t + 0.42, button="dismiss", description="start com.example", ok=True, **kind
    )
    yield ev.InterruptionResolved(
        step=step, t=t + 0.43, how="answered", exit="dismiss", role="dismiss", steps=0, **kind
    )
    yield ev.GoalChecked(step=step, t=t + 0.45, holds=False, reason="id=result is not on the screen")


def begin_run(
    folder: Path,
    *,
    tasks: Iterable[str] = ("reader-find", "reader-save"),
    agents: Iterable[str] = ("solver",),
    conditions: Iterable[str] = ("clean", "dual"),
    seeds: int = 1,
    kind: DeviceKind = DeviceKind.VIRTUAL,
) -> RunWriter:
    """Begin a run; nothing is played yet."""
    plan = Plan(tasks=tuple(tasks), agents=tuple(agents), conditions=tuple(conditions), seeds=seeds)
    file = RunFile(
        garabench="0.3.0",
        plan=plan,
        agents=tuple(RunAgent(name=name, text=name, kind=RunAgentKind.HEURISTIC) for name in plan.agents),
        suite_hash="s" * 64,
        device=Environment(kind=kind, model="Test", sdk=34, size="1080x2400"),
    )
    return RunWriter.create(folder, file)


def play(writer: RunWriter, key: EpisodeKey, events: Iterable[ev.Event] | None = None) -> None:
    """Record an episode, and its result if it has ended."""
    store = ContentStore.of_run(writer.folder)
    log = tuple(played_events(key, store) if events is None else events)
    with EpisodeWriter(writer.folder / key.folder) as record:
        record.append(log)
    found = summarize(log)
    if found is not None:
        writer.append_result(found)


def played_run(folder: Path, **options: object) -> RunWriter:
    """Record a whole run: interrupted episodes of every third task fail."""
    writer = begin_run(folder, **options)  # type: ignore[arg-type]
    store = ContentStore.of_run(folder)
    for place, key in enumerate(writer.file.episode_keys()):
        fails = key.condition != "clean" and place % 3 == 0
        play(writer, key, played_events(key, store, succeeds=not fails))
    return writer


def transcript(picture_name: str) -> dict[str, Any]:
    """Return the file of a prompt and its reply, with hostile texts."""
    messages = [
        {"role": "system", "parts": [{"text": HOSTILE}]},
        {"role": "user", "parts": [{"picture": {"file": picture_name, "width": SIZE[0], "height": SIZE[1]}}]},
    ]
    answer = {
        "text": f"Thought: {HOSTILE}",
        "calls": [],
        "stop": "done",
        "usage": {"sent": 7, "received": 2, "cached": 0, "pictures": 0, "reasoning": 0},
        "seconds": 0.5,
        "queued": 0.0,
        "tries": 1,
        "model": "m",
    }
    exchange = {
        "request": {"model": "m", "messages": messages, "form": "text", "parameters": {}},
        "answer": answer,
        "outcome": {"action": {"type": "tap", "x": 1, "y": 2}},
        "usage": {"requests": 1, "tries": 1, "sent": 7, "received": 2},
    }
    view = {"screen": list(SIZE), "image": list(SIZE)}
    return {
        "version": 3,
        "step": 0,
        "endpoint": "http://127.0.0.1/v1",
        "profile": {},
        "view": view,
        "exchanges": [exchange],
    }
