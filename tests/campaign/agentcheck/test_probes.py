from __future__ import annotations

from garabench.campaign.agentcheck.coordinates import diagnose
from garabench.campaign.agentcheck.play import Played
from garabench.campaign.agentcheck.probes import _judge_taps
from garabench.campaign.agentcheck.results import Grade
from garabench.core.geometry import Size


def test_of_an_agent_that_never_taps_nothing_is_said_of_coordinates() -> None:
    finding = _judge_taps(Played((), ""), (), diagnose((), Size(1080, 2400)), 8)
    assert finding.grade is Grade.FAILED
    assert finding.text.startswith("the agent tapped none of the 8 buttons")
