from __future__ import annotations

import pytest

from garabench.core.rule import RuleFile
from garabench.core.task import TaskFile
from garabench.core.yamlmodel import load_model
from garabench.errors import CombinedInputError

RULES = """app: com.example.reader
rules:
  - id: one
    description: A rule
    when:
      all:
        - exists: {id: like}
    inject: low-battery
"""


def problem(text: str, model: type = RuleFile) -> str:
    with pytest.raises(CombinedInputError) as caught:
        load_model(text, "rules/x.yaml", model)
    return str(caught.value)


def test_a_good_file_loads() -> None:
    rules, doc = load_model(RULES, "x.yaml", RuleFile)
    assert rules.rules[0].id == "one"
    assert str(doc.place(("rules", 0, "inject"))) == "x.yaml:8:13"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("inject:", "injekt:"), ["rules/x.yaml:8:5: unknown key 'injekt'", "Did you mean 'inject'?"]),
        (
            ("exists:", "exist:"),
            ["rules/x.yaml:7:11", "unknown condition 'exist'", "Did you mean 'exists'?"],
        ),
        (("{id: like}", "{ide: like}"), ["rules/x.yaml:7:20: unknown key 'ide'", "Did you mean 'id'?"]),
        (("id: one", "id: One Two"), ["rules/x.yaml:3:9", "One Two"]),
        (("    inject", "\tinject"), ["rules/x.yaml:8:1: tabs are not allowed for indentation; use spaces"]),
        (("    inject: low-battery\n", ""), ["rules/x.yaml:3:5: missing key 'inject'"]),
        (("description: A rule", "id: two"), ["rules/x.yaml:4:5: duplicate key 'id'"]),
        (("{id: like}", "*anchor"), ["rules/x.yaml:7:19: aliases"]),
        (("{id: like}", "!!python/object:os.system x"), ["rules/x.yaml:7:19: tags"]),
        (("{id: like}", "{id: like"), ["rules/x.yaml:8", "not valid YAML"]),
    ],
)
def test_a_mistake_is_reported_with_its_location(change: tuple[str, str], expected: list[str]) -> None:
    text = problem(RULES.replace(*change))
    for part in expected:
        assert part in text


def test_the_caret_is_below_the_mistake() -> None:
    lines = problem(RULES.replace("{id: like}", "{ide: like}")).splitlines()
    lines = lines[next(place for place, line in enumerate(lines) if "unknown key 'ide'" in line) :]
    assert lines[1] == "          - exists: {ide: like}"
    assert lines[2].index("^") == lines[1].index("ide")


GOLDEN = [
    (
        ("inject:", "injekt:"),
        """\
rules/x.yaml:3:5: missing key 'inject'
    - id: one
      ^
rules/x.yaml:8:5: unknown key 'injekt'
      injekt: low-battery
      ^
  Did you mean 'inject'?""",
    ),
    (
        ("exists:", "exist:"),
        """\
rules/x.yaml:7:11: unknown condition 'exist'
          - exist: {id: like}
            ^
  Did you mean 'exists'?""",
    ),
    (
        # Each Chinese character is two columns wide on a terminal, so the caret is below the word.
        ("{id: like}", "{text: 稻香, ide: like}"),
        """\
rules/x.yaml:7:30: unknown key 'ide'
          - exists: {text: 稻香, ide: like}
                                 ^
  Did you mean 'id'?""",
    ),
    (
        ("id: one", "id: One"),
        """\
rules/x.yaml:3:9: an id consists of lower-case letters and digits with single hyphens, \
such as like-first-video (found 'One')
    - id: One
          ^""",
    ),
    (
        ("{id: like}", "*anchor"),
        """\
rules/x.yaml:7:19: aliases (*name) are not supported
          - exists: *anchor
                    ^""",
    ),
    (
        ("description: A rule", "description: A rule\n    probability: 2"),
        """\
rules/x.yaml:5:18: must be less than or equal to 1 (found 2)
      probability: 2
                   ^""",
    ),
    (
        ("{id: like}", "{text_matches: '('}"),
        """\
rules/x.yaml:7:34: not a regular expression: missing ), unterminated subpattern at position 0 (found '(')
          - exists: {text_matches: '('}
                                   ^""",
    ),
    (
        ("app: com.example.reader\n", ""),
        """\
rules/x.yaml:1:1: missing key 'app'
  rules:
  ^""",
    ),
    (
        ("{id: like}", "{}"),
        """\
rules/x.yaml:7:19: a selector needs at least one field in addition to index
          - exists: {}
                    ^""",
    ),
    (
        ("inject: low-battery", "inject: low\x07battery"),
        """\
rules/x.yaml:8:16: the character U+0007 is not allowed in YAML
      inject: low\ufffdbattery
                 ^""",
    ),
    (
        ("{id: like}", "&a {id: like}"),
        """\
rules/x.yaml:7:19: anchors (&name) are not supported
          - exists: &a {id: like}
                    ^""",
    ),
    (
        ("{id: like}", "!!str like"),
        """\
rules/x.yaml:7:19: tags (!name) are not supported
          - exists: !!str like
                    ^""",
    ),
    (
        ("    when:", "   when:"),
        """\
rules/x.yaml:5:4: not valid YAML: expected <block end>, but found '<block mapping start>'
     when:
     ^
  while parsing a block collection, which starts on line 3""",
    ),
    (
        ("    inject: low", "    probability: often\n    inject: low"),
        """\
rules/x.yaml:8:18: expected a number (found 'often')
      probability: often
                   ^""",
    ),
    (
        ("- exists: {id: like}", "- exists"),
        """\
rules/x.yaml:7:11: the condition 'exists' needs a value
          - exists
            ^
  Write exists: …""",
    ),
    ((RULES, ""), "rules/x.yaml:1:1: expected a mapping at the top level"),
    (
        (RULES, "app: a.b\nrules: []\n"),
        """\
rules/x.yaml:2:8: expected at least 1 item
  rules: []
         ^""",
    ),
]


@pytest.mark.parametrize(("change", "expected"), GOLDEN, ids=[change[1][:20] for change, _ in GOLDEN])
def test_the_message_of_a_mistake_is_complete(change: tuple[str, str], expected: str) -> None:
    assert problem(RULES.replace(*change)) == expected


def test_a_wrong_choice_gets_the_nearest_one_as_a_hint() -> None:
    text = RULES.replace("exists: {id: like}", "equals: {select: {id: like}, attribute: txt, value: x}")
    assert "must be 'text', 'desc'" in problem(text)
    assert "Did you mean 'text'?" in problem(text)


def test_all_mistakes_are_reported_together() -> None:
    text = problem(RULES.replace("inject:", "injekt:").replace("exists:", "exist:"))
    assert "injekt" in text
    assert "exist" in text


@pytest.mark.parametrize("text", ["", "[]", "just text", "- a\n- b"])
def test_a_file_must_be_a_mapping(text: str) -> None:
    assert "expected a mapping at the top level" in problem(text, TaskFile)
