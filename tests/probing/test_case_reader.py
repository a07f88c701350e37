from __future__ import annotations

import pytest

from garabench.core import action as act
from garabench.core.events import Observed
from garabench.core.geometry import Size
from garabench.errors import InputError
from garabench.probing.case_reader import _changed_only_picture, read_failed_case
from garabench.records.episode import Episode
from garabench.records.reader import Run, load_run
from tests.graph.recorded_run import APP, record_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("runs") / "run"
    record_run(folder)
    return load_run(folder)


def episode_of(run: Run, agent: str, condition: str) -> Episode:
    return next(each for each in run.episodes if (each.key.agent, each.key.condition) == (agent, condition))


def test_a_failed_episode_is_read_with_its_interruption(run: Run) -> None:
    episode = episode_of(run, "ignore", "dual")
    case = read_failed_case(episode, APP)
    assert (case.name, case.instruction, case.app, case.ending) == (
        str(episode.key),
        "Like “a”",
        APP,
        "step_limit",
    )
    assert [step.interrupted for step in case.steps] == [False, True, False, False]
    assert case.steps[0].action == act.Tap(x=5, y=5)
    covered = case.steps[1]
    assert covered.arrived is not covered.tree, "the interruption appeared after the step began"
    assert [(each.step, each.interruption, each.mode) for each in case.interruptions] == [
        (1, "page-failed", "dual")
    ]
    assert not case.open_interruption
    assert case.screen == Size(100, 200), "an old record has no size, so the windows give it"


def test_a_success_is_not_read(run: Run) -> None:
    episode = episode_of(run, "dismiss", "clean")
    with pytest.raises(InputError, match="did not end in a failure"):
        read_failed_case(episode, APP)


def test_a_message_on_the_picture_alone_is_noticed(run: Run) -> None:
    episode = episode_of(run, "ignore", "dual")
    assert not any(step.only_picture for step in read_failed_case(episode, APP).steps)
    first, *others = [each for each in episode.events if isinstance(each, Observed)]
    other = next(each for each in others if each.screen != first.screen)
    assert _changed_only_picture(episode, first, other.model_copy(update={"signature": first.signature}))
    assert not _changed_only_picture(episode, first, first)
    gone = other.model_copy(update={"signature": first.signature, "screen": "0" * 64})
    assert not _changed_only_picture(episode, first, gone)
