"""Keywords that are on no screen of their app."""

from __future__ import annotations

import pytest

from tests.suite.written_suite import APP, Write, assert_reported, edit, first_lines


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "rules/bili.yaml",
            "热门",
            "热门榜单",
            "rules/bili.yaml:7:31: no screen of tv.danmaku.bili shows the keyword '热门榜单'",
        ),
        ("rules/bili.yaml", "热门", "直播閒", "Did you mean '直播'?"),
        ("rules/bili.yaml", "热门", "' 热门'", "the keyword ' 热门' has leading or trailing spaces"),
        ("rules/bili.yaml", "热门", "'987654'", "shows the keyword '987654'"),
        ("rules/bili.yaml", "热门", "dataclass", "shows the keyword 'dataclass'"),
        ("rules/bili.yaml", "热门", "微博热搜", "no screen of tv.danmaku.bili shows the keyword '微博热搜'"),
        (
            "rules/bili.yaml",
            f"- package: {APP}",
            f"- not: {{exists: {{id: '{APP}:id/titlle'}}}}",
            "rules/bili.yaml:8:30: no screen of tv.danmaku.bili has the id 'titlle'",
        ),
        ("rules/bili.yaml", "热门", "'Returns:'", "shows the keyword 'Returns:'"),
    ],
)
def test_a_keyword_on_no_screen_is_reported_with_its_location(
    write: Write, file: str, old: str, new: str, message: str
) -> None:
    assert_reported(write(file, old, new), message)


def test_other_mistakes_in_a_rule_do_not_hide_those_in_its_keywords(write: Write) -> None:
    root = write("rules/bili.yaml", "推荐, 热门", "' 推荐', 热门榜单, 热门, 热门, ''")
    edit(root / "rules/bili.yaml", ("    description: A new version is offered\n", ""))
    assert first_lines(root) == [
        "rules/bili.yaml:3:5: missing key 'description'",
        "rules/bili.yaml:6:27: the keyword ' 推荐' has leading or trailing spaces",
        "rules/bili.yaml:6:34: no screen of tv.danmaku.bili shows the keyword '热门榜单'",
        "rules/bili.yaml:6:44: duplicate keyword '热门'",
        "rules/bili.yaml:6:48: empty keyword",
    ]
