"""The words of docs/suite.md."""

from __future__ import annotations

NAMES = {
    "com.jingdong.app.mall": "JD",
    "com.sina.weibo": "Weibo",
    "tv.danmaku.bili": "Bilibili",
    "com.autonavi.minimap": "Amap",
    "ctrip.android.view": "Ctrip",
    "com.google.android.apps.maps": "Google Maps",
    "com.facebook.katana": "Facebook",
    "com.amazon.mShop.android.shopping": "Amazon",
}

KINDS = {
    "search": frozenset({"search", "hot-search"}),
    "navigate": frozenset(
        {
            "navigate",
            "history",
            "orders",
            "account",
            "list",
            "ranking",
            "messages",
            "channel",
            "space",
            "scroll",
        }
    ),
    "toggle": frozenset(
        {
            "toggle",
            "favorite",
            "save",
            "follow",
            "undo",
            "delete",
            "coin",
            "watch-later",
            "like",
            "reaction",
            "friends",
            "events",
        }
    ),
    "fill a form": frozenset(
        {"form", "text", "comment", "compose", "chat", "message", "address", "repost", "danmaku"}
    ),
    "cart, order and coupon": frozenset({"cart", "order", "book", "coupon"}),
    "set an option": frozenset({"option", "settings", "variant", "sort", "filter", "date", "city"}),
    "compare and choose": frozenset({"compare"}),
    "read and answer": frozenset({"answer", "read"}),
}

OPENING = """
{tasks} tasks over {apps} apps. Each is proven by `garabench tasks prove`: solvable on phones of two
kinds, languages and seeds; not solved before; not solved by any of its near misses; interrupted on its
own way by each of its rules; and still solvable after every exit of every interruption. What a proof
shows is said in [a decision](decisions/0006-what-a-proof-shows.md), how a task is written in [its
guide](writing-tasks.md).
"""

MODES = """
The mode is a condition of a run, not of a rule: in dual mode every interruption is shown with all of its
ways out, in forced mode the same ones are shown without the easy ways. A way out is what is pressed until the
app is back, Android's Back among it. Proofs show each interruption in both modes, and take each way once.
"""

INTERRUPTIONS = """
In how many tasks and rules each comes up, and what part that is of its category; and the ways that lead out
of it in each mode. What only a button of another one leads to is not counted. The windows say what the matter
is, most without bringing it about: `connection-lost` leaves the connection as it is, `wifi-check` cuts
Wi-Fi off once it is to be checked.
"""

INFEASIBLE_WORDS = """
{tasks} tasks over {apps} apps, beside those above and in none of their tables: what they ask for is not to
be had, and the right ending is to find that out and to say so. They are selected by the tag `infeasible`;
`garabench tasks prove infeasible` proves them. [A decision](decisions/0007-tasks-that-cannot-be-done.md)
says how they are judged, [the measures](metrics.md) how they are counted.
"""

HOW_MADE = """
Each task began with what a person does in the app: what is looked for, switched, filled in, compared or
read. The instructions are written for this suite, in the app's language first. They name their object,
so that there is one right end, and the app holds look-alikes of it: the same title by another author,
the next size, the second line.

The goal came next, as a condition on the settled screen and on facts of the device, with the object as a
parameter. Then the reference solution, by selectors; and the near misses, by the mistakes that an agent
would make. A part of a goal that no near miss needs is either gone or a guard with a reason.

Rules look at the screens that lie on the task's own way, at different depths, and are of different
categories.

The apps are stand-ins on the virtual phone with the packages, activities, resource ids and labels of the
real ones, so that one file serves both. Their content is made up, and so are the people in it.
"""

DIFFERENCES = (
    """**Rules exist and fire.** 22 of the release's 152 tasks name rules that are nowhere, and some rules
    cannot fire on their own task: a keyword with a stray space or a typo. Here both are refused by
    `garabench check`, and each rule is seen to fire on the solution's way.""",
    """**Goals are of the task.** 24 tasks of the release are validated by a goal of another object or
    action. Here no solution's end meets another task's goal, unless that is declared.""",
    """**Goals name their object.** Most of the release's goals check a gesture: some video is liked. Here
    each names which video, product, route or day, and a near miss with another one is rejected.""",
    """**No goal is a class.** 14 conditions of the release select a bare class and so read the first such
    element. A selector here says more than that.""",
    """**Nothing needs a person.** 12 tasks of the release are validated by hand. Here the device and the
    answer decide.""",
    """**Follow-ups stay with their app.** Two of the release's stop another app's package, and "restart"
    only stops. Here a follow-up acts on the task's own app, and is seen to be done.""",
    """**Interruptions are survivable.** Every exit of every interruption is taken in a proof, in each mode
    that offers it, and the task is solved after it.""",
    """**Nothing is idle or twice.** 19 rules and 12 goals of the release are used by no task, and three
    pairs of tasks have the same instruction.""",
)
