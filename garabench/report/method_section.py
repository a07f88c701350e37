"""Methods, caveats and versions: what a reader needs to trust the figures and to repeat them."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.core.end_criterion import EndCriterion
from garabench.core.phrases import joined
from garabench.core.sections import Block, Details, Paragraph, Section, Table, TableColumn
from garabench.records.device_environment import DeviceKind
from garabench.records.reader import Run
from garabench.report.report_input import ReportInput

_METHODS = (
    "An episode is one agent on one task under one condition with one seed. It ends in success, failure or "
    "error. Success is read from the state of the device, never from what the agent claims.",
    "An error is a fault of the device, the model or GaraBench. It says nothing about the agent and is in no "
    "rate. Neither is an episode whose interruption could not be shown. What is unknown is not counted as a "
    "failure.",
    "Clean has no interruptions. Dual offers an easy exit, such as Close. Forced offers only the hard path.",
    "Intervals are at 95%. Those of rates are Wilson's, widened where several seeds of a task agree. Those "
    "of differences and of RSR come from a bootstrap over tasks; where only a few tasks differ, Newcombe's "
    "and Wilson's are used. P-values are of the exact sign-flip test over tasks, which is McNemar's exact "
    "test with one seed per task, two-sided, after Holm's correction within each kind of comparison and "
    "condition, reference agents apart. Tasks are treated as a sample of tasks like these.",
    "An effect is called established if its adjusted p-value is at most .05. That none is established does "
    "not mean that there is none: with few pairs only large effects can be.",
)

_TASKS_PER_PARAGRAPH = 20
"""So many ids are never as long as the texts that pages shorten."""


def method_section(given: ReportInput) -> Section:
    """Return the section with methods and caveats."""
    return Section("methods", "Methods and caveats", tuple(_methods(given)))


def _methods(given: ReportInput) -> Iterator[Block]:
    for caveat in caveats(given):
        yield Paragraph(f"Caveat: {caveat}")
    for text in _METHODS:
        yield Paragraph(text)


def caveats(given: ReportInput) -> Iterator[str]:
    """Yield what a reader has to know about these runs."""
    if given.runs[0].kind is DeviceKind.VIRTUAL:
        yield (
            "These results are of virtual devices with simulated apps. They are never mixed with results of "
            "real devices, and must not be compared with them."
        )
    seeds = max((run.plan.seeds for run in given.runs), default=1)
    if seeds == 1 and len(given.runs) == 1:
        yield "Each episode was run once: how much outcomes vary between seeds is not known."
    if len(given.tasks) == 1:
        yield "There is one task only: nothing here generalizes to others."
    if any(agent.reference for run in given.runs for agent in run.agents):
        yield (
            "Reference agents follow the tasks' own solutions. They show what is possible, not what an "
            "agent can do."
        )
    if any(run.plan.end is EndCriterion.DONE for run in given.runs):
        yield "Episodes ended when the agent said that it was done (--end done)."
    for run in given.runs:
        if left_out := run.environment.left_out:
            rules = "; ".join(f"{rule}: {reason}" for rule, reason in left_out.items())
            yield f"{run.folder.name}: rules that the device cannot perform were never injected: {rules}"
    missing = given.planned - len(given.summaries)
    if missing:
        yield f"{missing:,} of {given.planned:,} planned episodes have no result."


def version_section(given: ReportInput) -> Section:
    """Return the section with versions, devices and plans."""
    return Section("versions", "Versions and how to reproduce", tuple(_versions(given)))


def _versions(given: ReportInput) -> Iterator[Block]:
    yield Table(
        "Runs",
        (TableColumn("What"), *(TableColumn(run.folder.name) for run in given.runs)),
        tuple(
            (name, *(dict(_facts(run)).get(name) for run in given.runs)) for name, _ in _facts(given.runs[0])
        ),
    )
    yield Table(
        "Agents",
        (TableColumn("Agent"), TableColumn("Kind"), TableColumn("As written"), TableColumn("Profile")),
        tuple(
            dict.fromkeys(
                (agent.name, agent.kind.value, agent.text, agent.profile)
                for run in given.runs
                for agent in run.agents
            )
        ),
    )
    for run in given.runs:
        tasks = run.plan.tasks
        parts = (joined(tasks[at : at + _TASKS_PER_PARAGRAPH]) for at in _starts(len(tasks)))
        yield Details(f"Tasks of {run.folder.name} ({len(tasks):,})", tuple(map(Paragraph, parts)))


def _starts(count: int) -> range:
    return range(0, count, _TASKS_PER_PARAGRAPH)


def _facts(run: Run) -> Iterator[tuple[str, str]]:
    plan, device = run.plan, run.environment
    yield "GaraBench", run.file.garabench
    yield "Suite", run.file.suite_hash
    yield "Device", device.kind.value
    yield "Model", device.model or "unknown"
    yield "Android", f"{device.release or 'unknown'} (SDK {device.sdk or 'unknown'})"
    yield "Screen", f"{device.size or 'unknown'}, {device.density or 'unknown'} dpi"
    yield "Fingerprint", device.fingerprint or "unknown"
    yield "Language", device.language or "unknown"
    yield "Companion app", device.companion or "built into the virtual phone"
    yield "Conditions", ", ".join(plan.conditions)
    yield "Seeds", f"{plan.seeds}, from the seed {plan.seed}"
    yield (
        "Interruptions",
        "as the rules say" if plan.interruptions is None else f"{plan.interruptions} per episode",
    )
    yield "End", plan.end.value
    yield (
        "Time limits",
        (
            f"{plan.seconds:g} s per episode, {plan.decision_seconds:g} s per decision, "
            f"{plan.start_seconds:g} s to start"
        ),
    )
    yield "Retries", str(plan.retries)
