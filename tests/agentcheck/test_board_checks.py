from __future__ import annotations

from garabench.agentcheck.board_checks import _grade_taps
from garabench.agentcheck.board_episode import BoardEpisode
from garabench.agentcheck.check_results import BoardCheckGrade
from garabench.agentcheck.coordinate_diagnosis import diagnose_taps
from garabench.core.geometry import Size


def test_coordinates_are_not_judged_without_taps() -> None:
    finding = _grade_taps(BoardEpisode((), ""), (), diagnose_taps((), Size(1080, 2400)), 8)
    assert finding.grade is BoardCheckGrade.FAILED
    assert finding.text.startswith("the agent tapped none of the 8 buttons")
