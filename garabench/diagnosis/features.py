"""Features of a failed trajectory that a tester would notice, read from its trees and actions alone."""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from garabench.core import action as act
from garabench.core.companion_app import PACKAGE as COMPANION
from garabench.core.selector import normalize
from garabench.core.tree import UiNode, UiTree, is_system
from garabench.diagnosis.failed_case import CaseStep, FailedCase
from garabench.diagnosis.touched_elements import words_on

_TOUCHES = (act.Tap, act.DoubleTap, act.LongPress)
_ERROR_TEXT = re.compile(
    r"停止运行|没有响应|无响应|加载失败|网络(异常|错误|不可用|连接失败)|出错了|请重试|"
    r"has stopped|keeps stopping|"
    r"isn.t responding|something went wrong|try again|no (internet|connection)|couldn.t load|error occurred",
    re.IGNORECASE,
)
_INPUT_MISSING = re.compile(
    r"请(您)?(先)?(选择|输入|填写|勾选|添加)|至少(选择|输入|填写)|不能为空|未选择|"
    r"please (first )?(select|choose|enter|fill|type|add)|at least one|is required|can.t be (empty|blank)",
    re.IGNORECASE,
)
_LOADING = re.compile(r"加载中|正在加载|请稍候|loading", re.IGNORECASE)
_LAUNCHER_PARTS = ("launcher", "com.android.systemui")
_NUMBER = re.compile(r"\d+(?: \d+)*")
"""A number in a plain text, where separators are spaces: ``916 555 0163``."""
_LONG_NUMBER = 7
"""Number of digits from which a number is rarely a part of another one by chance."""
_WORD = re.compile(r"[a-z0-9]{3,}|[\u4e00-\u9fff]{2,}")


class FeatureKind(enum.StrEnum):
    """What was noticed."""

    NO_CHANGE = "no_change"
    """An action on a clickable, enabled element changed nothing."""
    ONLY_PICTURE = "only_picture"
    """An action on such an element changed the picture, and nothing in the UI tree: perhaps a message."""
    TARGET_MISSING = "target_missing"
    """An action touched nothing that reacts to touches."""
    OUT_OF_VIEW = "out_of_view"
    """An action touched a place outside of the screen, or the keyboard."""
    DISABLED = "disabled"
    """The touched element is disabled."""
    REPEATED_STATE = "repeated_state"
    """The same action on the same screen, several times."""
    ERROR_DIALOG = "error_dialog"
    """A text on screen reports an error."""
    LOADING = "loading"
    """A page is still loading after a step."""
    DIFFERENT_RESULT = "different_result"
    """The same action on the same screen had another result."""
    INTERRUPTION_OPEN = "interruption_open"
    """The agent acted on the app although an interruption covered it."""
    TEXT_GONE = "text_gone"
    """A typed text is not on the next screen."""
    WRONG_OBJECT = "wrong_object"
    """A sibling of the touched element fits the instruction, and the touched element does not."""
    WRONG_TEXT = "wrong_text"
    """A typed text has nothing in common with the instruction."""
    NOT_SUBMITTED = "not_submitted"
    """The last typed text was never submitted."""
    WRONG_APP = "wrong_app"
    """The agent acted in an app that the task is not about."""
    NOT_PERFORMED = "not_performed"
    """An action could not be performed."""
    ENDED_EARLY = "ended_early"
    """The agent ended the episode on a screen that it had not explored."""


@dataclass(frozen=True, slots=True)
class Feature:
    """Something noticed in a trajectory.

    Attributes:
        kind: What was noticed.
        place: Place of the step in the case's steps.
        detail: The observation in words.
        begun: Place of the step with which it began; None if with this one.
    """

    kind: FeatureKind
    place: int
    detail: str
    begun: int | None = None


def trajectory_features(case: FailedCase) -> tuple[Feature, ...]:
    """Return the features of a failed trajectory, by step."""
    found = [feature for read in _READERS for feature in read(case)]
    return tuple(sorted(found, key=lambda each: each.place))


def _acted(case: FailedCase) -> Iterator[tuple[int, CaseStep]]:
    return ((place, step) for place, step in enumerate(case.steps) if step.action is not None)


def _no_change(case: FailedCase) -> Iterator[Feature]:
    for place, step in _acted(case):
        after = case.after(place)
        if after is None or not isinstance(step.action, (*_TOUCHES, act.Key)) or step.interrupted:
            continue
        if after.signature != step.tree.signature:
            continue
        target = step.target
        if target is not None and not (target.clickable or target.checkable or target.long_clickable):
            continue  # reported as a missing target
        if target is not None and is_shown_tab(step.tree, target):
            continue  # a press on it has nothing to change
        what = "the key" if target is None else f"{words_on(target)!r}"
        if step.only_picture:
            detail = f"{what} changed the picture, and nothing in the UI tree"
            yield Feature(FeatureKind.ONLY_PICTURE, place, detail)
        elif target is not None and target.focused and target.cls.endswith("EditText"):
            detail = f"the text field {what} was pressed although it had the focus already"
            yield Feature(FeatureKind.NO_CHANGE, place, detail)
        else:
            yield Feature(FeatureKind.NO_CHANGE, place, f"{what} did not react")


def is_shown_tab(tree: UiTree, node: UiNode) -> bool:
    """Return whether an element is the selected one of several of a kind, unlike a toggle that is on.

    Args:
        tree: The screen.
        node: The element.
    """
    parent = tree.parent_of(node)
    peers = () if parent is None else parent.children
    kind = (node.cls, node.resource_id)
    alike = [each for each in peers if each is not node and (each.cls, each.resource_id) == kind]
    return node.selected and bool(alike) and not any(each.selected for each in alike)


def _targets(case: FailedCase) -> Iterator[Feature]:
    for place, step in _acted(case):
        point = step.point
        if point is None:
            continue
        inside = 0 <= point.x < case.screen.width and 0 <= point.y < case.screen.height
        target = step.target
        if not inside:
            yield Feature(FeatureKind.OUT_OF_VIEW, place, "the action touched a place outside of the screen")
        elif target is not None and is_system(target.package) and "inputmethod" in target.package:
            yield Feature(FeatureKind.OUT_OF_VIEW, place, "the keyboard covered the touched place")
        elif target is None or (
            isinstance(step.action, _TOUCHES) and not (target.clickable or target.checkable)
        ):
            if isinstance(step.action, act.LongPress) and target is not None and target.long_clickable:
                continue
            yield Feature(FeatureKind.TARGET_MISSING, place, "nothing at the touched place reacts to touches")
        elif not target.enabled:
            yield Feature(FeatureKind.DISABLED, place, f"{words_on(target)!r} is disabled")


def _repetitions(case: FailedCase) -> Iterator[Feature]:
    first: dict[tuple[str, str], tuple[int, str | None]] = {}
    for place, step in _acted(case):
        if step.action is None or isinstance(step.action, act.Wait | act.Done | act.GiveUp):
            continue
        after = case.after(place)
        result = None if after is None else after.signature
        key = (step.tree.signature, step.action.model_dump_json())
        earlier = first.setdefault(key, (place, result))
        if earlier[0] == place:
            continue
        if result is not None and earlier[1] is not None and result != earlier[1]:
            detail = f"the same action had another result in step {case.steps[earlier[0]].step}"
            yield Feature(FeatureKind.DIFFERENT_RESULT, place, detail)
        else:
            detail = f"the action of step {case.steps[earlier[0]].step} was repeated on the same screen"
            yield Feature(FeatureKind.REPEATED_STATE, place, detail, earlier[0])


def _texts(tree: UiTree) -> Iterator[str]:
    return (text for node in tree.app_nodes if node.visible and (text := node.text or node.desc))


def error_text(tree: UiTree) -> str:
    """Return what is wrong according to the texts of a screen, or empty."""
    text = next((text for text in _texts(tree) if _ERROR_TEXT.search(text)), None)
    return "" if text is None else f"the screen says {text[:60]!r}"


def asks_for_input(message: str) -> bool:
    """Return whether a message of the app asks for what has not been entered or selected.

    Args:
        message: The message; empty if there is none.
    """
    return _INPUT_MISSING.search(message) is not None


def _errors(case: FailedCase) -> Iterator[Feature]:
    for place, step in enumerate(case.steps):
        if step.interrupted:
            continue  # what it says is part of the episode
        for kind, pattern in ((FeatureKind.ERROR_DIALOG, _ERROR_TEXT), (FeatureKind.LOADING, _LOADING)):
            text = next((text for text in _texts(step.tree) if pattern.search(text)), None)
            if text is not None:
                yield Feature(kind, place, f"the screen says {text[:60]!r}")


def shows_spinner(tree: UiTree) -> bool:
    """Return whether a screen shows a turning circle, as a page does while it loads.

    Many pages show one for a moment, so it is not a feature by itself.

    Args:
        tree: The screen.
    """
    return any(
        node.cls.endswith(".ProgressBar") and node.visible and not (node.text or node.desc)
        for node in tree.app_nodes
    )


def _interruptions(case: FailedCase) -> Iterator[Feature]:
    for place, step in _acted(case):
        target = step.target
        if step.interrupted and COMPANION in step.tree.packages and target is not None:
            on_it = target.package == COMPANION and (target.clickable or target.checkable)
            if not on_it:
                yield Feature(
                    FeatureKind.INTERRUPTION_OPEN,
                    place,
                    "the agent acted as if no interruption covered the app",
                )


def _typed(case: FailedCase) -> Iterator[Feature]:
    words = _plain(case.instruction)
    last: tuple[int, act.Type] | None = None
    begun = 0
    for place, step in _acted(case):
        action = step.action
        if isinstance(action, act.Type):
            begun = place if last is None or last[1] != action else begun
            last = (place, action)
            typed = _plain(action.text)
            after = case.after(place)
            if typed and not _has_part(words, typed):
                detail = f"the typed text {action.text[:40]!r} is not part of the instruction"
                yield Feature(FeatureKind.WRONG_TEXT, place, detail)
            if after is not None and not action.submit and typed:
                shown = any(typed in _plain(text) for text in _texts(after))
                if not shown:
                    yield Feature(
                        FeatureKind.TEXT_GONE, place, f"the typed text {action.text[:40]!r} is not on screen"
                    )
        elif last is not None and isinstance(action, act.Key | act.Tap):
            last = None  # it may have submitted the text
    if last is not None and not last[1].submit:
        detail = "the typed text was never submitted"
        yield Feature(FeatureKind.NOT_SUBMITTED, last[0], detail, begun if begun < last[0] else None)


def _has_part(words: str, typed: str) -> bool:
    """Return whether a typed text shares a word with an instruction, or is a number in it in another form."""
    if typed in words or set(_WORD.findall(typed)) & set(_WORD.findall(words)):
        return True
    digits = typed.replace(" ", "")
    numbers = (found.replace(" ", "") for found in _NUMBER.findall(words))
    return digits.isdecimal() and any(_is_same_number(digits, number) for number in numbers)


def _is_same_number(one: str, other: str) -> bool:
    """Return whether two numbers are equal, or one is a long part of the other: without its country code."""
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) >= _LONG_NUMBER and short in long)


def _wrong_objects(case: FailedCase) -> Iterator[Feature]:
    words = _plain(case.instruction)
    for place, step in _acted(case):
        target = step.target
        if target is None or not isinstance(step.action, _TOUCHES) or step.interrupted:
            continue
        peers = [
            node
            for node in step.tree.app_nodes
            if node.clickable and node.visible and node is not target and _alike(step.tree, node, target)
        ]
        own = fit(target, words)
        best = max(peers, key=lambda each: fit(each, words), default=None)
        if best is not None and own < _FITS <= fit(best, words):
            detail = f"{words_on(target)!r} was touched, although {words_on(best)!r} fits the instruction"
            yield Feature(FeatureKind.WRONG_OBJECT, place, detail)


def _alike(tree: UiTree, one: UiNode, other: UiNode) -> bool:
    """Return whether two elements are items of the same list or bar."""
    if one.cls != other.cls:
        return False
    parent = tree.parent_of(one)
    return (bool(one.resource_id) and one.resource_id == other.resource_id) or (
        parent is not None and parent is tree.parent_of(other)
    )


_FITS = 0.5
"""Share of an element's words in the instruction from which the element fits it."""


def fit(node: UiNode, words: str) -> float:
    """Return how well an element's words fit an instruction, 0 to 1: the best of its texts.

    Args:
        node: The element.
        words: The instruction as `plain_words` returns it.
    """
    best = 0.0
    for each in node.walk():
        text = _plain(each.text or each.desc)
        if len(text) < 2:
            continue
        if text in words:
            best = max(best, 1.0 if len(text) > 2 else 0.6)
            continue
        parts = _WORD.findall(text)
        if parts:
            best = max(best, sum(part in words for part in parts) / len(parts) * 0.8)
    return best


def plain_words(text: str) -> str:
    """Return a text in the form in which texts are compared: normalized, in lower case, without marks."""
    return _plain(text)


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", normalize(text)).casefold()
    return re.sub(r"[^\w\u4e00-\u9fff]+", " ", folded).strip()


def _apps(case: FailedCase) -> Iterator[Feature]:
    for place, step in _acted(case):
        package = step.focus.package
        foreign = package and package != case.app and package != COMPANION and not is_system(package)
        if foreign and not step.interrupted and isinstance(step.action, (*_TOUCHES, act.Type)):
            if any(part in package for part in _LAUNCHER_PARTS) or "permission" in package:
                continue
            left = place
            while left > 0 and case.steps[left].focus.package == package:
                left -= 1  # the step that opened the other app
            if any(each.followed_up for each in case.steps[left : left + 2]):
                continue  # the follow-up of an interruption opened it
            yield Feature(FeatureKind.WRONG_APP, left, f"the agent left the app, and acted in {package}")


def _refused(case: FailedCase) -> Iterator[Feature]:
    for place, step in _acted(case):
        if not step.ok:
            yield Feature(
                FeatureKind.NOT_PERFORMED, place, f"the action could not be performed: {step.detail}"
            )


def _ending(case: FailedCase) -> Iterator[Feature]:
    if case.ending not in ("gave_up", "false_done", "ambiguous_answer"):
        return
    last = len(case.steps) - 1
    scrolled = any(isinstance(each.action, act.Scroll | act.Swipe) for each in case.steps)
    hidden = any(node.scrollable for node in case.steps[last].tree.app_nodes)
    unexplored = ", and never scrolled" if hidden and not scrolled else ""
    what = "gave up" if case.ending == "gave_up" else "reported the task as done"
    yield Feature(FeatureKind.ENDED_EARLY, last, f"the agent {what} here{unexplored}")


_READERS: Sequence[Callable[[FailedCase], Iterator[Feature]]] = (
    _no_change,
    _targets,
    _repetitions,
    _errors,
    _interruptions,
    _typed,
    _wrong_objects,
    _apps,
    _refused,
    _ending,
)
