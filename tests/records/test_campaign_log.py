from __future__ import annotations

from pathlib import Path

from garabench.core.campaign_events import campaign_line
from garabench.records.campaign_log import CampaignFollower, CampaignLog, damaged_lines, read_campaign
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


def test_event_after_a_cut_line_is_read(tmp_path: Path) -> None:
    log, follower = CampaignLog(tmp_path), CampaignFollower(tmp_path)
    log.append(ALL[0])
    with (tmp_path / CAMPAIGN).open("ab") as file:
        file.write(campaign_line(ALL[1]).encode()[:30])
    assert tuple(follower.read()) == ALL[:1]
    assert tuple(damaged_lines(tmp_path)) == ()  # the program was killed
    CampaignLog(tmp_path).append(ALL[2])
    assert tuple(follower.read()) == ALL[2:3]
    assert read_campaign(tmp_path) == (ALL[0], ALL[2])
    assert tuple(damaged_lines(tmp_path)) == ()


def test_a_log_of_one_cut_line_begins_anew(tmp_path: Path) -> None:
    (tmp_path / CAMPAIGN).write_bytes(b'{"type":"run_b')
    CampaignLog(tmp_path).append(ALL[0])
    assert read_campaign(tmp_path) == ALL[:1]


def test_damaged_lines_have_a_number_and_a_reason(tmp_path: Path) -> None:
    assert tuple(damaged_lines(tmp_path)) == ()  # there is no log
    line = campaign_line(ALL[0])
    newer = '{"type":"something_new"}\n'
    lines = [line, line.replace("phone-1", "phone-2"), newer, "null\n", "\x00\n"]
    (tmp_path / CAMPAIGN).write_text("".join(lines), "utf-8")
    found = dict(damaged_lines(tmp_path))
    assert list(found) == [2, 4, 5]
    assert "checksum" in found[2]
    assert found[4] == "not a JSON object"
