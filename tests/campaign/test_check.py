"""Each mistake that a suite's files can hold is told with its place."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from garabench.campaign.check import check_suite
from garabench.errors import InputErrors

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


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    monkeypatch.chdir(tmp_path)

    def to_disk(file: str = "", old: str = "", new: str = "") -> Path:
        for name, text in FILES.items():
            assert name != file or text.count(old) >= 1
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text.replace(old, new, 1) if name == file else text, "utf-8")
        return tmp_path

    return to_disk


def test_a_good_suite_is_in_order(write: Write) -> None:
    assert list(check_suite(write()).tasks) == ["open-song", "open-rain"]


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            "rules/bili.yaml",
            "热门",
            "热门榜单",
            "rules/bili.yaml:7:31: no screen of tv.danmaku.bili shows the keyword '热门榜单'",
        ),
        ("rules/bili.yaml", "热门", "直播閒", "Did you mean '直播'?"),
        (
            "rules/bili.yaml",
            "    inject: update",
            "      at_step: 40\n    inject: update",
            "rules/bili.yaml:9:16: step 40 never comes: open-song, the longest task of this rule, ends",
        ),
        (
            "rules/bili.yaml",
            "    inject: update",
            "      min_step: 20\n    inject: update",
            "Write 14 at most, or give a task a larger max_steps.",
        ),
        (
            "rules/bili.yaml",
            "    inject: update",
            "      after_action: {kind: tap, at_least: 20}\n    inject: update",
            "rules/bili.yaml:9:43: 20 actions are never done",
        ),
        (
            "rules/bili.yaml",
            "    inject: update",
            "    inject: [update, updaet]",
            "rules/bili.yaml:9:22: no interruption is called 'updaet'",
        ),
        ("rules/bili.yaml", "    inject: update", "    inject: [update, updaet]", "Did you mean 'update'?"),
        ("rules/bili.yaml", "热门", "' 热门'", "the keyword ' 热门' has stray spaces"),
        (
            "rules/bili.yaml",
            f"- package: {APP}",
            f"- any: [{{package: {OTHER}}}]",
            "rules/bili.yaml:8:27: this is of com.jingdong.app.mall, the rule of tv.danmaku.bili: it never",
        ),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            "- package: com.sina.weibo",
            "goal_schemas/bili.yaml:8:20: this is of com.sina.weibo, the goal of tv.danmaku.bili",
        ),
        (
            "goal_schemas/bili.yaml",
            "{id: title,",
            '{id: "com.sina.weibo:id/title",',
            "goal_schemas/bili.yaml:9:24: this is of com.sina.weibo",
        ),
        (
            "tasks/bili.yaml",
            "{id: title, text: 稻香}",
            '{id: "com.sina.weibo:id/title"}',
            "tasks/bili.yaml:8:19: this is of com.sina.weibo, the task of tv.danmaku.bili",
        ),
        (
            "rules/interruptions.yaml",
            '{start: {package: "{app}", activity: .Main}}',
            f"{{setting: {{namespace: secure, key: opened_by, value: {APP}}}}}",
            "",  # it is shown in this app alone
        ),
        (
            "tasks/bili.yaml",
            ", en: Open 雨声",
            "",
            "tasks/bili.yaml:10:18: the instruction is missing in 'en'",
        ),
        (
            "rules/interruptions.yaml",
            "title: {zh: 详情, en: Details}\n    message: {zh: 详情, en: Details}",
            "title: {zh: 详情}\n    message: {zh: 详情}",
            "the title in ['zh']",
        ),
        (
            "tasks/bili.yaml",
            "en: Open 雨声",
            "en: open 稻香",
            "the task 'open-song', at tasks/bili.yaml:3:5, has the same instruction",
        ),
        (
            "rules/interruptions.yaml",
            '{start: {package: "{app}", activity: .Main}}',
            "{show: update}",
            "rules/interruptions.yaml:9:81: the interruption 'update' leads back to itself, by 'page'",
        ),
        (
            "rules/interruptions.yaml",
            ", follow_up: [{show: page}]",
            "",
            "rules/interruptions.yaml:10:9: the interruption 'page' is used by no rule of a task",
        ),
        (
            "tasks/bili.yaml",
            "en: Open 雨声",
            "en: ' '",
            "tasks/bili.yaml:10:33: the instruction is empty in 'en'",
        ),
        (
            "tasks/bili.yaml",
            "en: Open 雨声",
            "en: 'open  稻香 。 '",
            "tasks/bili.yaml:10:33: the task 'open-song', at tasks/bili.yaml:3:5, has the same instruction",
        ),
        (
            "rules/interruptions.yaml",
            "message: {zh: 详情, en: Details}",
            "message: {zh: 详情, en: ''}",
            "rules/interruptions.yaml:14:27: the interruption's message is empty in 'en'",
        ),
        ("rules/bili.yaml", "热门", "'987654'", "shows the keyword '987654'"),
        ("rules/bili.yaml", "热门", "dataclass", "shows the keyword 'dataclass'"),
        ("rules/bili.yaml", "热门", "微博热搜", "no screen of tv.danmaku.bili shows the keyword '微博热搜'"),
        (
            "rules/bili.yaml",
            f"- package: {APP}",
            f"- not: {{exists: {{id: '{APP}:id/titlle'}}}}",
            "rules/bili.yaml:8:30: no element of tv.danmaku.bili has the id 'titlle'",
        ),
        ("rules/bili.yaml", "热门", "'Returns:'", "shows the keyword 'Returns:'"),
        (
            "rules/bili.yaml",
            f"- package: {APP}",
            f"- activity: {OTHER}.Main",
            "rules/bili.yaml:8:21: this is of com.jingdong.app.mall, the rule of tv.danmaku.bili: it never",
        ),
        (
            "rules/bili.yaml",
            f"- package: {APP}",
            f"- activity: {OTHER}/.Main*",
            "8:21: this is of com.jingdong",
        ),
        ("rules/bili.yaml", f"- package: {APP}", f"- activity: {APP}.Main", ""),
        ("rules/bili.yaml", f"- package: {APP}", "- activity: .Main", ""),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            "- not: {activity: com.sina.weibo.Main}",
            "goal_schemas/bili.yaml:8:27: this is of com.sina.weibo, the goal of tv.danmaku.bili",
        ),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            "- any: [not: {exists: {class: EditText, enabled: true}}]",
            "goal_schemas/bili.yaml:8:31: the goal 'video-open' selects any element of a class here",
        ),
        (
            "rules/bili.yaml",
            f"- package: {APP}",
            "- count: {select: {class: EditText, inside: {class: ListView}}, at_least: 1}",
            "rules/bili.yaml:8:27: the rule 'home-update' selects any element of a class here",
        ),
        ("rules/bili.yaml", f"- package: {APP}", "- exists: {class: EditText, inside: {id: title}}", ""),
        ("rules/bili.yaml", f"- package: {APP}", "- contains: {select: {class: TextView}, value: 热}", ""),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            '- exists: {xpath: "//android.widget.TextView"}',
            "goal_schemas/bili.yaml:8:19: the goal 'video-open' selects any element of a class here",
        ),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            """- exists: {xpath: "//node[@class='android.widget.Switch'][2]"}""",
            "goal_schemas/bili.yaml:8:19: the goal 'video-open' selects any element of a class here",
        ),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            '- exists: {class: android.widget.Switch, text_matches: ".*"}',
            "goal_schemas/bili.yaml:8:19: the goal 'video-open' selects any element of a class here",
        ),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            '- exists: {class: Switch, desc_matches: ".+", text_contains: ""}',
            "goal_schemas/bili.yaml:8:19: the goal 'video-open' selects any element of a class here",
        ),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            "- exists: {class: Switch, inside: {enabled: true}}",
            "goal_schemas/bili.yaml:8:19: the goal 'video-open' selects any element of a class here",
        ),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            "- matches: {select: {class: Switch}, pattern: 'a?'}",
            "goal_schemas/bili.yaml:8:29: the goal 'video-open' selects any element of a class here",
        ),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            """- exists: {xpath: "//android.widget.Switch[contains(@text, 'on [1]')][1]"}""",
            "",
        ),
        ("goal_schemas/bili.yaml", f"- package: {APP}", "- exists: {class: Switch, text_matches: '^开'}", ""),
        (
            "goal_schemas/bili.yaml",
            f"- package: {APP}",
            "- exists: {class: Switch, text_matches: '('}",
            "not a",
        ),
        (
            "tasks/bili.yaml",
            "    rules: [home-update]",
            "    setup: [{shell: [pm, clear, com.sina.weibo]}]\n    rules: [home-update]",
            "tasks/bili.yaml:6:33: this acts on com.sina.weibo, the task is of tv.danmaku.bili, and",
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
        (
            "tasks/bili.yaml",
            "rules: [home-update]",
            "rules: [home-update]\n    also_meets: [open-rian]",
            "tasks/bili.yaml:7:18: no task is called 'open-rian'",
        ),
        (
            "tasks/bili.yaml",
            "rules: [home-update]",
            "rules: [home-update]\n    also_meets: [open-rian]",
            "Did you mean 'open-rain'?",
        ),
        (
            "tasks/bili.yaml",
            "rules: [home-update]",
            "rules: [home-update]\n    also_meets: [open-song]",
            "tasks/bili.yaml:7:18: a task's own goal is met at its end anyway",
        ),
        (
            "tasks/bili.yaml",
            "rules: [home-update]",
            "rules: [home-update]\n    also_meets: [open-rain, open-rain]",
            "tasks/bili.yaml:7:29: the task 'open-rain' stands twice",
        ),
        ("tasks/bili.yaml", "rules: [home-update]", "rules: [home-update]\n    also_meets: [open-rain]", ""),
        (
            "tasks/bili.yaml",
            "rules: [home-update]",
            "rules: [home-update, home-update]",
            "tasks/bili.yaml:6:26: the rule 'home-update' stands twice",
        ),
        (
            "tasks/bili.yaml",
            "rules: [home-update]",
            "rules: [home-update]\n    near_misses:\n      - {name: back, steps: [back]}\n"
            "      - {name: back, steps: [back, back]}",
            "tasks/bili.yaml:9:16: the near miss 'back' stands twice",
        ),
        (
            "rules/interruptions.yaml",
            "label: {zh: 否, en: No}",
            "label: {zh: 否, en: ' '}",
            "rules/interruptions.yaml:8:70: the button's label is empty in 'en'",
        ),
        (
            "rules/interruptions.yaml",
            "label: {zh: 否, en: No}",
            "label: {zh: 否, en: 否}",
            "rules/interruptions.yaml:8:70: the button's label is the same in 'zh' and 'en'",
        ),
        ("rules/interruptions.yaml", "label: {zh: 否, en: No}", "label: {zh: OK, en: OK}", ""),
        (
            "tasks/bili.yaml",
            "en: Open 雨声",
            "en: 打开雨声",
            "tasks/bili.yaml:10:33: the instruction is the same in 'zh' and 'en'",
        ),
        ("tasks/bili.yaml", "rules: [home-update]", "max_steps: 15", ""),  # the other task names it still
        ("tasks/bili.yaml", "rules: [home-update]", "rules: [home-updates]", "Did you mean 'home-update'?"),
    ],
)
def test_each_mistake_is_told_with_its_place(write: Write, file: str, old: str, new: str, said: str) -> None:
    root = write(file, old, new)
    if not said:
        assert check_suite(root)
        return
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    assert said in str(caught.value)
    assert len(caught.value.errors) == 1


USED = """
  - id: page-open
    description: The page is open
    params: {title: {type: text}}
    holds: {exists: {id: title, text: "{title}"}}
"""
USE = '- use: page-open\n          with: {title: "{title}"}'


def test_a_goal_that_another_uses_is_used(write: Write) -> None:
    root = write("goal_schemas/bili.yaml", '- exists: {id: title, text: "{title}"}', USE)
    file = root / "goal_schemas/bili.yaml"
    file.write_text(file.read_text(encoding="utf-8").rstrip("\n") + USED, encoding="utf-8")
    assert check_suite(root).goals.keys() == {"video-open", "page-open"}


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (USE, "goal_schemas/bili.yaml:9:16: no goal is called 'page-open'"),
        (USE.replace("page-", "video-"), "9:16: the goal uses itself: video-open → video-open"),
    ],
)
def test_a_use_that_leads_nowhere_or_in_a_circle_is_told_once(write: Write, use: str, said: str) -> None:
    root = write("goal_schemas/bili.yaml", '- exists: {id: title, text: "{title}"}', use)
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    assert said in str(caught.value)
    assert len(caught.value.errors) == 1  # not once more for each task


def test_what_nobody_uses_is_told(write: Write) -> None:
    root = write()
    spare = {
        "rules/spare.yaml": RULES.replace("home-update", "spare-rule"),
        "goal_schemas/spare.yaml": GOALS.replace("video-open", "spare-goal"),
    }
    for name, text in spare.items():
        (root / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    assert [error.message for error in caught.value.errors] == [
        "the goal 'spare-goal' is used by no task",
        "the rule 'spare-rule' is used by no task",
    ]


def test_what_nobody_uses_is_told_beside_other_mistakes(write: Write) -> None:
    """And what a faulty task uses, or names with a slip, is no such thing."""
    root = write("tasks/bili.yaml", "id: open-song", "id: open-song\n    colour: red")
    tasks = root / "tasks/bili.yaml"
    text = tasks.read_text(encoding="utf-8").replace("[home-update]", "[home-updat]")
    tasks.write_text(text.replace("use: video-open", "use: video-opened"), encoding="utf-8")
    spare = RULES.replace("home-update", "spare-rule").replace("inject: update", "inject: [update, pag]")
    (root / "rules/spare.yaml").write_text(spare, encoding="utf-8")
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    assert [error.message for error in caught.value.errors] == [
        "the rule 'spare-rule' is used by no task",
        "no interruption is called 'pag'",
        "unknown key 'colour'",
        "no goal is called 'video-opened'",
        "no rule is called 'home-updat'",
        "no goal is called 'video-opened'",
        "no rule is called 'home-updat'",
    ]


def test_a_circle_of_faulty_goals_is_told_with_their_other_mistakes(write: Write) -> None:
    root = write()
    goals = """
  - {id: ring-one, description: "1", params: {t: {type: text}}, holds: {use: ring-two, with: {t: "{t}"}}}
  - {id: ring-two, description: "2", params: {t: {type: text}}, holds: {use: ring-one, with: {t: "{t}"}}}
"""
    (root / "goal_schemas/bili.yaml").write_text(GOALS.rstrip("\n") + goals, encoding="utf-8")
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    messages = [error.message for error in caught.value.errors]
    assert "the goal uses itself: ring-one → ring-two → ring-one" in messages
    assert "the goal uses itself: ring-two → ring-one → ring-two" in messages
    assert sum("has to stand here" in each or "at least 5 characters" in each for each in messages) == 2


def test_a_follow_up_acts_on_an_app_only_where_no_other_shows_it(write: Write) -> None:
    step = f"{{setting: {{namespace: secure, key: opened_by, value: {APP}}}}}"
    root = write("rules/interruptions.yaml", '{start: {package: "{app}", activity: .Main}}', step)
    for name, text in FILES.items():
        if "interruptions" not in name:
            other = (
                text.replace(APP, OTHER).replace("home-update", "shop-update").replace("video-", "product-")
            )
            other = other.replace("open-", "shop-").replace("打开", "买").replace("en: Open", "en: Buy")
            other = other.replace("推荐, 热门", "推荐, 特价").replace("inject: update", "inject: page")
            (root / name.replace("bili", "jd")).write_text(other, encoding="utf-8")
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    (error,) = caught.value.errors
    assert error.message == f"this acts on {APP}, and the interruption is shown in {OTHER}, too"
    assert error.hint == "Write {app} for the task's app."


def test_no_package_stands_in_a_follow_up(write: Write) -> None:
    steps = "[{start: {package: com.other.app, activity: .Main}}, {shell: [am, force-stop, com.other.app]}]"
    root = write("rules/interruptions.yaml", '[{start: {package: "{app}", activity: .Main}}]', steps)
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    refusal = "a follow-up acts on the task's own app, and this names com.other.app: write {app}"
    assert [f"{error.place}: {error.message}" for error in caught.value.errors] == [
        f"rules/interruptions.yaml:19:39: {refusal}",
        f"rules/interruptions.yaml:19:98: {refusal}",
    ]


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            "tasks/bili.yaml",
            "goal: {use: video-open, with: {title: 雨声}}",
            "max_steps: 1\n    goal: {use: video-open}",
            [
                "tasks/bili.yaml:11:16: the solution has 2 steps, more than max_steps 1",
                "tasks/bili.yaml:12:11: the goal 'video-open' needs the parameter 'title'",
            ],
        ),
        (
            "tasks/bili.yaml",
            "id: open-rain",
            "id: open-song\n    colour: red",
            [
                "tasks/bili.yaml:9:9: the task 'open-song' is there already, at tasks/bili.yaml:3:5",
                "tasks/bili.yaml:10:5: unknown key 'colour'",
            ],
        ),
        (
            "goal_schemas/bili.yaml",
            "    holds:",
            "    guards: [{part: 2, reason: as well}, {part: 7, reason: as well}, {part: 2, reason: again}]\n"
            "    holds:",
            [
                "goal_schemas/bili.yaml:6:49: there is no part 7 to guard: the goal's all has 2",
                "goal_schemas/bili.yaml:6:77: a part is declared a guard twice",
            ],
        ),
        (
            "rules/interruptions.yaml",
            "label: {zh: 否, en: No}",
            "label: {zh: 否}",
            ["rules/interruptions.yaml:8:58: dismiss has texts in ['zh'], the title in ['en', 'zh']"],
        ),
        (
            "rules/interruptions.yaml",
            "title: {zh: 更新, en: Update}",
            "title: {zh: 更新}",
            ["rules/interruptions.yaml:5:12: the title has texts in ['zh'], the others in ['en', 'zh']"],
        ),
        (
            "goal_schemas/bili.yaml",
            'text: "{title}"',
            'text: "{titel}"',
            [
                "goal_schemas/bili.yaml:9:37: {titel} is used and is no parameter. Did you mean 'title'?",
            ],
        ),
        (
            "goal_schemas/bili.yaml",
            "params: {title: {type: text}}",
            "params: {artist: {type: text}, unlike: {type: text}}",
            [
                "goal_schemas/bili.yaml:5:22: the parameter 'artist' is used nowhere",
                "goal_schemas/bili.yaml:5:44: the parameter 'unlike' is used nowhere",
                "goal_schemas/bili.yaml:9:37: {title} is used and is no parameter. Known: artist, unlike",
            ],
        ),
    ],
)
def test_all_mistakes_of_one_entry_are_told_each_at_its_place(
    write: Write, file: str, old: str, new: str, said: list[str]
) -> None:
    with pytest.raises(InputErrors) as caught:
        check_suite(write(file, old, new))
    assert [str(error).splitlines()[0] for error in caught.value.errors] == said


def test_marks_of_either_width_do_not_tell_instructions_apart(write: Write) -> None:
    root = write("tasks/bili.yaml", "zh: 打开稻香", "zh: 打开稻香，再点赞")
    file = root / "tasks/bili.yaml"
    text = file.read_text(encoding="utf-8").replace("zh: 打开雨声", 'zh: "打开稻香, 再点赞。"')
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    assert [str(error).splitlines()[0] for error in caught.value.errors] == [
        "tasks/bili.yaml:10:23: the task 'open-song', at tasks/bili.yaml:3:5, has the same instruction"
    ]


def test_a_task_s_own_mistakes_hide_nothing_of_its_instruction(write: Write) -> None:
    root = write("tasks/bili.yaml", "en: Open 雨声", "en: Open 稻香")
    file = root / "tasks/bili.yaml"
    text = file.read_text(encoding="utf-8").replace("with: {title: 雨声}", "with: {titel: 雨声}")
    file.write_text(text.replace("[home-update]", "[home-updat]\n    color: red"), encoding="utf-8")
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    messages = [error.message for error in caught.value.errors]
    assert "the task 'open-song', at tasks/bili.yaml:3:5, has the same instruction" in messages
    assert messages.count("no rule is called 'home-updat'") == 2


def test_a_rule_s_own_mistakes_hide_nothing_of_its_keywords(write: Write) -> None:
    root = write("rules/bili.yaml", "推荐, 热门", "' 推荐', 热门榜单, 热门, 热门, ''")
    file = root / "rules/bili.yaml"
    text = file.read_text(encoding="utf-8").replace("    description: A new version is offered\n", "")
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    assert [str(error).splitlines()[0] for error in caught.value.errors] == [
        "rules/bili.yaml:3:5: the key 'description' is missing",
        "rules/bili.yaml:6:27: the keyword ' 推荐' has stray spaces",
        "rules/bili.yaml:6:34: no screen of tv.danmaku.bili shows the keyword '热门榜单'",
        "rules/bili.yaml:6:44: the keyword '热门' stands twice",
        "rules/bili.yaml:6:48: a keyword is empty",
    ]


@pytest.mark.parametrize("text", ["", "# nothing\n", "- a list\n"])
@pytest.mark.parametrize("file", ["goal_schemas/bili.yaml", "rules/bili.yaml", "rules/interruptions.yaml"])
def test_a_file_that_holds_nothing_is_told_without_what_it_would_define(
    write: Write, file: str, text: str
) -> None:
    root = write()
    (root / file).write_text(text, encoding="utf-8")
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    told = [str(error).splitlines()[0] for error in caught.value.errors]
    assert told == [f"{file}:1:1: {file} has to hold a mapping at its top"]


def test_a_misspelt_app_of_tasks_is_told_once_without_what_follows_from_it(write: Write) -> None:
    root = write("tasks/bili.yaml", f"app: {APP}", "app: tv.danmaku.bil")
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    (error,) = caught.value.errors
    assert str(error.place) == "tasks/bili.yaml:1:6"
    assert error.message == "no goal and no rule of the suite is for the app 'tv.danmaku.bil'"
    assert error.hint == f"Did you mean {APP!r}?"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (["goal_schemas/bili.yaml"], "no task and no rule of the suite is for the app 'tv.danmaku.bil'"),
        (["rules/bili.yaml"], "no task and no goal of the suite is for the app 'tv.danmaku.bil'"),
    ],
)
def test_a_misspelt_app_of_goals_or_rules_is_told_once_at_its_cause(
    write: Write, files: list[str], said: str
) -> None:
    root = write(files[0], f"app: {APP}", "app: tv.danmaku.bil")
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    (error,) = caught.value.errors
    assert (str(error.place), error.message, error.hint) == (
        f"{files[0]}:1:6",
        said,
        f"Did you mean {APP!r}?",
    )


def test_a_misspelt_app_of_one_rule_is_told_once_at_its_cause(write: Write) -> None:
    root = write(
        "rules/bili.yaml", "    description: A new", "    app: tv.danmaku.bilibi\n    description: A new"
    )
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    (error,) = caught.value.errors
    assert str(error.place) == "rules/bili.yaml:4:10"
    assert error.hint == f"Did you mean {APP!r}?"


def test_apps_misspelt_in_several_files_are_told_each_once(write: Write) -> None:
    root = write("goal_schemas/bili.yaml", f"app: {APP}", "app: tv.danmaku.bilii")
    for file in ("rules/bili.yaml", "tasks/bili.yaml"):
        text = (root / file).read_text(encoding="utf-8")
        wrong = "tv.danmaku.bil" if "rules" in file else APP
        (root / file).write_text(text.replace(f"app: {APP}", f"app: {wrong}"), encoding="utf-8")
    (root / "tasks" / "more.yaml").write_text(
        TASKS.replace("open-", "more-").replace("打开", "再打开").replace("Open", "Open again"),
        encoding="utf-8",
    )
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    assert [(str(error.place), error.hint) for error in caught.value.errors] == [
        ("goal_schemas/bili.yaml:1:6", f"Did you mean {APP!r}?"),
        ("rules/bili.yaml:1:6", f"Did you mean {APP!r}?"),
    ]


def test_what_else_is_wrong_beside_a_misspelt_app_is_told(write: Write) -> None:
    root = write("tasks/bili.yaml", f"app: {APP}", "app: tv.danmaku.bil")
    file = root / "tasks/bili.yaml"
    text = file.read_text(encoding="utf-8").replace("[home-update]", "[home-updat]", 1)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    assert [str(error.place) for error in caught.value.errors] == [
        "tasks/bili.yaml:1:6",
        "tasks/bili.yaml:6:13",
    ]


def test_an_app_that_is_called_like_no_other_is_told_where_its_tasks_use_what_is_not_for_it(
    write: Write,
) -> None:
    root = write("tasks/bili.yaml", f"app: {APP}", "app: org.wikipedia.reader")
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    messages = [error.message for error in caught.value.errors]
    assert f"the goal 'video-open' is for {APP}, the task for org.wikipedia.reader" in messages


def test_a_language_of_one_task_is_told_once(write: Write) -> None:
    root = write("tasks/bili.yaml", ", en: Open 雨声", ", en: Open 雨声, fr: Ouvre 雨声")
    third = TASKS[TASKS.index("  - id: open-rain") :].replace("雨声", "风声").replace("-rain", "-wind")
    file = root / "tasks/bili.yaml"
    file.write_text(file.read_text(encoding="utf-8") + third, encoding="utf-8")
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    (error,) = caught.value.errors
    assert str(error.place) == "tasks/bili.yaml:10:42"
    assert error.message == "'fr' is no language of the suite: 1 of 3 tasks have it"


def test_all_mistakes_are_told_at_once_in_the_order_of_lines(write: Write) -> None:
    root = write("rules/bili.yaml", "推荐, 热门", "推荐榜单, 热门榜单")
    text = (
        TASKS.replace(", en: Open 雨声", "").replace("max_steps", "x").replace("home-update]", "home-up]", 1)
    )
    (root / "tasks/bili.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputErrors) as caught:
        check_suite(root)
    assert [str(error.place) for error in caught.value.errors] == [
        "rules/bili.yaml:7:27",
        "rules/bili.yaml:7:33",
        "tasks/bili.yaml:6:13",
        "tasks/bili.yaml:10:18",
    ]


def test_the_suite_that_comes_with_it_is_in_order_and_checked_in_three_seconds() -> None:
    started = time.process_time()
    assert check_suite().tasks
    assert time.process_time() - started < 3
