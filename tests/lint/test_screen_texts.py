"""The texts of an app are those on its screens, not those in its sources."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import garabench
from garabench.core.suggestions import nearest
from garabench.errors import InputError
from garabench.lint.screen_texts import BUNDLED, AppTexts, ScreenTexts, shows, stand_in_packages

JD, WEIBO, SETTINGS = "com.jingdong.app.mall", "com.sina.weibo", "com.android.settings"
READER = "com.example.reader"
APPS = Path(garabench.__file__).parent / "virtual" / "apps"


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("购物车", True),
        ("search_edit", True),  # an id's name
        ("共987件", True),  # numbers change
        ("987654", False),
        ("购物篮子", False),
        ("购物车 我的", False),  # two texts
        ("dataclass", False),  # names in sources
        ("ProductActivity", False),
        ("Returns:", False),
        ("已添加到收藏夹囧", False),
    ],
)
def test_the_texts_of_an_app_are_shown(word: str, shown: bool) -> None:
    assert shows(JD, word) is shown


def test_texts_only_in_the_sources_of_an_app_are_not_shown() -> None:
    """Comments, docstrings, identifiers and content keys of the app."""
    sources = [path.read_text(encoding="utf-8") for path in sorted((APPS / "jd").glob("*.py"))]
    lines = [line.strip() for source in sources for line in source.splitlines()]
    remarks = [line.removeprefix("# ") for line in lines if line.startswith("# ") and line.count(" ") > 3]
    docstrings = [line[3:-3] for line in lines if line.startswith('"""') and line.count(" ") > 3]
    classes = [match[1] for line in lines if (match := re.match(r"class (\w+Activity)\b", line))]
    content = (APPS / "jd" / "content" / "products.json").read_text(encoding="utf-8")
    keys = [f'"{key}":' for key in ("title", "shop") if f'"{key}":' in content]
    assert remarks and len(docstrings) > 100 and len(classes) > 10 and keys
    assert not [word for word in (*remarks, *docstrings, *classes, *keys) if shows(JD, word)]


def test_texts_of_the_system_are_shown_but_not_those_of_another_app() -> None:
    assert shows(WEIBO, "微博热搜") and not shows(JD, "微博热搜")
    assert ScreenTexts.load().apps[SETTINGS].system
    assert shows(JD, "WLAN")


def test_an_unknown_app_may_show_anything() -> None:
    assert shows(READER, "囧")
    assert ScreenTexts.load().has(READER, "囧")


def test_every_app_of_the_suite_has_bundled_texts() -> None:
    assert len(stand_in_packages()) >= 8
    assert {path.stem for path in BUNDLED.iterdir()} == stand_in_packages()


def test_the_nearest_text_is_on_a_screen() -> None:
    near = ScreenTexts.load().nearest(JD, "加入购物车了")
    assert near is not None and shows(JD, near)
    assert nearest("加入购物车了", [near]) == near


def test_a_suites_own_texts_are_merged(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    own = AppTexts(READER, frozenset({"第一章\n开始", "Chapter 12", "btn_next"}))
    (folder / "reader.json").write_text(own.to_json(), encoding="utf-8")
    (folder / "jd.json").write_text(AppTexts(JD, frozenset({"购物篮子"})).to_json(), encoding="utf-8")
    known = ScreenTexts.load(tmp_path)
    assert known.shows(READER, "chapter 7") and known.shows(READER, "12") and known.shows(READER, "第一章")
    assert not known.shows(READER, "chapters") and not known.shows(READER, "98765")
    assert known.has(READER, "btn_next") and not known.has(READER, "btn")
    assert known.shows(JD, "购物篮子") and known.shows(JD, "购物车")


def test_a_file_round_trips(tmp_path: Path) -> None:
    app = AppTexts(READER, frozenset({'a"b', "多\n行", "c"}), system=True)
    path = tmp_path / "x.json"
    path.write_text(app.to_json(), encoding="utf-8")
    assert AppTexts.read(path) == app
    assert len(path.read_text(encoding="utf-8").splitlines()) == len(app.texts) + 2


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", json.dumps({"package": 1, "system": True, "texts": []}), '{"package": "a", "texts": []}',
     json.dumps({"package": "a", "system": False, "texts": [1]})],
)  # fmt: skip
def test_an_invalid_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="is not a file of screen texts"):
        ScreenTexts.load(tmp_path)
