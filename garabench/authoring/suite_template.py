"""The files of a new suite: one task, goal, rule and interruption for Settings, with comments."""

from __future__ import annotations

from collections.abc import Mapping

from garabench.authoring.yaml_text import schema_line
from garabench.core import schemas

_SUITE = """\
# A suite of your own: tasks, goals and rules in YAML. `garabench check` finds mistakes,
# `garabench run --suite DIR` runs it. This file is optional.

# Ids that this suite does not define are looked up in the built-in suite
# (garabench goals list --suite builtin; rules list; interruptions list). `false` switches that off.
builtin: true

# Built-in tasks that also belong to this suite: ids, apps, tags or globs. `rules` replaces their rules.
#   - bili-like-song-live
#   - {select: "jd-*", rules: [settings-home-survey]}
tasks: []
"""
_TASKS = """\
# Tasks of one app. Every file below tasks/, goal_schemas/ and rules/ is read.
app: com.android.settings
tasks:
  - id: settings-open-battery
    # What a person would say, in one language or several.
    instruction: {zh: 在设置中打开“电池”, en: Open Battery in Settings}
    # The state that is to be reached, from goal_schemas/, with its object.
    goal: {use: settings-page-open, with: {name: 省电模式}}
    # The rules that may interrupt this task.
    rules: [settings-home-survey, settings-battery-low]
    max_steps: 15
    # A correct solution by selectors, from the app's first screen. `garabench tasks prove` performs it.
    solution:
      - tap: {text: 电池}
    # Mistakes that look right. The goal must reject each.
    near_misses:
      - name: display-instead
        kind: wrong-object
        steps:
          - tap: {text: 显示}
"""
_GOALS = """\
# Goals of one app: conditions on the settled screen, with parameters that name the object.
# `garabench goals new BEFORE.xml AFTER.xml` proposes one; `garabench goals test TREE --goal ID` tests it.
app: com.android.settings
goals:
  - id: settings-page-open
    description: A page of Settings is open
    params:
      name: {type: text, description: A text that only this page shows}
    holds:
      all:
        - package: com.android.settings
        - exists: {text: "{name}"}
        - absent: {text: 应用}
"""
_RULES = """\
# Rules of one app: when the screen looks like this, inject that.
# `garabench rules new --tree SCREEN.xml` proposes one; `garabench rules explain SCREEN.xml --rule ID`
# says why it fires or not; `garabench rules try ID --device SERIAL` injects it now.
app: com.android.settings
rules:
  - id: settings-home-survey
    description: A survey on the first page of Settings
    when:
      all:
        # At least 60% of these texts must be on the screen.
        - keywords: {of: [电池, 显示, 应用], threshold: 0.6}
    # An interruption of this suite, from rules/interruptions.yaml.
    inject: settings-survey

  - id: settings-battery-low
    description: A low battery when the battery page is open
    when:
      all:
        - keywords: {of: [省电模式], threshold: 1.0}
    # An interruption of the built-in suite.
    inject: low-battery
"""
_INTERRUPTIONS = """\
# Interruptions of your own. `garabench interruptions gallery --suite DIR --out page.html` draws them.
interruptions:
  - id: settings-survey
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
        "tasks/settings.yaml": ("tasks", _TASKS),
        "goal_schemas/settings.yaml": ("goals", _GOALS),
        "rules/settings.yaml": ("rules", _RULES),
        "rules/interruptions.yaml": ("interruptions", _INTERRUPTIONS),
    }
    files = {"suite.yaml": _SUITE}
    files |= {path: f"{schema_line(kind)}\n{text}" for path, (kind, text) in listed.items()}
    return files | {f"schemas/{kind}.schema.json": schemas.text_of(kind) for kind in _KINDS}
