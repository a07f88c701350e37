from __future__ import annotations

import functools
from pathlib import Path

import jsonschema
import pytest
import yaml

from garabench.core.events import EpisodeStarted
from garabench.core.schemas import KINDS, schema_text, suite_schema
from tests.cases import every_case

ROOT = Path(__file__).parents[2]
FILES = [
    *(("tasks", path) for path in sorted((ROOT / "tasks").glob("*.yaml")) if "fuzz" not in path.stem),
    *(("goals", path) for path in sorted((ROOT / "goal_schemas").glob("*.yaml"))),
    *(("rules", path) for path in sorted((ROOT / "rules").glob("*.yaml")) if path.stem != "interruptions"),
    ("interruptions", ROOT / "rules" / "interruptions.yaml"),
]


@pytest.mark.parametrize("kind", KINDS)
def test_the_published_schemas_are_current(kind: str) -> None:
    published = (ROOT / "schemas" / f"{kind}.schema.json").read_text(encoding="utf-8")
    assert published == schema_text(suite_schema(kind)), "run: garabench schemas --out schemas"
    jsonschema.Draft202012Validator.check_schema(suite_schema(kind))


@functools.cache
def validator(kind: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(suite_schema(kind))


@every_case(("kind", "path"), FILES)
def test_the_suites_files_are_valid(kind: str, path: Path) -> None:
    data = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    errors = validator(kind).iter_errors(data)
    assert [f"{list(error.absolute_path)}: {error.message}" for error in errors] == []


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("tasks", {"app": "a.b", "tasks": [{"id": "x"}]}),
        (
            "goals",
            {"app": "a.b", "goals": [{"id": "x", "description": "long enough", "holds": {"exist": {}}}]},
        ),
        ("rules", {"app": "a.b", "rules": [{"id": "x", "inject": "y", "when": {"any_of": []}}]}),
        ("interruptions", {"interruptions": []}),
        ("event", {"event": "nothing"}),
    ],
)
def test_the_schemas_refuse_mistakes(kind: str, wrong: object) -> None:
    assert not jsonschema.Draft202012Validator(suite_schema(kind)).is_valid(wrong)


def test_every_event_is_valid() -> None:
    event = EpisodeStarted(
        step=0,
        t=0,
        task="a-task",
        agent="dismiss",
        condition="clean",
        seed=1,
        attempt=1,
        suite_hash="h",
        instruction="do it",
        device={"model": "m", "sdk": 34, "size": "1x1"},
    )
    jsonschema.Draft202012Validator(suite_schema("event")).validate(event.model_dump(mode="json"))
