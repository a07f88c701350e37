"""Exits proven on a fake phone, on which given exits fail in given ways."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from garabench.core import events as ev
from garabench.core.interruption import Mode
from garabench.core.seeds import generator
from garabench.proof.batching import ExitEpisode, ExitTrial, exit_trials
from garabench.proof.exit_checks import OnDecision, exit_findings
from garabench.proof.exits import BACK
from garabench.proof.findings import ProofCheck
from garabench.suite.suite import Suite, SuiteTask
from tests.cases import every_case
from tests.proof.test_exit_verdict import UNMET, ended, left, shown
from tests.suite.suites import goal, interruption, rule, suite, task

RELAUNCH = {"follow_up": ["relaunch"]}


class Broken(enum.Enum):
    """How an exit fails."""

    NEVER_FIRES = "never fires"
    NOT_SHOWN = "not shown"
    OTHER_EXIT = "other exit"
    NO_FOLLOW_UP = "no follow-up"
    FAILED_FOLLOW_UP = "failed follow-up"
    STUCK = "stuck"
    """The task cannot be solved after it, unless the app is started anew."""
    LOST = "lost"
    """The task cannot be solved after it."""


def example(**more: str) -> tuple[SuiteTask, Suite]:
    """Return a task whose rules fire on the same screen and on later ones; some exits restart the app."""
    windows = [
        interruption("closes"),
        interruption("restarts", accept=RELAUNCH),
        interruption("ends", accept={"ends_task": "the account is closed"}, cancelable=False),
    ]
    named = more or {"a": "closes", "b": "restarts", "c": "restarts", "d": "ends"}
    rules = [rule(name, inject) for name, inject in named.items()]
    data = task("t", "end", rules=list(named))
    suite_ = suite([goal("end", {"exists": {"text": "end"}})], [data], rules, windows)
    return suite_.tasks["t"], suite_


PLACES = {"a": 1, "b": 1, "c": 2, "d": 3}
"""How many steps of the solution are done when each rule comes."""
STEPS = 4


@dataclass
class FakeExitPerformer:
    """Performs episodes on a fake phone.

    Attributes:
        broken: How exits fail, by subject.
        performed: The subjects of each episode.
    """

    broken: dict[str, Broken] = field(default_factory=dict)
    performed: list[list[str]] = field(default_factory=list)

    def run_exits(
        self,
        item: SuiteTask,
        suite: Suite,
        trials: Sequence[ExitTrial],
        on_decision: OnDecision = lambda decision: None,
    ) -> ExitEpisode:
        assert len({one.exit.mode for one in trials}) == 1
        assert len({one.rule for one in trials}) == len(trials)
        self.performed.append([one.subject for one in trials])
        events: list[ev.Event] = []
        furthest: list[int] = []
        stuck = lost = False
        for done in range(STEPS + 1):
            for one in (one for one in trials if PLACES[one.rule] == done):
                wrong = self.broken.get(one.subject)
                if (stuck and one.exit.only_closes) or lost or wrong is Broken.NEVER_FIRES:
                    continue  # only a rule on that screen can show what is stuck
                events += self._interrupted(one, wrong)
                stuck = (stuck and one.exit.only_closes) or wrong is Broken.STUCK
                lost = lost or wrong is Broken.LOST or bool(one.exit.ends_task)
            if not stuck and not lost:
                events.append(ev.Decided(step=done, t=0, action={"type": "back"}))
                furthest.append(done + 1)
        solved = not stuck and not lost
        events += [ended()] if solved else [UNMET, ended("failure", "step_limit")]
        return ExitEpisode(tuple(events), tuple(furthest))

    def _interrupted(self, one: ExitTrial, wrong: Broken | None) -> Iterator[ev.Event]:
        key, token = next(iter(one.exit.keys), ""), one.rule
        yield ev.InterruptionInjected(
            step=1,
            t=0,
            rule=one.rule,
            interruption="window",
            category="network",
            mode=one.exit.mode.value,
            token=token,
        )
        if wrong is Broken.NOT_SHOWN:
            yield ev.InjectionFailed(step=1, t=0, token=token, reason="it crashed")
            return
        yield shown(token)
        if not key:
            return
        pressed = "other" if wrong is Broken.OTHER_EXIT else key
        yield left(pressed, token, "left" if pressed == BACK else "answered")
        if one.exit.follow_up and wrong is not Broken.NO_FOLLOW_UP:
            ok = wrong is not Broken.FAILED_FOLLOW_UP
            yield ev.FollowUpPerformed(step=1, t=0, token=token, button=key, description="relaunch", ok=ok)

    def save_evidence(self, name: str) -> str:
        return f"saved/{name}.png after {', '.join(self.performed[-1])}"


def _has_no_effect(one: ExitTrial, wrong: Broken | None) -> bool:
    """Return whether a failure does not apply to the exit: it has no follow-up, or ends the task."""
    if one.exit.ends_task and wrong in (Broken.STUCK, Broken.LOST):
        return True
    return not one.exit.follow_up and wrong in (Broken.NO_FOLLOW_UP, Broken.FAILED_FOLLOW_UP)


ITEM, OF = example()
EVERY = tuple(one.subject for one in exit_trials(ITEM, OF))


def test_working_exits_are_proven_in_shared_episodes() -> None:
    phone = FakeExitPerformer()
    found = exit_findings(ITEM, OF, phone)
    assert [finding.subject for finding in found] == list(EVERY)
    assert all(finding.ok and finding.check is ProofCheck.EXIT and not finding.evidence for finding in found)
    assert phone.performed == [
        ["a dual dismiss", "b dual dismiss", "c dual dismiss", "d dual dismiss"],
        ["a dual accept", "b dual accept", "c dual accept"],
        ["a dual back", "b dual back", "c dual back"],
        ["a forced accept", "b forced accept", "c forced accept"],
        # On the screen of rule a, another interruption restarts the app, which might repair it.
        ["a dual accept"],
        ["a forced accept"],
        ["d dual accept"],
        ["d forced accept"],
    ]
    whys = {finding.subject: finding.reason for finding in found}
    assert whys["b dual back"] == "solved after 8 steps, in one episode with a, c"
    assert whys["a forced accept"] == "solved after 8 steps"
    assert whys["d forced accept"] == "ends the task: the account is closed"


@given(st.dictionaries(st.sampled_from(EVERY), st.sampled_from(Broken), max_size=4))
def test_a_failure_is_reported_for_its_exit_only(broken: dict[str, Broken]) -> None:
    phone = FakeExitPerformer(broken)
    found = exit_findings(ITEM, OF, phone)
    harmless = {one.subject for one in exit_trials(ITEM, OF) if _has_no_effect(one, broken.get(one.subject))}
    assert [finding.subject for finding in found] == list(EVERY)
    assert {finding.subject for finding in found if not finding.ok} == broken.keys() - harmless
    for finding in found:
        # The evidence is the end of an episode with only this exit.
        alone = f"saved/exit-{finding.subject.replace(' ', '-')}.png after {finding.subject}"
        assert finding.evidence == ("" if finding.ok else alone)


@every_case("mode", Mode)
@every_case("seed", range(6))
def test_an_exit_broken_in_one_mode_is_caught(mode: Mode, seed: int) -> None:
    draw = generator(seed, "mutation", mode.value)
    both = sorted(name for name in EVERY if " accept" in name and mode.value in name and name[0] in "bc")
    name, wrong = draw.choice(both), draw.choice(list(Broken))
    other = {"dual": "forced", "forced": "dual"}[mode.value]
    verdicts = {
        finding.subject: finding.ok for finding in exit_findings(ITEM, OF, FakeExitPerformer({name: wrong}))
    }
    assert verdicts[name] is False
    assert verdicts[name.replace(mode.value, other)] is True
    assert list(verdicts.values()).count(False) == 1


def test_a_system_anomaly_is_checked_to_be_in_force() -> None:
    item, suite_ = example(a="closes", b="it-turns")
    found = exit_findings(
        item, suite_, FakeExitPerformer({"b forced": Broken.NOT_SHOWN, "b dual": Broken.LOST})
    )
    anomalies = [finding for finding in found if finding.check is ProofCheck.IN_FORCE]
    assert [(f.subject, f.ok, f.reason) for f in anomalies] == [
        ("b dual", True, "the anomaly is in effect"),
        ("b forced", False, "window was not shown: it crashed"),
    ]
    assert anomalies[1].evidence == "saved/in-force-b-forced.png after b forced"
    assert all(finding.ok for finding in found if finding.check is ProofCheck.EXIT)


def test_a_task_without_rules_has_no_exits() -> None:
    suite_ = suite([goal("end", {"exists": {"text": "end"}})], [task("t", "end")])
    assert exit_findings(suite_.tasks["t"], suite_, FakeExitPerformer()) == []
