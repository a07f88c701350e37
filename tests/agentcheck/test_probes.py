from __future__ import annotations

from garabench.agentcheck.coordinate_diagnosis import diagnose_taps
from garabench.agentcheck.probe_episode import ProbeEpisode
from garabench.agentcheck.probe_results import ProbeGrade
from garabench.agentcheck.probes import _judge_taps
from garabench.core.geometry import Size


def test_coordinates_are_not_judged_without_taps() -> None:
    finding = _judge_taps(ProbeEpisode((), ""), (), diagnose_taps((), Size(1080, 2400)), 8)
    assert finding.grade is ProbeGrade.FAILED
    assert finding.text.startswith("the agent tapped none of the 8 buttons")
