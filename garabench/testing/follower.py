"""A fake model that solves the suite's tasks, in any dialect, from the prompt and image it is sent.

It knows the tasks and their solutions, as the reference agents do. Everything else it takes from the request:

- the task, from the instruction in the prompt;
- its progress, from the history in the prompt (`garabench.testing.prompt`) and from the screens of its
  earlier replies (`garabench.testing.conversations`);
- the screen, from the image, or from the element rows if there is no image; it looks them up among the known
  screens (`garabench.testing.screen_index`);
- coordinates, in its dialect's units, relative to the decoded size of the image in the request.

So an oversized, stale or black image, the wrong dialect or a lost history has the effect that it has on a
real model: a wrong tap, or an error that says what is wrong.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping

from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.profile import AgentProfile
from garabench.agents.reference.policy import Policy
from garabench.core.geometry import Size
from garabench.core.tree import TreeError
from garabench.suite.suite import Suite, SuiteTask
from garabench.testing.conversations import Conversations
from garabench.testing.echo import echoed_action, marks_redrawer, rows_of, view_of
from garabench.testing.faults import FaultKind
from garabench.testing.http_error import ApiError
from garabench.testing.move_planner import PlannedMove, ScreenState, plan_move
from garabench.testing.prompt import ParsedPrompt, matches_input, one_line, read_prompt, states_rules
from garabench.testing.replies import FakeReply
from garabench.testing.request_screen import RequestScreen, RunningEpisode
from garabench.testing.requests import FunctionCall, ReceivedRequest
from garabench.testing.screen_index import KnownScreen, ScreenIndex


class Follower:
    """A fake model that solves tasks as the reference agents do."""

    def __init__(
        self,
        suite: Suite,
        screens: ScreenIndex,
        profiles: Mapping[str, AgentProfile],
        *,
        policy: Policy = Policy.DISMISS,
    ) -> None:
        """Prepare.

        Args:
            suite: The tasks and their solutions.
            screens: The known screens.
            profiles: Profiles of the agents, which define each model's dialect and input; of several that
                share a model, the first that fits the prompt is used.
            policy: How to answer interruptions.
        """
        self._screens = screens
        self._policy = policy
        self._tasks = {
            one_line(text): item
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
        """The models that it can play."""
        return tuple(self._speakers)

    def answer(self, asked: ReceivedRequest) -> FakeReply:
        """Reply as the requested model.

        Raises:
            ApiError: The prompt contains no task, the image shows no known screen or has the wrong size, or
                the model or its dialect is unknown.
        """
        profile = self._speaker(asked)
        dialect = profile.tuned_dialect()
        prompt = read_prompt(asked, profile)
        item = self._task(prompt)
        screen = self._screen(asked, prompt, profile)
        look = _look(screen, profile, asked.pictures[-1].size if asked.pictures else None)
        pasts = self._pasts(screen, look, item, profile) if prompt.has_no_history else ()
        with self._lock:
            move = self._conversations.answer(
                (profile.id, item.task.id),
                prompt,
                RequestScreen(look, screen.sha256, pasts),
                lambda looks: plan_move(item, self._policy, dialect, looks),
                describe=lambda move: echoed_action(move.action, dialect, look.view),
                arrives=asked.fault in ("", FaultKind.SLOW),
            )
        return _reply_of(move, dialect, look.view, asked)

    def _pasts(
        self, screen: KnownScreen, look: ScreenState, item: SuiteTask, profile: AgentProfile
    ) -> tuple[RunningEpisode, ...]:
        """The running episodes that show a screen now, with their earlier screens."""
        image = profile.tuned_dialect().image.size if profile.input.has_picture else None
        agent = profile.base_id
        return tuple(
            RunningEpisode(
                place, (*(_look(one, profile, image and image(one.size)) for one in shown[:-1]), look)
            )
            for place, shown in self._screens.showing(screen, item.task.id, agent).items()
        )

    def _speaker(self, asked: ReceivedRequest) -> AgentProfile:
        """Find the profile of a model; if several agents share it, the one that fits the prompt."""
        known = self._speakers.get(asked.model, [])
        if not known:
            raise ApiError(404, f"The model `{asked.model}` does not exist", code="model_not_found")
        ruled = [one for one in known if states_rules(one, asked)]
        if not ruled:
            names = ", ".join(dict.fromkeys(one.dialect for one in known))
            raise ApiError(400, f"the prompt does not state the rules of {asked.model}'s dialect ({names})")
        return next((one for one in ruled if matches_input(one, asked, read_prompt(asked, one))), ruled[0])

    def _task(self, prompt: ParsedPrompt) -> SuiteTask:
        found = [text for text in self._tasks if text in prompt.task]
        if not found:
            raise ApiError(400, "the prompt contains no instruction of a task in the suite")
        return self._tasks[max(found, key=len)]

    def _screen(self, asked: ReceivedRequest, prompt: ParsedPrompt, profile: AgentProfile) -> KnownScreen:
        if asked.pictures:
            picture = asked.pictures[-1]
            screen = self._screens.find(picture.data, marks_redrawer(profile))
            if screen is None:
                raise ApiError(400, f"the image ({picture.size}) shows no known screen")
            wanted = profile.tuned_dialect().image.size(screen.size)
            if picture.size != wanted:
                raise ApiError(
                    400, f"the image is {picture.size}; {profile.dialect} expects {wanted} for {screen.size}"
                )
            return screen
        found = self._screens.find_by_rows(prompt.rows, lambda known: rows_of(known, profile))
        if found is None:
            raise ApiError(400, "the prompt has no image, and its rows match no known screen")
        return found


def _look(screen: KnownScreen, profile: AgentProfile, image: Size | None) -> ScreenState:
    """A screen as the model sees it; `image` is the size of the decoded image, if there is one."""
    try:
        return ScreenState(screen.tree, screen.focus, view_of(screen, profile, image))
    except TreeError as error:
        raise ApiError(500, f"the recorded tree of this screen is broken: {error}") from error


def _reply_of(move: PlannedMove, dialect: Dialect, view: ScreenView, asked: ReceivedRequest) -> FakeReply:
    """Return a move as a reply in the requested form."""
    if asked.tools:
        call = dialect.render_tool_call(move.action, view)
        if call is not None:
            return FakeReply(move.thought, (FunctionCall(*call),))
    return FakeReply(dialect.render(move.action, view, move.thought) or move.thought)
