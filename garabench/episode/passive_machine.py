"""An episode whose agent drives the device itself, as a pure state machine; see also `EpisodeMachine`.

::

    Prepare -> Look -> (Inject ->) Watch … Watch -> (ReadLog -> (FollowUp -> Rest ->)) Check -> Look …
                                            `-> Check (its last word) -> Finish

The actions of such an agent are not reported, only observed. A settled screen that differs from the previous
one counts as one action, unless an injection or a follow-up made the difference. The system bars and the
keyboard are ignored, since the clock changes by itself. Actions that change nothing are therefore not
counted, several actions before the screen is still count as one, and a page that changes by itself counts.
"""

from __future__ import annotations

from garabench.agents.external.autonomous import FinalReport
from garabench.core import action as act
from garabench.core import events as ev
from garabench.core.tree import UiTree, is_system
from garabench.episode import command_results as res
from garabench.episode import commands as cmd
from garabench.episode.machine import EpisodeMachine, EpisodeState


def content(tree: UiTree) -> str:
    """Return the signature of the tree without the system bars and the keyboard."""
    roots = tuple(root for root in tree.roots if not is_system(root.package))
    return UiTree(roots, tree.rotation).signature


class PassiveEpisodeMachine(EpisodeMachine):
    """One episode of an agent that drives the device itself."""

    def feed(self, result: res.CommandResult) -> cmd.Command:
        """Take in the result of the last command; see `EpisodeMachine.feed`."""
        if self.state is EpisodeState.WATCHING and isinstance(result, res.AgentWatched):
            return self._watched(result)
        return super().feed(result)

    def _ask(self) -> cmd.Command:
        assert self._looked is not None  # noqa: S101 - only called after a look
        self.state = EpisodeState.WATCHING
        return cmd.WatchAgent(self._looked.t)

    def _watched(self, result: res.AgentWatched) -> cmd.Command:
        assert self._looked is not None  # noqa: S101 - it is watched after a look
        before = self._looked.observation.tree.derived(content)
        changed = result.tree.derived(content) != before
        if changed:
            self._actions += 1
            self._interruptions.acted("seen")  # its kind is unknown: only its effect is observed
            self._note(ev.ActionObserved(step=self._step, t=result.t))
        if result.last_word is not None:
            self._take(result.last_word, result.t)
        elif not changed and result.t < self._limits.seconds:
            return cmd.WatchAgent(self._looked.t)
        return self._rested(result.rested)

    def _take(self, word: FinalReport, t: float) -> None:
        """Take in the report of an agent that has ended."""
        action = act.Done(answer=word.answer) if word.done else act.GiveUp(reason=word.detail)
        self._note(ev.Decided(step=self._step, t=t, action=act.to_json(action), thought=word.detail))
        self._final = True
        self._gave_up = not word.done
        self._answer = word.answer if word.done else None
