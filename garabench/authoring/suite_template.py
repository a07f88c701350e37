"""The files of a new suite: a task, a goal, two rules and an interruption for Bilibili, with comments."""

from __future__ import annotations

from collections.abc import Mapping

from garabench.core import schemas
from garabench.core.yaml_text import schema_line

_SUITE = """\
# Your own suite: tasks, goals and rules in YAML. `garabench check` finds mistakes,
# `garabench run --suite DIR` runs it. This file is optional.

# Ids that this suite does not define are looked up in the built-in suite
# (garabench goals list --suite builtin; rules list; interruptions list). `false` switches that off.
builtin: true

# Built-in tasks that also belong to this suite: ids, apps, tags or globs. `rules` replaces their rules.
#   - bili-like-song-live
#   - {select: "bili-like-*", rules: [my-account-survey]}
tasks: []
"""
_TASKS = """\
# Tasks of one app. Every file in tasks/, goal_schemas/ and rules/ is read.
app: tv.danmaku.bili
tasks:
  - id: my-switch-off-auto-play
    # What a person would say, in one language or several.
    instruction:
      zh: 在哔哩哔哩的“播放设置”里关闭“自动连播”
      en: Switch off 自动连播 in Bilibili's playback settings (播放设置)
    # The state to reach: a goal of goal_schemas/, with its object.
    goal: {use: my-switch-off, with: {title: 自动连播}}
    # The rules that may interrupt this task.
    rules: [my-account-survey, my-settings-low-battery]
    max_steps: 22
    # A correct solution by selectors, from the app's first screen. `garabench tasks prove` performs it.
    solution:
      - tap: {desc: "我的,5之5,标签"}
      - scroll: {direction: down, until: {id: mine_row, text: 设置}, inside: {id: mine_scroll}}
      - tap: {id: mine_row, text: 设置}
      - tap: {id: preference_title, text: 播放设置}
      - tap: {id: switchWidget, desc: 自动连播, checked: true}
    # Mistakes that look right. The goal must reject each.
    near_misses:
      - name: another-switch
        kind: wrong-object
        steps:
          - tap: {desc: "我的,5之5,标签"}
          - scroll: {direction: down, until: {id: mine_row, text: 设置}, inside: {id: mine_scroll}}
          - tap: {id: mine_row, text: 设置}
          - tap: {id: preference_title, text: 播放设置}
          - tap: {id: switchWidget, desc: 小窗播放}
      - name: only-looked
        kind: half-done
        steps:
          - tap: {desc: "我的,5之5,标签"}
          - scroll: {direction: down, until: {id: mine_row, text: 设置}, inside: {id: mine_scroll}}
          - tap: {id: mine_row, text: 设置}
          - tap: {id: preference_title, text: 播放设置}
"""
_GOALS = """\
# Goals of one app: conditions on the settled screen, with parameters that name the object.
# `garabench goals new BEFORE.xml AFTER.xml` proposes one; `garabench goals test TREE --goal ID` tests it.
app: tv.danmaku.bili
goals:
  - id: my-switch-off
    description: A switch of the playback settings is off
    params:
      title: {type: text, description: Title of the switch}
    holds:
      exists: {id: switchWidget, desc: "{title}", checked: false}
"""
_RULES = """\
# Rules of one app: when the screen looks like this, inject that.
# `garabench rules new --tree SCREEN.xml` proposes one; `garabench rules explain SCREEN.xml --rule ID`
# says why it fires or not; `garabench rules try ID --device SERIAL` injects it now.
app: tv.danmaku.bili
rules:
  - id: my-account-survey
    description: A survey on the account page
    when:
      all:
        # At least 75% of these texts must be on the screen.
        - keywords: {of: [离线缓存, 历史记录, 我的收藏, 稍后再看], threshold: 0.75}
        # And an element with this id.
        - exists: {id: mine_scroll}
    # An interruption of this suite, from rules/interruptions.yaml.
    inject: my-survey

  - id: my-settings-low-battery
    description: A low battery in the settings
    when:
      all:
        - keywords: {of: [播放设置, 离线设置, 弹幕设置, 推送设置], threshold: 0.75}
    # An interruption of the built-in suite.
    inject: low-battery
"""
_INTERRUPTIONS = """\
# Your own interruptions. `garabench interruptions gallery --suite DIR --out page.html` draws them.
interruptions:
  - id: my-survey
    description: Asks for an opinion
    category: app-prompt
    style: prompt
    title: {zh: 您对手机满意吗？, en: "Are you happy with this phone?"}
    message: {zh: 一分钟即可完成。, en: It takes one minute.}
    buttons:
      # `easy: true` marks an exit that the forced mode leaves out.
      - {key: dismiss, role: dismiss, easy: true, label: {zh: 以后, en: Later}}
      - key: accept
        role: accept
        label: {zh: 开始, en: Start}
        # What pressing it triggers: a page that shows progress for three seconds.
        follow_up: [{progress: 3}]
"""
_KINDS = ("tasks", "goals", "rules", "interruptions")


def template_files() -> Mapping[str, str]:
    """Return the texts of a new suite's files, by path."""
    listed = {
        "tasks/bilibili.yaml": ("tasks", _TASKS),
        "goal_schemas/bilibili.yaml": ("goals", _GOALS),
        "rules/bilibili.yaml": ("rules", _RULES),
        "rules/interruptions.yaml": ("interruptions", _INTERRUPTIONS),
    }
    files = {"suite.yaml": _SUITE}
    files |= {path: f"{schema_line(kind)}\n{text}" for path, (kind, text) in listed.items()}
    return files | schema_files()


def schema_files() -> dict[str, str]:
    """Return the texts of the schemas that the first lines of a suite's files name, by path."""
    return {f"schemas/{kind}.schema.json": schemas.schema_text(schemas.suite_schema(kind)) for kind in _KINDS}
