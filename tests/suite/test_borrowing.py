"""Suites that use the built-in one by id, and the settings that say how."""

from __future__ import annotations

from pathlib import Path

import pytest

from garabench.errors import CombinedInputError, InputError
from garabench.lint.suite_check import check_suite
from garabench.suite.project import find_project
from garabench.suite.suite import Suite

TASK = """
app: tv.danmaku.bili
tasks:
  - id: own-like
    instruction: {zh: 给视频点赞, en: Like the video}
    goal:
      use: bili-video-liked
      with: {title: 稻香 – 完整版现场，全场大合唱, uploader: 乐迷小周, saved: 收藏}
    rules: [own-home, bili-video-data-usage]
    max_steps: 15
    solution: [{tap: {id: frame_like}}]
"""
RULE = """
app: tv.danmaku.bili
rules:
  - id: own-home
    description: On the home screen
    when: {all: [{exists: {id: expand_search}}]}
    inject: youth-mode
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, "tasks/own.yaml", TASK)
    write(tmp_path, "rules/own.yaml", RULE)
    return tmp_path


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def messages(root: Path) -> str:
    with pytest.raises(CombinedInputError) as caught:
        Suite.load(root)
    return str(caught.value)


def test_goals_rules_and_interruptions_of_the_built_in_suite_are_used_by_id(root: Path) -> None:
    suite = check_suite(root)
    assert list(suite.tasks) == ["own-like"]
    assert list(suite.goals) == ["bili-video-liked"]
    assert set(suite.rules) == {"own-home", "bili-video-data-usage"}
    assert set(suite.interruptions) == {"youth-mode", "youth-mode-setup", "data-usage"}
    assert (set(suite.own.rules), suite.own.goals) == ({"own-home"}, {})
    assert Suite.load(root).digest == suite.digest


def test_a_suite_can_do_without_the_built_in_one(root: Path) -> None:
    write(root, "suite.yaml", "builtin: false")
    text = messages(root)
    assert "unknown goal 'bili-video-liked'" in text
    assert "unknown interruption 'youth-mode'" in text
    write(root, "suite.yaml", "builtin: false\ntasks: [bili-like-song-live]")
    assert "suite.yaml:2:8: tasks of the built-in suite are included, but builtin is false" in messages(root)


def test_built_in_tasks_are_included_with_own_rules(root: Path) -> None:
    write(root, "suite.yaml", "tasks: [amap-*, {select: bili-like-song-live, rules: [own-home]}]")
    suite = check_suite(root)
    assert suite.tasks["bili-like-song-live"].task.rules == ("own-home",)
    assert {item.group for item in suite.select("amap")} == {"amap"}
    assert list(suite.own.tasks) == ["own-like"]
    write(root, "suite.yaml", "tasks: [{select: jd, rules: [own-home]}, nowhere-*]")
    text = messages(root)
    assert "suite.yaml:1:30: the rule 'own-home' is for tv.danmaku.bili" in text
    assert "unknown task, app or tag 'nowhere-*'" in text


def test_own_definitions_take_precedence_but_must_not_change_built_in_rules(root: Path) -> None:
    own = """
interruptions:
  - id: ID
    description: Our own
    category: resource
    title: {zh: 标题, en: Title}
    message: {zh: 内容, en: Text}
    buttons: [{key: accept, role: accept, label: {zh: 好, en: OK}}]
"""
    write(root, "rules/interruptions.yaml", own.replace("ID", "youth-mode"))
    assert Suite.load(root).interruptions["youth-mode"].description == "Our own"
    write(root, "rules/interruptions.yaml", own.replace("ID", "data-usage"))
    assert "'data-usage' has the id of a built-in one that this suite also uses indirectly" in messages(root)


def test_names_of_the_built_in_suite_are_suggested(root: Path) -> None:
    write(root, "rules/own.yaml", RULE.replace("youth-mode", "low-batery"))
    assert "Did you mean 'low-battery' of the built-in suite?" in messages(root)
    write(root, "tasks/own.yaml", TASK.replace("saved: 收藏", "saved: 7, more: 1"))
    assert "no parameter" in messages(root)


def test_the_project_names_the_suite(tmp_path: Path) -> None:
    (tmp_path / "suite").mkdir()
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    write(tmp_path, "pyproject.toml", '[tool.garabench]\nsuite = "suite"')
    write(below.parent, "pyproject.toml", "[tool.other]\ngarabench = 1")
    assert find_project(below).suite == tmp_path / "suite"
    for text, message in (
        ('[tool.garabench]\nsuit = "x"', "pyproject.toml:2:1: [tool.garabench] has the unknown key 'suit'"),
        ("[tool.garabench]\n  suite = 5", "pyproject.toml:2:3: [tool.garabench]: expected a string"),
        ('[tool.garabench]\nsuite = "none"', "is not a folder"),
        ("[tool]\ngarabench = 1", "is not a table"),
        ("[tool.garabench", "pyproject.toml:1:16: not valid TOML"),
    ):
        write(tmp_path, "pyproject.toml", text)
        with pytest.raises(InputError, match=message.replace("[", r"\[")):
            find_project(below)
