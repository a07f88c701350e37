"""A rule-based agent: it splits the instruction into subgoals and picks the likeliest element for each.

It uses only the brief and the observations, not the task's goal, its solution or the suite. All its tables
hold general vocabulary and conventions of apps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from garabench.agents.heuristic import chinese, dialog_detection, english, question_answers
from garabench.agents.heuristic.exploration import Explorer
from garabench.agents.heuristic.headings import HEAD, item_named_by_heading
from garabench.agents.heuristic.matching import best_element, best_match
from garabench.agents.heuristic.memory import EpisodeMemory
from garabench.agents.heuristic.screen import ScreenContents, ScreenItem, screen_contents
from garabench.agents.heuristic.similarity import label_similarity, normalize_label
from garabench.agents.heuristic.subgoals import Subgoal, SubgoalKind
from garabench.agents.heuristic.text_fields import search_entrance, search_field, text_field
from garabench.agents.heuristic.ui_labels import COMMITS, SYSTEM_SETTINGS
from garabench.agents.interface import Brief, Decision, Turn
from garabench.core import action as act
from garabench.core.observation import Observation
from garabench.core.seeds import generator

_LOOKAHEAD = 3
_MIN_DIALOG_SCORE = 0.8
_SETTINGS_LINKS = (
    "系统设置",
    "去设置",
    "前往设置",
    "系统通知设置",
    "打开系统通知",
    "device settings",
    "open settings",
)


@dataclass(frozen=True, slots=True)
class _Pressed:
    """The last press.

    Attributes:
        key: Key of the screen.
        content: The screen's content before the press.
        item: The pressed element.
        at: Index of the subgoal, to which the list returns if the press had no effect.
        final: Whether the press completed the subgoal.
    """

    key: str
    content: str
    item: ScreenItem
    at: int
    final: bool


class HeuristicAgent:
    """The rule-based baseline.

    Attributes:
        name: Name in tables and paths.
        reference: False, since it does not see the solution.
    """

    reference = False

    def __init__(self, name: str = "heuristic") -> None:
        """Prepare; `start` begins an episode.

        Args:
            name: Name in tables and paths.
        """
        self.name = name

    def start(self, brief: Brief) -> None:
        """Parse the instruction into subgoals."""
        read = chinese.read if brief.language.startswith("zh") else english.read
        self._brief = brief
        self._memory = EpisodeMemory(read(brief.instruction))
        self._explorer = Explorer(self._memory, generator(brief.seed, "agent", self.name))
        self._pressed: _Pressed | None = None
        self._in_system_settings = False  # because the instruction asks for it
        self._step = 0

    def close(self) -> None:
        """Release nothing."""

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Decide on the next action for the first open subgoal."""
        self._step = len(history)
        screen = screen_contents(observation.tree, observation.screen, observation.focus.package)
        self._learn(screen)
        if self._step >= self._brief.max_steps - 1 and self._memory.subgoal is not None:
            return self._end()
        return self._handle_overlay(screen) or self._next(screen)

    def _learn(self, screen: ScreenContents) -> None:
        """Learn from the last press: an element without effect is not pressed again."""
        pressed, self._pressed = self._pressed, None
        if pressed is None or screen.key != pressed.key or _content(screen) != pressed.content:
            return
        self._memory.mark_failed(screen.key, pressed.item)
        if pressed.final:
            self._memory.at = pressed.at

    def _handle_overlay(self, screen: ScreenContents) -> Decision | None:
        """Handle a window that is not a page of the app: a dialog, or another app."""
        home = screen.package in (self._brief.app, "") or (
            self._in_system_settings and screen.package == SYSTEM_SETTINGS
        )
        if not home:
            subgoal = self._memory.subgoal
            if screen.package == SYSTEM_SETTINGS and subgoal and subgoal.kind is SubgoalKind.SYSTEM:
                return None
            return self._foreign(screen)
        if not dialog_detection.is_dialog(screen):
            return None
        if self._offers_subgoal(screen):
            return None
        own = self._step - self._memory.acted <= 2
        button = self._same_option(screen) or (dialog_detection.agree(screen.items) if own else None)
        button = button or dialog_detection.leave(screen.items)
        if button is None or not self._memory.first_time("dialog", screen.key, button.key, limit=2):
            return Decision(act.Back(), "leave this window")
        return self._press(screen, button, f"answer this window with {button.title!r}")

    def _offers_subgoal(self, screen: ScreenContents) -> bool:
        """Return whether a window offers one of the next subgoals."""
        memory = self._memory
        for subgoal in memory.subgoals[memory.at : memory.at + _LOOKAHEAD]:
            if subgoal.kind not in (SubgoalKind.PICK, SubgoalKind.FIND, SubgoalKind.ACT, SubgoalKind.SWITCH):
                break
            match = best_element(screen, subgoal, without=memory.excluded_keys(screen))
            if match and match.score >= _MIN_DIALOG_SCORE:
                return True
        return False

    def _same_option(self, screen: ScreenContents) -> ScreenItem | None:
        """Find the menu option with the name of the element that opened the menu."""
        names = self._memory.last_names if self._step - self._memory.last <= 1 else ()
        match = best_match([item for item in screen.items if len(item.title) <= 12], names) if names else None
        return match.item if match and match.score >= 0.6 else None

    def _foreign(self, screen: ScreenContents) -> Decision:
        if not screen.items:
            return Decision(act.Wait(seconds=2), "wait until this page disappears")
        if (screen.modal is not None or dialog_detection.is_prompt(screen)) and self._memory.first_time(
            "leave", screen.key, limit=3
        ):
            button = dialog_detection.leave(screen.items)
            if button is not None:
                return self._press(screen, button, f"leave this window by {button.title!r}")
        if self._memory.first_time("back", screen.key):
            return Decision(act.Back(), "this is another app: go back")
        return Decision(act.OpenApp(package=self._brief.app), "open the app again")

    def _next(self, screen: ScreenContents) -> Decision:
        for _ in range(2 * len(self._memory.subgoals) + 2):
            subgoal = self._memory.subgoal
            if subgoal is None:
                return self._commit(screen) or self._end()
            at = self._memory.at
            decision = self._attempt(subgoal, screen)
            if decision is not None:
                return decision
            if self._memory.at != at:
                continue  # it is already completed
            move = self._explorer.explore(subgoal, screen)
            if move is not None:
                return self._remember(move.item, screen, move.decision)
            self._memory.advance(missed=True)
        return self._end()

    def _attempt(self, subgoal: Subgoal, screen: ScreenContents) -> Decision | None:
        """Act on a subgoal; None if it is already met (the list advances) or cannot be met on this screen."""
        match subgoal.kind:
            case SubgoalKind.SEARCH:
                return self._search(subgoal, screen)
            case SubgoalKind.TYPE:
                return self._type(subgoal, screen)
            case SubgoalKind.SWITCH:
                return self._switch(subgoal, screen)
            case SubgoalKind.NAMED:
                return self._named(screen)
            case SubgoalKind.SYSTEM:
                return self._system(screen)
            case SubgoalKind.RETURN:
                return self._return(screen)
            case SubgoalKind.ANSWER:
                return self._answer(subgoal, screen)
            case SubgoalKind.FIND | SubgoalKind.PICK | SubgoalKind.ACT:
                return self._find(subgoal, screen)

    def _search(self, subgoal: Subgoal, screen: ScreenContents) -> Decision | None:
        field = search_field(screen)
        if field is not None:
            self._memory.searched = subgoal.text
            self._memory.advance()
            at = field.bounds.center
            return Decision(
                act.Type(text=subgoal.text, clear=True, submit=True, at=(at.x, at.y)),
                f"search for {subgoal.text!r}",
            )
        entrance = search_entrance(screen, self._memory.excluded_keys(screen))
        if entrance is not None:
            return self._press(screen, entrance, "go to the search field")
        return None

    def _type(self, subgoal: Subgoal, screen: ScreenContents) -> Decision | None:
        field = text_field(screen)
        if field is not None:
            self._memory.advance()
            self._memory.picked = True
            at = field.bounds.center
            return Decision(
                act.Type(text=subgoal.text, clear=True, at=(at.x, at.y)), f"type {subgoal.text!r}"
            )
        tried = {item.key for item in screen.items if item.state is True}
        tried |= {
            item.key for item in screen.items if self._memory.counts["entrance", self._memory.at, item.title]
        }
        match = best_element(
            screen,
            Subgoal(SubgoalKind.ACT, subgoal.names),
            without=self._memory.excluded_keys(screen) | tried,
        )
        if match:
            self._memory.counts["entrance", self._memory.at, match.item.title] += 1
            return self._press(screen, match.item, "go to the field")
        return None

    def _switch(self, subgoal: Subgoal, screen: ScreenContents) -> Decision | None:
        alive = _untried(screen, self._memory)
        match = best_match([item for item in alive if item.state is not None], subgoal.names)
        if match and match.score >= 0.6:
            if match.item.state is subgoal.on:
                self._memory.advance()
                return None
            return self._final(
                screen, match.item, f"switch {match.item.title!r} {'on' if subgoal.on else 'off'}"
            )
        match = best_match(alive, subgoal.names)
        if match and match.score >= 0.6 and self._memory.first_time("into", self._memory.at, match.item.key):
            return self._press(screen, match.item, f"open {match.item.title!r}")
        return None

    def _named(self, screen: ScreenContents) -> Decision | None:
        """Press the item that the heading names by number or in quotes; if it names none, advance."""
        item = item_named_by_heading(screen, self._memory.excluded_keys(screen))
        if item is not None:
            return self._press(screen, item, f"the heading names {item.title!r}")
        self._memory.advance()
        return None

    def _system(self, screen: ScreenContents) -> Decision | None:
        self._in_system_settings = True
        if screen.package == SYSTEM_SETTINGS:
            self._memory.advance()
            return None
        match = best_match(_untried(screen, self._memory), _SETTINGS_LINKS)
        if match and match.score >= 0.75 and self._memory.first_time("link", screen.key):
            return self._press(screen, match.item, "go to the phone's settings")
        self._memory.advance()
        return Decision(act.OpenApp(package=SYSTEM_SETTINGS), "open the phone's settings")

    def _return(self, screen: ScreenContents) -> Decision | None:
        self._memory.advance()
        self._in_system_settings = False
        if screen.package == self._brief.app:
            return None
        return Decision(act.OpenApp(package=self._brief.app), "return to the app")

    def _answer(self, subgoal: Subgoal, screen: ScreenContents) -> Decision | None:
        found = question_answers.answer(screen, " ".join(subgoal.names))
        if found is not None:
            self._memory.answer = found
            self._memory.advance()
        return None

    def _find(self, subgoal: Subgoal, screen: ScreenContents) -> Decision | None:
        memory = self._memory
        if subgoal.kind is not SubgoalKind.ACT and self._is_open(subgoal, screen):
            memory.advance()
            return None
        following = memory.following
        if (
            following
            and following.kind is SubgoalKind.ACT
            and following.near
            and subgoal.kind is SubgoalKind.FIND
        ):
            control = self._control_in_row(following, screen)
            if control is not None:
                memory.advance()
                return None
        if subgoal.kind is SubgoalKind.PICK and subgoal.text and best_element(screen, subgoal) is None:
            return self._type_value(subgoal, screen)
        match = best_element(screen, subgoal, without=memory.excluded_keys(screen))
        if match is None:
            return None
        item = match.item
        if item.state is True and not subgoal.undo:
            memory.advance()
            return None
        return self._final(screen, item, f"{subgoal}: press {item.title!r}")

    def _type_value(self, subgoal: Subgoal, screen: ScreenContents) -> Decision | None:
        """Type a value into a text field, or search for it if there is a search field."""
        memory = self._memory
        field, searching = text_field(screen), search_field(screen)
        if field is not None:
            memory.advance()
            memory.picked = True
            at = field.bounds.center
            return Decision(act.Type(text=subgoal.names[0], clear=True, at=(at.x, at.y)), "type it")
        if searching is not None and memory.first_time("typed", memory.at):
            at = searching.bounds.center
            typed = act.Type(text=subgoal.names[0], clear=True, submit=True, at=(at.x, at.y))
            return Decision(typed, "search for it")
        return None

    def _control_in_row(self, subgoal: Subgoal, screen: ScreenContents) -> ScreenItem | None:
        """Find the control of an action in the row of the item that it concerns."""
        near = [normalize_label(phrase) for phrase in subgoal.near]
        items = [
            item
            for item in _untried(screen, self._memory)
            if any(phrase.plain and phrase.plain in item.around.plain for phrase in near)
        ]
        match = best_match(
            [item for item in items if len(item.title) <= 28 and item.bounds.width < screen.size.width * 0.6],
            subgoal.names,
        )
        return match.item if match and match.score >= 0.85 else None

    def _is_open(self, subgoal: Subgoal, screen: ScreenContents) -> bool:
        """Return whether the page already has this title, or its tab is selected."""
        names = [normalize_label(name) for name in subgoal.names]
        for text, place in screen.texts:
            if (
                place.top < screen.size.height * HEAD
                and any(label_similarity(name, normalize_label(text)) >= 0.99 for name in names)
                and not any(item.bounds.encloses(place) and item.state is None for item in screen.items)
            ):
                return True
        return False

    def _press(self, screen: ScreenContents, item: ScreenItem, thought: str) -> Decision:
        return self._remember(item, screen, Decision(item.tap(), thought))

    def _final(self, screen: ScreenContents, item: ScreenItem, thought: str) -> Decision:
        """Press a subgoal's element, and advance to the next subgoal."""
        memory = self._memory
        subgoal = memory.subgoal
        at = memory.at
        if subgoal is not None and subgoal.kind is SubgoalKind.ACT:
            memory.acted = self._step
        if subgoal is not None:
            opens = subgoal.kind in (SubgoalKind.ACT, SubgoalKind.FIND)
            memory.last, memory.last_names = self._step, subgoal.names if opens else ()
        memory.picked = subgoal is not None and subgoal.kind in (SubgoalKind.PICK, SubgoalKind.SWITCH)
        memory.advance()
        self._pressed = _Pressed(screen.key, _content(screen), item, at, final=True)
        return Decision(item.tap(), thought)

    def _remember(self, item: ScreenItem | None, screen: ScreenContents, decision: Decision) -> Decision:
        if item is not None:
            self._pressed = _Pressed(screen.key, _content(screen), item, self._memory.at, final=False)
        return decision

    def _commit(self, screen: ScreenContents) -> Decision | None:
        """Confirm a choice or form at the end, if there is a button for it."""
        if not self._memory.picked and screen.modal is None:
            return None
        match = best_match(_untried(screen, self._memory), COMMITS)
        if match is None or match.score < 0.95 or not self._memory.first_time("commit", screen.key):
            return None
        self._memory.acted = self._step
        return self._press(screen, match.item, f"confirm by {match.item.title!r}")

    def _end(self) -> Decision:
        memory = self._memory
        is_question = any(subgoal.kind is SubgoalKind.ANSWER for subgoal in memory.subgoals)
        if is_question and not memory.answer:
            return Decision(
                act.GiveUp(reason="no answer was found on the screen"), "nothing on the screen fits"
            )
        if memory.missed > max(1, memory.met):
            return Decision(act.GiveUp(reason="most subgoals were not found"), "lost")
        return Decision(act.Done(answer=memory.answer), "all subgoals of the instruction are done")


def _untried(screen: ScreenContents, memory: EpisodeMemory) -> list[ScreenItem]:
    failed = memory.excluded_keys(screen)
    return [item for item in screen.items if item.key not in failed]


def _content(screen: ScreenContents) -> str:
    states = "".join("1" if item.state else "0" for item in screen.items)
    return (
        "|".join(text for text, _ in screen.texts)
        + states
        + str(screen.keyboard)
        + str(screen.items[0].bounds if screen.items else "")
    )
