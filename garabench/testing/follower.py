"""A fake model that solves the suite's tasks, in any dialect, from the prompt and image it is sent.

It knows the tasks and their solutions, as the reference agents do. Everything else comes from the request:

- the task, from the instruction in the prompt;
- its progress, from the history in the prompt (`garabench.testing.prompt`) and from the screens of its
  earlier replies (`garabench.testing.conversations`);
- the screen, from the image, or from the element rows if there is no image; it states them up among the known
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
from garabench.agents.reference.exit_choice import Policy
from garabench.core.geometry import Size
from garabench.core.tree import TreeError
from garabench.suite.suite import Suite, SuiteTask
from garabench.testing.conversations import Conversations
from garabench.testing.expected_prompt import expected_history_line, marks_redrawer, rows_of, view_of
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
        self._profiles: dict[str, list[AgentProfile]] = {}
        for profile in profiles.values():
            self._profiles.setdefault(profile.model, []).append(profile)
        self._conversations = Conversations()
        self._lock = threading.Lock()

    @property
    def models(self) -> tuple[str, ...]:
        """The models that it can simulate."""
        return tuple(self._profiles)

    def answer(self, request: ReceivedRequest) -> FakeReply:
        """Reply as the requested model.

        Raises:
            ApiError: The prompt contains no task, the image shows no known screen or has the wrong size, or
                the model or its dialect is unknown.
        """
        profile = self._profile_for(request)
        dialect = profile.tuned_dialect()
        prompt = read_prompt(request, profile)
        item = self._task(prompt)
        screen = self._screen(request, prompt, profile)
        state = _state_of(screen, profile, request.images[-1].size if request.images else None)
        episodes = self._running_episodes(screen, state, item, profile) if prompt.has_no_history else ()
        with self._lock:
            move = self._conversations.answer(
                (profile.id, item.task.id),
                prompt,
                RequestScreen(state, screen.sha256, episodes),
                lambda states: plan_move(item, self._policy, dialect, states),
                describe=lambda move: expected_history_line(move.action, dialect, state.view),
                arrives=request.fault in ("", FaultKind.SLOW),
            )
        return _reply_of(move, dialect, state.view, request)

    def _running_episodes(
        self, screen: KnownScreen, state: ScreenState, item: SuiteTask, profile: AgentProfile
    ) -> tuple[RunningEpisode, ...]:
        """Return the running episodes that show a screen now, with their earlier screens."""
        image = profile.tuned_dialect().image.size if profile.input.has_image else None
        agent = profile.base_id
        return tuple(
            RunningEpisode(
                place, (*(_state_of(one, profile, image and image(one.size)) for one in shown[:-1]), state)
            )
            for place, shown in self._screens.showing(screen, item.task.id, agent).items()
        )

    def _profile_for(self, request: ReceivedRequest) -> AgentProfile:
        """Find the profile of a model; if several agents share it, the one that fits the prompt."""
        known = self._profiles.get(request.model, [])
        if not known:
            raise ApiError(404, f"The model `{request.model}` does not exist", code="model_not_found")
        matching = [one for one in known if states_rules(one, request)]
        if not matching:
            names = ", ".join(dict.fromkeys(one.dialect for one in known))
            raise ApiError(400, f"the prompt does not state the rules of {request.model}'s dialect ({names})")
        return next(
            (one for one in matching if matches_input(one, request, read_prompt(request, one))), matching[0]
        )

    def _task(self, prompt: ParsedPrompt) -> SuiteTask:
        found = [text for text in self._tasks if text in prompt.task]
        if not found:
            raise ApiError(400, "the prompt contains no instruction of a task in the suite")
        return self._tasks[max(found, key=len)]

    def _screen(self, request: ReceivedRequest, prompt: ParsedPrompt, profile: AgentProfile) -> KnownScreen:
        if request.images:
            image = request.images[-1]
            screen = self._screens.find(image.data, marks_redrawer(profile))
            if screen is None:
                raise ApiError(400, f"the image ({image.size}) shows no known screen")
            expected = profile.tuned_dialect().image.size(screen.size)
            if image.size != expected:
                raise ApiError(
                    400, f"the image is {image.size}; {profile.dialect} expects {expected} for {screen.size}"
                )
            return screen
        found = self._screens.find_by_rows(prompt.rows, lambda known: rows_of(known, profile))
        if found is None:
            raise ApiError(400, "the prompt has no image, and its rows match no known screen")
        return found


def _state_of(screen: KnownScreen, profile: AgentProfile, image: Size | None) -> ScreenState:
    """Return the screen as the model sees it; `image` is the size of the decoded image, if there is one."""
    try:
        return ScreenState(screen.tree, screen.focus, view_of(screen, profile, image))
    except TreeError as error:
        raise ApiError(500, f"the recorded tree of this screen is broken: {error}") from error


def _reply_of(move: PlannedMove, dialect: Dialect, view: ScreenView, request: ReceivedRequest) -> FakeReply:
    """Return a move as a reply in the requested form."""
    if request.tools:
        call = dialect.render_tool_call(move.action, view)
        if call is not None:
            return FakeReply(move.thought, (FunctionCall(*call),))
    return FakeReply(dialect.render(move.action, view, move.thought) or move.thought)
