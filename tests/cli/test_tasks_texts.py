"""What the apps' screens show is written for the apps that are named, or whose words have changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from garabench.cli import tasks_texts as command
from garabench.cli.main import main
from garabench.lint.screen_texts import AppTexts
from garabench.screens import fingerprint, text_crawler
from garabench.suite.suite import Suite

JD, WEIBO = "com.jingdong.app.mall", "com.sina.weibo"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the texts of all apps as they are; a tour finds one text in each app."""

    def toured(suite: Suite, *, jobs: int, packages: Sequence[str]) -> dict[str, frozenset[str]]:
        return {name: frozenset({f"{name} shows this"}) for name in packages}

    monkeypatch.setattr(command, "KEPT", tmp_path)
    monkeypatch.setattr(text_crawler, "crawl_texts", toured)
    monkeypatch.setattr(fingerprint, "texts_fingerprint", lambda app: f"words of {app.package}")
    for app in text_crawler.all_apps():
        made = AppTexts(app.package, frozenset({"old"}), app.system, f"words of {app.package}")
        (tmp_path / f"{app.package}.json").write_text(made.to_json(), encoding="utf-8")
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["tasks", "texts", *words])


def texts_of(folder: Path, package: str) -> frozenset[str]:
    return AppTexts.read(folder / f"{package}.json").texts


def test_where_no_words_have_changed_no_app_is_gone_through(kept: Path) -> None:
    done = run("--stale")
    assert (done.exit_code, done.output) == (0, "The texts are up to date: no app's source has changed.\n")
    assert texts_of(kept, JD) == {"old"}


def test_an_app_whose_words_have_changed_is_written_anew(kept: Path) -> None:
    (kept / f"{JD}.json").write_text(AppTexts(JD, frozenset({"old"})).to_json(), encoding="utf-8")
    assert run("--stale", "--check").exit_code == 1
    assert texts_of(kept, JD) == {"old"}
    assert run("--stale").exit_code == 0
    assert texts_of(kept, JD) == {f"{JD} shows this"}
    assert texts_of(kept, WEIBO) == {"old"}
    assert run("--stale").output.startswith("The texts are up to date")


def test_a_named_app_is_written_anew(kept: Path) -> None:
    assert run("weibo").exit_code == 0
    assert texts_of(kept, WEIBO) == {f"{WEIBO} shows this"}
    assert texts_of(kept, JD) == {"old"}


def test_the_system_s_texts_are_kept_beside_what_its_own_tour_shows(kept: Path) -> None:
    assert run("com.android.settings").exit_code == 0
    assert texts_of(kept, "com.android.settings") == {"old", "com.android.settings shows this"}


def test_an_app_that_is_not_there_is_told_with_the_nearest(kept: Path) -> None:
    done = run("weibbo")
    assert (done.exit_code, "Did you mean 'weibo'?" in done.output) == (2, True)
