"""References of tasks, goals and rules to other apps."""

from __future__ import annotations

import pytest

from tests.suite.written_suite import APP, FILES, OTHER, Write, assert_reported, errors


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        (
            "rules/bili.yaml",
            f"- package: {APP}",
            f"- any: [{{package: {OTHER}}}]",
            "rules/bili.yaml:8:27: this belongs to com.jingdong.app.mall, but the rule is for",
        ),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            "- package: com.sina.weibo",
            "goal_schemas/bili.yaml:8:20: this belongs to com.sina.weibo, but the goal is for tv.danmaku",
        ),
        (
            "goal_schemas/bili.yaml",
            "{id: title,",
            '{id: "com.sina.weibo:id/title",',
            "goal_schemas/bili.yaml:9:24: this belongs to com.sina.weibo",
        ),
        (
            "tasks/bili.yaml",
            "{id: title, text: 稻香}",
            '{id: "com.sina.weibo:id/title"}',
            "tasks/bili.yaml:8:19: this belongs to com.sina.weibo, but the task is for tv.danmaku.bili",
        ),
        (
            "rules/interruptions.yaml",
            '{start: {package: "{app}", activity: .Main}}',
            f"{{setting: {{namespace: secure, key: opened_by, value: {APP}}}}}",
            "",  # only this app shows it
        ),
        (
            "rules/bili.yaml",
            f"- package: {APP}",
            f"- activity: {OTHER}.Main",
            "rules/bili.yaml:8:21: this belongs to com.jingdong.app.mall, but the rule is for",
        ),
        (
            "rules/bili.yaml",
            f"- package: {APP}",
            f"- activity: {OTHER}/.Main*",
            "8:21: this belongs to com.jingdong",
        ),
        ("rules/bili.yaml", f"- package: {APP}", f"- activity: {APP}.Main", ""),
        (
            "tasks/bili.yaml",
            "- open_app: com.jingdong.app.mall",
            "- open_app: com.jingdong.app.mall\n      - open_app: com.android.setings",
            "Did you mean 'com.android.settings'?",
        ),
        (
            "goal_schemas/bili.yaml",
            "- exists: {id: title,",
            "- exists: {package: com.android.setings, id: title,",
            "goal_schemas/bili.yaml:9:29: unknown app com.android.setings",
        ),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            "- package: com.android.dialer",
            "",  # phones have unknown system apps
        ),
        ("rules/bili.yaml", f"- package: {APP}", "- activity: .Main", ""),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            "- not: {activity: com.sina.weibo.Main}",
            "goal_schemas/bili.yaml:8:27: this belongs to com.sina.weibo, but the goal is for tv.danmaku",
        ),
        (
            "tasks/bili.yaml",
            "    rules: [home-update]",
            "    setup: [{shell: [pm, clear, com.sina.weibo]}]\n    rules: [home-update]",
            "tasks/bili.yaml:6:33: this acts on com.sina.weibo, but the task is for tv.danmaku.bili and",
        ),
        (
            "tasks/bili.yaml",
            "    rules: [home-update]",
            "    setup: [{start: {action: android.settings.X, data: 'package:com.sina.weibo'}}]\n"
            "    rules: [home-update]",
            "tasks/bili.yaml:6:56: this acts on com.sina.weibo",
        ),
        (
            "tasks/bili.yaml",
            "    rules: [home-update]\n    solution:\n      - open_app",
            f"    setup:\n      - shell: [pm, clear, {OTHER}]\n      - shell: [pm, clear, '{{app}}']\n"
            f"      - shell: [am, start, -n, {APP}/{APP}.Main, -a, android.intent.action.VIEW]\n"
            "      - shell: [setprop, debug.some.property, '1']\n"
            "      - shell: [am, force-stop, com.android.settings]\n"
            "    rules: [home-update]\n    solution:\n      - open_app",
            "",
        ),
    ],
)
def test_a_foreign_package_is_reported_with_its_location(
    write: Write, file: str, old: str, new: str, expected: str
) -> None:
    assert_reported(write(file, old, new), expected)


def test_a_follow_up_on_one_app_is_reported_if_other_apps_show_it(write: Write) -> None:
    step = f"{{setting: {{namespace: secure, key: opened_by, value: {APP}}}}}"
    root = write("rules/interruptions.yaml", '{start: {package: "{app}", activity: .Main}}', step)
    for name, text in FILES.items():
        if "interruptions" not in name:
            other = (
                text.replace(APP, OTHER).replace("home-update", "shop-update").replace("video-", "product-")
            )
            other = other.replace("open-", "shop-").replace("稻香", "购物车").replace("雨声", "我的")
            other = other.replace("推荐, 热门", "推荐, 特价").replace("inject: update", "inject: page")
            (root / name.replace("bili", "jd")).write_text(other, encoding="utf-8")
    (error,) = errors(root)
    assert error.message == f"this acts on {APP}, but the interruption is also used in {OTHER}"
    assert error.hint == "Write {app} for the task's app."


def test_a_package_in_a_follow_up_is_refused(write: Write) -> None:
    steps = "[{start: {package: com.other.app, activity: .Main}}, {shell: [am, force-stop, com.other.app]}]"
    root = write("rules/interruptions.yaml", '[{start: {package: "{app}", activity: .Main}}]', steps)
    refusal = "a follow-up may act only on the task's app, but this names com.other.app: write {app}"
    assert [f"{error.place}: {error.message}" for error in errors(root)] == [
        f"rules/interruptions.yaml:19:39: {refusal}",
        f"rules/interruptions.yaml:19:98: {refusal}",
    ]
