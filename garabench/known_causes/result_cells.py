"""The cells of the experiment's tables: rates, means and areas with intervals, and Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from garabench.core.seeds import generator
from garabench.diagnosis.evaluation import CaseOutcome, roc_auc
from garabench.diagnosis.loop import AttributedTo
from garabench.stats.rates import Rate

_DRAWS = 1000


def signal_auc(outcomes: Iterable[CaseOutcome]) -> float | None:
    """Return the AUC of the attribution signal: that a failure of the environment has the higher one."""
    found = tuple(outcomes)
    env = [each.state.p for each in found if each.case.truth is AttributedTo.ENVIRONMENT]
    agent = [each.state.p for each in found if each.case.truth is AttributedTo.AGENT]
    return roc_auc(env, agent)


def auc_cell(outcomes: Sequence[CaseOutcome]) -> str:
    """Return the AUC of the attribution signal with a 95% bootstrap interval over tasks."""
    tasks = sorted({each.case.task for each in outcomes})
    by_task = {task: [each for each in outcomes if each.case.task == task] for task in tasks}

    def area(chosen: Iterable[str]) -> float | None:
        return signal_auc(each for task in chosen for each in by_task[task])

    found = area(tasks)
    if found is None:
        return "–"
    draw = generator(0, "diagnosis", "auc")
    drawn = sorted(
        value for _ in range(_DRAWS) if (value := area(draw.choices(tasks, k=len(tasks)))) is not None
    )
    low, high = drawn[int(0.025 * len(drawn))], drawn[int(0.975 * len(drawn)) - 1]
    return f"{found:.3f} [{low:.2f}–{high:.2f}]"


def rate_cell(values: Iterable[bool]) -> str:
    """Return the share of true values with its 95% Wilson interval."""
    found = list(values)
    rate = Rate(sum(found), len(found))
    interval = rate.interval()
    if rate.value is None or interval is None:
        return "–"
    low, high = interval
    return f"{rate.successes}/{rate.trials} {rate.value:.1%} [{low * 100:.0f}–{high * 100:.0f}]"


def mean_cell(values: Iterable[float]) -> str:
    """Return the mean of values."""
    found = list(values)
    return number_cell(fmean(found) if found else None, 2)


def number_cell(value: float | None, digits: int) -> str:
    """Return a number with its digits after the point, or a dash."""
    return "–" if value is None else f"{value:.{digits}f}"


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; all columns but the first are right-aligned."""
    lines = [list(head), ["---", *["---:"] * (len(head) - 1)], *(list(map(str, row)) for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
