"""Convert the released data to the files of a suite.

What GaraBench's formats express otherwise is expressed their way: a follow-up acts on the task's app
and not on the package that the data names; a bare class matches any such element. What has no
counterpart is left out and listed: a placeholder goal, a missing rule, a swipe at fixed pixels.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from garabench.authoring.d_gara.reference_faults import HUMAN_VALIDATION, letters, tasks_by_interruption
from garabench.authoring.d_gara.released_data import (
    Interference,
    PostAction,
    ReleasedCondition,
    ReleasedData,
    ReleasedGoal,
    ReleasedRule,
)
from garabench.authoring.suite_template import schema_files
from garabench.core.yaml_text import schema_line

MAX_STEPS = 30
"""Step limit of an imported task; the released ones have none."""
_IDEOGRAPH = re.compile(r"[\u3400-\u9fff]")
_PAIR = re.compile(r"^([a-z-]+)(\*?)='([^']*)'$")
_KEYS = {"resource-id": "id", "text": "text", "content-desc": "desc", "class": "class"}
_PROGRESS = re.compile(r'am start -n \S+/\.ProgressActivity .*"param_duration_seconds"\s+(\d+)')
_COMPONENT = re.compile(r'am start -n "?([\w.]+)/([\w.$]+)"?')
_APP_NAMES = {
    "tv.danmaku.bili": "bilibili",
    "com.jingdong.app.mall": "jd",
    "com.autonavi.minimap": "amap",
    "ctrip.android.view": "ctrip",
    "com.sina.weibo": "weibo",
    "com.facebook.katana": "facebook",
    "com.google.android.apps.maps": "google-maps",
}
_PREFIX = "d-gara-"
_SETTINGS = {
    "android.settings.WIFI_SETTINGS": "wifi",
    "android.settings.BATTERY_SAVER_SETTINGS": "battery-saver",
    "android.settings.APPLICATION_DETAILS_SETTINGS": "app-details",
}


@dataclass(frozen=True)
class ConvertedSuite:
    """The files of a suite and what they lack.

    Attributes:
        files: The text of each file, by its path within the suite's folder.
        tasks: Number of converted tasks.
        left_out: The tasks and steps that could not be converted, a sentence each.
        missing_rules: The tasks that were converted without a rule that does not exist, a sentence each.
    """

    files: Mapping[str, str]
    tasks: int
    left_out: tuple[str, ...]
    missing_rules: tuple[str, ...]


_INTERRUPTIONS = "rules/d-gara_interruptions.yaml"
_NO_SOLUTIONS = "# garabench: ignore[no-solution] the released tasks have none; record those that you need"


def convert(data: ReleasedData) -> ConvertedSuite:
    """Convert the tasks that a program can validate, and the goals, rules and interruptions that they use."""
    left_out: list[str] = []
    missing_rules: list[str] = []
    apps: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    goals: defaultdict[str, dict[str, ReleasedGoal]] = defaultdict(dict)
    rules: defaultdict[str, dict[str, ReleasedRule]] = defaultdict(dict)
    first: dict[str, dict[str, Any]] = {}
    for task in data.tasks:
        if task.goal == HUMAN_VALIDATION or task.goal not in data.goals:
            left_out.append(f"Task {task.id}: {task.goal} is not a goal that a program can check.")
            continue
        known = [name for name in task.rules if name in data.rules]
        missing_rules += [
            f"Task {task.id}: imported without its rule {name}, which does not exist."
            for name in task.rules
            if name not in known
        ]
        rules[task.app].update({name: data.rules[name] for name in known})
        converted: dict[str, Any] = {
            "id": f"{_PREFIX}{task.id}",
            "instruction": _texts(task.instruction),
            "goal": {"use": _id(task.goal, "task_")},
            "rules": [_id(name, "rule_") for name in known],
            "max_steps": MAX_STEPS,
            "tags": ["d-gara"],
        }
        same = first.setdefault(letters(task.instruction), converted)
        if same is not converted:
            same["rules"] += [name for name in converted["rules"] if name not in same["rules"]]
            left_out.append(f"Task {task.id}: {same['id']} has the same instruction and now has its rules.")
            continue
        apps[task.app].append(converted)
        goals[task.app][task.goal] = data.goals[task.goal]
    files = dict(schema_files())
    for app, tasks in apps.items():
        name = f"{_PREFIX}{_APP_NAMES.get(app, _id(app))}.yaml"
        # The released data is about the real apps, whose screens differ from the virtual phone's.
        unknown = {"package": app, "system": False, "texts": None}
        files[f"texts/{app}.json"] = json.dumps(unknown) + "\n"
        files[f"tasks/{name}"] = _file("tasks", {"app": app, "tasks": tasks}, _NO_SOLUTIONS)
        found = [_goal(each, goal) for each, goal in goals[app].items()]
        files[f"goal_schemas/{name}"] = _file("goals", {"app": app, "goals": found})
        if rules[app]:
            found = [_rule(each) for each in rules[app].values()]
            files[f"rules/{name}"] = _file("rules", {"app": app, "rules": found})
    used = tasks_by_interruption(data)
    entries = [_interruption(entry, left_out) for name, entry in data.library.items() if name in used]
    files[_INTERRUPTIONS] = _file("interruptions", {"interruptions": entries})
    return ConvertedSuite(files, sum(map(len, apps.values())), tuple(left_out), tuple(missing_rules))


def _file(kind: str, data: dict[str, Any], *comments: str) -> str:
    """Return the text of a file, with its schema's line for editors."""
    text = _yaml(data)
    return "\n".join([schema_line(kind), *comments, text])


def _yaml(data: dict[str, Any]) -> str:
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=110)


def _id(name: str, prefix: str = "") -> str:
    """Return a released name as an id of a suite."""
    plain = name.removeprefix(prefix)
    return _PREFIX + re.sub(r"[^a-z0-9]+", "-", plain.casefold()).strip("-")


def _texts(text: str) -> dict[str, str]:
    return {"zh" if _IDEOGRAPH.search(text) else "en": text}


def _goal(name: str, goal: ReleasedGoal) -> dict[str, Any]:
    conditions = [_condition(each) for each in goal.conditions]
    return {
        "id": _id(name, "task_"),
        "description": goal.description or name,
        "object": "The released goal names its object in its texts, or none.",
        "holds": conditions[0] if len(conditions) == 1 else {"all": conditions},
    }


def _condition(condition: ReleasedCondition) -> dict[str, Any]:
    if condition.parts:
        inner = [_condition(each) for each in condition.parts]
        return {"any" if condition.type == "any_of" else "all": inner}
    selector: dict[str, str] = {}
    if found := _PAIR.match(condition.selector):
        # Resource ids of an app's parts have their own packages; the bare name matches any.
        value = found[3].rpartition(":id/")[2] if found[1] == "resource-id" else found[3]
        selector[_KEYS.get(found[1], found[1]) + ("_contains" if found[2] else "")] = value
    test = condition.attribute
    if condition.type == "element_text_equals":
        selector["text"] = condition.text
    elif condition.type == "element_property" and test in ("selected", "checked"):
        inner_test = {test: selector}
        return inner_test if condition.value == "true" else {"not": inner_test}
    elif condition.type == "element_property":
        selector[_KEYS.get(test, test)] = condition.value
    elif condition.type == "element_property_contains":
        selector[f"{_KEYS.get(test, test)}_contains"] = condition.value
    return {"exists": selector}


def _rule(rule: ReleasedRule) -> dict[str, Any]:
    conditions = [
        {"keywords": {"of": list(dict.fromkeys(each.keywords)), "threshold": each.threshold}}
        for each in rule.when.all
    ]
    injected = [_id(action.interference_id) for action in rule.actions]
    return {
        "id": _id(rule.id, "rule_"),
        "description": rule.description or rule.id,
        "when": {"all": conditions},
        "inject": injected[0] if len(injected) == 1 else injected,
        "probability": rule.actions[0].trigger_probability,
        "priority": rule.priority,
    }


_CATEGORIES = (
    ("wifi", "network"),
    ("data", "network"),
    ("battery", "resource"),
    ("permission", "permission"),
    ("crash", "app-fault"),
)


def _interruption(entry: Interference, left_out: list[str]) -> dict[str, Any]:
    params = entry.params
    title, message = params.get("param_title", entry.id), params.get("param_message", entry.id)
    buttons = []
    for key, label_name in (("allow", "btn_text"), ("deny", "btn_text"), ("", "button_text")):
        label = params.get("_".join(filter(None, ("param", key, label_name))))
        event = params.get("_".join(filter(None, ("param", key, "log_event"))))
        if label is not None:
            steps = entry.post_actions.get(f"EVENT:{event}", ())
            buttons.append(_button(key != "deny", label, steps, entry.id, left_out))
    if not any(not button.get("easy") for button in buttons):
        buttons[0].pop("easy", None)
    category = next((found for word, found in _CATEGORIES if word in entry.id), "app-prompt")
    return {
        "id": _id(entry.id),
        "description": entry.description or entry.id,
        "category": category,
        "title": _texts(title),
        "message": _texts(message),
        "buttons": buttons,
        "cancelable": False,
    }


def _button(
    accepts: bool, label: str, steps: Sequence[PostAction], entry: str, left_out: list[str]
) -> dict[str, Any]:
    restarts = "重启" in label or "restart" in label.casefold()
    follow_up = [made for step in steps for made in _steps(step, restarts, entry, left_out)]
    leaves = any("force_stop" in step for step in follow_up)
    role = "accept" if accepts else "exit" if leaves else "dismiss"
    button: dict[str, Any] = {"key": role, "role": role}
    if role == "dismiss" and not follow_up:
        button["easy"] = True
    return button | {"label": _texts(label)} | ({"follow_up": follow_up} if follow_up else {})


def _steps(step: PostAction, restarts: bool, entry: str, left_out: list[str]) -> Iterator[dict[str, Any]]:
    """Convert a shell line to typed steps."""
    for command in re.split(r"\s*;\s*", step.command) if step.type == "adb" else ():
        page = next((page for action, page in _SETTINGS.items() if action in command), None)
        if page is not None:
            yield {"settings_page": page}
        elif "market://details" in command:
            yield {"store_page": {}}
        elif found := _PROGRESS.search(command):
            yield {"progress": int(found[1])}
        elif found := _COMPONENT.search(command):
            yield {"start": {"package": "{app}", "activity": found[2]}}
        elif "am force-stop" in command:
            yield {"relaunch": {}} if restarts else {"force_stop": {}}
        elif command == "input keyevent 4":
            yield {"key": "back"}
        elif found := re.fullmatch(r"sleep (\d+)", command):
            yield {"wait": int(found[1])}
        else:
            left_out.append(f"Interruption {entry}: the step {command!r} has no counterpart.")
