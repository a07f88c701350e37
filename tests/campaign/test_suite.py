from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from garabench.campaign.suite import Suite
from garabench.campaign.suite_files import default_root
from garabench.errors import InputErrors


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
    with pytest.raises(InputErrors) as caught:
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
def test_a_mistake_is_not_told_again_for_each_name_that_leads_to_it(
    root: Path, file: str, old: str, new: str, expected: str
) -> None:
    change(root / file, old, new)
    said = messages(root)
    assert any(expected in line for line in said)
    assert not any(" is called " in line for line in said)
    assert all(Path(file).name in line for line in said)


@pytest.mark.parametrize("broken", [b"rules: [", b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_one_mistake(root: Path, broken: bytes) -> None:
    (root / "rules" / "jd.yaml").write_bytes(broken)
    assert len(messages(root)) == 1


def test_a_wrong_name_beside_a_broken_file_is_told_and_may_mean_one_of_it(root: Path) -> None:
    change(root / "rules" / "jd.yaml", "threshold:", "treshold:")
    change(root / "tasks" / "jd.yaml", "jd-search-wifi", "jd-search-wify")
    with pytest.raises(InputErrors) as caught:
        Suite.load(root)
    (error,) = [each for each in caught.value.errors if "jd-search-wify" in str(each)]
    assert "no rule is called 'jd-search-wify'" in str(error)
    assert "Did you mean 'jd-search-wifi'?" in str(error)


def test_a_task_may_name_only_rules_and_goals_of_its_app(root: Path) -> None:
    change(root / "tasks" / "jd.yaml", "jd-search-wifi", "bili-results-wifi")
    (said,) = messages(root)
    assert "the rule 'bili-results-wifi' is for tv.danmaku.bili" in said


def test_a_name_may_be_defined_once(root: Path) -> None:
    shutil.copy(root / "rules" / "jd.yaml", root / "rules" / "jd2.yaml")
    said = messages(root)
    assert said
    assert all("is there already, at" in line and "jd2.yaml" in line for line in said)
