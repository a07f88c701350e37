"""A played model that solves the suite's tasks, in any dialect, from the prompt and the picture it was sent.

It knows the tasks and their solutions, as the reference agents do. All else it takes from the request:

- the task, by the instruction that the prompt holds;
- how far it is, by the steps that the prompt tells of (`garabench.testing.prompt`) and by what it saw when it
  replied so (`garabench.testing.conversations`);
- what is on the screen, by the picture, or by the rows of elements where no picture is sent, which it looks
  up among the screens that it knows (`garabench.testing.screens`);
- the places, as its dialect counts them: within the picture that arrived, at the size to which it decodes.

So a picture that is too large, a stale one, a black one, another model's dialect or a lost history have the
effect that they have on a model: a wrong tap, or an error that says what was wrong.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping

from garabench.agents.dialects.coordinates import View
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.profile import AgentProfile
from garabench.agents.reference.policy import Policy
from garabench.campaign.suite import Suite, SuiteTask
from garabench.core.geometry import Size
from garabench.core.tree import TreeError
from garabench.testing.asked import Asked, Called
from garabench.testing.conversations import Conversations
from garabench.testing.faults import FaultKind
from garabench.testing.player import Look, Move, play
from garabench.testing.prompt import Prompt, read_prompt, shows_the_same, squeezed, tells_rules
from garabench.testing.refused import Refused
from garabench.testing.replies import Reply
from garabench.testing.retelling import retold
from garabench.testing.screens import KnownScreens, Screen
from garabench.testing.seen import Past, Seen
from garabench.testing.shown import redrawing, rows_of, view_of


class Follower:
    """Solves tasks as the reference agents do, as a model behind an endpoint."""

    def __init__(
        self,
        suite: Suite,
        screens: KnownScreens,
        profiles: Mapping[str, AgentProfile],
        *,
        policy: Policy = Policy.DISMISS,
    ) -> None:
        """Prepare.

        Args:
            suite: The tasks and their solutions.
            screens: What it has seen.
            profiles: Agents, by whose profiles it knows how each model speaks and what it is shown; of
                several that share a model, the first that fits is taken.
            policy: How interruptions are met.
        """
        self._screens = screens
        self._policy = policy
        self._tasks = {
            squeezed(text): item
            for item in suite.every_task.values()
            for text in item.task.instruction.values()
        }
        self._speakers: dict[str, list[AgentProfile]] = {}
        for profile in profiles.values():
            self._speakers.setdefault(profile.model, []).append(profile)
        self._conversations = Conversations()
        self._lock = threading.Lock()

    @property
    def models(self) -> tuple[str, ...]:
        """The models that it knows to play."""
        return tuple(self._speakers)

    def answer(self, asked: Asked) -> Reply:
        """The reply of the model that was asked.

        Raises:
            Refused: The prompt holds no task, the picture shows no known screen or has the wrong size, or
                nobody knows how the model speaks.
        """
        profile = self._speaker(asked)
        dialect = profile.spoken()
        prompt = read_prompt(asked, profile)
        item = self._task(prompt)
        screen = self._screen(asked, prompt, profile)
        look = _look(screen, profile, asked.pictures[-1].size if asked.pictures else None)
        pasts = self._pasts(screen, look, item, profile) if prompt.tells_nothing else ()
        with self._lock:
            move = self._conversations.answer(
                (profile.id, item.task.id),
                prompt,
                Seen(look, screen.sha256, pasts),
                lambda looks: play(item, self._policy, dialect, looks),
                tell=lambda move: retold(move.action, dialect, look.view),
                arrives=asked.fault in ("", FaultKind.SLOW),
            )
        return _said(move, dialect, look.view, asked)

    def _pasts(self, screen: Screen, look: Look, item: SuiteTask, profile: AgentProfile) -> tuple[Past, ...]:
        """The episodes that show a screen at present, with what they showed before."""
        image = profile.spoken().image.size if profile.input.has_picture else None
        agent = profile.id.partition("+")[0]
        return tuple(
            Past(place, (*(_look(one, profile, image and image(one.size)) for one in shown[:-1]), look))
            for place, shown in self._screens.showing(screen, item.task.id, agent).items()
        )

    def _speaker(self, asked: Asked) -> AgentProfile:
        """How a model speaks; where several agents share it, as the prompt tells."""
        known = self._speakers.get(asked.model, [])
        if not known:
            raise Refused(404, f"The model `{asked.model}` does not exist", code="model_not_found")
        ruled = [one for one in known if tells_rules(one, asked)]
        if not ruled:
            names = ", ".join(dict.fromkeys(one.dialect for one in known))
            raise Refused(400, f"the prompt does not tell the rules of {asked.model}'s dialect ({names})")
        return next((one for one in ruled if shows_the_same(one, asked, read_prompt(asked, one))), ruled[0])

    def _task(self, prompt: Prompt) -> SuiteTask:
        found = [text for text in self._tasks if text in prompt.task]
        if not found:
            raise Refused(400, "the prompt holds the instruction of no task of the suite")
        return self._tasks[max(found, key=len)]

    def _screen(self, asked: Asked, prompt: Prompt, profile: AgentProfile) -> Screen:
        if asked.pictures:
            picture = asked.pictures[-1]
            screen = self._screens.find(picture.data, redrawing(profile))
            if screen is None:
                raise Refused(400, f"the picture ({picture.size}) shows no screen that is known")
            wanted = profile.spoken().image.size(screen.size)
            if picture.size != wanted:
                raise Refused(
                    400, f"the picture is {picture.size}; {profile.dialect} takes {wanted} of {screen.size}"
                )
            return screen
        found = self._screens.find_told(prompt.rows, lambda known: rows_of(known, profile))
        if found is None:
            raise Refused(400, "the prompt holds no picture, and its rows tell of no screen that is known")
        return found


def _look(screen: Screen, profile: AgentProfile, image: Size | None) -> Look:
    """A look at a screen; its picture, where one is sent, decodes to a size."""
    try:
        return Look(screen.tree, screen.focus, view_of(screen, profile, image))
    except TreeError as error:
        raise Refused(500, f"the record's tree of this screen is broken: {error}") from error


def _said(move: Move, dialect: Dialect, view: View, asked: Asked) -> Reply:
    """A move as the reply that was asked for."""
    if asked.tools:
        call = dialect.render_tool_call(move.action, view)
        if call is not None:
            return Reply(move.thought, (Called(*call),))
    return Reply(dialect.render(move.action, view, move.thought) or move.thought)
