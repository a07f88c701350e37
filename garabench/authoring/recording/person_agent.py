"""An agent whose decisions a person makes."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.agents.interface import Brief, Decision, Turn
from garabench.authoring.recording.person_session import (
    FinishRecording,
    PersonSession,
    StopRecording,
    UndoStep,
    step_text,
)
from garabench.core import action as act
from garabench.core.observation import Observation
from garabench.core.step_planner import plan_step

PERSON = "person"


class PersonAgent:
    """Performs the steps of a recording in progress; see `garabench.agents.interface.Agent`.

    A gesture becomes a step first, and the step is performed: what is recorded is what was done.
    """

    name = PERSON
    reference = False

    def __init__(self, session: PersonSession) -> None:
        self._session = session

    def start(self, brief: Brief) -> None:
        """Begin the recording."""

    def close(self) -> None:
        """End the recording."""

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Wait for the person."""
        if history and not history[-1].ok and self._session.recorded:
            self._session.drop_last(history[-1].detail or "the step could not be performed")
        while True:
            command = self._session.next_command(observation)
            if isinstance(command, FinishRecording | UndoStep | StopRecording):
                break
            step = self._session.recorded[-1].step
            if (action := plan_step(step, observation.tree, observation.screen)) is not None:
                return Decision(action, thought=step_text(step))
            self._session.drop_rest(
                f"cannot be repeated on this screen: {step_text(step)}; continue from here"
            )
        if isinstance(command, FinishRecording):
            return Decision(act.Done(answer=command.answer))
        return Decision(act.GiveUp(reason="the recording was interrupted"))
