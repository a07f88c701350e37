from __future__ import annotations

import json

from click.testing import CliRunner

from garabench.cli.main import main
from garabench.cli.schemas import KINDS


def test_the_kinds_are_listed_with_what_they_describe() -> None:
    text = CliRunner().invoke(main, ["schemas"]).output
    assert [line.split()[0] for line in text.splitlines()] == list(KINDS)
    rows = json.loads(CliRunner().invoke(main, ["schemas", "--json"]).output)
    assert [row["kind"] for row in rows] == list(KINDS)
    assert all(row["title"] in text for row in rows)
    assert rows[0]["file"] == "tasks.schema.json"
