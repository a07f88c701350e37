from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from garabench.campaign.planner import episodes, make_plan
from garabench.campaign.preflight import Findings, combine, decide_preflight
from garabench.errors import NotReadyError
from garabench.interruptions.capabilities import Capabilities
from garabench.interruptions.feasibility import STORE_PAGE
from garabench.records.plan import Plan
from garabench.suite.suite import Suite

APP = "com.example.reader"
READY = Capabilities("R5CT10", 34, frozenset({APP}), frozenset({"android.hardware.wifi"}))
NO_STORE = dataclasses.replace(READY, unresolved=frozenset({STORE_PAGE}))
OLD = dataclasses.replace(READY, sdk=19)
NO_STORE_WHY = "update: store_page: no app store opens market:// links"
DARK_WHY = "dark-mode requires Android 10 and newer; this device has API level 19"

_TASK = """
  - id: {name}
    instruction: {{en: Read}}
    goal: {{use: liked, with: {{title: {name}}}}}
    rules: [{rules}]
    setup: [{setup}]
    solution: [{{tap: {{id: like}}}}]
"""
_FILES = {
    "tasks/reader.yaml": f"app: {APP}\ntasks:"
    + _TASK.format(name="both", rules="ask-update, go-dark", setup="")
    + _TASK.format(name="dark", rules="go-dark", setup="")
    + _TASK.format(name="offline", rules="ask-update", setup="{airplane: true}")
    + _TASK.format(name="tall", rules="", setup="").rstrip()
    + "\n    min_height_dp: 890\n",
    "goal_schemas/reader.yaml": f"""
app: {APP}
goals:
  - id: liked
    description: The page is liked
    params: {{title: {{description: Which page}}}}
    holds: {{exists: {{text: "{{title}}"}}}}
""",
    "rules/reader.yaml": f"""
app: {APP}
rules:
  - id: ask-update
    description: On every page
    when: {{all: [{{exists: {{id: like}}}}]}}
    inject: update
  - id: go-dark
    description: On every page
    when: {{all: [{{exists: {{id: like}}}}]}}
    inject: dark
""",
    "rules/interruptions.yaml": """
interruptions:
  - id: update
    description: Offers an update
    category: app-prompt
    title: {en: Update}
    message: {en: There is a new version}
    buttons:
      - {key: dismiss, role: dismiss, easy: true, label: {en: Later}}
      - {key: accept, role: accept, label: {en: Update}, follow_up: [store_page, {progress: 3}]}
anomalies:
  - {id: dark, description: The dark theme, system: dark-mode}
""",
}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    root = tmp_path_factory.mktemp("suite")
    for name, text in _FILES.items():
        path: Path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Suite.load(root)


def plan(suite: Suite, tasks: str = "both,dark", *conditions: str) -> Plan:
    return make_plan(suite.select(tasks), ["dismiss"], conditions=conditions or ("clean", "dual"))


@pytest.mark.parametrize(
    ("tasks", "on", "refusals"),
    [
        ("both,dark", READY, ()),
        (
            "both,dark",
            dataclasses.replace(READY, packages=frozenset()),
            (f"R5CT10: {APP} is not installed: install it (adb -s R5CT10 install {APP}.apk)",),
        ),
        (
            "both,dark",
            dataclasses.replace(READY, packages=frozenset(), disabled=frozenset({APP})),
            (f"R5CT10: {APP} is disabled: enable it (adb -s R5CT10 shell pm enable {APP})",),
        ),
        (
            "both",
            dataclasses.replace(READY, free_bytes=12_900_000),
            (
                "R5CT10: only 12 MB are free on /data, 50 MB are needed: "
                "adb -s R5CT10 shell pm trim-caches 1G",
            ),
        ),
        ("both", dataclasses.replace(READY, free_bytes=60 * 1024**2), ()),
        (
            "both,offline",
            dataclasses.replace(READY, sdk=29),
            (
                "R5CT10: the set-up of offline is impossible (airplane True: Android 7 to 10 have no command "
                "to switch airplane mode): use another device, or run the other tasks with --tasks=both",
            ),
        ),
        ("both", NO_STORE, ()),
        ("tall", dataclasses.replace(READY, height_dp=914), ()),
        ("tall", READY, ()),
        (
            "both,tall",
            dataclasses.replace(READY, height_dp=640),
            (
                "R5CT10: its screen is 640 dp high, too low for 1 task (up to 890 dp): not all that a goal "
                "names would be in view, and a right result would count as a failure: use a higher screen, "
                "or run the other tasks with --tasks=both",
            ),
        ),
        (
            "dark",
            OLD,
            (
                f"R5CT10: none of the planned interruptions is possible ({DARK_WHY}): run with --conditions "
                "clean",
            ),
        ),
    ],
)
def test_a_device_that_cannot_perform_the_plan_is_refused_in_one_line(
    suite: Suite, tasks: str, on: Capabilities, refusals: tuple[str, ...]
) -> None:
    assert decide_preflight(plan(suite, tasks), suite, on).refusals == refusals


def test_every_refusal_is_reported(suite: Suite) -> None:
    broken = dataclasses.replace(READY, packages=frozenset(), free_bytes=0, sdk=29)
    assert len(decide_preflight(plan(suite, "both,offline"), suite, broken).refusals) == 3


@pytest.mark.parametrize(
    ("on", "left_out", "warnings"),
    [
        (READY, {}, ()),
        (
            NO_STORE,
            {"ask-update": NO_STORE_WHY},
            (f"R5CT10: left out: {NO_STORE_WHY} (rules ask-update)",),
        ),
        (
            OLD,
            {"go-dark": DARK_WHY},
            (
                f"R5CT10: left out: {DARK_WHY} (rules go-dark)",
                "R5CT10: no rule is left for dark: their episodes are not interrupted",
            ),
        ),
    ],
)
def test_an_impossible_interruption_is_left_out_with_a_warning(
    suite: Suite, on: Capabilities, left_out: dict[str, str], warnings: tuple[str, ...]
) -> None:
    found = decide_preflight(plan(suite), suite, on)
    assert (found.refusals, found.left_out, found.warnings) == ((), left_out, warnings)


def test_a_clean_run_needs_no_interruption(suite: Suite) -> None:
    nothing = dataclasses.replace(NO_STORE, sdk=19)
    assert decide_preflight(plan(suite, "both,dark", "clean"), suite, nothing) == Findings()


def test_additional_rules_count_at_a_stress_level(suite: Suite) -> None:
    items = suite.select("dark")
    level = make_plan(items, ["dismiss"], conditions=("dual",), interruptions=2)
    assert set(decide_preflight(level, suite, NO_STORE).left_out) == {"ask-update"}


def test_a_rule_that_is_left_out_is_in_no_episode(suite: Suite) -> None:
    items = suite.select("both,dark")
    level = make_plan(items, ["dismiss"], conditions=("clean", "dual"), interruptions=2)
    specs = episodes(level, suite, ["dismiss"], left_out={"go-dark": "why"})
    found = {
        (spec.task.id, spec.condition): [bound.rule.id for bound in (*spec.rules, *spec.additional_rules)]
        for spec in specs
    }
    assert found == {
        ("both", "clean"): [],
        ("both", "dual"): ["ask-update", "ask-update"],
        ("dark", "clean"): [],
        ("dark", "dual"): ["ask-update"],
    }


def test_a_rule_that_one_of_several_devices_cannot_perform_is_left_out_on_all() -> None:
    one = Findings(left_out={"a": "on one"}, warnings=("one",))
    two = Findings(left_out={"a": "on two", "b": "on two"}, warnings=("two",))
    assert combine([one, two]) == Findings((), {"a": "on one", "b": "on two"}, ("one", "two"))
    assert combine([]) == Findings()


def test_the_refusals_of_all_devices_are_reported_together() -> None:
    with pytest.raises(NotReadyError) as caught:
        combine([Findings(("one",)), Findings(), Findings(("two", "three"))])
    assert caught.value.problems == ("one", "two", "three")
    assert caught.value.exit_status == 3
