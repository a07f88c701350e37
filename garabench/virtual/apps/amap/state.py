"""The user's data as records; see ``docs/app-state.md``."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.core.app_state import StateRecord
from garabench.virtual.apps.amap import content
from garabench.virtual.apps.amap.license_plate import KINDS
from garabench.virtual.kit.framework import Context
from garabench.virtual.kit.state import (
    declared_settings,
    item,
    marks,
    profile,
    searches,
    settings,
)

_ELSEWHERE = {
    "layer": ("地图类型", "标准地图"),
    "car_kind": ("车辆类型", KINDS[0]),
    "avoid_limits": ("避开限行", False),
    "drive_options": ("驾车偏好", ()),
}
"""Settings outside of the settings pages: title and default."""


def state(ctx: Context) -> Iterator[StateRecord]:
    """Return the user's data: favourites, home and company, plate, offline maps, routes and settings."""
    data = ctx.data
    yield from marks("favorite", data["favorites"], "收藏了“{}”", 'Favourite "{}"', _place)
    for place, note in data["notes"].items():
        name = _place(place)
        yield item("note", place, f"“{name}”改名为“{note}”", f'"{name}" is called "{note}"', text=note)
    for key, zh, en in (("home", "家", "Home"), ("company", "公司", "Company")):
        place, name = data[key], _place(data[key]) if data[key] else ""
        yield item("shortcut", key, f"{zh}：{name}", f"{en}: {name}", place=place, name=name)
    plate = data["plate"]
    yield item("plate", "car", f"车牌：{plate}", f"Plate: {plate}", value=plate)
    yield from marks("offline-map", data["offline"], "已下载地图“{}”", 'Downloaded the map "{}"')
    yield from profile(data["profile"])
    declared = {**declared_settings(content.load, "settings.json"), **_ELSEWHERE}
    yield from settings(data["settings"], declared)
    for row in data["routes"]:
        start, end, mode = _place(row["start"]), _place(row["end"]), row["mode"]
        zh, en = f"查过从{start}到{end}的路线（{mode}）", f"Planned a route from {start} to {end} ({mode})"
        yield item("recent-route", f"{row['start']}/{row['end']}/{mode}", zh, en)
    yield from marks("read-message", data["read"], "看过消息 {}", "Read the message {}")
    yield from searches(data["searches"])


def _place(place: str) -> str:
    found = content.place(place)
    return found.name if found else place
