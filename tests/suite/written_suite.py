"""A small valid suite in files, into which a test writes a mistake, and assertions on the errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from garabench.errors import CombinedInputError, InputError
from garabench.lint.suite_check import check_suite

APP, OTHER = "tv.danmaku.bili", "com.jingdong.app.mall"
TASKS = f"""app: {APP}
tasks:
  - id: open-song
    instruction: {{zh: 打开稻香, en: Open 稻香}}
    goal: {{use: video-open, with: {{title: 稻香}}}}
    rules: [home-update]
    solution:
      - tap: {{id: title, text: 稻香}}
  - id: open-rain
    instruction: {{zh: 打开雨声, en: Open 雨声}}
    goal: {{use: video-open, with: {{title: 雨声}}}}
    rules: [home-update]
    solution:
      - open_app: com.jingdong.app.mall
      - tap: {{id: "com.jingdong.app.mall:id/title"}}
"""
GOALS = f"""app: {APP}
goals:
  - id: video-open
    description: The page of the video is open
    params: {{title: {{type: text}}}}
    holds:
      all:
        - package: {APP}
        - exists: {{id: title, text: "{{title}}"}}
"""
RULES = f"""app: {APP}
rules:
  - id: home-update
    description: A new version is offered
    when:
      all:
        - keywords: {{of: [推荐, 热门], threshold: 0.5}}
        - package: {APP}
    inject: update
"""
INTERRUPTIONS = """interruptions:
  - id: update
    description: A new version is offered
    category: app-prompt
    title: {zh: 更新, en: Update}
    message: {zh: 有新版本, en: There is a new version}
    buttons:
      - {key: dismiss, role: dismiss, easy: true, label: {zh: 否, en: No}}
      - {key: accept, role: accept, label: {zh: 是, en: Yes}, follow_up: [{show: page}]}
  - id: page
    description: The page of the new version
    category: app-prompt
    title: {zh: 详情, en: Details}
    message: {zh: 详情, en: Details}
    buttons:
      - key: close
        role: dismiss
        label: {zh: 关, en: Close}
        follow_up: [{start: {package: "{app}", activity: .Main}}]
"""
FILES = {
    "tasks/bili.yaml": TASKS,
    "goal_schemas/bili.yaml": GOALS,
    "rules/bili.yaml": RULES,
    "rules/interruptions.yaml": INTERRUPTIONS,
}
Write = Callable[..., Path]


def edit(path: Path, *changes: tuple[str, str]) -> None:
    """Replace texts in a file."""
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def errors(root: Path) -> tuple[InputError, ...]:
    """Return the mistakes in the suite in a folder."""
    with pytest.raises(CombinedInputError) as caught:
        check_suite(root)
    return tuple(caught.value.errors)


def first_lines(root: Path) -> list[str]:
    """Return the location and message of each error."""
    return [str(error).splitlines()[0] for error in errors(root)]


def assert_reported(root: Path, message: str) -> None:
    """Assert that exactly one mistake with this message is reported, or none if the message is empty."""
    if not message:
        assert check_suite(root)
        return
    (error,) = errors(root)
    assert message in str(error)
