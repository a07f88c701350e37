"""An episode whose agent drives the device itself, as a pure state machine; see also `EpisodeMachine`.

::

    PrepareDevice -> ObserveScreen -> (InjectInterruption ->) WatchAgent … WatchAgent
        -> (ReadLog -> (PerformFollowUp -> Settle ->)) CheckGoal -> ObserveScreen …

After the agent's final report, WatchAgent is followed by CheckGoal and FinishEpisode. The actions of such an
agent are not reported, only observed. A settled screen that differs from the previous one counts as one
action, unless an injection or a follow-up made the difference. The system bars and the keyboard are ignored,
since the clock changes by itself. Therefore, actions that change nothing are not counted, several actions
before the screen is still count as one, and a page that changes by itself counts as an action.
"""

from __future__ import annotations

from garabench.agents.external.autonomous import FinalReport
from garabench.core import action as act
from garabench.core import events as ev
from garabench.core.tree import UiTree, is_system
from garabench.episode import command_results as res
from garabench.episode import commands as cmd
from garabench.episode.machine import EpisodeMachine, MachineState


def content_signature(tree: UiTree) -> str:
    """Return the signature of the tree without the system bars and the keyboard."""
    roots = tuple(root for root in tree.roots if not is_system(root.package))
    return UiTree(roots, tree.rotation).signature


class PassiveEpisodeMachine(EpisodeMachine):
    """State machine of one episode whose agent drives the device itself."""

    def feed(self, result: res.CommandResult) -> cmd.Command:
        """Process the result of the last command; see `EpisodeMachine.feed`."""
        if self.state is MachineState.WATCHING and isinstance(result, res.AgentWatched):
            return self._on_watched(result)
        return super().feed(result)

    def _request_decision(self) -> cmd.Command:
        assert self._observed is not None  # noqa: S101 - only called after an observation
        self.state = MachineState.WATCHING
        return cmd.WatchAgent(self._observed.t)

    def _on_watched(self, result: res.AgentWatched) -> cmd.Command:
        assert self._observed is not None  # noqa: S101 - only called after an observation
        before = self._observed.observation.tree.derived(content_signature)
        changed = result.tree.derived(content_signature) != before
        if changed:
            self._actions += 1
            self._interruptions.action_performed("seen")  # only its effect is observed, not its kind
            self._record(ev.ActionObserved(step=self._step, t=result.t))
        if result.final_report is not None:
            self._take_report(result.final_report, result.t)
        elif not changed and result.t < self._limits.seconds:
            return cmd.WatchAgent(self._observed.t)
        return self._on_settled(result.settled)

    def _take_report(self, report: FinalReport, t: float) -> None:
        """Process the final report of the agent."""
        action = act.Done(answer=report.answer) if report.done else act.GiveUp(reason=report.detail)
        self._record(ev.Decided(step=self._step, t=t, action=act.to_json(action), thought=report.detail))
        self._final = True
        self._gave_up = not report.done
        self._answer = report.answer if report.done else None
