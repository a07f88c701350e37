"""The page of file formats matches the models that read them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import jsonschema
import pytest
import yaml
from pydantic import BaseModel

from garabench.core.events import Event
from garabench.core.schemas import KINDS, suite_schema
from garabench.suite.suite import Suite

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml file=(\S+)\n(.*?)```", PAGE, re.DOTALL)
EVENTS: tuple[type[BaseModel], ...] = get_args(get_args(Event)[0])
_SCHEMAS = {"tasks": "tasks", "goal_schemas": "goals", "rules": "rules"}


def test_examples_form_a_valid_suite(tmp_path: Path) -> None:
    assert len(EXAMPLES) == 6
    for name, text in EXAMPLES:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    suite = Suite.load(tmp_path)
    assert set(suite.tasks) == {"reader-like-first-poem"}
    assert set(suite.rules) == {
        "reader-results-update",
        "reader-poem-battery",
        "reader-third-step",
        "reader-after-typing",
        "reader-every-minute",
        "reader-shelf-network",
    }
    assert suite.rules["reader-after-typing"].rule.inject == ("app-update", "low-battery")
    assert [name for name, bound in suite.rules.items() if bound.rule.when.scheduled] == [
        "reader-third-step",
        "reader-after-typing",
        "reader-every-minute",
    ]


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_examples_match_their_schemas(name: str, text: str) -> None:
    kind = "interruptions" if name.endswith("interruptions.yaml") else _SCHEMAS[Path(name).parent.name]
    jsonschema.Draft202012Validator(suite_schema(kind)).validate(yaml.load(text, Loader=yaml.CSafeLoader))


def test_every_schema_is_documented() -> None:
    for kind in KINDS:
        assert f"`{kind}.schema.json`" in PAGE


@pytest.mark.parametrize("event", EVENTS, ids=[event.__name__ for event in EVENTS])
def test_every_event_is_documented_with_its_keys(event: type[BaseModel]) -> None:
    fields = {name: field for name, field in event.model_fields.items() if name not in ("type", "step", "t")}
    keys = ", ".join(f"`{name}{'' if field.is_required() else '?'}`" for name, field in fields.items())
    assert f"| `{event.model_fields['type'].default}` | {keys} | " in PAGE


def test_documented_events_exist() -> None:
    table = PAGE.partition("| event | its own keys |")[2].partition("\n\n")[0]
    documented = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert documented == [event.model_fields["type"].default for event in EVENTS]
