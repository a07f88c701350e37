"""A follow-up whose second stage fails in an episode is an incomplete exit, which `compare` counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import garabench
from garabench.agents.interface import Decision, Turn
from garabench.agents.reference.agent import ReferenceAgent
from garabench.agents.reference.exit_choice import Policy, interrupted
from garabench.cli.tables import follow_up_list
from garabench.core import events as ev
from garabench.core.clock import SystemClock
from garabench.core.companion_app import PACKAGE
from garabench.core.observation import Observation
from garabench.device.device import Device
from garabench.records.event_reader import read_events
from garabench.records.results import summarize
from garabench.stats.follow_ups import follow_up_rows
from garabench.virtual.phone_process import VirtualPhone
from tests.e2e.scripted import SUITE, events_of
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e

TASK = "weibo-pass-on-first-of-the-week"
FAULT = "background-start-refused"


class BlockedAcceptAgent(ReferenceAgent):
    """Accepts on a phone that starts no further window of the companion app once the first is shown."""

    def __init__(self, phone: VirtualPhone) -> None:
        super().__init__(SUITE.tasks[TASK].task.solution, Policy.ACCEPT)
        self._phone = phone

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Block the second stage, and decide."""
        if interrupted(observation.tree):
            self._phone.fault(FAULT, package=PACKAGE)
        return super().decide(observation, history)


def test_a_second_stage_that_fails_is_an_incomplete_exit(phone_pool: PhonePool, tmp_path: Path) -> None:
    with (
        phone_pool.borrow("android-34") as phone,
        Device.connect(phone.serial, SystemClock()) as device,
    ):
        try:
            garabench.run_episode(TASK, BlockedAcceptAgent(phone), device, out=tmp_path, condition="forced")
        finally:
            phone.fault(FAULT, on=False)
    (folder,) = tmp_path.glob("episodes/*/*/*/*")
    log = read_events(folder)
    stages = [(event.description, event.ok) for event in events_of(log, ev.FollowUpPerformed)]
    assert stages[:2] == [("store_page", True), ("progress 8.0", False)]
    assert all(ok for _, ok in stages[2:])
    summary = summarize(log)
    assert summary is not None
    assert summary.counts
    assert summary.exits[0] == "accept_incomplete"
    assert set(summary.exits[1:]) == {"accept"}
    listed = follow_up_list(follow_up_rows([summary]))
    assert listed.title.startswith("Follow-ups that could not be performed in full (1)")
    (line,) = listed.lines
    assert line.startswith("app-update accept forced: 1 of 1 shown: progress 8.0: ")
    assert "did not appear" in line
