"""Model agents by name: built-in profiles, agent files, and options on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml
from pydantic import ValidationError

from garabench.agents import profile_schema
from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.coordinates import Coordinates, Unit
from garabench.agents.dialects.image_sizes import LongSide, NativeSize, SmartResize
from garabench.agents.models.messages import ReplyForm
from garabench.agents.profile import AgentProfile, HistoryForm, ModelInput
from garabench.agents.profiles import built_in, find_profile, load_profiles, read_profiles
from garabench.core.geometry import Size
from garabench.core.schemas import schema_text
from garabench.errors import CombinedInputError, InputError
from tests.cases import every_case

ROOT = Path(__file__).parents[2]
SOURCE = (ROOT / "garabench" / "agents" / "models" / "agents.yaml").read_text(encoding="utf-8")


def read(text: str) -> dict[str, AgentProfile]:
    return dict(read_profiles(text, "my.yaml", built_in()))


def wrong(text: str) -> str:
    with pytest.raises(CombinedInputError) as raised:
        read(text)
    return str(raised.value)


# What comes with GaraBench --------------------------------------------------------------------------------


def test_the_built_in_agents_include_those_of_the_paper() -> None:
    assert {"ui-tars", "agentcpm-gui", "gpt-4o", "qwen2.5-vl", "gemini"} <= set(built_in())
    assert len(built_in()) >= 15
    assert {profile.dialect for profile in built_in().values()} == set(DIALECTS)
    assert all(profile.about and profile.serve for profile in built_in().values())


SCREEN = Size(1080, 2400)
SHOWN = {
    # the picture that each is sent, and what its numbers count; from the models' own documents
    "ui-tars": (Size(1080, 2400), Unit.GRID, 1000),
    "agentcpm-gui": (Size(504, 1120), Unit.GRID, 1000),
    "gpt-4o": (Size(706, 1568), Unit.IMAGE, None),
    "qwen2.5-vl": (Size(1092, 2408), Unit.IMAGE, None),
    "gemini": (Size(922, 2048), Unit.GRID, 1000),
    "ui-tars-1.5-7b": (Size(1092, 2408), Unit.IMAGE, None),
    "doubao-ui-tars": (Size(1080, 2400), Unit.GRID, 1000),
    "qwen3-vl": (Size(1088, 2400), Unit.GRID, 999),
    "gui-owl": (Size(1092, 2408), Unit.IMAGE, None),
    "gui-owl-1.5": (Size(1088, 2400), Unit.GRID, 1000),
    "autoglm-phone": (Size(1080, 2400), Unit.GRID, 1000),
    "glm-4.5v": (Size(1080, 2400), Unit.GRID, 999),
    "gpt-5": (Size(706, 1568), Unit.IMAGE, None),
    "claude": (Size(706, 1568), Unit.IMAGE, None),
    "claude-computer-use": (Size(706, 1568), Unit.IMAGE, None),
    "openai-computer-use": (Size(706, 1568), Unit.IMAGE, None),
    "gemini-computer-use": (Size(922, 2048), Unit.GRID, 1000),
    "m3a": (Size(1080, 2400), Unit.SCREEN, None),
}


@every_case("name", SHOWN)
def test_each_has_its_image_size_and_coordinates(name: str) -> None:
    dialect = built_in()[name].tuned_dialect()
    image, unit, span = SHOWN[name]
    assert dialect.image.size(SCREEN) == image
    assert dialect.coordinates.unit is unit
    assert span is None or dialect.coordinates.span == span
    assert dialect.coordinates.y_first == (name == "gemini")


def test_the_built_in_file_matches_the_schema() -> None:
    published = (ROOT / "schemas" / "agents.schema.json").read_text(encoding="utf-8")
    assert published == schema_text(profile_schema.profile_schema("agents")), (
        "run: garabench schemas --out schemas"
    )
    validator = jsonschema.Draft202012Validator(json.loads(published))
    validator.validate(yaml.load(SOURCE, Loader=yaml.CSafeLoader))
    assert not validator.is_valid({"agents": [{"id": "x", "dialect": "nonsense"}]})
    with pytest.raises(KeyError):
        profile_schema.profile_schema("tasks")


@every_case("name", built_in())
def test_a_recorded_profile_can_be_loaded(name: str) -> None:
    profile = built_in()[name]
    recorded = json.loads(json.dumps(profile.to_record()))
    assert AgentProfile.model_validate(recorded).tuned_dialect().name == profile.dialect
    assert recorded["endpoint"]["key_env"] == profile.endpoint.key_env


# Files of users -------------------------------------------------------------------------------------------


def test_an_agent_extends_another() -> None:
    (mine,) = read(
        """agents:
  - id: mine
    extends: gpt-4o
    model: gpt-4o-mini
    endpoint: {keyring: "garabench:openai"}
    parameters: {temperature: null, seed: 1}
    image: {long_side: 768, format: jpeg}
    history: {form: summary}
"""
    ).values()
    assert (mine.model, mine.dialect, mine.input, mine.form) == (
        "gpt-4o-mini",
        "json",
        ModelInput.BOTH,
        ReplyForm.JSON,
    )
    assert mine.endpoint.base_url == "https://api.openai.com/v1"
    assert (mine.endpoint.key_env, mine.endpoint.keyring) == (None, "garabench:openai")
    assert mine.parameters == {"max_tokens": 1000, "seed": 1}
    assert mine.history.form is HistoryForm.SUMMARY
    assert mine.tuned_dialect().image == LongSide(768)


def test_agents_may_be_in_any_order_and_replace_built_in_ones(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        """agents:
  - {id: c, extends: b, coordinates: {span: 999}}
  - {id: b, extends: ui-tars, image: {native: true}}
  - {id: gpt-4o, extends: gpt-4o, parameters: {temperature: 1}}
""",
        encoding="utf-8",
    )
    found = load_profiles(file)
    assert found["c"].tuned_dialect().coordinates.span == 999
    assert found["c"].tuned_dialect().image == NativeSize()
    assert found["gpt-4o"].parameters == {"temperature": 1, "max_tokens": 1000}
    assert found["gemini"] == built_in()["gemini"]
    assert load_profiles() is built_in()


def test_an_image_rule_replaces_another() -> None:
    found = read(
        """agents:
  - {id: a, extends: gpt-4o, image: {long_side: 500}}
  - {id: b, extends: a, image: {smart: {factor: 28, min_pixels: 784, max_pixels: 1000000}}}
"""
    )
    assert found["b"].tuned_dialect().image == SmartResize(28, 784, 1_000_000)


@every_case(
    ("text", "text_shown"),
    [
        ("agents: []\n", "my.yaml:1:9: expected at least 1 item"),
        ("agents:\n  - {id: Mine, extends: gpt-4o}\n", "my.yaml:2:10"),
        ("agents:\n  - {id: a, extends: gpt4o}\n", "unknown agent 'gpt4o'"),
        ("agents:\n  - {id: a, extends: gpt4o}\n", "Did you mean 'gpt-4o'?"),
        ("agents:\n  - {id: a, dialect: json}\n", "my.yaml:2:5: missing key 'model'"),
        ("agents:\n  - {id: a, dialekt: json}\n", "Did you mean 'dialect'?"),
        ("agents:\n  - {id: a, model: m, dialect: qwen2-vl}\n", "Did you mean 'qwen2.5-vl'?"),
        ("agents:\n  - {id: a, extends: gpt-4o}\n  - {id: a, extends: gemini}\n", "3:10: duplicate"),
        ("agents:\n  - {id: a, extends: b}\n  - {id: b, extends: a}\n", "a → b → a is circular"),
        ("agents:\n  - {id: new, extends: new}\n", "new → new is circular"),
        ("agents:\n  - {id: a, extends: gpt-4o, input: pictures}\n", "my.yaml:2:37"),
        ("agents:\n  - {id: a, extends: gpt-4o, tree: {tokens: 5}}\n", "my.yaml:2:45"),
        ("agents:\n  - {id: a, extends: gpt-4o, endpoint: {base_url: localhost:8000}}\n", "expected an http://"),
        ("agents:\n  - {id: a, extends: gpt-4o, endpoint: {base_url: 'https://u:p@h/v1'}}\n", "use key_env"),
        ("agents:\n  - {id: a, extends: gpt-4o, endpoint: {base_url: 'http://[::1'}}\n", "invalid URL"),
        ("agents:\n  - {id: a, extends: gui-owl, coordinates: {span: 1000}}\n", "set unit: grid"),
        ("agents:\n  - {id: a, extends: ui-tars, coordinates: {unit: image, span: 9}}\n", "unit: grid"),
        ("agents:\n  - {id: a, extends: gpt-4o, endpoint: {key_env: K, keyring: 'a:b'}}\n", "not both"),
        ("agents:\n  - {id: a, extends: gpt-4o, parameters: {model: x}}\n", "'model' is set by"),
        ("agents:\n  - {id: a, extends: gpt-4o, parameters: {temperature: 5}}\n", "2:56: must be"),
        ("agents:\n  - {id: a, extends: gpt-4o, parameters: {top_p: hot}}\n", "from 0 to 1, not 'hot'"),
        ("agents:\n  - {id: a, extends: gpt-4o, parameters: {Api_Key: x}}\n", "'Api_Key' may hold a key"),
        ("agents:\n  - {id: a, extends: gpt-4o, image: {long_side: 500, native: true}}\n", "one of native"),
        ("agents:\n  - {id: a, extends: ui-tars, form: tools}\n", "has no functions"),
        ("agents:\n  - {id: a, extends: ui-tars, form: json}\n", "are not pure JSON"),
        ("agents:\n  - {id: a, extends: claude-computer-use, form: text}\n", "has functions only"),
        ("agents:\n  - {id: a, extends: ui-tars, input: marks}\n", "to numbered elements"),
        ("agents:\n  - {id: a, extends: appagent, input: screenshot}\n", "set input to tree"),
        ("- 1\n", "expected a mapping at the top level"),
    ],
)  # fmt: skip
def test_a_mistake_is_reported_with_its_place(text: str, text_shown: str) -> None:
    message = wrong(text)
    assert text_shown in message
    assert message.startswith("my.yaml:")


def test_all_mistakes_are_reported_in_order() -> None:
    expected = wrong("agents:\n  - {id: b, extends: nope}\n  - {id: a, dialect: json}\n")
    assert expected.index("my.yaml:2:") < expected.index("my.yaml:3:")


def test_an_unreadable_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        load_profiles(tmp_path / "none.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError):
        load_profiles(tmp_path / "bytes.yaml")


# Options --------------------------------------------------------------------------------------------------


def test_options_change_an_agent_and_its_id() -> None:
    mine = find_profile(
        "gpt-4o?model=gpt-4o-mini&temperature=0.5&input=tree&history.last=3&parameters.stop=null"
    )
    assert (mine.model, mine.input, mine.history.last) == ("gpt-4o-mini", ModelInput.TREE, 3)
    assert mine.parameters == {"temperature": 0.5, "max_tokens": 1000}
    assert (
        mine.id == "gpt-4o+history-last-3+input-tree+model-gpt-4o-mini+parameters-stop-null+temperature-0.5"
    )
    assert find_profile("gpt-4o?base_url=http://h:1/v1").id.startswith("gpt-4o+base-url-")
    assert (
        find_profile("gpt-4o?base_url=http://h:1/v1").id != find_profile("gpt-4o?base_url=http://h:2/v1").id
    )


def test_a_pixel_dialect_may_use_a_grid() -> None:
    grid = find_profile("gui-owl?unit=grid&span=999")
    assert grid.tuned_dialect().coordinates == Coordinates(Unit.GRID, span=999)
    assert grid.id == "gui-owl+span-999+unit-grid"
    assert find_profile("gui-owl?unit=grid").tuned_dialect().coordinates == Coordinates(Unit.GRID, span=1000)
    assert find_profile("ui-tars?span=999").tuned_dialect().coordinates.span == 999
    (back,) = read("agents: [{id: a, extends: ui-tars, coordinates: {unit: image, span: null}}]").values()
    assert back.tuned_dialect().coordinates.unit is Unit.IMAGE


def test_an_id_with_many_options_stays_short() -> None:
    options = "&".join(f"parameters.p{n}={'x' * 16}" for n in range(30))
    assert len(find_profile(f"gpt-4o?{options}").id) <= 100


def test_parameters_keep_their_types() -> None:
    profile = find_profile(
        'gpt-4o?parameters.a=1&parameters.b=true&parameters.c=1.5&parameters.d=x&parameters.e="1"'
    )
    assert {name: profile.parameters[name] for name in "abcde"} == {
        "a": 1,
        "b": True,
        "c": 1.5,
        "d": "x",
        "e": '"1"',
    }


@every_case(
    ("name", "text_shown"),
    [
        ("gpt4o", "Did you mean 'gpt-4o'?"),
        ("gpt-4o?tempratur=1", "Did you mean 'temperature'?"),
        ("gpt-4o?temperature", "KEY=VALUE"),
        ("gpt-4o?temperature=hot", "a number from 0 to 2, not 'hot'"),
        ("gpt-4o?parameters.temperature=2.5", "a number from 0 to 2, not 2.5"),
        ("gpt-4o?temperature=true", "a number from 0 to 2, not True"),
        ("gpt-4o?id=x", "unknown agent option 'id'"),
        ("gpt-4o?a.b.c.d=x", "unknown agent option"),
        ("gpt-4o?input=picture", "the option input of 'gpt-4o'"),
        ("gpt-4o?seconds=long", "the option limits.seconds"),
        ("gpt-4o?history.nothing=1", "the option history.nothing"),
        ("gpt-4o?base_url=ftp://x", "expected an http://"),
        ("gpt-4o?base_url=http://h:99999/v1", "expected a port from 1 to 65535"),
        ("gpt-4o?base_url=http://h:0/v1", "expected a port from 1 to 65535"),
        ("gpt-4o?base_url=http://h:x/v1", "expected a port from 1 to 65535"),
        ("gui-owl?span=1000", "the dialect 'gui-owl' uses pixels of the image; only a grid has a span"),
        ("m3a?span=1000", "uses pixels of the screen; only a grid has a span"),
        ("gui-owl?unit=gird", "the option coordinates.unit"),
        ("ui-tars?input=marks", "to numbered elements"),
        ("gpt-4o?model.x=1", "the option model"),
        ("m3a?form=tools", "the options of 'm3a': the dialect 'm3a' has no functions"),
    ],
)  # fmt: skip
def test_an_invalid_option_is_reported(name: str, text_shown: str) -> None:
    with pytest.raises(InputError) as raised:
        find_profile(name)
    assert text_shown in str(raised.value)


def test_profiles_are_values() -> None:
    profile = built_in()["gpt-4o"]
    with pytest.raises(ValidationError):
        profile.model = "other"  # type: ignore[misc]
