"""Propose a rule for a screen: keywords that tell it apart from other screens of its app."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from garabench.authoring.new_names import check_new_id
from garabench.authoring.page_frame import is_frame, is_way_out
from garabench.core.condition import fold
from garabench.core.evaluate import keyword_haystacks
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.rule import BoundRule, Rule
from garabench.core.selector import Selector, find, normalize
from garabench.core.tree import UiNode, UiTree
from garabench.core.yaml_text import flow
from garabench.errors import InputError
from garabench.rules.engine import foreground
from garabench.rules.explain import explain_rule

MAX_KEYWORDS = 6
_MIN_LENGTH, _MAX_LENGTH = 2, 24
_MAX_LABEL = 10
"""Longer texts are rather content than labels of the page."""
_MIN_SHARE = 0.6
_ENOUGH = 3
"""The number of keywords from which a text that is on every other screen is left out."""
_UNSTABLE = re.compile(
    r"\d|[¥$€%]|刚刚|昨天|今天|明天|星期|周[一二三四五六日]|分钟前|小时前|\bago\b|\byesterday\b|\btoday\b|"
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:am|pm)\b",
    re.IGNORECASE,
)
"""Numbers, dates, times, prices and counts, which change while the screen stays the same."""
_ID = re.compile(r"^[a-z][a-z0-9_]{2,}$")


@dataclass(frozen=True, slots=True)
class NamedScreen:
    """A screen with a name for comments and messages.

    Attributes:
        name: Its name.
        facts: What was read of it.
    """

    name: str
    facts: RecordedFacts


@dataclass(frozen=True, slots=True)
class RuleProposal:
    """A proposed rule.

    Attributes:
        bound: The rule and its app.
        text: Its entry in a rules file, with comments.
        closest: The other screen that is most like it, and the number of keywords there; None without others.
    """

    bound: BoundRule
    text: str
    closest: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A text that may become a keyword.

    Attributes:
        text: The text.
        rank: Lower is better: stable, short, not in a list.
        on: Numbers of the other screens that show it.
    """

    text: str
    rank: tuple[int, ...]
    on: frozenset[int]


def propose_rule(
    screen: NamedScreen,
    others: Sequence[NamedScreen] = (),
    *,
    rule: str,
    inject: str,
    is_known: Callable[[str, str], bool] = lambda app, text: True,
) -> RuleProposal:
    """Propose a rule that fires on a screen and not on others.

    Args:
        screen: The screen.
        others: Other screens; those of other apps never make a difference.
        rule: The rule's id.
        inject: The interruption's id.
        is_known: Returns whether a text is among the known screen texts of an app; known texts are preferred.

    Raises:
        InputError: The screen has no usable text, nothing tells it apart from another one, or an id is wrong.
    """
    check_new_id(rule)
    check_new_id(inject)
    app = foreground(screen.facts)
    rivals = [each for each in others if foreground(each.facts) == app]
    if not app:
        raise InputError(f"{screen.name} shows no app")
    chosen = _keywords(screen, rivals, app, is_known)
    if not chosen:
        raise InputError(
            f"{screen.name} shows no text of {app} that could be a keyword",
            hint="Write the rule by hand, with exists: and an id.",
        )
    element = _distinctive_id(screen.facts.tree, [each.facts.tree for each in rivals], app)
    counts = [sum(number in each.on for each in chosen) for number in range(len(rivals))]
    most = max(counts, default=0)
    needed = max(math.ceil((most + len(chosen)) / 2), min(most + 1, len(chosen)))
    needed = min(max(needed, math.ceil(_MIN_SHARE * len(chosen))), len(chosen))
    if most >= needed and element is None:
        same = rivals[counts.index(most)].name
        raise InputError(
            f"nothing tells {screen.name} apart from {same}", hint="Compare other screens, or leave it out."
        )
    threshold = math.floor(100 * needed / len(chosen)) / 100
    words = [each.text for each in chosen]
    conditions: list[dict[str, object]] = [{"keywords": {"of": words, "threshold": threshold}}]
    if element is not None:
        conditions.append({"exists": {"id": element}})
    made = Rule.model_validate(
        {
            "id": rule,
            "description": f"On the screen with {', '.join(words[:3])}"[:120],
            "when": {"all": conditions},
            "inject": inject,
        }
    )
    proposal = RuleProposal(
        BoundRule(made, app),
        _text(made, screen, rivals, words, threshold, needed, most, element),
        (rivals[counts.index(most)].name, most) if rivals else None,
    )
    _verify(proposal, screen, rivals)
    return proposal


def _verify(proposal: RuleProposal, screen: NamedScreen, rivals: Sequence[NamedScreen]) -> None:
    if explain_rule(proposal.bound, screen.facts, None, closest=False).fires is not True:
        raise InputError(f"the proposed rule does not fire on {screen.name}")
    for each in rivals:
        if explain_rule(proposal.bound, each.facts, None, closest=False).fires is not False:
            raise InputError(f"nothing tells {screen.name} apart from {each.name}")


def _keywords(
    screen: NamedScreen, rivals: Sequence[NamedScreen], app: str, is_known: Callable[[str, str], bool]
) -> list[_Candidate]:
    """Choose keywords: first those that exclude other screens, then the most stable ones."""
    haystacks = [each.facts.tree.derived(keyword_haystacks) for each in rivals]
    candidates: list[_Candidate] = []
    for text, rank in _texts(screen.facts.tree, app, is_known).items():
        folded = fold(text)
        on = frozenset(n for n, texts in enumerate(haystacks) if any(folded in each for each in texts))
        candidates.append(_Candidate(text, rank, on))
    chosen: list[_Candidate] = []
    left, covered = frozenset(range(len(rivals))), not rivals
    while candidates and len(chosen) < MAX_KEYWORDS:
        best = min(candidates, key=lambda each: _order(each, left, len(rivals)))
        if best.rank[0] and (covered or len(best.on & left) == len(left)):
            break  # an unstable text helps only if it excludes a screen that nothing else does
        if rivals and len(chosen) >= _ENOUGH and len(best.on) == len(rivals):
            break  # it is on every other screen as well
        chosen.append(best)
        left &= best.on
        if not left:
            covered, left = True, frozenset(range(len(rivals)))
        folded = fold(best.text)
        candidates = [
            each
            for each in candidates
            if each is not best and folded not in fold(each.text) and fold(each.text) not in folded
        ]
    return chosen


def _order(each: _Candidate, left: frozenset[int], rivals: int) -> tuple[object, ...]:
    """Return the order of a candidate: labels of the page before its content, and distinctive ones first."""
    is_everywhere = bool(rivals) and len(each.on) == rivals
    is_content = bool(each.rank[2]) or len(each.text) > _MAX_LABEL
    return (each.rank[0], is_everywhere, is_content, len(each.on & left), len(each.on), each.rank)


def _texts(
    tree: UiTree, app: str, is_known: Callable[[str, str], bool]
) -> dict[str, tuple[int, int, int, int]]:
    """Return the texts that may become keywords, with their ranks."""
    in_list = {id(below) for node in tree.nodes if node.scrollable for below in node.walk()}
    found: dict[str, tuple[int, int, int, int]] = {}
    for node in tree.app_nodes:
        if node.package != app or not node.visible or is_way_out(node):
            continue
        for text in _own_texts(node):
            rank = (
                int(bool(_UNSTABLE.search(text))),
                int(not is_known(app, text)),
                int(id(node) in in_list),
                len(text),
            )
            if text not in found or rank < found[text]:
                found[text] = rank
    return found


def _own_texts(node: UiNode) -> Iterator[str]:
    for value in (node.text, node.desc):
        text = normalize(value)
        if _MIN_LENGTH <= len(text) <= _MAX_LENGTH and "\n" not in text and any(c.isalnum() for c in text):
            yield text


def _distinctive_id(tree: UiTree, others: Sequence[UiTree], app: str) -> str | None:
    """Return an id that is on a screen and on none of the others; None if there is none."""
    if not others:
        return None
    for node in sorted(tree.app_nodes, key=is_frame):  # the contents say more about a page than its frame
        entry = node.entry
        if node.package == app and _ID.match(entry) and not _UNSTABLE.search(entry):
            selector = Selector(id=entry)
            if not any(find(other, selector) for other in others):
                return entry
    return None


def _text(
    rule: Rule,
    screen: NamedScreen,
    rivals: Sequence[NamedScreen],
    words: Sequence[str],
    threshold: float,
    needed: int,
    most: int,
    element: str | None,
) -> str:
    """Return the entry of the rule with comments."""
    screens = "one other screen" if len(rivals) == 1 else f"{len(rivals)} other screens"
    compared = f"; it differs from {screens} of the app" if rivals else ""
    lines = [
        f"  # Proposed from {_comment(screen.name)}{compared}.",
        f"  - id: {rule.id}",
        f"    description: {flow(rule.description)}",
        "    when:",
        "      all:",
    ]
    amount_elsewhere = f"at most {most} of them are" if most else "none of them is"
    there = f"; {amount_elsewhere} on another screen" if rivals else ""
    amount = "All of these" if needed == len(words) else f"{needed} of these {len(words)}"
    lines += [
        f"        # {amount} texts must be on the screen{there}.",
        f"        - keywords: {flow({'of': list(words), 'threshold': threshold})}",
    ]
    if element is not None:
        lines += [
            "        # None of the other screens has this element.",
            f"        - exists: {flow({'id': element})}",
        ]
    lines += [f"    inject: {', '.join(rule.inject)}", ""]
    return "\n".join(lines)


def _comment(text: str) -> str:
    """Return a text that cannot end a comment."""
    return " ".join(text.split())
