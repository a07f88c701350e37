"""The live table of rules."""

from __future__ import annotations

import io

from rich.console import Console

from garabench.authoring.rule_watch import RuleCloseness, WatchedScreen
from garabench.cli.rules_watch import _table


def test_the_table_shows_the_closest_rules_and_texts_of_the_screen_as_they_are() -> None:
    rules = (
        RuleCloseness("menu", 1.0, True, ""),
        RuleCloseness("cart", 0.5, False, "lacks [/red] [bold]合计[/bold]"),
        RuleCloseness("order", 0.0, None, "unknown"),
    )
    out = io.StringIO()
    Console(file=out, width=90, color_system=None).print(_table(WatchedScreen("org.[/x].shop", rules)))
    title, head, *rows = [line.split() for line in out.getvalue().splitlines() if line.strip()]
    assert (title, head) == (["org.[/x].shop"], ["rule", "close", "lacks"])
    assert [row[0] for row in rows] == ["menu", "cart", "order"]
    assert [row[2] for row in rows] == ["fires", "50%", "?"]
    assert " ".join(rows[1][3:]) == "lacks [/red] [bold]合计[/bold]"
