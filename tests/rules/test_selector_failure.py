"""The part of a selector that fails on a screen."""

from __future__ import annotations

import pytest

from garabench.core.selector import Selector
from garabench.core.tree import parse_tree
from garabench.rules.selector_failure import selector_failure

_SCREEN = """<hierarchy><node class="a.Frame" resource-id="p:id/page" package="p">
  <node resource-id="p:id/card" class="a.Row" package="p">
    <node text="Milk" resource-id="p:id/name" class="a.Text" package="p"/>
    <node text="4" resource-id="p:id/amount" class="a.Text" package="p"/>
  </node>
  <node text="Total" resource-id="p:id/sum" class="a.Text" package="p"/>
</node></hierarchy>"""


@pytest.mark.parametrize(
    ("selector", "reason", "closest"),
    [
        ({"id": "amounts", "inside": {"id": "card"}}, "no element has id=amounts", ["amount"]),
        ({"text": "Milk", "class": "Button"}, "no element has cls=Button", []),
        ({"text": "Total", "id": "name"}, "no element has both id=name and text=Total", []),
        (
            {"id": "sum", "inside": {"id": "card"}},
            "1 element matches id=sum, but none is inside (id=card)",
            [],
        ),
        ({"id": "name", "inside": {"id": "cart"}}, "inside: no element has id=cart", ["card"]),
        (
            {"id": "page", "has": {"id": "card", "has": {"text": "Milks"}}},
            "has: has: no element has text=Milks",
            ["Milk"],
        ),
        (
            {"id": "page", "has": {"id": "card", "has": {"text": "Total"}}},
            "has: 1 element matches id=card, but none contains (text=Total)",
            [],
        ),
        (
            {"id": "name", "sibling": {"text": "Total"}},
            "1 element matches id=name, but none has the sibling (text=Total)",
            [],
        ),
        ({"id": "amount", "near": "Milc"}, "near: no element has the text 'Milc'", ["Milk"]),
        ({"class": "Text", "index": 3}, "3 elements match cls=Text, so there is no index 3", []),
        (
            {"class": "Text", "inside": {"id": "card"}, "index": -3},
            "2 elements match cls=Text inside=(id=card), so there is no index -3",
            [],
        ),
    ],
)
def test_the_failing_part_is_named(selector: dict[str, object], reason: str, closest: list[str]) -> None:
    failure = selector_failure(Selector.model_validate(selector), parse_tree(_SCREEN.encode()))
    assert failure is not None
    assert (failure.reason, [each.found for each in failure.closest]) == (reason, closest)


def test_a_selector_that_matches_has_no_failing_part() -> None:
    selector = Selector.model_validate({"id": "name", "inside": {"id": "card"}, "near": "4", "index": 0})
    assert selector_failure(selector, parse_tree(_SCREEN.encode())) is None
