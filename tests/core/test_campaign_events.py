from __future__ import annotations

import datetime as dt

import pytest

from garabench.core import campaign_events as ev

NOW = dt.datetime(2024, 5, 20, 9, 41, tzinfo=dt.UTC)
ALL: tuple[ev.CampaignEvent, ...] = (
    ev.RunBegun(time=NOW, planned=9, ended=2, devices=("phone-1", "emulator-5554"), shard="1/2"),
    ev.AttemptBegun(time=NOW, device="phone-1", episode="a/b/clean/1", attempt=1),
    ev.HealthChecked(
        time=NOW,
        device="phone-1",
        problems=(ev.HealthProblem(symptom=ev.Symptom.EMPTY_TREE, detail="no root node: 空"),),
    ),
    ev.RungPerformed(time=NOW, device="phone-1", rung=ev.Rung.WAIT, number=1, pause=0.25),
    ev.AttemptEnded(
        time=NOW, device="phone-1", episode="a/b/clean/1", attempt=1, outcome="error", reason="fault",
        seconds=3.5, at_fault="device", message="lost", last=False,
    ),
    ev.DevicePaused(time=NOW, device="phone-1", seconds=15, total=15, reason="lost"),
    ev.DeviceRecycled(time=NOW, device="phone-1", loads=50),
    ev.DeviceRetired(time=NOW, device="phone-1", reason="lost", p_value=0.0001),
    ev.TaskBudgetSpent(time=NOW, task="a", faults=10),
    ev.RunMerged(time=NOW, planned=9, ended=2, outcomes={"success": 2}, workers=("part-1",)),
    ev.RunEnded(time=NOW, ended=9, remaining=0),
)  # fmt: skip


@pytest.mark.parametrize("event", ALL, ids=lambda event: event.type)
def test_events_are_read_back(event: ev.CampaignEvent) -> None:
    assert tuple(ev.read_campaign_lines([ev.campaign_line(event)])) == (event,)


def test_every_event_is_tried_here() -> None:
    assert {type(event) for event in ALL} == set(ev.CampaignEvent.__args__[0].__args__)  # type: ignore[attr-defined]


def test_lines_that_cannot_be_read_are_skipped() -> None:
    lines = [ev.campaign_line(event) for event in ALL[:3]]
    damaged = lines[1].replace("phone-1", "phone-2")
    newer = '{"type":"something_new","time":"2024-05-20T09:41:00Z"}\n'
    found = ev.read_campaign_lines([lines[0], damaged, newer, "", "[", "null", lines[2], '{"type":"run_e'])
    assert tuple(found) == (ALL[0], ALL[2])
