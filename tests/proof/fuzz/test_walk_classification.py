"""The verdict on a walk, by the goal's verdict, its effects and what the last page shows."""

from __future__ import annotations

from garabench.core.app_state import AppEffects
from garabench.core.expected_effects import EffectExpectation, IncidentalKind, StateChange
from garabench.core.tree import UiTree
from garabench.proof.fuzz.phone_page import Page
from garabench.proof.fuzz.walk import ActionKind, Elsewhere, FuzzWalk, Insertion, WalkVerdict
from garabench.proof.fuzz.walk_classification import (
    CorrectEnd,
    WalkEnd,
    changed_marks,
    classify_walk,
    names_of,
    page_differences,
    short_names_of,
    trace_of,
)
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
        (False, LIKE, ACT, PLAIN, V.REFUSED_RIGHT),  # nothing on the page says why
        (False, LIKE, SCROLL, PLAIN, V.REFUSED_RIGHT),
        (None, LIKE, SCROLL, PLAIN, V.UNKNOWN),
        (True, AppEffects(package=APP, unknown="it hangs"), ACT, PLAIN, V.UNKNOWN),
    ],
)
def test_verdict(
    accepted: bool | None, effects: AppEffects, inserted: Insertion, last: UiTree, expected: WalkVerdict
) -> None:
    end = WalkEnd(accepted, "the goal's reason", last, (effects,))
    result = classify_walk(1, FuzzWalk(task="one", inserted=(inserted,)), end, EXPECTED, CorrectEnd(PLAIN))
    assert result.verdict is expected
    assert expected.finding == (expected in (V.ACCEPTED_SEEN, V.REFUSED_RIGHT, V.HARMLESS_CHANGES))


def test_blocked_walks_are_undecided() -> None:
    end = WalkEnd(True, "id=x is not on screen", WITH_OTHER, (BOTH,), blocked=True)
    result = classify_walk(1, FuzzWalk(task="one", inserted=(ACT,)), end, EXPECTED, CorrectEnd(PLAIN))
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
        (added("post", "p1", "发布了 12", text="12"), page(element("12")), PLAIN, ("12",)),
        (added("post", "p1", "发布了 12", text="12"), page(element("1299 人")), PLAIN, ()),
        (added("list", "A", "新建了列表", name="A"), page(element("A")), PLAIN, ("A",)),
        (added("list", "A", "新建了列表", name="A"), page(element("A list")), PLAIN, ()),
        (
            added("line", "tea", "购物车", count=2),
            page(element("Qty: 2")),
            page(element("Qty: 1")),
            ("Qty: 2",),
        ),
        (added("line", "tea", "购物车", count=2), page(element("2 days ago it was")), PLAIN, ()),
        (removed("list", "A", "列表“A”"), PLAIN, page(element("A")), ("A",)),
        (OTHER, page(element("晴天"), element("7")), page(element("晴天"), element("6")), ()),  # a badge
    ],
)
def test_trace(effects: AppEffects, last: UiTree, reference: UiTree, trace: tuple[str, ...]) -> None:
    assert trace_of((change(effects),), last, reference) == trace


STAR = page(element("和平饭店", "name"), element("收藏", "star"), element("评论 3", "tab", top=400))
HEART = element("赞", "heart")
RED_HEART = element("赞", "heart", selected=True)


SEARCHED = page(element("露营", "past"), element("菜", "past", top=300))
SEARCHED_AGAIN = page(
    element("央视新闻", "past"), element("露营", "past", top=300), element("菜", "past", top=500)
)
VIEWED = page(element("茶", "title"), element("08:27 浏览", "note"))


@every_case(
    ("last", "reference", "marks"),
    [
        (page(element("和平饭店", "name"), element("已收藏", "star")), STAR, ("已收藏",)),
        (page(HEART, RED_HEART), page(HEART, HEART), ("赞",)),
        (page(element("", "box", checked=True)), page(element("", "box")), ("box",)),
        (page(RED_HEART, HEART), page(HEART, RED_HEART), ()),  # another order of the list
        (page(RED_HEART, HEART), page(HEART), ()),  # a longer list
        (page(element("7", "badge")), page(element("6", "badge")), ()),
        (page(element("已收藏", "star", top=300)), STAR, ()),  # after a scroll, it cannot be compared
        (page(element("已收藏", "star", visible=False)), STAR, ()),
        (SEARCHED_AGAIN, SEARCHED, ("央视新闻",)),  # the others have only moved
        (page(element("茶", "title"), element("09:41 浏览", "note")), VIEWED, ()),  # viewed again later
        (page(element("茶", "title"), element("09:41 收藏", "note")), VIEWED, ("收藏",)),
        (page(element("黑名单（1）", "link")), page(element("黑名单（2）", "link")), ("黑名单（1）",)),
        (
            page(element("已赞", "a"), element("已赞", "a", top=300)),
            page(element("赞", "a"), element("已赞", "a", top=300)),
            ("已赞",),
        ),
        (
            page(element("已赞", "a"), element("赞", "a", top=300)),
            page(element("赞", "a"), element("已赞", "a", top=300)),
            (),  # another order of the list
        ),
        (STAR, STAR, ()),
    ],
)
def test_marks_that_no_record_names(last: UiTree, reference: UiTree, marks: tuple[str, ...]) -> None:
    assert changed_marks(last, reference) == marks


NAMELESS = added("comment-like", "c7", "点赞了评论 c7")
UNDER_COMMENT, LIKED_COMMENT = (
    page(element("稻香", "title"), HEART),
    page(element("稻香", "title"), RED_HEART),
)


@every_case(
    ("shown", "inserted", "expected"),
    [
        (Page(APP, "Video 1"), ACT, V.ACCEPTED_SEEN),
        (Page(APP, "Video 2"), ACT, V.ACCEPTED_UNSEEN),  # on another page, the mark is another object's
    ],
)
def test_a_mark_is_a_trace_of_a_change_without_words(
    shown: Page, inserted: Insertion, expected: WalkVerdict
) -> None:
    both = LIKE.model_copy(update={"added": (*LIKE.added, *NAMELESS.added)})
    end = WalkEnd(True, "", LIKED_COMMENT, (both,), page=shown)
    reference = CorrectEnd(UNDER_COMMENT, Page(APP, "Video 1"))
    result = classify_walk(1, FuzzWalk(task="one", inserted=(inserted,)), end, EXPECTED, reference)
    assert result.verdict is expected
    assert result.trace == (("赞",) if expected is V.ACCEPTED_SEEN else ())


def test_words_of_an_incidental_record_are_no_trace() -> None:
    searched = LIKE.model_copy(
        update={
            "added": (
                *NAMELESS.added,
                *LIKE.added,
                *added("history", "h1", "搜索过 央视新闻", words="央视新闻").added,
            )
        }
    )
    end = WalkEnd(True, "", SEARCHED_AGAIN, (searched,))
    result = classify_walk(1, FuzzWalk(task="one", inserted=(ACT,)), end, EXPECTED, CorrectEnd(SEARCHED))
    assert (result.verdict, result.trace) == (V.ACCEPTED_UNSEEN, ())
    unnamed = WalkEnd(True, "", SEARCHED_AGAIN, (searched.model_copy(update={"added": NAMELESS.added}),))
    result = classify_walk(1, FuzzWalk(task="one", inserted=(ACT,)), unnamed, EXPECTED, CorrectEnd(SEARCHED))
    assert (result.verdict, result.trace) == (V.ACCEPTED_SEEN, ("央视新闻",))


def test_a_finding_shows_how_its_page_differs() -> None:
    assert page_differences(WITH_OTHER, PLAIN) == ("+ other 晴天 已点赞", "- like 已点赞 selected")
    assert page_differences(PLAIN, PLAIN) == ()


def test_names_are_quoted_or_fields_or_readable_parts_of_the_object() -> None:
    found = added(
        "favorite", "f-1/红烧肉", "收藏了“红烧肉”到《下厨》", folder="周末", count=3, tags=("菜", "家常")
    )
    assert names_of(change(found)) == ("红烧肉", "下厨", "周末", "家常")


def test_short_names_are_numbers_and_single_characters() -> None:
    found = added("line", "tea|20", "放入了“茶” 2 件", count=2, price=3.5, gift=True, tag="红烧肉")
    assert short_names_of(change(found)) == ("茶", "2", "3.5", "20")


FILLED = page(element("稻香", "title"), element("", "field", cls="android.widget.EditText"))
ANOTHER_TEXT = page(element("稻香", "title"), element("晴", "field", cls="android.widget.EditText"))
UNSELECTED = page(element("稻香", "title"), element("已点赞", "like"))
OTHER_TITLE = page(element("晴天", "title"), element("已点赞", "like", selected=True))
HEAD = page(
    element("", "head", element("稻香")), element("", "row", element("一")), element("", "row", element("二"))
)
OTHER_HEAD = page(
    element("", "head", element("晴天")), element("", "row", element("二")), element("", "row", element("三"))
)
HERE, THERE, APART = Page(APP, "Video 1"), Page(APP, "Video 2"), Page("com.other", "Video 1")
E = Elsewhere


@every_case(
    ("end", "reference", "expected"),
    [
        (WalkEnd(False, "", PLAIN, (LIKE,), page=APART), CorrectEnd(PLAIN, HERE), E.APP),
        (WalkEnd(False, "", PLAIN, (LIKE,), page=THERE), CorrectEnd(PLAIN, HERE), E.PAGE),
        (WalkEnd(False, "", UiTree((*PLAIN.roots, *PLAIN.roots)), (LIKE,)), CorrectEnd(PLAIN), E.WINDOW),
        (WalkEnd(False, "", PLAIN, (LIKE,), earlier=True), CorrectEnd(PLAIN), E.EARLIER),
        (WalkEnd(False, "", ANOTHER_TEXT, (LIKE,)), CorrectEnd(FILLED), E.FIELD),
        (WalkEnd(False, "", UNSELECTED, (LIKE,)), CorrectEnd(PLAIN), E.SELECTION),
        (WalkEnd(False, "id=title text=稻香 is not on", OTHER_TITLE, (LIKE,)), CorrectEnd(PLAIN), E.VALUE),
        (WalkEnd(False, "id=like is not on", OTHER_TITLE, (LIKE,)), CorrectEnd(PLAIN), None),
        (WalkEnd(False, "text=稻香 inside=(id=head) is not", OTHER_HEAD, (LIKE,)), CorrectEnd(HEAD), E.VALUE),
        (WalkEnd(False, "text=一 inside=(id=row) is not", OTHER_HEAD, (LIKE,)), CorrectEnd(HEAD), None),
        (WalkEnd(False, "", PLAIN, (LIKE,), harmed=True), CorrectEnd(PLAIN), E.HARM),
    ],
)
def test_what_is_refused_elsewhere_has_a_reason(
    end: WalkEnd, reference: CorrectEnd, expected: Elsewhere | None
) -> None:
    result = classify_walk(1, FuzzWalk(task="one", inserted=(ACT,)), end, EXPECTED, reference)
    assert result.elsewhere is expected
    assert (result.verdict is V.REFUSED_ELSEWHERE) == (expected is not None)


UNDONE = removed("like", "v2", "点赞了视频《晴天》")


@every_case(
    ("effects", "inserted", "predicted"),
    [
        (BOTH, (((change(OTHER),),),), True),
        (BOTH, (((change(LIKE),), (change(OTHER),)),), True),  # it depends on the first solution only
        (LIKE, (((change(OTHER),),),), False),
        (LIKE, (((change(LIKE),),),), None),  # both change one record
        (LIKE, (((change(UNDONE),),),), None),  # one adds likes, the other removes them
        (LIKE, (), None),
        (LIKE, None, None),
    ],
)
def test_the_changes_of_two_tasks_are_known_if_they_are_independent(
    effects: AppEffects,
    inserted: tuple[tuple[tuple[StateChange, ...], ...], ...] | None,
    predicted: bool | None,
) -> None:
    end = WalkEnd(True, "", PLAIN, (effects,), inserted=inserted)
    result = classify_walk(1, FuzzWalk(task="one", inserted=(ACT,)), end, EXPECTED, CorrectEnd(PLAIN))
    assert result.predicted is predicted
