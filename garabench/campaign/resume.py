"""Resume a run: check that plan, suite and device are the same, and find the episodes that remain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from garabench.campaign.device_kind import comparable_kind
from garabench.campaign.episode_queue import WHOLE, Block, Shard, block_of, parse_shard
from garabench.core.campaign_events import RunBegun
from garabench.core.events import EpisodeStarted
from garabench.episode.spec import EpisodeSpec
from garabench.errors import InputError
from garabench.records.campaign_log import read_campaign
from garabench.records.device_environment import Environment
from garabench.records.event_reader import read_events
from garabench.records.plan import CLEAN, Plan
from garabench.records.run_layout import LOCK
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite


def open_to_resume(folder: Path) -> RunWriter:
    """Open a run to resume it.

    Raises:
        InputError: The run was ended before it began, or never started; or its record is broken or of a newer
            version.
    """
    # A run that was killed while its devices were opened has left nothing, or only its lock.
    if not folder.exists() or (folder.is_dir() and {each.name for each in folder.iterdir()} <= {LOCK}):
        raise InputError(
            f"no run has begun in {folder}, so no episode was performed and there is nothing to resume",
            hint="Check the path, or run again without --resume.",
        )
    return RunWriter.open(folder)


def check_plan(run: RunWriter, plan: Plan, suite: Suite) -> None:
    """Check that a run was started with this plan and this suite.

    Raises:
        InputError: It was started with another suite or plan.
    """
    if run.file.suite_hash != suite.digest:
        raise InputError(
            f"{run.folder} was recorded with another version of the suite "
            f"({run.file.suite_hash[:12]}, now {suite.digest[:12]})",
            hint="Restore the suite's files, or start a new run.",
        )
    if run.file.plan != plan:
        before, now = run.file.plan.model_dump(), plan.model_dump()
        name = next(name for name in before if before[name] != now[name])
        raise InputError(
            f"{run.folder} was planned with different {name}: {before[name]}",
            hint="Give the same options as before, or start a new run.",
        )


def resumed_shard(run: RunWriter, given: Shard | None) -> Shard:
    """Return the part of the plan that a resumed run performs: the one with which it began.

    Args:
        run: The run.
        given: The part that the user asks for; None for that of the run.

    Raises:
        InputError: The run began with another part.
    """
    events = (each for each in read_campaign(run.folder) if isinstance(each, RunBegun) and not each.worker)
    first = next(events, None)
    if first is None or not first.shard:  # the whole plan, or an older version recorded no part
        return given or WHOLE
    before = parse_shard(first.shard)
    if given not in (None, before):
        raise InputError(
            f"{run.folder} was started with --shard {before}, not {given}",
            hint="Resume it without --shard, or perform the other part in another folder.",
        )
    return before


def check_environment(run: RunWriter, now: Environment) -> None:
    """Check that a device matches the one on which a run was started.

    Raises:
        InputError: It differs in kind, model, Android release, screen size or build; or the run has
            interruptions, and the companion app is another build or other rules are left out.
    """
    before = run.file.device
    if before.kind is not now.kind:
        raise InputError(
            f"{run.folder} was recorded on a {before.kind} device, and this one is {now.kind}: "
            "their results are never mixed",
            hint="Give the same --device as before, or start a new run.",
        )
    for name in ("model", "release", "size", "fingerprint"):
        old, new = getattr(before, name), getattr(now, name)
        if old is not None and old != new:
            raise InputError(
                f"{run.folder} was recorded on a device with another {name}: {old}, now {new}",
                hint="Give the same --device as before, in the same order, or start a new run.",
            )
    if before.app_files is not None and before.app_files != now.app_files:
        raise InputError(
            f"{run.folder} was started with other app files",
            hint="Restore the apps of the suite and give the same --app as before, or start a new run.",
        )
    if all(name == CLEAN for name in run.file.plan.conditions):
        return
    if before.left_out is not None and set(before.left_out) != set(now.left_out or {}):
        raise InputError(
            f"{run.folder} was started without the rules {_names(before.left_out)}; now those left out are "
            f"{_names(now.left_out or {})}",
            hint="Restore what was installed on the device, or start a new run.",
        )
    if before.companion is not None and before.companion != now.companion:
        raise InputError(
            f"{run.folder} was started with another build of the companion app: "
            f"{_build(before.companion)}, now {_build(now.companion)}",
            hint=f"Resume it with GaraBench {run.file.garabench}, which started it, and its companion app, "
            "or start a new run.",
        )


def remaining_episodes(run: RunWriter, specs: Sequence[EpisodeSpec]) -> list[EpisodeSpec]:
    """Return the episodes of a plan that have not ended, or that ended in error.

    The results are rebuilt from the records first: after a kill, one may be missing or truncated.

    Args:
        run: The run.
        specs: The episodes of the plan.
    """
    ended = {summary.key for summary in run.rebuild() if summary.outcome != "error"}
    return [spec for spec in specs if spec.key not in ended]


def begun_blocks(run: RunWriter, specs: Sequence[EpisodeSpec]) -> dict[Block, str]:
    """Return the kind of device of each block of which some episodes have ended, and others remain.

    Args:
        run: The run.
        specs: The episodes that remain.

    Raises:
        InputError: A record is broken or of a newer version.
    """
    remaining = {spec.key for spec in specs}
    blocks = {block_of(spec) for spec in specs}
    found: dict[Block, str] = {}
    for key in run.file.episode_keys():
        block = (key.task, key.agent, key.seed)
        if block not in blocks or block in found or key in remaining:
            continue
        first = next(iter(read_events(run.folder / key.folder)), None)
        if isinstance(first, EpisodeStarted) and first.device.keys() >= {"model", "sdk", "size"}:
            device = first.device
            found[block] = comparable_kind(device["model"], device["sdk"], device["size"])
    return found


def _names(rules: Iterable[str]) -> str:
    return ", ".join(sorted(rules)) or "none"


def _build(sha256: str | None) -> str:
    """Describe a build of the companion app; the one in virtual phones has no APK."""
    return f"an APK with the SHA-256 {sha256}" if sha256 else "the one in virtual phones"
