from __future__ import annotations

from pathlib import Path

from garabench.core.campaign_events import campaign_line
from garabench.records.campaign_log import CampaignFollower, CampaignLog, read_campaign
from garabench.records.run_layout import CAMPAIGN
from tests.core.test_campaign_events import ALL


def test_events_are_read_while_they_are_written(tmp_path: Path) -> None:
    log, follower = CampaignLog(tmp_path), CampaignFollower(tmp_path)
    assert tuple(follower.read()) == ()  # there is no log yet
    log.append(ALL[0])
    assert tuple(follower.read()) == ALL[:1]
    line = campaign_line(ALL[1]).encode()
    with (tmp_path / CAMPAIGN).open("ab") as file:
        file.write(line[:20])
        file.flush()
        assert tuple(follower.read()) == ()
        file.write(line[20:])
    log.append(ALL[2])
    assert tuple(follower.read()) == ALL[1:3]
    assert read_campaign(tmp_path) == ALL[:3]
