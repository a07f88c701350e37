"""Whether a task's goal asks for what its instruction asks for: the same action, on the same object.

The action is found by words: each action has the words that instructions use for it and the words that the
screens show when it is done. The object is found by comparison: a text in a goal that the instruction of one
of its tasks contains names that task's object, so the goal disagrees with every task that lacks the text.
"""

from __future__ import annotations

import enum
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from garabench.authoring.d_gara.data_fault import DataFault, DataFaultKind
from garabench.authoring.d_gara.reference_faults import HUMAN_VALIDATION, letters
from garabench.authoring.d_gara.released_data import (
    ReleasedCondition,
    ReleasedData,
    ReleasedGoal,
    ReleasedTask,
)


class AskedAction(enum.StrEnum):
    """An action that instructions of the released tasks ask for."""

    LIKE = "like"
    FAVORITE = "save"
    COIN = "give a coin"
    SHARE = "share"
    CART = "add to the cart"
    FOLLOW = "follow"
    REPOST = "repost"
    BOOK = "book"
    CUSTOMER_SERVICE = "write to customer service"
    DRIVING = "a driving route"
    TRANSIT = "a public transit route"
    FRIENDS = "open the friends list"
    FRIEND_REQUESTS = "open the friend requests"


@dataclass(frozen=True)
class _Words:
    """The words for an action, as patterns.

    Attributes:
        requested: In an instruction.
        shown: In a goal's texts, whether the screen offers the action or shows it done.
        done: In a goal's texts, where the screen shows that it was done; never where it is only offered.
    """

    requested: str
    shown: str
    done: str


_NEVER = r"(?!)"
_WORDS = {
    AskedAction.LIKE: _Words(r"点赞|\blike\b", r"点赞|like", r"已点赞|like button, pressed"),
    AskedAction.FAVORITE: _Words(
        r"收藏|\bsave\b|saved places", r"收藏|fav|is saved to", r"已收藏|is saved to"
    ),
    AskedAction.COIN: _Words(r"投币", r"投币", r"已投币"),
    AskedAction.SHARE: _Words(r"分享", r"分享到", r"分享到"),
    AskedAction.CART: _Words(r"购物车", r"购物车|cart", r"加入购物车成功|added to your cart"),
    AskedAction.FOLLOW: _Words(r"\bfollow\b", r"已关注", r"已关注"),
    AskedAction.REPOST: _Words(r"转发", r"转发", r"转发微博"),
    AskedAction.BOOK: _Words(r"预订|预定", r"预订|填写订单", r"填写订单"),
    AskedAction.CUSTOMER_SERVICE: _Words(r"客服", r"进店", r"进店"),
    AskedAction.DRIVING: _Words(r"驾车|\bdriving\b", r"驾车|driving mode", r"驾车|driving mode"),
    AskedAction.TRANSIT: _Words(
        r"公共交通|public transit", r"公共交通|transit mode", r"公共交通|transit mode"
    ),
    AskedAction.FRIENDS: _Words(r"friends list", r"your friends", _NEVER),
    AskedAction.FRIEND_REQUESTS: _Words(r"friend requests", r"friend requests", r"friend requests"),
}
_ON_OBJECTS = (
    AskedAction.LIKE,
    AskedAction.FAVORITE,
    AskedAction.COIN,
    AskedAction.SHARE,
    AskedAction.CART,
    AskedAction.FOLLOW,
    AskedAction.REPOST,
    AskedAction.BOOK,
)
"""Actions on one of many videos, products, authors, and so on."""
_PLACES = re.compile(r"收藏夹|收藏列表|收藏商品|商品收藏|我的收藏|默认收藏")
"""Pages and lists that are named after an action."""
_NAMES = re.compile(r"[“‘\"'「][^”’\"'」]*[”’\"'」]")
_CLAUSE = re.compile(r"[，,。；;、]|并且|然后|再|并|\band\b")
_BRACKETS = re.compile(r"[(（].*?[)）]")
_SHORTEST_NAME = 3
_STATES = frozenset({"checked", "selected", "enabled", "clickable"})
"""Attributes that are true or false."""
_ONE_OF_MANY = re.compile(r"[“‘\"'「]|第|最新|最高|从.+到|\bfirst\b|\bto [A-Z]|search for|一个")
"""Words of an instruction that pick one object of several."""


def goal_faults(data: ReleasedData) -> Iterator[DataFault]:
    """Find tasks whose goal asks for something else, and goals that accept any object."""
    places = {task.id: number for number, task in enumerate(data.tasks)}
    tasks: defaultdict[str, list[ReleasedTask]] = defaultdict(list)
    for task in data.tasks:
        if task.goal in data.goals and task.goal != HUMAN_VALIDATION:
            tasks[task.goal].append(task)
    for name, users in tasks.items():
        goal = data.goals[name]
        objects = _object_texts(goal, users)
        for task in users:
            place = data.task_place(places[task.id], "rule_key")
            if wrong := _other_action(task, goal):
                message = f"task {task.id}: {wrong}"
                yield DataFault(
                    DataFaultKind.GOAL_OF_ANOTHER_ACTION, str(task.id), message, place, (task.id,)
                )
            elif absent := [text for text in objects if not _names(task.instruction, text)]:
                message = f"task {task.id}: the goal {name} demands {absent[0]!r}, the object of another task"
                yield DataFault(
                    DataFaultKind.GOAL_OF_ANOTHER_OBJECT, str(task.id), message, place, (task.id,)
                )
        if not objects and any(_ONE_OF_MANY.search(task.instruction) for task in users):
            yield DataFault(
                DataFaultKind.GOAL_WITHOUT_OBJECT,
                name,
                f"the goal {name} names no object, so a wrong one passes",
                data.goal_place(name),
                tuple(task.id for task in users),
            )
    named = {task.goal for task in data.tasks}
    for name, goal in data.goals.items():
        if name not in named and _accepts_any_object(goal):
            yield DataFault(
                DataFaultKind.GOAL_WITHOUT_OBJECT,
                name,
                f"the goal {name}, which no task uses, names no object, so a wrong one passes",
                data.goal_place(name),
            )


def asked_actions(instruction: str) -> frozenset[AskedAction]:
    """Return the actions that an instruction asks for, in its last clause that asks for any."""
    text = _PLACES.sub("", _NAMES.sub(_without_titles, instruction)).casefold()
    for clause in reversed(_CLAUSE.split(text)):
        found = frozenset(action for action, words in _WORDS.items() if re.search(words.requested, clause))
        if found:
            return found
    return frozenset()


def _without_titles(found: re.Match[str]) -> str:
    """Remove a quoted name unless it names a button, as in “点赞”."""
    inner = found[0][1:-1]
    return inner if any(re.fullmatch(words.requested, inner.casefold()) for words in _WORDS.values()) else ""


def _other_action(task: ReleasedTask, goal: ReleasedGoal) -> str:
    """Return how a goal's action differs from the instruction's; empty if it does not."""
    requested = asked_actions(task.instruction)
    texts = [text.casefold() for _, condition in goal.tests() for text in _texts_of(condition)]
    shown = {each for each, words in _WORDS.items() if any(re.search(words.shown, text) for text in texts)}
    done = {each for each, words in _WORDS.items() if any(re.search(words.done, text) for text in texts)}
    unchecked = sorted(requested - shown)
    unrequested = sorted(done - requested)
    if unchecked and unrequested:
        return f"the instruction says {unchecked[0]}, the goal {unrequested[0]}"
    if unchecked:
        return f"the instruction says {unchecked[0]}, which the goal does not check"
    if unrequested:
        return f"the goal demands {unrequested[0]}, which the instruction does not say"
    return ""


def _accepts_any_object(goal: ReleasedGoal) -> bool:
    """Return whether a goal shows an action on an object as done, and has no other text.

    This judges a goal without an instruction to compare it with, by what the action needs.
    """
    texts = [text.casefold() for _, condition in goal.tests() for text in _texts_of(condition)]
    acts = any(re.search(_WORDS[each].done, text) for each in _ON_OBJECTS for text in texts)
    return acts and all(any(re.search(words.shown, text) for words in _WORDS.values()) for text in texts)


def _texts_of(condition: ReleasedCondition) -> tuple[str, ...]:
    """Return the texts that a condition demands."""
    selected = re.findall(r"(?:text|content-desc)\*?='([^']*)'", condition.selector)
    value = "" if condition.attribute in _STATES else condition.value
    return tuple(text for text in (*selected, value, condition.text) if text)


def _object_texts(goal: ReleasedGoal, tasks: Sequence[ReleasedTask]) -> list[str]:
    """Return the texts of a goal that name the object of one of its tasks."""
    texts = dict.fromkeys(text for _, condition in goal.tests() for text in _texts_of(condition))
    return [
        text
        for text in texts
        if len(letters(text)) >= _SHORTEST_NAME
        and not any(re.search(words.shown, text.casefold()) for words in _WORDS.values())
        and not _is_page_title(goal, text)
        and any(_names(task.instruction, text) for task in tasks)
    ]


def _is_page_title(goal: ReleasedGoal, text: str) -> bool:
    """Return whether a goal's own description calls the page by this text, as a page of reviews."""
    return "review" in goal.description.casefold() and ("评价" in text or "评论" in text)


def _names(instruction: str, text: str) -> bool:
    """Return whether an instruction names an object; what a goal adds in brackets may be missing.

    The letters must occur in order within a window that is little longer, since names are shortened.
    """
    name = letters(_BRACKETS.sub("", text)) or letters(text)
    said = letters(instruction)
    if name in said:
        return True
    window = 3 * len(name)
    return any(_in_order(name, said[start : start + window]) for start in range(len(said)))


def _in_order(name: str, said: str) -> bool:
    rest = iter(said)
    return all(letter in rest for letter in name)
