"""An agent without a model: a list of what the instruction asks for, and for each the likeliest element.

It knows what it is told (the brief) and what it sees (the observation), and no more: nothing of the task's
goal, its solution or the suite. Every table in it is of general language and of the habits of apps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from garabench.agents.heuristic import answers, chinese, dialogs, english
from garabench.agents.heuristic.explore import Explorer
from garabench.agents.heuristic.fields import search_entrance, search_field, text_field
from garabench.agents.heuristic.headings import HEAD, named_above
from garabench.agents.heuristic.intents import Intent, Kind
from garabench.agents.heuristic.lexicon import COMMITS, SYSTEM_SETTINGS
from garabench.agents.heuristic.likeness import likeness, words
from garabench.agents.heuristic.matching import best, find
from garabench.agents.heuristic.memory import Memory
from garabench.agents.heuristic.moves import tap
from garabench.agents.heuristic.screen import Item, Screen, read_screen
from garabench.agents.interface import Brief, Decision, Turn
from garabench.core import action as act
from garabench.core.observation import Observation
from garabench.core.seeds import generator

_AHEAD = 3
_SERVES = 0.8
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
    """What was pressed last.

    Attributes:
        key: Of the screen on which it was.
        look: What the screen said then.
        item: The element.
        at: The intent it was pressed for; the list goes back to it when nothing happened.
        final: Whether the list went on with it.
    """

    key: str
    look: str
    item: Item
    at: int
    final: bool


class HeuristicAgent:
    """The baseline.

    Attributes:
        name: As in tables and paths.
        reference: False: it does not see the solution.
    """

    reference = False

    def __init__(self, name: str = "heuristic") -> None:
        """Prepare; `start` begins an episode.

        Args:
            name: As in tables and paths.
        """
        self.name = name

    def start(self, brief: Brief) -> None:
        """Read the instruction."""
        read = chinese.read if brief.language.startswith("zh") else english.read
        self._brief = brief
        self._memory = Memory(read(brief.instruction))
        self._explorer = Explorer(self._memory, generator(brief.seed, "agent", self.name))
        self._pressed: _Pressed | None = None
        self._abroad = False  # in the phone's own settings because the instruction says so
        self._step = 0

    def close(self) -> None:
        """Nothing to release."""

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """The next step towards what is not done yet."""
        self._step = len(history)
        screen = read_screen(observation.tree, observation.screen)
        self._notice(screen)
        if self._step >= self._brief.max_steps - 1 and self._memory.intent is not None:
            return self._end()
        return self._on_top(screen) or self._next(screen)

    def _notice(self, screen: Screen) -> None:
        """Learn from what the last press did: what changes nothing is not pressed again."""
        pressed, self._pressed = self._pressed, None
        if pressed is None or screen.key != pressed.key or _look(screen) != pressed.look:
            return
        self._memory.bury(screen.key, pressed.item)
        if pressed.final:
            self._memory.at = pressed.at

    def _on_top(self, screen: Screen) -> Decision | None:
        """Deal with a window that is not the app's page: a dialog, or another app."""
        home = screen.package in (self._brief.app, "") or (self._abroad and screen.package == SYSTEM_SETTINGS)
        if not home:
            intent = self._memory.intent
            if screen.package == SYSTEM_SETTINGS and intent and intent.kind is Kind.SYSTEM:
                return None
            return self._foreign(screen)
        if not dialogs.is_dialog(screen):
            return None
        if self._serves(screen):
            return None
        mine = self._step - self._memory.acted <= 2
        button = self._again(screen) or (dialogs.agree(screen.items) if mine else None)
        button = button or dialogs.leave(screen.items)
        if button is None or not self._memory.first_time("dialog", screen.key, button.key, limit=2):
            return Decision(act.Back(), "leave this window")
        return self._press(screen, button, f"answer this window with {button.title!r}")

    def _serves(self, screen: Screen) -> bool:
        """Whether a window offers what is to be done next, or soon."""
        memory = self._memory
        for intent in memory.intents[memory.at : memory.at + _AHEAD]:
            if intent.kind not in (Kind.PICK, Kind.FIND, Kind.ACT, Kind.SWITCH):
                break
            match = find(screen, intent, without=memory.without(screen))
            if match and match.score >= _SERVES:
                return True
        return False

    def _again(self, screen: Screen) -> Item | None:
        """The option of a menu that is called as what opened it just now."""
        names = self._memory.last_names if self._step - self._memory.last <= 1 else ()
        match = best([item for item in screen.items if len(item.title) <= 12], names) if names else None
        return match.item if match and match.score >= 0.6 else None

    def _foreign(self, screen: Screen) -> Decision:
        if not screen.items:
            return Decision(act.Wait(seconds=2), "wait until this page has gone")
        if (screen.modal is not None or dialogs.asks(screen)) and self._memory.first_time(
            "leave", screen.key, limit=3
        ):
            button = dialogs.leave(screen.items)
            if button is not None:
                return self._press(screen, button, f"leave this window by {button.title!r}")
        if self._memory.first_time("back", screen.key):
            return Decision(act.Back(), "this is not the app: go back")
        return Decision(act.OpenApp(package=self._brief.app), "open the app again")

    def _next(self, screen: Screen) -> Decision:
        for _ in range(2 * len(self._memory.intents) + 2):
            intent = self._memory.intent
            if intent is None:
                return self._commit(screen) or self._end()
            at = self._memory.at
            decision = self._attempt(intent, screen)
            if decision is not None:
                return decision
            if self._memory.at != at:
                continue  # it was done already
            move = self._explorer.explore(intent, screen)
            if move is not None:
                return self._remember(move.item, screen, move.decision)
            self._memory.advance(missed=True)
        return self._end()

    def _attempt(self, intent: Intent, screen: Screen) -> Decision | None:
        """Act on an intent; None where it is met already (the list goes on) or not to be met here."""
        match intent.kind:
            case Kind.SEARCH:
                return self._search(intent, screen)
            case Kind.TYPE:
                return self._type(intent, screen)
            case Kind.SWITCH:
                return self._switch(intent, screen)
            case Kind.NAMED:
                return self._named(screen)
            case Kind.SYSTEM:
                return self._system(screen)
            case Kind.RETURN:
                return self._return(screen)
            case Kind.ANSWER:
                return self._answer(intent, screen)
            case Kind.FIND | Kind.PICK | Kind.ACT:
                return self._find(intent, screen)

    def _search(self, intent: Intent, screen: Screen) -> Decision | None:
        field = search_field(screen)
        if field is not None:
            self._memory.searched = intent.text
            self._memory.advance()
            at = field.bounds.center
            return Decision(
                act.Type(text=intent.text, clear=True, submit=True, at=(at.x, at.y)),
                f"search for {intent.text!r}",
            )
        way = search_entrance(screen, self._memory.without(screen))
        if way is not None:
            return self._press(screen, way, "go to the search field")
        return None

    def _type(self, intent: Intent, screen: Screen) -> Decision | None:
        field = text_field(screen)
        if field is not None:
            self._memory.advance()
            self._memory.picked = True
            at = field.bounds.center
            return Decision(act.Type(text=intent.text, clear=True, at=(at.x, at.y)), f"type {intent.text!r}")
        tried = {item.key for item in screen.items if item.state is True}
        tried |= {
            item.key for item in screen.items if self._memory.counts["way", self._memory.at, item.title]
        }
        match = find(screen, Intent(Kind.ACT, intent.names), without=self._memory.without(screen) | tried)
        if match:
            self._memory.counts["way", self._memory.at, match.item.title] += 1
            return self._press(screen, match.item, "go to the field")
        return None

    def _switch(self, intent: Intent, screen: Screen) -> Decision | None:
        alive = _alive(screen, self._memory)
        match = best([item for item in alive if item.state is not None], intent.names)
        if match and match.score >= 0.6:
            if match.item.state is intent.on:
                self._memory.advance()
                return None
            return self._final(
                screen, match.item, f"switch {match.item.title!r} {'on' if intent.on else 'off'}"
            )
        match = best(alive, intent.names)
        if match and match.score >= 0.6 and self._memory.first_time("into", self._memory.at, match.item.key):
            return self._press(screen, match.item, f"see what is behind {match.item.title!r}")
        return None

    def _named(self, screen: Screen) -> Decision | None:
        """Press what the heading names by a number or in quotes; where it names nothing, that is done."""
        item = named_above(screen, self._memory.without(screen))
        if item is not None:
            return self._press(screen, item, f"the heading names {item.title!r}")
        self._memory.advance()
        return None

    def _system(self, screen: Screen) -> Decision | None:
        self._abroad = True
        if screen.package == SYSTEM_SETTINGS:
            self._memory.advance()
            return None
        match = best(_alive(screen, self._memory), _SETTINGS_LINKS)
        if match and match.score >= 0.75 and self._memory.first_time("link", screen.key):
            return self._press(screen, match.item, "go to the phone's settings")
        self._memory.advance()
        return Decision(act.OpenApp(package=SYSTEM_SETTINGS), "open the phone's settings")

    def _return(self, screen: Screen) -> Decision | None:
        self._memory.advance()
        self._abroad = False
        if screen.package == self._brief.app:
            return None
        return Decision(act.OpenApp(package=self._brief.app), "come back to the app")

    def _answer(self, intent: Intent, screen: Screen) -> Decision | None:
        found = answers.answer(screen, " ".join(intent.names))
        if found is not None:
            self._memory.answer = found
            self._memory.advance()
        return None

    def _find(self, intent: Intent, screen: Screen) -> Decision | None:
        memory = self._memory
        if intent.kind is not Kind.ACT and self._is_here(intent, screen):
            memory.advance()
            return None
        following = memory.following
        if following and following.kind is Kind.ACT and following.near and intent.kind is Kind.FIND:
            control = self._beside(following, screen)
            if control is not None:
                memory.advance()
                return None
        if intent.kind is Kind.PICK and intent.text and find(screen, intent) is None:
            return self._type_value(intent, screen)
        match = find(screen, intent, without=memory.without(screen))
        if match is None:
            return None
        item = match.item
        if item.state is True and not intent.undo:
            memory.advance()
            return None
        return self._final(screen, item, f"{intent}: press {item.title!r}")

    def _type_value(self, intent: Intent, screen: Screen) -> Decision | None:
        """Type a value where there is a field for it, or search for it where there is one for that."""
        memory = self._memory
        field, searching = text_field(screen), search_field(screen)
        if field is not None:
            memory.advance()
            memory.picked = True
            at = field.bounds.center
            return Decision(act.Type(text=intent.names[0], clear=True, at=(at.x, at.y)), "type it")
        if searching is not None and memory.first_time("typed", memory.at):
            at = searching.bounds.center
            typed = act.Type(text=intent.names[0], clear=True, submit=True, at=(at.x, at.y))
            return Decision(typed, "search for it")
        return None

    def _beside(self, intent: Intent, screen: Screen) -> Item | None:
        """The control of an act, where it stands in the row of what it is done to."""
        near = [words(phrase) for phrase in intent.near]
        items = [
            item
            for item in _alive(screen, self._memory)
            if any(phrase.plain and phrase.plain in item.around.plain for phrase in near)
        ]
        match = best(
            [item for item in items if len(item.title) <= 28 and item.bounds.width < screen.size.width * 0.6],
            intent.names,
        )
        return match.item if match and match.score >= 0.85 else None

    def _is_here(self, intent: Intent, screen: Screen) -> bool:
        """Whether the page is called so already, or its tab is chosen."""
        names = [words(name) for name in intent.names]
        for text, place in screen.texts:
            if (
                place.top < screen.size.height * HEAD
                and any(likeness(name, words(text)) >= 0.99 for name in names)
                and not any(item.bounds.encloses(place) and item.state is None for item in screen.items)
            ):
                return True
        return False

    def _press(self, screen: Screen, item: Item, thought: str) -> Decision:
        return self._remember(item, screen, Decision(tap(item), thought))

    def _final(self, screen: Screen, item: Item, thought: str) -> Decision:
        """Press what an intent means, and go on to the next."""
        memory = self._memory
        intent = memory.intent
        at = memory.at
        if intent is not None and intent.kind is Kind.ACT:
            memory.acted = self._step
        if intent is not None:
            opens = intent.kind in (Kind.ACT, Kind.FIND)
            memory.last, memory.last_names = self._step, intent.names if opens else ()
        memory.picked = intent is not None and intent.kind in (Kind.PICK, Kind.SWITCH)
        memory.advance()
        self._pressed = _Pressed(screen.key, _look(screen), item, at, final=True)
        return Decision(tap(item), thought)

    def _remember(self, item: Item | None, screen: Screen, decision: Decision) -> Decision:
        if item is not None:
            self._pressed = _Pressed(screen.key, _look(screen), item, self._memory.at, final=False)
        return decision

    def _commit(self, screen: Screen) -> Decision | None:
        """Confirm a choice or a form at the end, where there is a button for it."""
        if not self._memory.picked and screen.modal is None:
            return None
        match = best(_alive(screen, self._memory), COMMITS)
        if match is None or match.score < 0.95 or not self._memory.first_time("commit", screen.key):
            return None
        self._memory.acted = self._step
        return self._press(screen, match.item, f"confirm by {match.item.title!r}")

    def _end(self) -> Decision:
        memory = self._memory
        asked = any(intent.kind is Kind.ANSWER for intent in memory.intents)
        if asked and not memory.answer:
            return Decision(
                act.GiveUp(reason="the answer is nowhere to be seen"), "nothing on the screen fits"
            )
        if memory.missed > max(1, memory.met):
            return Decision(act.GiveUp(reason="most of what was asked for is not to be found"), "lost")
        return Decision(act.Done(answer=memory.answer), "all that can be read out of the instruction is done")


def _alive(screen: Screen, memory: Memory) -> list[Item]:
    dead = memory.without(screen)
    return [item for item in screen.items if item.key not in dead]


def _look(screen: Screen) -> str:
    states = "".join("1" if item.state else "0" for item in screen.items)
    return (
        "|".join(text for text, _ in screen.texts)
        + states
        + str(screen.keyboard)
        + str(screen.items[0].bounds if screen.items else "")
    )
