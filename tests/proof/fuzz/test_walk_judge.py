"""The verdict on a walk, by the goal's verdict, its effects and what the last page shows."""

from __future__ import annotations

from garabench.core.app_state import AppEffects
from garabench.core.expected_effects import EffectExpectation, IncidentalKind
from garabench.core.tree import UiTree
from garabench.proof.fuzz.walk import ActionKind, FuzzWalk, Insertion, WalkVerdict
from garabench.proof.fuzz.walk_judge import WalkEnd, judge_walk, names_of, page_differences, trace_of
from tests.cases import every_case
from tests.proof.fuzz.pages import APP, added, change, element, page, removed

LIKE = added("like", "v1", "点赞了视频《稻香》", title="稻香")
OTHER = added("like", "v2", "点赞了视频《晴天》", title="晴天")
BOTH = LIKE.model_copy(update={"added": (*LIKE.added, *OTHER.added)})
HISTORY = LIKE.model_copy(
    update={"added": (*LIKE.added, *added("history", "v3", "看过《夜曲》", title="夜曲").added)}
)
NOTHING = AppEffects(package=APP)
EXPECTED = EffectExpectation(
    ((change(LIKE),),), {APP: (IncidentalKind(kind="history", reason={"en": "any use"}),)}
)
PLAIN = page(element("稻香", "title"), element("已点赞", "like", selected=True))
WITH_OTHER = page(element("稻香", "title"), element("晴天 已点赞", "other"))
ACT = Insertion(before=1, kind=ActionKind.LIKE)
SCROLL = Insertion(before=1, kind=ActionKind.SCROLL)
RETURN = Insertion(before=1, kind=ActionKind.RETURN)
V = WalkVerdict


@every_case(
    ("accepted", "effects", "inserted", "last", "expected"),
    [
        (True, LIKE, ACT, PLAIN, V.ACCEPTED),
        (True, HISTORY, ACT, PLAIN, V.ACCEPTED),
        (True, BOTH, ACT, PLAIN, V.ACCEPTED_UNSEEN),
        (True, BOTH, ACT, WITH_OTHER, V.ACCEPTED_SEEN),
        (True, BOTH, SCROLL, PLAIN, V.HARMLESS_CHANGES),
        (True, BOTH, RETURN, PLAIN, V.HARMLESS_CHANGES),
        (False, OTHER, SCROLL, PLAIN, V.REFUSED),  # the wrong object, chosen by its position
        (False, NOTHING, ACT, PLAIN, V.REFUSED),
        (False, BOTH, ACT, WITH_OTHER, V.REFUSED),
        (False, LIKE, ACT, PLAIN, V.REFUSED_ELSEWHERE),
        (False, LIKE, SCROLL, PLAIN, V.REFUSED_RIGHT),
        (None, LIKE, SCROLL, PLAIN, V.UNKNOWN),
        (True, AppEffects(package=APP, unknown="it hangs"), ACT, PLAIN, V.UNKNOWN),
    ],
)
def test_verdict(
    accepted: bool | None, effects: AppEffects, inserted: Insertion, last: UiTree, expected: WalkVerdict
) -> None:
    end = WalkEnd(accepted, "the goal's reason", last, (effects,))
    result = judge_walk(1, FuzzWalk(task="one", inserted=(inserted,)), end, EXPECTED, PLAIN)
    assert result.verdict is expected
    assert expected.finding == (expected in (V.ACCEPTED_SEEN, V.REFUSED_RIGHT, V.HARMLESS_CHANGES))


def test_blocked_walks_are_not_judged() -> None:
    end = WalkEnd(True, "id=x is not on screen", WITH_OTHER, (BOTH,), blocked=True)
    result = judge_walk(1, FuzzWalk(task="one", inserted=(ACT,)), end, EXPECTED, PLAIN)
    assert (result.verdict, result.exact) == (V.BLOCKED, None)


@every_case(
    ("effects", "last", "reference", "trace"),
    [
        (OTHER, WITH_OTHER, PLAIN, ("晴天 已点赞",)),
        (OTHER, WITH_OTHER, WITH_OTHER, ()),  # the page is as it should be
        (OTHER, page(element("另一个视频", "title")), PLAIN, ()),  # it does not name the object
        (removed("friend", "ann", "好友“Ann Lee”"), PLAIN, page(element("Ann Lee")), ("Ann Lee",)),
        (removed("friend", "ann", "好友“Ann Lee”"), page(element("Ann Lee")), PLAIN, ()),
        (
            added("line", "tea|20", "购物车中有 碧螺春绿茶礼盒 × 1"),
            page(element("碧螺春绿茶礼盒")),
            PLAIN,
            ("碧螺春绿茶礼盒",),
        ),
        (added("line", "tea|20", "购物车中有 茶 × 1"), page(element("购物车", "cart")), PLAIN, ()),
        (added("post", "p1", "发布了 12", text="12"), page(element("12")), PLAIN, ()),  # no name
    ],
)
def test_trace(effects: AppEffects, last: UiTree, reference: UiTree, trace: tuple[str, ...]) -> None:
    assert trace_of((change(effects),), last, reference) == trace


def test_a_finding_shows_how_its_page_differs() -> None:
    assert page_differences(WITH_OTHER, PLAIN) == ("+ other 晴天 已点赞", "- like 已点赞 selected")
    assert page_differences(PLAIN, PLAIN) == ()


def test_names_are_quoted_or_fields_or_readable_parts_of_the_object() -> None:
    found = added(
        "favorite", "f-1/红烧肉", "收藏了“红烧肉”到《下厨》", folder="周末", count=3, tags=("菜", "家常")
    )
    assert names_of(change(found)) == ("红烧肉", "下厨", "周末", "家常")
