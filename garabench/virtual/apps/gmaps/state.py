"""The user's data as records; see ``docs/app-state.md``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from garabench.core.app_state import StateRecord
from garabench.virtual.apps.gmaps import content
from garabench.virtual.kit.framework import Context
from garabench.virtual.kit.state import declared_settings, item, marks, searches, settings

_MAP = {"layer_traffic": ("Traffic", False), "map_type": ("Map type", "Default")}
"""Settings outside of the settings pages: title and default."""


def state(ctx: Context) -> Iterator[StateRecord]:
    """Return the user's data: lists, notes, labels, offline maps, location sharing, searches and settings."""
    data = ctx.data
    yield from _lists(data)
    for place, note in data["notes"].items():
        name = _place(place)
        yield item("note", place, f"“{name}”的备注：{note}", f'Note on "{name}": {note}', text=note)
    for label, place in data["labels"].items():
        name = _place(place) if place else ""
        yield item("label", label, f"{label}：{name}", f"{label}: {name}", place=place, name=name)
    yield from marks("offline-map", data["offline"], "已下载地图“{}”", 'Downloaded the map "{}"')
    for who, how_long in data["sharing"]:
        zh, en = f"与 {who} 共享位置：{how_long}", f"Shares the location with {who}: {how_long}"
        yield item("location-sharing", who, zh, en, duration=how_long)
    yield from settings(data["settings"], {**declared_settings(content.load, "settings.json"), **_MAP})
    yield from searches(data["searches"])


def _place(place: str) -> str:
    found = content.place(place)
    return found.name if found else place


def _lists(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for row in data["lists"]:
        name = row["name"]
        yield item("list", name, f"清单“{name}”", f'List "{name}"', private=bool(row["private"]))
        for place in row["places"]:
            zh = f"清单“{name}”中有“{_place(place)}”"
            en = f'"{_place(place)}" is on the list "{name}"'
            yield item("saved-place", f"{name}/{place}", zh, en, list=name, title=_place(place))
