"""Files that try to hang or exhaust the check: each is a clear error."""

from __future__ import annotations

from pathlib import Path

import pytest

from garabench.core.tree import TreeError, parse_tree
from garabench.errors import InputError
from garabench.lint.path_check import check_paths

HEAD = """app: com.example.reader
rules:
  - id: one
    description: a rule
    inject: low-battery
    when:
"""
BOMB = "a: &a [x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(20)
)


def condition(text: str) -> bytes:
    return f"{HEAD}      all: [{text}]\n".encode()


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    ("data", "message"),
    [
        ((HEAD + "rules: []\n" + BOMB).encode(), "anchors (&name) are not supported"),
        ((HEAD + "      all: &x [*x]\n").encode(), "anchors (&name) are not supported"),
        ((HEAD + "      all: *x\n").encode(), "aliases (*name) are not supported"),
        ((HEAD + "      all: !!python/object:os.system [x]\n").encode(), "tags (!name) are not supported"),
        ((HEAD + "      min_step: 1\n      min_step: 2\n").encode(), "duplicate key 'min_step'"),
        ((HEAD + "\t  min_step: 1\n").encode(), "tabs are not allowed"),
        ((HEAD + "      all: " + "[" * 5000).encode(), "nested more than 60 levels deep"),
        (HEAD.encode("gb18030") + "      # 中文".encode("gb18030"), "not UTF-8"),
        (HEAD.encode("utf-16"), "rules.yaml:1:1: UTF-16-LE text, not UTF-8"),
        (HEAD.encode("utf-16-be"), "rules.yaml:1:1: UTF-16-BE text, not UTF-8"),
        ((HEAD + "---\n" + HEAD).encode(), "rules.yaml:7:1: the file has two YAML documents; write one"),
        (bytes(range(256)), "rules.yaml:1:1: not a text file"),
        (b"rules:\n" + b"# \n" * 4_000_000, "is larger than"),
        (condition('{exists: {text_matches: "(a+)+(?=b)c"}}'), "is not supported here"),
        (condition('{exists: {text_matches: "(["}}'), "not a regular expression"),
        (condition(f'{{exists: {{text_matches: "{"a" * 400}"}}}}'), "at most 300 characters"),
        (condition('{exists: {xpath: "//node[@text="}}'), "XPath"),
        (condition("{exists: {xpath: \"document('/etc/passwd')\"}}"), "it has no function document()"),
        (condition('{exists: {xpath: "//*[//*[//*[@text]]]"}}'), "only one of its predicates"),
        (condition('{exists: {xpath: "//node[@text=$x]"}}'), "variables"),
        (condition('{exists: {xpath: "/node/../../.."}}'), "goes above the root of the tree"),
        (condition('{exists: {xpath: "/.."}}'), "goes above the root of the tree"),
    ],
)
def test_a_hostile_file_is_a_clear_error(tmp_path: Path, data: bytes, message: str) -> None:
    file = tmp_path / "rules.yaml"
    file.write_bytes(data)
    (result,) = check_paths([file])
    assert message in "\n".join(map(str, result.findings)), result.findings
    assert "bare-selector" not in "\n".join(map(str, result.findings))


@pytest.mark.parametrize(
    "attributes", ["text", "text content-desc", "text content-desc hint visible-to-user"]
)
def test_trees_of_old_and_new_android_versions_are_read(attributes: str) -> None:
    given = " ".join(f'{name}="true"' for name in attributes.split())
    tree = parse_tree(f'<hierarchy rotation="0"><node {given} bounds="[0,0][1,1]"/></hierarchy>')
    assert tree.nodes[0].text == "true"


@pytest.mark.parametrize("xml", ['<!DOCTYPE x [<!ENTITY a "b">]><hierarchy/>', "<html/>", "<hierarchy", "\0"])
def test_a_tree_that_is_not_one_is_refused(xml: str) -> None:
    with pytest.raises((TreeError, InputError)):
        parse_tree(xml)
