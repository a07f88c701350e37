"""Screen texts are written for the given apps, or for those whose sources have changed."""

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
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with up-to-date texts of all apps; the crawler finds one other text in each app."""

    def crawl(suite: Suite, *, jobs: int, packages: Sequence[str]) -> dict[str, frozenset[str]]:
        return {name: frozenset({f"{name} shows this"}) for name in packages}

    monkeypatch.setattr(command, "BUNDLED", tmp_path)
    monkeypatch.setattr(text_crawler, "crawl_texts", crawl)
    monkeypatch.setattr(fingerprint, "texts_fingerprint", lambda app: f"sources of {app.package}")
    for app in text_crawler.all_apps():
        texts = AppTexts(app.package, frozenset({"old"}), app.system, f"sources of {app.package}")
        (tmp_path / f"{app.package}.json").write_text(texts.to_json(), encoding="utf-8")
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["tasks", "texts", *words])


def texts_of(folder: Path, package: str) -> frozenset[str]:
    return AppTexts.read(folder / f"{package}.json").texts


def test_no_app_is_visited_if_no_source_has_changed(folder: Path) -> None:
    done = run("--stale")
    assert (done.exit_code, done.output) == (0, "The texts are up to date: no app's source has changed.\n")
    assert texts_of(folder, JD) == {"old"}


def test_app_with_changed_sources_is_rewritten(folder: Path) -> None:
    (folder / f"{JD}.json").write_text(AppTexts(JD, frozenset({"old"})).to_json(), encoding="utf-8")
    assert run("--stale", "--check").exit_code == 1
    assert texts_of(folder, JD) == {"old"}
    assert run("--stale").exit_code == 0
    assert texts_of(folder, JD) == {f"{JD} shows this"}
    assert texts_of(folder, WEIBO) == {"old"}
    assert run("--stale").output.startswith("The texts are up to date")


def test_named_app_is_rewritten(folder: Path) -> None:
    assert run("weibo").exit_code == 0
    assert texts_of(folder, WEIBO) == {f"{WEIBO} shows this"}
    assert texts_of(folder, JD) == {"old"}


def test_system_apps_keep_texts_that_were_seen_in_other_apps(folder: Path) -> None:
    assert run("com.android.settings").exit_code == 0
    assert texts_of(folder, "com.android.settings") == {"old", "com.android.settings shows this"}


def test_unknown_app_is_reported_with_the_nearest(folder: Path) -> None:
    done = run("weibbo")
    assert (done.exit_code, "Did you mean 'weibo'?" in done.output) == (2, True)
