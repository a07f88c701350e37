"""A recorded run of one task, clean and interrupted, made without a device."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from garabench.core import events as ev
from garabench.core.companion_app import PACKAGE as COMPANION
from garabench.core.geometry import Rect, Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import UiNode, UiTree
from garabench.records.device_environment import Environment
from garabench.records.episode_writer import EpisodeWriter
from garabench.records.event_reader import read_events
from garabench.records.plan import Plan
from garabench.records.results import summarize
from garabench.records.run_writer import RunWriter
from tests.small_suite import VIRTUAL, run_file

APP = "com.example.reader"
TASK = "like-a"


def _screen(name: str, package: str = APP) -> Observation:
    button = UiNode(
        resource_id=f"{package}:id/{name}", package=package, bounds=Rect(0, 0, 100, 100), clickable=True
    )
    tree = UiTree((UiNode(package=package, bounds=Rect(0, 0, 100, 200), children=(button,)),))
    written = io.BytesIO()
    Image.new("RGB", (100, 200), (sum(map(ord, name)) % 255, 90, 160)).save(written, "PNG")
    picture = Screenshot(written.getvalue(), Size(100, 200))
    return Observation(
        0, tree, picture, Focus(package, f"{package}.Main"), TreeSource.U2, "", 0, Size(100, 200)
    )


def _record(
    folder: Path, agent: str, condition: str, seed: int, screens: list[str], success: bool, thought: str
) -> ev.EpisodeEnded:
    """Record an episode that taps the button of each screen; ``!name`` is the screen of an interruption."""
    with EpisodeWriter(folder) as writer:
        writer.append(
            [
                ev.EpisodeStarted(
                    step=0,
                    t=0,
                    task=TASK,
                    agent=agent,
                    condition=condition,
                    seed=seed,
                    suite_hash="s" * 64,
                    instruction="Like “a”",
                )
            ]
        )
        for step, name in enumerate(screens):
            shown = name.startswith("!")
            if shown:
                writer.append(
                    [
                        _observed(writer, step, _screen("covered")),
                        ev.InterruptionInjected(
                            step=step,
                            t=step,
                            rule="r",
                            interruption=name[1:],
                            category="network",
                            mode=condition,
                            token=f"t{step}",
                        ),
                    ]
                )
            observation = _screen(name.lstrip("!"), COMPANION if shown else APP)
            writer.append([_observed(writer, step, observation)])
            if shown:
                writer.append([ev.InterruptionShown(step=step, t=step, token=f"t{step}")])
            writer.append(
                [ev.Decided(step=step, t=step, action={"type": "tap", "x": 5, "y": 5}, thought=thought)]
            )
            if shown:
                writer.append(
                    [
                        ev.InterruptionResolved(
                            step=step, t=step, token=f"t{step}", how="answered", exit="skip", role="dismiss"
                        )
                    ]
                )
        outcome, reason = ("success", "goal_met") if success else ("failure", "step_limit")
        end = ev.EpisodeEnded.model_validate(
            {"step": len(screens), "t": 9, "outcome": outcome, "reason": reason, "steps": len(screens)}
        )
        writer.append([end])
    return end


def _observed(writer: EpisodeWriter, step: int, observation: Observation) -> ev.Observed:
    stored = writer.store(observation)
    return ev.Observed(
        step=step,
        t=step,
        tree=stored.tree,
        screen=stored.picture,
        package=observation.focus.package,
        activity=observation.focus.activity,
        source="uiautomator2",
        signature=observation.tree.signature[:8],
    )


def record_run(
    folder: Path, suite_hash: str = "s" * 64, device: Environment = VIRTUAL, thought: str = ""
) -> None:
    """Record a run with a clean and an interrupted episode of two agents, which think the same each step."""
    plan = Plan(tasks=(TASK,), agents=("dismiss", "ignore"), conditions=("clean", "dual"))
    file = run_file(plan, suite_hash, device)
    writer = RunWriter.create(folder, file)
    paths = {
        ("dismiss", "clean"): (["open", "like"], True),
        ("dismiss", "dual"): (["open", "!page-failed", "like"], True),
        ("ignore", "clean"): (["open", "like"], True),
        ("ignore", "dual"): (["open", "!page-failed", "lost", "lost"], False),
    }
    for key in file.episode_keys():
        screens, success = paths[key.agent, key.condition]
        place = folder / key.folder
        _record(place, key.agent, key.condition, key.seed, screens, success, thought)
        summary = summarize(read_events(place), reference=True)
        assert summary is not None
        writer.append_result(summary)
