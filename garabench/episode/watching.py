"""An episode whose agent drives the device itself, as a pure state machine beside `EpisodeMachine`.

::

    Prepare -> Look -> (Inject ->) Watch … Watch -> (ReadLog -> (FollowUp -> Rest ->)) Check -> Look …
                                            `-> Check (its last word) -> Finish

What such an agent does is not told, only seen. A settled screen that differs from the one before counts as
one action, where neither an injection nor a follow-up has made the difference. The system's bars and the
keyboard are left out, since a clock moves by itself. So actions that change nothing are not counted, several
that are performed before the screen rests are counted as one, and a page that changes by itself is counted.
"""

from __future__ import annotations

from garabench.agents.own.owner import LastWord
from garabench.core import action as act
from garabench.core import events as ev
from garabench.core.tree import UiTree, is_system
from garabench.episode import commands as cmd
from garabench.episode import results as res
from garabench.episode.machine import EpisodeMachine, State


def content(tree: UiTree) -> str:
    """What an action changes: everything but the system's bars and the keyboard."""
    roots = tuple(root for root in tree.roots if not is_system(root.package))
    return UiTree(roots, tree.rotation).signature


class WatchingMachine(EpisodeMachine):
    """One episode of an agent that drives the device itself."""

    def feed(self, result: res.Result) -> cmd.Command:
        """Take in the result of the last command; see `EpisodeMachine.feed`."""
        if self.state is State.WATCHING and isinstance(result, res.Watched):
            return self._watched(result)
        return super().feed(result)

    def _ask(self) -> cmd.Command:
        assert self._looked is not None  # noqa: S101 - only called after a look
        self.state = State.WATCHING
        return cmd.Watch(self._looked.t)

    def _watched(self, result: res.Watched) -> cmd.Command:
        assert self._looked is not None  # noqa: S101 - it is watched after a look
        before = self._looked.observation.tree.derived(content)
        changed = result.tree.derived(content) != before
        if changed:
            self._actions += 1
            self._interruptions.acted("seen")  # of no kind: only what it has changed is known
            self._note(ev.ActionObserved(step=self._step, t=result.t))
        if result.last_word is not None:
            self._take(result.last_word, result.t)
        elif not changed and result.t < self._limits.seconds:
            return cmd.Watch(self._looked.t)
        return self._rested(result.rested)

    def _take(self, word: LastWord, t: float) -> None:
        """The agent has ended by itself."""
        action = act.Done(answer=word.answer) if word.done else act.GiveUp(reason=word.detail)
        self._note(ev.Decided(step=self._step, t=t, action=act.to_json(action), thought=word.detail))
        self._final = True
        self._gave_up = not word.done
        self._answer = word.answer if word.done else None
