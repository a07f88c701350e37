"""Progress of a run without a terminal: a line per 10%, and each episode on request."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from garabench.cli.run_progress import ProgressLines, RunProgress
from garabench.core.clock import FakeClock
from garabench.core.progress import Progress
from tests.cli.test_compare import episode


def lines(total: int, first: int = 1, seconds: float = 3.0) -> list[str]:
    clock = FakeClock()
    progress = ProgressLines(clock)
    printed = []
    for done in range(first, total + 1):
        clock.sleep(seconds)
        printed.append(progress.after(done, total))
    return [line for line in printed if line]


def test_long_run_has_a_line_after_the_first_episode_and_per_tenth() -> None:
    printed = lines(144)
    assert len(printed) == 11
    assert printed[0] == "  1%  1/144 episodes, about 7 min left"
    assert printed[1] == " 10%  15/144 episodes, about 6 min left"
    assert printed[-2] == " 90%  130/144 episodes, about 42 s left"
    assert printed[-1] == "100%  144/144 episodes"


@pytest.mark.parametrize("total", [1, 2, 3, 9, 10, 11, 99, 1000])
def test_lines_are_few_and_the_last_episode_has_one(total: int) -> None:
    printed = lines(total)
    assert len(printed) <= 11
    assert printed[-1] == f"100%  {total}/{total} episodes"


def test_remaining_time_of_a_resumed_run_ignores_earlier_episodes() -> None:
    assert lines(100, first=51)[0] == " 51%  51/100 episodes, about 2 min left"
    assert lines(1000, seconds=60)[0].endswith("about 16.6 h left")


@pytest.mark.parametrize(
    ("print_episodes", "printed"), [(False, "  2%  1/49"), (True, "1/49 a mine clean: success (")]
)
def test_each_episode_is_printed_on_request(print_episodes: bool, printed: str) -> None:
    out = io.StringIO()
    with RunProgress(Console(file=out), FakeClock(), print_episodes=print_episodes) as progress:
        progress.message("a [bracket] stays")
        summary = episode("a", "clean", "success", agent="mine")
        progress.episode_ended(Progress(done=1, total=49, result=summary))
    assert out.getvalue().splitlines()[0] == "a [bracket] stays"
    assert printed in out.getvalue()
