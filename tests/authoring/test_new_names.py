"""Names that an author gives are checked before they become entries or paths."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.authoring.suite_file_edits import with_entry
from garabench.cli.main import main
from garabench.errors import InputError

AN_ID = "an id consists of lower-case letters"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tasks", "new", "Bad Name", "--package", "com.example.x"], AN_ID),
        (["tasks", "new", "../../evil", "--package", "com.example.x"], AN_ID),
        (["tasks", "new", "fine", "--package", "foo"], "a package name has at least two parts"),
    ],
)
def test_a_wrong_name_writes_nothing(tmp_path: Path, words: list[str], message: str) -> None:
    suite = tmp_path / "a" / "suite"
    (suite / "tasks").mkdir(parents=True)
    done = CliRunner().invoke(main, [*words, "--suite", str(suite)])
    assert (done.exit_code, message in done.output) == (2, True)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_recording_needs_an_id(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["tasks", "record", "../esc", "--package", "com.example.x"])
    assert (done.exit_code, AN_ID in done.output) == (2, True)


def test_an_entry_is_not_added_twice(tmp_path: Path) -> None:
    file = tmp_path / "rules.yaml"
    entry = "  - id: on-menu\n    description: x\n"
    file.write_text(with_entry(file, "rules", "com.example.x", entry), encoding="utf-8")
    with pytest.raises(InputError, match="'on-menu' exists already"):
        with_entry(file, "rules", "com.example.x", entry)


SCREEN = """<hierarchy><node package="com.example.x" text="{}" resource-id="com.example.x:id/title">
<node package="com.example.x" text="Menu"/></node></hierarchy>"""
INTERRUPTION = """\
anomalies:
  - {id: my-dark-mode, description: Switches the dark theme on, system: dark-mode}
"""


def test_a_rule_injects_what_its_suite_has_and_an_id_is_new_in_it(tmp_path: Path) -> None:
    suite = tmp_path / "own"
    (suite / "rules").mkdir(parents=True)
    (suite / "goal_schemas").mkdir()
    (suite / "rules" / "interruptions.yaml").write_text(INTERRUPTION, encoding="utf-8")
    before, after = tmp_path / "before.xml", tmp_path / "after.xml"
    before.write_text(SCREEN.format("Shop"), encoding="utf-8")
    after.write_text(SCREEN.format("Cart"), encoding="utf-8")
    new_rule = ["rules", "new", "--tree", str(before), "--id", "on-menu", "--inject"]
    out = ["--out", str(suite / "rules" / "shop.yaml")]

    def run(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, words)
        return done.exit_code, done.output

    status, output = run(*new_rule, "my-dark-mode")
    assert (status, "unknown interruption 'my-dark-mode'" in output) == (2, True)
    status, output = run(*new_rule, "my-dark-mod", "--suite", str(suite))
    assert (status, "Did you mean 'my-dark-mode'?" in output) == (2, True)
    assert run(*new_rule, "low-battery", "--suite", str(suite))[0] == 0
    assert run(*new_rule, "my-dark-mode", *out)[0] == 0  # the suite that the file is in
    status, output = run(*new_rule, "my-dark-mode", "--out", str(suite / "rules" / "other.yaml"))
    assert (status, "shop.yaml:5:9: the rule 'on-menu' exists already" in output) == (2, True)
    new_goal = ["goals", "new", str(before), str(after), "--id", "in-cart"]
    assert run(*new_goal, "--out", str(suite / "goal_schemas" / "shop.yaml"))[0] == 0
    status, output = run(*new_goal, "--suite", str(suite))
    assert (status, "the goal 'in-cart' exists already" in output) == (2, True)


UNRECORDED = """<hierarchy><node package="com.jingdong.app.mall" text="{}"
resource-id="com.jingdong.app.mall:id/{}">
<node package="com.jingdong.app.mall" text="搜索"/></node></hierarchy>"""


def test_what_is_written_passes_the_check_and_is_not_written_twice(tmp_path: Path) -> None:
    before, after = tmp_path / "before.xml", tmp_path / "after.xml"
    before.write_text(UNRECORDED.format("闪购神券", "old_banner"), encoding="utf-8")
    after.write_text(UNRECORDED.format("百亿超市", "new_banner"), encoding="utf-8")
    files = {"rules": tmp_path / "rules.yaml", "goals": tmp_path / "goals.yaml"}
    commands = [
        ["rules", "new", "--tree", str(before), "--not", str(after), "--id", "mine"],
        ["goals", "new", str(before), str(after), "--id", "mine"],
    ]
    for command, (key, file) in zip(commands, files.items(), strict=True):
        assert CliRunner().invoke(main, [*command, "--out", str(file)]).exit_code == 0
        written = file.read_text(encoding="utf-8")
        _, schema = written.splitlines()[0].split("$schema=")
        assert (tmp_path / schema).name == f"{key}.schema.json"
        assert (tmp_path / schema).is_file()
        again = CliRunner().invoke(main, [*command, "--out", str(file)])
        assert (again.exit_code, "'mine' exists already" in again.output) == (2, True)
        assert file.read_text(encoding="utf-8") == written
        checked = CliRunner().invoke(main, ["check", str(file)])
        assert checked.exit_code == 0, checked.output
        assert "silenced by comments" in checked.output


def test_a_single_tree_of_not_is_never_left_out(tmp_path: Path) -> None:
    tree, rules = tmp_path / "shop.xml", tmp_path / "rules.yaml"
    tree.write_text(SCREEN.format("Shop"), encoding="utf-8")
    words = ["rules", "new", "--tree", str(tree), "--not", str(tree), "--id", "on-menu", "--out", str(rules)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert f"nothing tells {tree} apart from {tree}" in done.output
    assert not rules.exists()


def test_a_screen_that_was_not_meant_is_a_warning(tmp_path: Path) -> None:
    here, home, other = (tmp_path / name for name in ("home.xml", "launcher.xml", "cart.xml"))
    here.write_text(SCREEN.format("Shop"), encoding="utf-8")
    home.write_text(SCREEN.format("Apps").replace("com.example.x", "com.android.launcher3"), encoding="utf-8")
    other.write_text(SCREEN.format("Cart"), encoding="utf-8")

    def warnings(tree: Path, *others: Path) -> list[str]:
        words = [word for each in others for word in ("--not", str(each))]
        done = CliRunner().invoke(main, ["rules", "new", "--tree", str(tree), *words])
        assert done.exit_code == 0
        return done.stderr.splitlines()

    assert warnings(here) == warnings(here, other) == warnings(here, home, other) == []
    assert warnings(here, home) == [
        "Warning: --not has no other screen of com.example.x, so that it excludes nothing"
    ]
    assert warnings(home) == [
        f"Warning: {home} shows com.android.launcher3, not an app of a suite; "
        "open the app and repeat the command"
    ]
