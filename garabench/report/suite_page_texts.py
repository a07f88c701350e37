"""Texts of docs/suite.md."""

from __future__ import annotations

from garabench.proof.fuzz.walk import Elsewhere

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
{tasks} over {apps}. `garabench tasks prove` proves each of them: it is solvable on phones of two
profiles, languages and seeds; it is not already solved at the start; no near miss solves it; each of its
rules fires on the path of its solution; and it is still solvable after every exit of every interruption. [A
decision](decisions/0006-what-a-proof-shows.md) explains the proofs, and [a guide](writing-tasks.md) how to
write a task.
"""

MODES = """
The mode is a condition of a run, not of a rule: dual mode shows every interruption with all of its exits,
forced mode shows the same interruptions without the easy exits. An exit is the sequence of presses that
leads back to the app, including Android's Back key. Proofs show each interruption in both modes and take
each exit once.
"""

FUZZING = """
`garabench tasks fuzz` inserted random actions, the ends of other paths and whole other tasks into the
solutions and alternatives: {walks} walks for each of {tasks} tasks, the infeasible ones included, with seed
{seed}. The goal's verdict is compared with what has changed in [the apps' state](app-state.md). A *finding*
is a walk that is accepted although its last page shows a trace of an unasked change, or that is refused
with exactly the expected changes on the expected page, or that has unasked changes after harmless actions
only ([what is judged](writing-tasks.md#fuzz-the-task)). *Effects exact* counts the walks whose changes are
known: those that perform another task completely and otherwise harmless actions, which must change exactly
what both tasks ask for, and those with harmless actions only, which must change exactly what their task
asks for. Accepted findings are in `tasks/fuzz_accepted.yaml`, each with the reason. Twenty accepted and
twenty refused walks were [judged by eye](judged-walks.md).
"""

KINDS_TRIED = """
The walks made {tried} of the {asked} kinds of changes that the tasks of their app ask for without being
asked for them.
"""

REFUSED_ELSEWHERE = """
{count} walks were refused although they changed exactly what their task asks for: an inserted action has
led to a page or a value that is in no app's state, so the goal is right to refuse. Each has one of these
reasons.
"""

ELSEWHERE = {
    Elsewhere.APP: "Another app is in front at the end.",
    Elsewhere.PAGE: "Another page is in front at the end, or the page of another object.",
    Elsewhere.WINDOW: "A dialog, sheet or menu is open at the end, or one that was asked for is not.",
    Elsewhere.SELECTION: "Another tab, order, filter or option is selected on the last page.",
    Elsewhere.FIELD: "A field on the last page contains another text.",
    Elsewhere.VALUE: "The element that the goal reads shows another value, such as another departure time.",
    Elsewhere.EARLIER: "An earlier screen that the instruction demands was left out or changed.",
    Elsewhere.HARM: "In an infeasible task, harm was done, and undone again before the agent gave up.",
}
"""The meaning of each reason."""

STATE_COSTS = """
The next table shows how long it takes to read the state over adb from a virtual phone without latency: the
median time of 50 readings, which rises with other work on the machine, and their mean processor time in the
runner and in the phone, which does not. The shares relate the readings before and after an episode to the
processor time of the episode, for the app's state alone and with the system's settings, which one command
reads. The episode is that of a reference agent in the app's first task, with screenshots: the shortest
possible, since neither the phone nor the agent needs any time. At most {app:.1%} of it goes to the app's
state, and {every:.1%} with the system's settings. With a phone's latency, both together are 1.5%
([measurement](performance.md#reading-the-state)).
"""

INTERRUPTIONS = """
*Uses* counts the pairs of task and rule that inject an interruption, and *share of category* relates them
to all uses of its category. Interruptions that only a button of another one opens are not counted. Most
windows only report a problem without causing it: `connection-lost` does not change the connection, but
`wifi-check` turns Wi-Fi off when its check is accepted.
"""

INFEASIBLE_WORDS = """
{tasks} over {apps} {ask} for something that is impossible; {they_are} in none of the tables
above. The correct ending is to find that out and to give up. Select them with the tag `infeasible`;
`garabench tasks prove infeasible` proves them. [A decision](decisions/0007-tasks-that-cannot-be-done.md)
explains how they are judged, and [the measures](metrics.md) how they are counted.
"""

HOW_MADE = """
Each task started from something a person does in the app: search, toggle, fill in, compare or read. The
instructions were written for this suite, in the app's language first. They name their object, so that there
is one correct end state, and the app contains look-alikes of it: the same title by another author, the next
size, the second line.

The goal came next, as a condition on the settled screen and on device facts, with the object as a
parameter; then the reference solution, by selectors; then the near misses, one for each mistake that an
agent is likely to make. A part of a goal that no near miss needs was removed or declared a guard with a
reason.

Rules match screens on the path of the task's solution, at different depths, and inject different
categories.

The apps are stand-ins on the virtual phone with the packages, activities, resource ids and labels of the
real apps, so that one suite serves both. Their content is fictional, and so are the people in it.
"""

DIFFERENCES = (
    """**Rules exist and fire.** In the release, 22 of 152 tasks name rules that do not exist, and some
    rules can never fire on their own task because of a stray space or a typo in a keyword. Here
    `garabench check` refuses both, and a proof shows that each rule fires on the path of the
    solution.""",
    """**Goals belong to their task.** In the release, 24 tasks are validated by a goal about another
    object or action. Here no solution's end state meets another task's goal, unless that is declared.""",
    """**Goals name their object.** Most goals of the release check a gesture: some video is liked. Here
    each goal names the video, product, route or day, and rejects a near miss with another one.""",
    """**No goal matches a bare class.** 14 conditions of the release select by class alone and so read
    the first element of that class. Selectors here are more specific.""",
    """**No manual validation.** 12 tasks of the release are validated by hand. Here the device state and
    the answer decide.""",
    """**Follow-ups act on the task's app.** Two follow-ups of the release stop another app, and "restart"
    only stops. Here a follow-up acts on the task's own app, and a proof shows that it was performed.""",
    """**Interruptions are survivable.** A proof takes every exit of every interruption, in each mode that
    offers it, and solves the task afterwards.""",
    """**Nothing is unused or duplicated.** In the release, no task uses 19 of the rules and 12 of the
    goals, and three pairs of tasks have the same instruction.""",
)
