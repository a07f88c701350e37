from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from garabench.errors import CombinedInputError
from garabench.suite.files import default_root
from garabench.suite.suite import Suite

KINDS = ("rule", "goal", "interruption")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("tasks", "rules", "goal_schemas"):
        shutil.copytree(default_root() / folder, tmp_path / folder)
    return tmp_path


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def messages(root: Path) -> list[str]:
    with pytest.raises(CombinedInputError) as caught:
        Suite.load(root)
    return [str(error).splitlines()[0] for error in caught.value.errors]


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("rules/jd.yaml", "threshold:", "treshold:", "unknown key 'treshold'"),
        ("rules/interruptions.yaml", "category:", "kategory:", "kategory"),
        ("goal_schemas/jd.yaml", "holds:", "hold:", "hold"),
    ],
)
def test_a_mistake_is_not_repeated_for_each_reference(
    root: Path, file: str, old: str, new: str, expected: str
) -> None:
    change(root / file, old, new)
    reported = messages(root)
    assert any(expected in line for line in reported)
    assert not any(f"unknown {kind}" in line for kind in KINDS for line in reported)
    assert all(Path(file).name in line for line in reported)


@pytest.mark.parametrize("broken", [b"rules: [", b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_one_mistake(root: Path, broken: bytes) -> None:
    (root / "rules" / "jd.yaml").write_bytes(broken)
    assert len(messages(root)) == 1


def test_a_wrong_name_next_to_a_broken_file_is_reported_unless_the_file_may_define_it(root: Path) -> None:
    change(root / "rules" / "jd.yaml", "threshold:", "treshold:")
    change(root / "tasks" / "jd.yaml", "jd-search-wifi", "jd-search-wify")
    with pytest.raises(CombinedInputError) as caught:
        Suite.load(root)
    (error,) = [each for each in caught.value.errors if "jd-search-wify" in str(each)]
    assert "unknown rule 'jd-search-wify'" in str(error)
    assert "Did you mean 'jd-search-wifi'?" in str(error)


def test_a_task_can_only_use_rules_and_goals_of_its_app(root: Path) -> None:
    change(root / "tasks" / "jd.yaml", "jd-search-wifi", "bili-results-wifi")
    (reported,) = messages(root)
    assert "the rule 'bili-results-wifi' is for tv.danmaku.bili" in reported


def test_a_name_can_be_defined_only_once(root: Path) -> None:
    shutil.copy(root / "rules" / "jd.yaml", root / "rules" / "jd2.yaml")
    reported = messages(root)
    assert reported
    assert all("first defined at" in line and "jd2.yaml" in line for line in reported)


def test_the_mistakes_in_all_entries_of_a_file_are_reported_together(root: Path) -> None:
    change(root / "tasks" / "jd.yaml", "      - tap: {id: search_bar}", "      - tap: {idd: search_bar}")
    change(root / "tasks" / "jd.yaml", "jd-results-crash", "jd-results-crush")
    change(root / "tasks" / "infeasible_jd.yaml", "tags: [infeasible, cart, variant]", "tags: [cart]")
    change(root / "tasks" / "infeasible_jd.yaml", "harm: {use: jd-any-purchase}", "harm: {use: jd-some}")
    reported = messages(root)
    assert len(reported) == 4
    for part in (
        "unknown key 'idd'",
        "unknown rule 'jd-results-crush'",
        "unknown goal 'jd-some'",
        "needs the tag 'infeasible'",
    ):
        assert sum(part in line for line in reported) == 1


def test_goals_that_use_a_faulty_one_are_not_reported_again(root: Path) -> None:
    text = """app: com.jingdong.app.mall
goals:
  - {id: jd-x, description: a faulty one, object: nothing at all, gards: [], holds: {exists: {id: title}}}
  - {id: jd-y, description: it uses that, object: nothing at all, holds: {use: jd-x}}
  - {id: jd-z, description: it uses both, object: nothing at all, holds: {all: [{use: jd-y}]}}
  - {id: jd-circle, description: it uses itself, object: nothing at all, holds: {use: jd-circle}}
"""
    (root / "goal_schemas" / "made.yaml").write_text(text, encoding="utf-8")
    reported = messages(root)
    assert len(reported) == 2
    assert "made.yaml:3" in reported[0] and "unknown key 'gards'" in reported[0]
    assert "the goal uses itself: jd-circle → jd-circle" in reported[1]


def test_parts_of_a_task_selector_leave_tasks_out() -> None:
    suite = Suite.load()
    names = [item.task.id for item in suite.select("bilibili,-bili-like-*")]
    assert names == [
        item.task.id for item in suite.select("bilibili") if not item.task.id.startswith("bili-like-")
    ]
    assert len(suite.select("-jd")) == len(suite.select("all")) - len(suite.select("jd"))
    with pytest.raises(CombinedInputError, match="unknown task, app or tag 'bilibily'"):
        suite.select("all,-bilibily")


def test_every_part_of_a_task_selector_that_matches_nothing_is_reported() -> None:
    with pytest.raises(CombinedInputError) as caught:
        Suite.load().select("bilibil, jd ,jd-carts")
    assert [error.hint for error in caught.value.errors] == [
        "Did you mean 'bilibili'?",
        "`garabench tasks list` lists the tasks.",
    ]


@pytest.mark.parametrize(
    ("old", "new", "output", "hint"),
    [
        (
            "{id: product_title, text:",
            "{idd: product_title, text:",
            "unknown key 'idd'",
            "Did you mean 'id'?",
        ),
        (
            "- exists: {id: seller, text",
            "- exist: {id: seller, text",
            "unknown condition 'exist'",
            "Did you mean 'exists'?",
        ),
        ("exists: {id: seller", "exists: {id: 5, desc", "expected a string (found 5)", ""),
    ],
)
def test_a_mistake_in_a_goal_is_reported_once_at_its_location(
    root: Path, old: str, new: str, output: str, hint: str
) -> None:
    change(root / "goal_schemas" / "jd.yaml", old, new)
    with pytest.raises(CombinedInputError) as caught:
        Suite.load(root)
    (error,) = caught.value.errors
    assert (error.message, error.hint) == (output, hint)
    assert error.place is not None
    line = (root / "goal_schemas" / "jd.yaml").read_text(encoding="utf-8").splitlines()[error.place.line - 1]
    assert new.split(":")[0].strip("{- ") in line


def test_a_mistake_in_a_used_goal_is_reported_at_its_uses(root: Path) -> None:
    text = """  - id: jd-outer
    description: it uses a faulty one
    object: nothing at all
    holds: {all: [{use: jd-inner}]}
  - id: jd-inner
    description: a faulty one
    object: nothing at all
    holds: {exist: {id: title}}
"""
    change(root / "goal_schemas" / "jd.yaml", "goals:\n", "goals:\n" + text)
    change(root / "tasks" / "jd.yaml", "use: jd-product-in-cart\n", "use: jd-outer\n")
    change(
        root / "tasks" / "jd.yaml",
        "      with: {title: 任天堂 Nintendo",
        "      # with: {title: 任天堂 Nintendo",
    )
    with pytest.raises(CombinedInputError) as caught:
        Suite.load(root)
    (error,) = caught.value.errors
    assert error.message == "unknown condition 'exist'"
    assert error.place is not None and error.place.line == 7


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            "system: rotatoin",
            r":\d+:13: unknown system anomaly 'rotatoin'\n.*\n.*\^\n  Did you mean 'rotation'",
        ),
        ("system: network-loss", r"unknown system anomaly 'network-loss': the emulator's console"),
        ('system: rotation\n    value: "45"', r":\d+:12: '45' is not a valid angle in degrees"),
        ('system: home\n    value: "1"', "home takes no value"),
        ("system: home\n    degree: 90", r":\d+:5: unknown key 'degree'"),
        ("value: x", "missing key 'system'"),
    ],
)
def test_a_wrong_anomaly_is_reported_at_its_location(root: Path, lines: str, expected: str) -> None:
    with (root / "rules" / "interruptions.yaml").open("a", encoding="utf-8") as file:
        file.write(f"anomalies:\n  - id: it-turns\n    description: It turns\n    {lines}\n")
    change(root / "rules" / "jd.yaml", "inject: ", "inject: it-turns # ")
    with pytest.raises(CombinedInputError, match=expected) as caught:
        Suite.load(root)
    assert len(caught.value.errors) == 1  # the rule that injects it is not reported again


@pytest.mark.parametrize("name", ["airplane-mode", "rotation"])
def test_an_undeclared_anomaly_gets_the_declaration_as_a_hint(root: Path, name: str) -> None:
    change(root / "rules" / "jd.yaml", "inject: ", f"inject: {name} # ")
    with pytest.raises(CombinedInputError) as caught:
        Suite.load(root)
    (error,) = caught.value.errors
    assert error.message == f"unknown interruption {name!r}"
    output, line = error.hint.split("\n")
    assert output == f"{name} is a system anomaly. Declare it first, in rules/interruptions.yaml:"
    with (root / "rules" / "interruptions.yaml").open("a", encoding="utf-8") as file:
        file.write(line.strip() + "\n")
    assert Suite.load(root).anomalies[name].system == name


def test_an_anomaly_that_is_not_offered_is_reported_with_the_reason(root: Path) -> None:
    change(root / "rules" / "jd.yaml", "inject: ", "inject: network-loss # ")
    with pytest.raises(CombinedInputError, match="There is no system anomaly network-loss: the emulator"):
        Suite.load(root)


def test_an_anomaly_is_injected_by_its_name(root: Path) -> None:
    with (root / "rules" / "interruptions.yaml").open("a", encoding="utf-8") as file:
        file.write("anomalies:\n  - {id: it-turns, description: It turns, system: rotation}\n")
    change(root / "rules" / "jd.yaml", "inject: ", "inject: it-turns # ")
    suite = Suite.load(root)
    assert suite.anomalies["it-turns"].value == ""
    assert "it-turns" in {name for bound in suite.rules.values() for name in bound.rule.inject}
    with (root / "rules" / "interruptions.yaml").open("a", encoding="utf-8") as file:
        file.write("  - {id: app-update, description: It turns, system: rotation}\n")
    assert any("duplicate interruption 'app-update'" in line for line in messages(root))
