"""Import of the released D-GARA data: each fault is found, and what has none is not reported."""

from __future__ import annotations

import json
import os
import random
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from garabench.agents.registry import resolve_all
from garabench.authoring.d_gara.data_fault import DataFault, DataFaultKind
from garabench.authoring.d_gara.goal_agreement import AskedAction, asked_actions
from garabench.authoring.d_gara.import_suite import find_faults, import_d_gara
from garabench.authoring.d_gara.released_data import FILES, read_released_data
from garabench.campaign.planner import check_solutions, make_plan
from garabench.cli.main import main
from garabench.errors import CombinedInputError, InputError
from garabench.lint.screen_texts import AppTexts, ScreenTexts
from garabench.lint.suite_check import check_suite

BILI, AMAP = "tv.danmaku.bili", "com.autonavi.minimap"
RELEASED = "D_GARA_DATA"


def _task(number: int, instruction: str, goal: str, *rules: str, app: str = BILI) -> dict[str, object]:
    return {"id": number, "description": instruction, "app": app, "rule_key": goal, "target_rule_ids": rules}


def _rule(
    name: str, keywords: list[str], injects: str = "notice_double", about: str = ""
) -> dict[str, object]:
    return {
        "id": name,
        "description": about or "shows a notice",
        "priority": 5,
        "conditions": {"all": [{"type": "semantic", "match_threshold": 0.5, "keywords": keywords}]},
        "actions": [{"type": "inject", "interference_id": injects, "trigger_probability": 1}],
    }


def _exists(selector: str, **more: str) -> dict[str, object]:
    return {"type": "element_exists", "selector": selector, **more}


TASKS = [
    _task(1, "打开应用，搜索“晚风”，给第一个视频点赞", "task_like", "rule_like_1"),
    _task(2, "打开应用，搜索“山海”，给第一个视频投币", "task_like", "rule_like_2"),
    _task(3, "打开应用，搜索“山海”，给第一个视频点赞", "task_like", "rule_none_3"),
    _task(4, "打开应用，搜索 “晚风” ，给第一个视频点赞", "task_like", "rule_like_1"),
    _task(5, "打开应用，查看消息", "human_validation", "rule_like_5"),
    _task(6, "导航到“北城公园”，选择驾车路线", "task_drive", "rule_map_6", app=AMAP),
    _task(7, "导航到“南山寺”，选择驾车路线", "task_drive", "rule_map_7", app=AMAP),
    _task(8, "进入“我的收藏”，给第一个视频点赞", "task_like", "rule_crash_8"),
]
RULES = [
    _rule("rule_like_1", ["简介", "评论", "晚风"]),
    _rule("rule_like_2", ["简介", "评论", "晚风"]),
    _rule("rule_like_5", ["知名 up 主"]),
    _rule("rule_map_6", ["路线", "Add to chart"], "exit_double"),
    _rule("rule_map_7", ["路线"], about="Rule for task 7: 7. Buy a ticket for the museum"),
    _rule("rule_crash_8", ["简介"], "crash_forced"),
    _rule("rule_spare_9", ["简介"]),
]
LIBRARY = [
    {
        "id": "notice_double",
        "params": {
            "param_title": "提示",
            "param_message": "请查看",
            "param_allow_btn_text": "查看",
            "param_deny_btn_text": "关闭",
            "param_allow_log_event": "OPEN",
            "param_deny_log_event": "CLOSE",
        },
        "post_actions": {
            "EVENT:OPEN": [{"type": "adb", "command": "am start -a android.settings.WIFI_SETTINGS"}],
            "EVENT:CLOSE": [{"type": "log", "message": "closed"}],
        },
    },
    {
        "id": "exit_double",
        "params": {
            "param_title": "权限",
            "param_message": "需要定位",
            "param_button_text": "退出",
            "param_log_event": "X",
        },
        "post_actions": {
            "EVENT:X": [{"type": "adb", "command": "am force-stop com.other.app; input swipe 1 2 3 4"}]
        },
    },
    {
        "id": "crash_forced",
        "params": {
            "param_title": "崩溃",
            "param_message": "已停止",
            "param_button_text": "重启应用",
            "param_log_event": "C",
        },
        "post_actions": {"EVENT:C": [{"type": "adb", "command": f"am force-stop {BILI}"}]},
    },
    {"id": "spare", "params": {"param_title": "无", "param_button_text": "好"}, "post_actions": {}},
]
LIKED = {"attribute": "content-desc", "value": "已点赞"}
GOALS = {
    "task_like": {
        "description": "the video is liked",
        "conditions": [
            {
                "type": "any_of",
                "sub_conditions": [
                    {"type": "element_property_contains", "selector": "resource-id='a:id/like'", **LIKED},
                    {"type": "element_property_contains", "selector": "class='a.Button'", **LIKED},
                ],
            }
        ],
    },
    "task_drive": {
        "description": "a driving route",
        "conditions": [
            {"type": "element_property", "selector": "text='驾车'", "attribute": "selected", "value": "true"},
            {"type": "element_text_equals", "selector": "resource-id='a:id/end'", "text": "北城公园(东门)"},
            _exists("content-desc*='开始'"),
        ],
    },
    "human_validation": {"description": "by a person", "conditions": [_exists("resource-id='never'")]},
    "task_spare": {"description": "for no task", "conditions": [_exists("text='好'")]},
    "task_spare_like": {"description": "any video", "conditions": [_exists("text='已点赞'")]},
    "task_spare_video": {
        "description": "this video",
        "conditions": [_exists("text='已点赞'"), _exists("text='晚风'")],
    },
}


def write_released(folder: Path) -> None:
    """Write small files of the released form into a new folder, with one fault of each kind."""
    folder.mkdir()
    contents = (TASKS, {"rules": RULES}, {"interference_library": LIBRARY}, GOALS)
    for name, content in zip(FILES, contents, strict=True):
        text = json.dumps(content, ensure_ascii=False, indent=1)
        if name.endswith(".yaml"):
            text = yaml.safe_dump(content, allow_unicode=True, sort_keys=False)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def released(tmp_path: Path) -> Path:
    write_released(tmp_path / "released")
    return tmp_path / "released"


SCREENS = ScreenTexts([AppTexts(AMAP, frozenset({"路线", "Add to cart"}))])
FAULTS = {
    DataFaultKind.MISSING_RULE: {"3"},
    DataFaultKind.HUMAN_VALIDATION: {"5"},
    DataFaultKind.GOAL_OF_ANOTHER_ACTION: {"2"},
    DataFaultKind.GOAL_OF_ANOTHER_OBJECT: {"7"},
    DataFaultKind.GOAL_WITHOUT_OBJECT: {"task_like", "task_spare_like"},
    DataFaultKind.BARE_CLASS: {"task_like"},
    DataFaultKind.NEVER_MATCHES: {"task_drive"},
    DataFaultKind.WRONG_PACKAGE: {"exit_double"},
    DataFaultKind.ONLY_STOPPED: {"crash_forced"},
    DataFaultKind.KEYWORD_OF_ANOTHER_TASK: {"rule_like_2"},
    DataFaultKind.RULE_OF_ANOTHER_TASK: {"rule_map_7"},
    DataFaultKind.STRAY_SPACE: {"rule_like_5"},
    DataFaultKind.MISSPELT: {"rule_map_6"},
    DataFaultKind.DUPLICATE_INSTRUCTION: {"4"},
    DataFaultKind.UNUSED_RULE: {"rule_spare_9"},
    DataFaultKind.UNUSED_GOAL: {"task_spare", "task_spare_like", "task_spare_video"},
    DataFaultKind.UNUSED_INTERRUPTION: {"spare"},
}


def test_every_kind_of_fault_is_found_in_its_entry_and_nowhere_else(released: Path) -> None:
    found = defaultdict(set)
    for fault in find_faults(read_released_data(released), SCREENS):
        found[fault.kind].add(fault.entry)
        assert fault.place.line > 0 and fault.place.text
    assert found == FAULTS
    assert set(FAULTS) == set(DataFaultKind)


@pytest.mark.parametrize(
    ("instruction", "keyword", "texts", "source"),
    [
        ("打开应用，搜索“知名up主”", "简介", {"简介"}, "other entries write '知名up主'"),
        ("打开应用，查看消息", "知名up主", {"简介"}, "other entries write '知名up主'"),
        ("打开应用，查看消息", "简介", {"知名up主"}, f"the screen texts of {BILI} have '知名up主'"),
        (
            "打开应用，查看消息",
            "简介",
            {"简介"},
            "no other entry or known screen has '知名up主', but Chinese text",
        ),
    ],
    ids=["task", "rule", "screen", "nowhere"],
)
def test_a_stray_space_names_where_the_keyword_is_written_without(
    released: Path, instruction: str, keyword: str, texts: set[str], source: str
) -> None:
    tasks = [_task(5, instruction, "task_like", "rule_like_5")]
    rules = [_rule("rule_like_5", ["知名 up 主"]), _rule("rule_like_1", [keyword])]
    (released / FILES[0]).write_text(json.dumps(tasks), encoding="utf-8")
    (released / FILES[1]).write_text(json.dumps({"rules": rules}), encoding="utf-8")
    faults = find_faults(read_released_data(released), ScreenTexts([AppTexts(BILI, frozenset(texts))]))
    (fault,) = (each for each in faults if each.kind is DataFaultKind.STRAY_SPACE)
    assert source in fault.message
    assert fault.suspected is not source.startswith("other entries")


def test_a_keyword_that_a_known_screen_shows_as_it_is_has_no_fault(released: Path) -> None:
    screens = ScreenTexts([AppTexts(BILI, frozenset({"知名up主", "知名 up 主"}))])
    faults = find_faults(read_released_data(released), screens)
    assert all(each.kind is not DataFaultKind.STRAY_SPACE for each in faults)


def test_imported_suite_is_valid_and_names_what_it_lacks(released: Path, tmp_path: Path) -> None:
    imported = import_d_gara(released, tmp_path / "suite")
    suite = check_suite(tmp_path / "suite")
    assert set(suite.tasks) == {f"d-gara-{number}" for number in (1, 2, 3, 6, 7, 8)}
    assert suite.tasks["d-gara-1"].task.rules == ("d-gara-like-1",)
    buttons = {
        name: [(button.role.value, button.easy, len(button.follow_up)) for button in each.buttons]
        for name, each in suite.interruptions.items()
    }
    assert buttons == {
        "d-gara-notice-double": [("accept", False, 1), ("dismiss", True, 0)],
        "d-gara-exit-double": [("accept", False, 1)],
        "d-gara-crash-forced": [("accept", False, 1)],
    }
    plan = make_plan([suite.tasks["d-gara-1"]], ["dismiss"])
    with pytest.raises(InputError, match="d-gara-1: no solution, which the agent dismiss follows"):
        check_solutions(plan, suite, resolve_all(plan.agents))
    (missing,) = imported.suite.missing_rules
    assert "rule_none_3" in missing
    left_out = "\n".join(imported.suite.left_out)
    for words in ("Task 5", "input swipe 1 2 3 4", "same instruction"):
        assert words in left_out
    report = (tmp_path / "suite" / "import-report.md").read_text(encoding="utf-8")
    assert "only attribute='value' is known (tasks 6, 7)\n" in report
    assert [fault.kind for fault in imported.suspected] == [DataFaultKind.STRAY_SPACE]
    assert f"The data has {len(imported.found) - 1} faults." in report and "## Suspected\n" in report
    counted = set(FAULTS) - {DataFaultKind.MISSPELT, DataFaultKind.STRAY_SPACE}  # the bundled texts lack both
    by_task = report.partition("## Task by task\n")[2]
    assert "- task 7\n" in by_task and "  - never-matches: the goal task_drive selects" in by_task
    assert all(f"## {kind.value}" in report for kind in counted)


def test_every_imported_file_names_a_schema_that_is_there(released: Path, tmp_path: Path) -> None:
    for name, text in import_d_gara(released, tmp_path / "suite").suite.files.items():
        if name.endswith(".yaml"):
            _, schema = text.splitlines()[0].split("# yaml-language-server: $schema=")
            json.loads((tmp_path / "suite" / name).parent.joinpath(schema).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("instruction", "actions"),
    [
        ("进入“我的收藏”，播放默认收藏夹的第一个视频并投币", {AskedAction.COIN}),
        ("发送一条弹幕“点赞了”，然后再点赞该视频", {AskedAction.LIKE}),
        ("点击第一个视频，并点击“收藏”按钮", {AskedAction.FAVORITE}),
        ("search for a person named 'Like Mike', and follow Like Mike.", {AskedAction.FOLLOW}),
        ("进入“旅游”频道，浏览一个产品", set()),
    ],
)
def test_the_last_clause_says_what_is_asked(instruction: str, actions: set[AskedAction]) -> None:
    assert asked_actions(instruction) >= actions
    assert not asked_actions(instruction) - actions - {AskedAction.LIKE}


def test_unusable_folders_are_refused(released: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no tasks\.json"):
        read_released_data(tmp_path)
    with pytest.raises(InputError, match="already exists"):
        import_d_gara(released, released)
    (released / FILES[0]).write_text('[{"id": "x"}]', encoding="utf-8")
    with pytest.raises(CombinedInputError, match=r"tasks\.json:1:9: expected an integer"):
        read_released_data(released)


def test_command_names_the_invalid_file(released: Path, tmp_path: Path) -> None:
    (released / FILES[1]).write_bytes(b"\xff")
    result = CliRunner().invoke(
        main, ["tasks", "import", "d-gara", str(released), "--out", str(tmp_path / "x")]
    )
    assert result.exit_code == 2
    assert "rules.yaml:1:1: not UTF-8 text" in result.output


@pytest.mark.skipif(
    RELEASED not in os.environ, reason=f"needs the released data: set {RELEASED} to its folder"
)
def test_faults_of_the_released_data_are_those_found_by_hand() -> None:
    tasks: defaultdict[DataFaultKind, set[int]] = defaultdict(set)
    entries: defaultdict[DataFaultKind, list[str]] = defaultdict(list)
    found = find_faults(read_released_data(Path(os.environ[RELEASED])))
    _compare_with_the_page(found)
    for fault in found:
        tasks[fault.kind] |= set(fault.tasks)
        entries[fault.kind].append(fault.entry)
    assert tasks[DataFaultKind.MISSING_RULE] == {*range(22, 27), 39, *range(155, 171)}
    assert tasks[DataFaultKind.HUMAN_VALIDATION] == {129, 131, 137, 140, *range(144, 148), *range(151, 155)}
    disagree = tasks[DataFaultKind.GOAL_OF_ANOTHER_ACTION] | tasks[DataFaultKind.GOAL_OF_ANOTHER_OBJECT]
    assert disagree == {45, 55, 56, 59, 60, 62, 90, 102, 130, 142, 159, 165, 166} | {
        *range(22, 28), 38, 39, 107, 108, 109
    }  # fmt: skip
    assert (len(entries[DataFaultKind.BARE_CLASS]), len(set(entries[DataFaultKind.BARE_CLASS]))) == (14, 11)
    assert len(tasks[DataFaultKind.BARE_CLASS]) == 26
    assert tasks[DataFaultKind.NEVER_MATCHES] == {155, 161, 169, 170}
    cannot_fire = tasks[DataFaultKind.RULE_OF_ANOTHER_TASK] | tasks[DataFaultKind.KEYWORD_OF_ANOTHER_TASK]
    assert cannot_fire == {101, 2, 113}
    assert len(entries[DataFaultKind.WRONG_PACKAGE]) == len(entries[DataFaultKind.ONLY_STOPPED]) == 2
    unused = (DataFaultKind.UNUSED_RULE, DataFaultKind.UNUSED_GOAL, DataFaultKind.UNUSED_INTERRUPTION)
    assert [len(entries[kind]) for kind in unused] == [19, 12, 7]
    assert tasks[DataFaultKind.DUPLICATE_INSTRUCTION] == {96, 97, 137, 151, 128, 138}
    assert {92, 93, 84} <= tasks[DataFaultKind.STRAY_SPACE]
    assert set(entries[DataFaultKind.MISSPELT]) == {
        "rule_amazon_low_battery_forced_en_33",
        "rule_amazon_rate_app_double_en_35",
        "rule_facebook_wifi_check_forced_en_75",
    }


def _compare_with_the_page(found: Sequence[DataFault]) -> None:
    """Compare the counts in docs/writing-tasks.md, and the faults drawn there, with the report."""
    page = (Path(__file__).parents[3] / "docs" / "writing-tasks.md").read_text(encoding="utf-8")
    counted = [fault for fault in found if not fault.suspected]
    kinds = len({fault.kind for fault in counted})
    (said,) = re.findall(r"has (\d+) faults of (\d+) kinds, and (\d+) suspected", page)
    assert tuple(map(int, said)) == (len(counted), kinds, len(found) - len(counted))
    chosen = sorted(random.Random(20).sample(range(len(counted)), 20))  # noqa: S311 - names a sample
    rows = re.findall(r"^\| `([a-z-]+)` \| `?(\w+)`? \| right: ", page, re.MULTILINE)
    assert rows == [(counted[at].kind.value, counted[at].entry) for at in chosen]
