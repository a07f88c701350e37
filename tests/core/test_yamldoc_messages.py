"""Mistakes in a file, and all that is said of each."""

from __future__ import annotations

import pytest

from garabench.core.rule import RuleFile
from garabench.core.yamldoc import load_model
from garabench.errors import InputErrors

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
    with pytest.raises(InputErrors) as caught:
        load_model(text, "rules/x.yaml", model)
    return str(caught.value)


GOLDEN = [
    (
        RULES.replace("inject:", "injekt:"),
        """\
rules/x.yaml:3:5: the key 'inject' is missing
    - id: one
      ^
rules/x.yaml:8:5: unknown key 'injekt'
      injekt: low-battery
      ^
  Did you mean 'inject'?""",
    ),
    (
        RULES + "    probability: often\n",
        """\
rules/x.yaml:9:18: a number has to stand here (it is 'often')
      probability: often
                   ^""",
    ),
    (
        RULES.replace("    inject", "\tinject"),
        """\
rules/x.yaml:8:1: a tab stands where only spaces may
  \tinject: low-battery
  ^""",
    ),
    (
        RULES.replace("{id: like}", "&a {id: like}"),
        """\
rules/x.yaml:7:19: anchors (&name) are not used in these files
          - exists: &a {id: like}
                    ^""",
    ),
    (
        RULES.replace("{id: like}", "*a"),
        """\
rules/x.yaml:7:19: aliases (*name) are not used in these files
          - exists: *a
                    ^""",
    ),
    (
        RULES.replace("{id: like}", "!!str like"),
        """\
rules/x.yaml:7:19: tags (!name) are not used in these files
          - exists: !!str like
                    ^""",
    ),
    (
        RULES.replace("    when:", "   when:"),
        """\
rules/x.yaml:5:4: not valid YAML: expected <block end>, but found '<block mapping start>'
     when:
     ^
  while parsing a block collection""",
    ),
    (
        RULES.replace("description: A rule", "id: two"),
        """\
rules/x.yaml:4:5: the key 'id' stands twice
      id: two
      ^""",
    ),
    (
        RULES.replace("id: one", "id: One Two"),
        """\
rules/x.yaml:3:9: an id is lower-case letters and digits with single hyphens between, \
such as like-first-video (it is 'One Two')
    - id: One Two
          ^""",
    ),
    (
        RULES.replace("app: com", "app: \x07com"),
        "rules/x.yaml:1:6: the character U+0007 may not stand in YAML",
    ),
    (
        RULES.replace("- exists: {id: like}", "- exists"),
        """\
rules/x.yaml:7:11: the condition 'exists' says nothing yet
          - exists
            ^
  Write it as exists: …""",
    ),
    (
        RULES.replace("{id: like}", "{text: 稻香, selektd: true}"),
        # Each Chinese letter is two columns wide on a terminal, and so the caret stands below the word.
        """\
rules/x.yaml:7:30: unknown key 'selektd'
          - exists: {text: 稻香, selektd: true}
                                 ^
  Did you mean 'selected'?""",
    ),
    ("", "rules/x.yaml:1:1: rules/x.yaml has to hold a mapping at its top"),
    (
        "app: a.b\nrules: []\n",
        """\
rules/x.yaml:2:8: at least 1 has to stand here
  rules: []
         ^""",
    ),
]


@pytest.mark.parametrize(("text", "said"), GOLDEN)
def test_a_mistake_is_told_like_this(text: str, said: str) -> None:
    assert problem(text) == said


@pytest.mark.parametrize("text", ["[" * 5_000, "a: " + "{a: " * 3_000, "- " * 3_000 + "x"])
def test_deep_nesting_is_refused_before_it_is_followed(text: str) -> None:
    assert "nested more than 60 levels deep" in problem(text)


def test_a_wrong_choice_is_told_the_nearest_one() -> None:
    text = RULES.replace("exists: {id: like}", "equals: {select: {id: like}, attribute: txt, value: x}")
    assert "input should be 'text', 'desc'" in problem(text)
    assert "Did you mean 'text'?" in problem(text)
