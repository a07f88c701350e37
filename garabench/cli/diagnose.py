"""``garabench diagnose``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import click

from garabench.agents.models.session import ModelOptions
from garabench.campaign.devices import MAX_PHONES
from garabench.cli.command_classes import Command
from garabench.cli.confirm import ask_to_wipe
from garabench.cli.episode_options import SELECTION_HINT, episode_options, require_known
from garabench.cli.error_exits import INTERRUPTED, print_error, report_errors
from garabench.cli.model_options import model_options
from garabench.cli.table_formats import Grid
from garabench.core.phrases import counted
from garabench.core.progress import Progress
from garabench.diagnosis.attribution import Scoring
from garabench.diagnosis.case_diagnosis import Diagnosis
from garabench.diagnosis.diagnosis_file import diagnosed_episodes, diagnosis_data
from garabench.diagnosis.failure_summary import Supervisor
from garabench.diagnosis.loop import DiagnosisSettings
from garabench.diagnosis.offline_supervisor import OfflineSupervisor
from garabench.diagnosis.probe import Continuation, ProbeOutcome
from garabench.diagnosis.reasons import result_words, unmet
from garabench.diagnosis.suspects import Suspect, suspects
from garabench.errors import BudgetExceededError, DeviceError, HarnessError, InputError, ModelError
from garabench.probing.diagnose_run import DiagnosisBudget, RunDiagnosis, diagnose_run
from garabench.probing.supervisors import OFFLINE, make_supervisor
from garabench.records.episode_selection import EpisodeSelection
from garabench.records.reader import Run, load_run
from garabench.records.run_layout import EpisodeKey
from garabench.report.diagnosed_verdict_section import failure_codes, failure_line, verdicts_of_episode
from garabench.suite.suite import Suite

_COLUMNS = ("task", "agent", "condition", "attributed to", "p", "step")


@click.command(cls=Command)
@click.argument("run", metavar="[RUN]", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--experiment",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Produce failures with known causes in DIR and measure the diagnoses on them; takes no RUN.",
)
@click.option(
    "--episodes",
    type=click.IntRange(min=5),
    help="With --experiment, produce this number of episodes; about four in five fail.",
)
@click.option(
    "--page",
    type=click.Path(path_type=Path, dir_okay=False),
    help="With --experiment, also replace the tables in this Markdown page, between its two comments,"
    " and the diagram in the folder images/ next to it.",
)
@episode_options
@click.option("--limit", type=click.IntRange(min=1), help="Diagnose at most this many failures in this call.")
@click.option(
    "--device",
    "names",
    multiple=True,
    metavar="DEVICE",
    help="Use this device: virtual, virtual:PROFILE, emulators:COUNT or a serial; repeatable;"
    " default: those of the run.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1, max=64),
    help="Use this number of parallel virtual phones; default: one per core, at most 4,"
    " or 4 with --experiment.",
)
@click.option(
    "--scoring",
    type=click.Choice([each.value for each in Scoring]),
    default=Scoring.PAPER.value,
    show_default=True,
    help="Choose how the results of probes move the attribution signal.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 5),
    default=1,
    show_default=True,
    help="Stop after this number of rounds.",
)
@click.option(
    "--probes",
    type=click.IntRange(1, 5),
    default=3,
    show_default=True,
    help="Perform at most this many probes per round.",
)
@click.option(
    "--continue-with",
    type=click.Choice([each.value for each in Continuation]),
    default=Continuation.REFERENCE.value,
    show_default=True,
    help="Choose who continues after a probe's own steps.",
)
@click.option(
    "--supervisor",
    "supervisor_name",
    default=OFFLINE,
    show_default=True,
    metavar="NAME",
    help="Let this supervisor propose the probes: offline, or the model of an agent of "
    "`garabench agents list`.",
)
@model_options
@click.option("--again", is_flag=True, help="Replace the stored diagnoses of these failures.")
@click.option("--yes", is_flag=True, help="Allow wiping the data of the tested apps on real devices.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def diagnose(
    run: Path | None,
    folder: Path | None,
    episodes: int | None,
    page: Path | None,
    selection: EpisodeSelection,
    limit: int | None,
    names: tuple[str, ...],
    jobs: int | None,
    scoring: str,
    rounds: int,
    probes: int,
    continue_with: str,
    supervisor_name: str,
    root: Path | None,
    again: bool,
    yes: bool,
    as_json: bool,
    models: ModelOptions,
) -> None:
    """Attribute failures of RUN to the agent or the environment.

    Each failure is probed on a device from the step at which it began. A probe that meets the goal shows that
    the agent failed; probes that fail one after the other show that the environment did. Results are stored
    in RUN; repeat the command to resume. With --experiment, diagnoses are measured on failures with known
    causes.

    \b
    Example:
        garabench diagnose runs/first
    """
    continuation = Continuation(continue_with)
    if (run is None) is (folder is None):
        raise InputError("name a RUN, or a folder with --experiment")
    if folder is not None:
        _experiment(folder, episodes, limit, jobs, continuation, page)
        return
    if run is None or episodes is not None or page is not None:
        raise InputError("--episodes and --page require --experiment")
    loaded, suite = load_run(run), Suite.load(root)
    require_known(selection, run, loaded.file.episode_keys())
    apps = sorted({suite.every_task[name].app for name in loaded.plan.tasks if name in suite.every_task})
    supervisor: Supervisor = (
        OfflineSupervisor(continuation)
        if supervisor_name == OFFLINE
        else make_supervisor(supervisor_name, continuation, models, run)
    )

    def ended(progress: Progress[Diagnosis]) -> None:
        if not as_json:
            done = progress.result
            click.echo(
                f"{progress.done}/{progress.total} {done.case}: {done.attributed_to.value}, {done.reason}",
                err=True,
            )

    try:
        found = diagnose_run(
            loaded,
            settings=DiagnosisSettings(Scoring(scoring), rounds=rounds, select=probes),
            continuation=continuation,
            supervisor=supervisor,
            devices=names,
            jobs=jobs,
            suite=suite,
            models=replace(models, budget=replace(models.budget, seconds=None)),
            budget=DiagnosisBudget(limit, models.budget.seconds),
            select=selection,
            again=again,
            wipe=lambda serials: ask_to_wipe(serials, apps, yes=yes),
            on_progress=ended,
            on_message=lambda text: click.echo(text, err=True),
        )
    except KeyboardInterrupt as error:
        click.echo(f"\nInterrupted. {_stored(loaded)}; {_how_to_resume(again)}: {run}", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from error
    except (DeviceError, ModelError, BudgetExceededError, HarnessError) as error:
        print_error(error)
        click.echo(f"{_stored(loaded)}; {_how_to_resume(again)}: {run}", err=True)
        raise click.exceptions.Exit(error.exit_status) from error
    if not found.diagnoses and not found.undiagnosed and not found.unknown and selection.is_limited:
        raise InputError(f"no failed episode of {run} matches", hint=SELECTION_HINT)
    if as_json:
        click.echo(json.dumps(_data(found), ensure_ascii=False, indent=2))
        return
    click.echo(_text(found, again))


def _how_to_resume(again: bool) -> str:
    """Say how to continue: with --again, the diagnoses of this call would be replaced as well."""
    return "repeat the command without --again to resume" if again else "repeat the command to resume"


def _stored(run: Run) -> str:
    """Say whether a run that was not diagnosed to the end has diagnoses."""
    return "Finished diagnoses are stored" if diagnosed_episodes(run) else "No diagnosis was finished"


def _experiment(
    folder: Path,
    episodes: int | None,
    limit: int | None,
    jobs: int | None,
    continuation: Continuation,
    page: Path | None,
) -> None:
    """Perform the experiment and print its tables."""
    from garabench.known_causes.data_set import EPISODES
    from garabench.known_causes.experiment import (
        RETRIED,
        check_page,
        experiment,
        write_page,
    )  # needed by no other diagnosis
    from garabench.known_causes.probed_failures import MeasureOptions

    if page is not None:
        check_page(page)
    options = MeasureOptions(
        continuation=continuation, phones=jobs or MAX_PHONES, limit=limit, retried=RETRIED
    )

    def ended(progress: Progress[str]) -> None:
        click.echo(f"{progress.done}/{progress.total} {progress.result}", err=True)

    done = experiment(
        folder,
        options,
        planned=episodes or EPISODES,
        on_progress=ended,
        on_part=lambda name: click.echo(f"Starting: {name}", err=True),
    )
    if page is not None:
        write_page(page, done)
    click.echo(done.tables)


def _data(found: RunDiagnosis) -> dict[str, object]:
    pairs = tuple(found.diagnoses.items())
    return {
        "run": str(found.run.folder),
        "counts": dict(_counts(found.diagnoses.values())),
        "failures": [
            {
                "task": key.task,
                "agent": key.agent,
                "condition": key.condition,
                "seed": key.seed,
                **diagnosis_data(diagnosis),
                "verdicts": [
                    {
                        "judge": verdict.judge,
                        "state": verdict.state.value,
                        "codes": [code.value for code in failure_codes(verdict)],
                        "first_failure_step": verdict.first_failure_step,
                    }
                    for verdict in verdicts_of_episode(found.run.folder, key)
                ],
            }
            for key, diagnosis in pairs
        ],
        "suspects": [
            {
                "kind": each.kind,
                "task": each.task,
                "agents": list(each.agents),
                "conditions": list(each.conditions),
                "reason": each.reason,
            }
            for each in suspects(pairs)
        ],
        "undiagnosed": [str(key) for key in found.undiagnosed],
        "unknown": [str(key) for key in found.unknown],
    }


def _counts(diagnoses: Iterable[Diagnosis]) -> Counter[str]:
    return Counter(each.attributed_to.value for each in diagnoses)


def _text(found: RunDiagnosis, again: bool) -> str:
    pairs = tuple(found.diagnoses.items())
    if not pairs and not found.undiagnosed:
        return "\n".join(["The run has no failures to diagnose.", *_unknown(found.unknown)])
    counts = _counts(found.diagnoses.values())
    title = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))
    rows = [
        (
            key.task,
            key.agent,
            key.condition,
            each.attributed_to.value,
            f"{each.p:.2f}",
            "–" if each.wrong_step is None else str(each.wrong_step),
        )
        for key, each in pairs
    ]
    notes = ("p: preference for a fault of the environment; step: the first one that looks wrong",)
    heading = f"{counted(len(pairs), 'failure')}: {title}"
    parts = [str(Grid(heading, _COLUMNS, tuple(rows), notes))] if pairs else []
    parts += [
        "\n".join(
            [_failure(key, each), *map(failure_line, verdicts_of_episode(found.run.folder, key))],
        )
        for key, each in pairs
    ]
    parts += [_suspect(each) for each in suspects(pairs)]
    if found.undiagnosed:
        parts.append(
            f"{counted(len(found.undiagnosed), 'failure')} not diagnosed yet; {_how_to_resume(again)}."
        )
    parts += _unknown(found.unknown)
    return "\n\n".join(parts)


def _unknown(keys: Sequence[EpisodeKey]) -> list[str]:
    """Say how many episodes are left out; nothing without any."""
    if not keys:
        return []
    return [
        f"Left out: {counted(len(keys), 'episode')} with an unknown outcome, because the goal could not be "
        f"read at the end: {', '.join(map(str, keys))}"
    ]


def _failure(key: EpisodeKey, diagnosis: Diagnosis) -> str:
    path = " → ".join(f"{p:.3f}" for p in diagnosis.path)
    devices = f", probed on {', '.join(diagnosis.devices)}" if diagnosis.devices else ""
    lines = [f"{key}: {diagnosis.attributed_to.value}", f"  {diagnosis.reason}", f"  p {path}{devices}"]
    for done in diagnosis.probes:
        result = done.result
        again = "" if done.type is done.probe.type else f" (planned as {done.probe.type})"
        name = f"{done.type} {done.probe.name}{again}"
        lines.append(f"  {name}: {result.outcome.value} – {result_words(done)}")
        if result.outcome is not ProbeOutcome.PASS:
            lines += [f"      {each.detail}" for each in unmet(result.evidence)]
        if result.record:
            lines.append(f"      {result.record}")
    return "\n".join(lines)


def _suspect(each: Suspect) -> str:
    agents = ", ".join(each.agents)
    where = f"{agents} under {', '.join(each.conditions)}"
    return f"Suspected {each.kind} fault: {each.task} ({where}): {each.reason}"
