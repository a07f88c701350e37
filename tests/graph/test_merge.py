from __future__ import annotations

from garabench.graph.action_trajectory import ActionStep
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.merge import merge_actions, merge_links, merge_trajectories
from tests.graph.made_trajectories import trajectory


def worded(*wordings: str, argument: str = "") -> list[CanonicalAction]:
    return [CanonicalAction("click", "shop", "", argument, wording) for wording in wordings]


def test_similar_wordings_are_merged_within_equal_keys_only() -> None:
    near = worded("open the menu of settings", "open the menus of settings")
    other = worded("open the menu of settings", argument="5")
    groups = merge_actions([*near, *other], 0.9)
    assert sorted(map(len, groups)) == [1, 2]


def test_a_wording_is_merged_through_a_third_one() -> None:
    chain = worded("a" * 18 + "bb", "a" * 20, "cc" + "a" * 18)
    assert len(merge_actions(chain, 0.9)) == 1
    assert len(merge_actions(chain[::2], 0.9)) == 2


def test_the_first_pass_keeps_steps_apart() -> None:
    a, b = worded("x", "y")
    made = [
        trajectory("", True, 1, steps=(ActionStep(a), ActionStep(b))),
        trajectory("", True, 2, steps=(ActionStep(b), ActionStep(a))),
    ]
    partition = merge_trajectories(made)
    assert (len(partition.members), partition.step_nodes, partition.actions) == (2, 4, 4)
    assert [partition.path(each) for each in made] == [(0, 1), (1, 0)]


def test_links_give_the_nodes_at_every_threshold() -> None:
    found = worded("aaaaaaaaaa", "aaaaaaaaab", "aaaaaaaabb", "zzzz")
    links = merge_links(found, 0.5)
    assert [round(value, 2) for _, _, value in links] == [0.9, 0.9]
    for theta in (0.5, 0.8, 0.9, 0.95):
        joined = len(found) - sum(value >= theta for _, _, value in links)
        assert joined == len(merge_actions(found, theta))
