"""Episodes are selected by names and globs."""

from __future__ import annotations

import pytest

from garabench.records.episode_selection import EpisodeSelection, drawn_episodes, every_episode, split_names
from garabench.records.run_layout import EpisodeKey

KEY = EpisodeKey("bili-like", "gpt?temperature=0", "dual", 3)


@pytest.mark.parametrize(
    ("selection", "selected"),
    [
        (EpisodeSelection(), True),
        (EpisodeSelection(tasks=("jd-cart", "bili-*")), True),
        (EpisodeSelection(tasks=("jd-*",)), False),
        (EpisodeSelection(tasks=("BILI-*",)), False),
        (EpisodeSelection(agents=("gpt?temperature=0",)), True),
        (EpisodeSelection(tasks=("bili-like",), agents=("heuristic",)), False),
        (EpisodeSelection(conditions=("clean", "dual")), True),
        (EpisodeSelection(conditions=("clean",)), False),
        (EpisodeSelection(episodes=("bili-like/*/3",)), True),
        (EpisodeSelection(episodes=("bili-like/*/2",)), False),
    ],
)
def test_an_episode_must_match_every_kind_of_name_that_is_given(
    selection: EpisodeSelection, selected: bool
) -> None:
    assert selection(KEY) is selected
    assert selection.is_limited is (selection != EpisodeSelection())
    assert every_episode(KEY)


def test_a_comma_list_ignores_spaces_and_empty_parts() -> None:
    assert split_names(" a, b,,c ,") == ("a", "b", "c")
    assert split_names("") == ()


def test_a_sample_depends_on_its_seed_alone() -> None:
    keys = [EpisodeKey(f"task-{number}", "dismiss", "clean", 0) for number in range(40)]
    drawn = drawn_episodes(keys, 5, seed=1)
    assert len(drawn) == 5
    assert drawn == drawn_episodes(reversed(keys), 5, seed=1)
    assert drawn != drawn_episodes(keys, 5, seed=2)
    assert drawn_episodes(keys, 100, seed=1) == frozenset(keys)
