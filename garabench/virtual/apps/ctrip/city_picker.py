"""The picker of cities and stations: search, popular ones, and all by initial."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from garabench.virtual.apps.ctrip.content import CtripCity, cities, fold
from garabench.virtual.apps.ctrip.theme import BACKGROUND, INK, INK_3, WHITE, glyph, label, title_bar
from garabench.virtual.apps.ctrip.widgets import message_page
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    ListView,
    Row,
    Text,
    TextField,
    Widget,
    insets,
)

_IN_ROW = 4


def matches(text: str, *, stations: bool) -> tuple[str, ...]:
    """Return the matching cities and, for trains, stations."""
    wanted = fold(text)
    if not wanted:
        return ()
    found: list[str] = []
    for city in cities().values():
        if wanted in fold(city.name) or city.pinyin.startswith(wanted):
            found.append(city.name)
            found += [name for name in city.stations if stations and name != city.name]
        elif stations:
            found += [name for name in city.stations if wanted in fold(name)]
    return tuple(dict.fromkeys(found))


class CityPicker:
    """A full-screen picker.

    Args:
        title: Such as 选择出发城市.
        now: The current choice.
        done: Called with the selected name.
        leave: Closes the picker.
        stations: Whether stations can be selected as well.
        flights: Whether only cities with an airport are offered.
    """

    def __init__(
        self,
        title: str,
        now: str,
        done: Callable[[str], None],
        leave: Handler,
        *,
        stations: bool = False,
        flights: bool = False,
    ) -> None:
        self.title = title
        self.now = now
        self.done = done
        self.leave = leave
        self.stations = stations
        self.flights = flights
        self.text = ""

    def type(self, text: str) -> None:
        """Handle a change of the search text."""
        self.text = text

    def submit(self) -> None:
        """Select the first match."""
        found = self._found()
        if found:
            self.done(found[0])

    def _found(self) -> tuple[str, ...]:
        found = matches(self.text, stations=self.stations)
        return tuple(name for name in found if not self.flights or cities()[name].airports)

    def view(self) -> Widget:
        """Return the picker."""
        field = Row(
            width=MATCH,
            height=52,
            padding=insets(14, 7),
            background=WHITE,
            children=(
                Row(
                    weight=1,
                    height=38,
                    radius=8,
                    gap=6,
                    padding=insets(12, 0),
                    background=BACKGROUND,
                    children=(
                        glyph("search"),
                        TextField(
                            id="city_search",
                            text=self.text,
                            hint="城市/车站名 支持拼音" if self.stations else "城市名 支持拼音",
                            size=14,
                            weight=1,
                            height=38,
                            action="search",
                            on_change=self.type,
                            on_submit=self.submit,
                        ),
                    ),
                ),
            ),
        )
        return Column(
            id="city_picker",
            width=MATCH,
            height=MATCH,
            background=WHITE,
            children=(
                title_bar(self.title, self.leave),
                field,
                self._results() if self.text.strip() else self._all(),
            ),
        )

    def _results(self) -> Widget:
        found = self._found()
        if not found:
            return message_page("map_marker_off", f"没有找到“{self.text.strip()}”")
        return ListView(
            id="city_results",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(16, 0),
            items=found,
            build=lambda name, _: self._line(name),
        )

    def _all(self) -> Widget:
        offered = [city for city in cities().values() if city.airports or not self.flights]
        hot = [city for city in offered if city.hot]
        header = (
            self._header("当前选择"),
            self._grid([self.now]) if self.now else Widget(important=False),
            self._header("热门城市"),
            *(
                self._grid([city.name for city in hot[at : at + _IN_ROW]])
                for at in range(0, len(hot), _IN_ROW)
            ),
        )
        return ListView(
            id="city_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(16, 0),
            header=header,
            items=self._by_initial(offered),
            build=lambda row, _: self._header(row) if len(row) == 1 and row.isascii() else self._line(row),
        )

    @staticmethod
    def _by_initial(offered: Sequence[CtripCity]) -> list[str]:
        rows: list[str] = []
        letter = ""
        for city in sorted(offered, key=lambda city: city.pinyin):
            if city.pinyin[0].upper() != letter:
                letter = city.pinyin[0].upper()
                rows.append(letter)
            rows.append(city.name)
        return rows

    @staticmethod
    def _header(text: str) -> Widget:
        return Text(text=text, size=13, color=INK_3, padding=insets(0, 12, 0, 8))

    def _grid(self, names: Sequence[str]) -> Widget:
        cells: list[Widget] = [
            Text(
                id="city_hot",
                key=name,
                text=name,
                size=14,
                color=INK,
                align=Align.CENTER,
                weight=1,
                background=BACKGROUND,
                radius=6,
                padding=insets(0, 10),
                max_lines=1,
                on_click=partial(self.done, name),
            )
            for name in names
        ]
        cells += [Widget(weight=1, height=1, important=False) for _ in range(_IN_ROW - len(names))]
        return Row(width=MATCH, gap=8, padding=insets(0, 0, 0, 8), children=cells)

    def _line(self, name: str) -> Widget:
        return Row(
            id="city_item",
            key=f"city-{name}",
            width=MATCH,
            height=46,
            on_click=partial(self.done, name),
            children=(label(name, 15, rid="city_name", weight=1), self._kind(name)),
        )

    def _kind(self, name: str) -> Widget:
        station = self.stations and name not in cities()
        return label("车站" if station else "城市" if self.stations else "", 12, INK_3)
