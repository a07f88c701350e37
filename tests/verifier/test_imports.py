"""Trajectories of other tools, in their documented shapes."""

from __future__ import annotations

import base64
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from garabench.core import action as act
from garabench.core.png import encode_png
from garabench.errors import InputError
from garabench.verifier.call_rendering import history_text
from garabench.verifier.imports.catalog import IMPORTED, import_trajectories
from garabench.verifier.imports.imported_trajectory import ImportedTrajectory
from garabench.verifier.trajectory import Ending, TrajectorySource


def png(shade: int) -> bytes:
    from PIL import Image

    return encode_png(Image.new("RGB", (4, 4), (shade, shade, shade)))


def write(file: Path, data: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(data, bytes):
        file.write_bytes(data)
    elif isinstance(data, list):
        file.write_text("".join(json.dumps(row) + "\n" for row in data), encoding="utf-8")
    else:
        file.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")


def read(folder: Path, source: TrajectorySource) -> list[ImportedTrajectory]:
    return list(import_trajectories(folder, source, folder / "pictures"))


def test_osworld(tmp_path: Path) -> None:
    example = tmp_path / "results" / "pyautogui" / "screenshot" / "gpt-4o" / "chrome" / "bb5e4c0d"
    rows = [
        {
            "step_num": 1,
            "action": "pyautogui.click(1, 2)",
            "reward": 0,
            "done": False,
            "screenshot_file": "step_1.png",
        },
        {
            "step_num": 2,
            "action": "DONE",
            "response": "It is set.",
            "done": True,
            "screenshot_file": "step_2.png",
        },
    ]
    write(example / "traj.jsonl", rows)
    write(example / "step_0_20260122@144314.png", png(0))
    write(example / "step_1.png", png(1))
    write(example / "step_2.png", png(2))
    write(example / "result.txt", "1.0\n")
    write(
        tmp_path / "results" / "examples" / "chrome" / "bb5e4c0d.json", {"id": "x", "instruction": "Use Bing"}
    )
    (found,) = read(tmp_path / "results", TrajectorySource.OSWORLD)
    judged = found.trajectory
    assert (judged.instruction, judged.key, found.outcome) == (
        "Use Bing",
        "pyautogui/screenshot/gpt-4o/chrome/bb5e4c0d",
        True,
    )
    assert (judged.ending, judged.final_message) == (Ending.DONE, "It is set.")
    assert [(step.before, step.after) for step in judged.steps] == [(0, 1), (1, 2)]
    assert judged.final_frame is judged.frames[2]
    assert '"pyautogui.click(1, 2)"' in history_text(judged)


def test_androidworld_in_both_forms_of_its_data(tmp_path: Path) -> None:
    pictures = [base64.b64encode(png(shade) + b"\0" * 400).decode() for shade in (1, 2, 3)]
    steps: list[dict[str, Any]] = [
        {
            "before_screenshot": pictures[0],
            "before_element_list": "UI element 0: Send",
            "after_screenshot": pictures[1],
            "action_output_json": {"action_type": "click", "index": 0},
            "action_reason": "send it",
        },
        {
            "before_screenshot": pictures[1],
            "before_element_list": "Sent",
            "after_screenshot": pictures[2],
            "action_output_json": '{"action_type": "status", "goal_status": "complete"}',
            "action_reason": "done",
        },
    ]
    base = {"goal": "Send hi", "task_template": "SmsSend", "is_successful": 0.0, "exception_info": None}
    write(tmp_path / "a.json", {**base, "episode_data": steps})
    write(
        tmp_path / "b.json",
        {**base, "episode_data": {key: [step[key] for step in steps] for key in steps[0]}},
    )
    one, other = (each for each in read(tmp_path, TrajectorySource.ANDROIDWORLD))
    assert one.trajectory.steps == other.trajectory.steps
    judged = one.trajectory
    assert (judged.instruction, judged.task, judged.ending, one.outcome) == (
        "Send hi",
        "SmsSend",
        Ending.DONE,
        False,
    )
    assert [(step.before, step.after) for step in judged.steps] == [(0, 1), (1, 2)]
    assert judged.frames[0].text == "UI element 0: Send"
    assert all(frame.picture is not None and frame.picture.is_file() for frame in judged.frames)


def test_androidworld_has_no_later_screen_after_a_status_and_no_steps_after_a_fault(tmp_path: Path) -> None:
    status = {"action_type": "status", "goal_status": "complete"}
    row = {"raw_screenshot": base64.b64encode(png(1) + b"\0" * 400).decode(), "action_output_json": status}
    write(tmp_path / "done.json", {"goal": "Send hi", "episode_data": [row]})
    broken = {"goal": "Send hi", "episode_data": math.nan, "is_successful": math.nan, "exception_info": "E"}
    write(tmp_path / "fault.json", broken)
    done, fault = read(tmp_path, TrajectorySource.ANDROIDWORLD)
    assert done.trajectory.final_frame is done.trajectory.frames[0]
    assert (fault.trajectory.steps, fault.trajectory.ending, fault.outcome) == ((), Ending.BROKEN, None)


AITK_TREE = '<hierarchy rotation="0"><node text="News" bounds="[0,0][9,9]"/></hierarchy>'


def write_aitk(task: Path) -> None:
    """Write a trajectory as AITK saves it."""
    for number in (0, 1):
        write(task / "states" / "screenshots" / f"step_{number}.png", png(number))
    write(task / "states" / "xmls" / "step_0.xml", f"{AITK_TREE}UI hierchary dumped to: /dev/stdout\n")
    state = {"package": "com.cnn.mobile", "activity": ".Main", "agent_message": "I tap"}
    actions: list[dict[str, Any]] = [
        {"action": "open", "app": "cnn"},
        {"action": "tap", "x": 3, "y": "4"},
        {"action": "end", "answer": "noon"},
    ]
    steps = [
        {"xml": f"step_{at}.xml", "screenshot": f"step_{at}.png", "action": action, **state}
        for at, action in enumerate(actions)
    ]
    history = {"task": "When?", "name": "cnn", "app_package": "com.cnn.mobile", "steps": steps}
    write(task / "history.json", history)


def test_aitk(tmp_path: Path) -> None:
    write_aitk(tmp_path / "saves" / "cnn_1")
    (found,) = read(tmp_path, TrajectorySource.AITK)
    judged = found.trajectory
    assert (judged.instruction, judged.task, judged.ending, judged.answer, found.outcome) == (
        "When?",
        "cnn",
        Ending.DONE,
        "noon",
        None,
    )
    assert [step.action for step in judged.steps] == [
        act.OpenApp(package="com.cnn.mobile"),
        None,  # a position is a number
        act.Done(answer="noon"),
    ]
    assert judged.frames[0].tree is not None
    assert judged.frames[0].tree.read_text() == AITK_TREE
    assert [step.before for step in judged.steps] == [0, 1, None]


def test_androidlab(tmp_path: Path) -> None:
    task = tmp_path / "clock_1_2024"
    xml = '<hierarchy rotation="0"><node text="7:00" bounds="[0,0][9,9]"/></hierarchy>'
    write(task / "Screen" / "0.png", png(1))
    write(task / "Screen" / "1.png", png(2))
    write(task / "xml" / "0.xml", xml)
    rows = [
        {
            "index": 0,
            "target": "Set an alarm at 7",
            "image": "logs/elsewhere/Screen/0.png",
            "xml": "ERROR",
            "ac_xml": "logs/elsewhere/xml/0.xml",
            "current_response": "do(action='Tap')",
            "parsed_action": {"action": "Tap", "kwargs": {"element": [1, 2]}},
            "current_activity": "com.google.android.deskclock/.DeskClock",
        },
        {
            "index": 1,
            "image": "logs/elsewhere/Screen/1.png",
            "parsed_action": {"action": "finish", "kwargs": {"message": "set"}},
        },
    ]
    write(task / "traces" / "trace.jsonl", rows)
    (found,) = read(tmp_path, TrajectorySource.ANDROIDLAB)
    judged = found.trajectory
    assert (judged.instruction, judged.ending, judged.answer) == ("Set an alarm at 7", Ending.DONE, "set")
    assert judged.frames[0].package == "com.google.android.deskclock"
    assert judged.frames[0].tree is not None  # the other kind of dump, as the first one failed
    assert judged.steps[0].thought == "do(action='Tap')"
    assert judged.final_frame is judged.frames[1]


def test_webarena_style(tmp_path: Path) -> None:
    write(tmp_path / "screenshots" / "0.png", png(1))
    write(
        tmp_path / "webarena.21.json",
        {
            "benchmark": "webarena",
            "goal": "How many reviews?",
            "steps": [
                {
                    "num": 0,
                    "action": "click('12')",
                    "screenshot_path": "x/screenshots/0.png",
                    "url": "http://shop/1",
                },
                {"num": 1, "action": 'send_msg_to_user("Three")', "axtree": "RootWebArea 'Reviews'"},
            ],
            "summary_info": {"cum_reward": 1.0},
        },
    )
    write(tmp_path / "two.json", {"intent": "Buy it", "trajectory": [{"action": "stop [N/A]"}]})
    two, one = read(tmp_path, TrajectorySource.WEBARENA)
    assert (one.trajectory.answer, one.outcome, one.trajectory.ending) == ("Three", True, Ending.DONE)
    assert (two.trajectory.answer, two.outcome) == ("N/A", None)
    assert [frame.activity for frame in one.trajectory.frames] == ["http://shop/1", ""]
    assert one.trajectory.steps[0].after == 1


def test_agent_reward_bench_keeps_pictures_apart_and_errors_with_the_next_screen(tmp_path: Path) -> None:
    place = "trajectories/screenshots/webarena/gpt-4o/webarena.21"
    steps: list[dict[str, Any]] = [
        {"num": 0, "action": "click('12')", "last_action_error": "", "axtree": "A"},
        {"num": 1, "action": "click('13')", "last_action_error": "no such element 12", "axtree": "B"},
    ]
    for step in steps:
        step["screenshot_path"] = f"{place}/screenshot_step_{step['num']}.png"
        write(tmp_path / step["screenshot_path"], png(step["num"]))
    cleaned = tmp_path / "trajectories" / "cleaned" / "webarena" / "gpt-4o"
    data = {"goal": "How many reviews?", "agent": "gpt-4o", "steps": steps}
    write(cleaned / "webarena.21.json", data)
    for root in (tmp_path, tmp_path / "trajectories"):
        (found,) = read(root, TrajectorySource.WEBARENA)
        assert found.agent == "gpt-4o"
        assert [frame.picture is not None for frame in found.trajectory.frames] == [True, True]
        assert [(step.ok, step.detail) for step in found.trajectory.steps] == [
            (False, "no such element 12"),
            (None, ""),
        ]


@pytest.mark.parametrize("source", IMPORTED)
def test_a_folder_without_trajectories_is_an_error(source: TrajectorySource, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no trajectory") as raised:
        read(tmp_path, source)
    assert re.match(r"Expected \S*json.* in it or below;|Expected \*\.pkl\.gz, ", raised.value.hint)


def test_a_step_of_aitk_that_is_no_object_is_named(tmp_path: Path) -> None:
    (tmp_path / "history.json").write_text('{"task": "x", "steps": [{}, 3]}', encoding="utf-8")
    with pytest.raises(InputError, match=r"history.json: step 1 is not an object"):
        read(tmp_path, TrajectorySource.AITK)


def test_files_outside_of_the_folder_are_not_read(tmp_path: Path) -> None:
    write(tmp_path / "secret.png", png(1))
    write(
        tmp_path / "in" / "t.json", {"goal": "x", "steps": [{"action": "a", "screenshot": "../secret.png"}]}
    )
    (found,) = read(tmp_path / "in", TrajectorySource.WEBARENA)
    assert found.trajectory.frames == ()


def test_an_androidworld_episode_without_steps_and_fault_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "x.json", '[{"goal": "x"}]')
    with pytest.raises(InputError, match=r"x\.json: episode 0 has no episode_data"):
        read(tmp_path, TrajectorySource.ANDROIDWORLD)


@pytest.mark.parametrize(
    ("source", "good", "rows", "bad", "broken", "where"),
    [
        (
            TrajectorySource.OSWORLD,
            "a/traj.jsonl",
            [{"instruction": "x"}],
            "b/traj.jsonl",
            "{}\n[\n",
            ":2: not",
        ),
        (TrajectorySource.ANDROIDLAB, "a/trace.jsonl", [{"target": "x"}], "b/trace.jsonl", "{\n", ":1: not"),
        (TrajectorySource.WEBARENA, "a.json", {"goal": "x", "steps": []}, "b.json", "{\n]", ":2: not JSON"),
        (
            TrajectorySource.ANDROIDWORLD,
            "a.json",
            {"goal": "x", "episode_data": []},
            "b.json",
            "{}",
            "has no goal",
        ),
    ],
)
def test_a_broken_trajectory_is_reported_and_the_others_are_read(
    source: TrajectorySource, good: str, rows: Any, bad: str, broken: str, where: str, tmp_path: Path
) -> None:
    write(tmp_path / good, rows)
    write(tmp_path / bad, broken)
    errors: list[InputError] = []
    found = list(import_trajectories(tmp_path, source, tmp_path / "pictures", errors.append))
    assert [each.trajectory.instruction for each in found] == ["x"]
    (error,) = errors
    assert bad in error.message and where in error.message and "Repair the file" in error.hint
    (tmp_path / good).unlink()
    with pytest.raises(InputError, match=where):
        list(import_trajectories(tmp_path, source, tmp_path / "pictures", errors.append))
