"""Judge many trajectories with a model: bounded parallelism, stored verdicts, resumable, within a budget."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from garabench.agents.models.budget import Budget
from garabench.agents.models.session import ModelOptions, ModelSession
from garabench.agents.profile import AgentProfile
from garabench.core.clock import Clock, SystemClock
from garabench.core.usage import NO_USAGE, Usage
from garabench.errors import BudgetExceededError, GaraError, InputError
from garabench.verifier.call_cache import CallCache
from garabench.verifier.judge_budget import (
    MAX_REPLY_TOKENS,
    NO_LIMITS,
    JudgeBudget,
    JudgeLimits,
    reply_limit,
)
from garabench.verifier.judge_model import ChatJudge, JudgeModel
from garabench.verifier.judge_prompts import PROMPT_VERSION
from garabench.verifier.pipeline import DEFAULT_OPTIONS, JudgePipeline, PipelineOptions, missing_frames
from garabench.verifier.trajectory import Trajectory
from garabench.verifier.verdict import TrajectoryVerdict, VerdictState
from garabench.verifier.verdict_store import VerdictStore

REPLIES = "replies"
"""Folder of a judge's cached replies, next to its verdicts."""
_AHEAD = 2
"""Threads per concurrent call: while some prepare pictures, the others keep the endpoint busy."""

ReadTrajectory = Callable[[], Trajectory]
"""Reads a trajectory when it is its turn."""


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """The options of a judge.

    Attributes:
        pipeline: The options of the pipeline.
        at_once: Maximum number of concurrent calls; None for the profile's own limit.
        cache: Folder of the cached replies; None for the one next to the verdicts.
        cache_only: Whether to use nothing but the cache; a miss is an error.
        limits: The budget.
        reply_limit: Maximum number of tokens of a reply; None for what the profile says, and
            `MAX_REPLY_TOKENS` under a budget if it says nothing.
        prices: A price file that takes precedence over the built-in table.
        again: Whether to judge trajectories that have an up-to-date verdict again.
    """

    pipeline: PipelineOptions = DEFAULT_OPTIONS
    at_once: int | None = None
    cache: Path | str | None = None
    cache_only: bool = False
    limits: JudgeLimits = NO_LIMITS
    reply_limit: int | None = None
    prices: Path | str | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class JudgeResult:
    """What an invocation did.

    Attributes:
        judged: Number of trajectories that were judged.
        skipped: Number of trajectories that already had an up-to-date verdict.
        failed: Number of failed verdicts among the judged ones.
        unreplaced: Number of failed verdicts that were not stored, since a complete one is stored.
        unreadable: Why trajectories could not be read; they were not judged.
        usage: What the model needed in this invocation.
        when_requested: What the replies needed when they were requested, those from the cache included.
        exceeded: Why the budget ended the invocation; None if it did not.
    """

    judged: int
    skipped: int
    failed: int
    usage: Usage
    when_requested: Usage = NO_USAGE
    exceeded: BudgetExceededError | None = None
    unreplaced: int = 0
    unreadable: tuple[InputError, ...] = ()


OnVerdict = Callable[[TrajectoryVerdict], None]


def with_limit(profile: AgentProfile, at_once: int | None) -> AgentProfile:
    """Return a profile with another limit of concurrent calls.

    Args:
        profile: The profile.
        at_once: The limit; None for the profile's own.
    """
    if at_once is None:
        return profile
    return profile.model_copy(update={"limits": profile.limits.model_copy(update={"at_once": at_once})})


def make_judge(
    name: str,
    profile: AgentProfile,
    options: JudgeOptions,
    folder: Path,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[ChatJudge, JudgeBudget]:
    """Make a judge over the model client; no request is sent.

    Args:
        name: Name of the judge.
        profile: The model's profile.
        options: The options.
        folder: The judge's folder, which has its cache unless the options name another one.
        stop: Returns whether to stop, which ends every wait.

    Returns:
        The judge, and its budget.

    Raises:
        InputError: The model's key is missing, its protocol's package is not installed, the price file is
            invalid, or there is a cost budget and the price is unknown.
    """
    profile = with_limit(profile, options.at_once)
    cache = CallCache(Path(options.cache or folder / REPLIES))
    budget = JudgeBudget(options.limits)
    session = ModelSession(
        ModelOptions(
            prices=options.prices, budget=Budget(cost=options.limits.cost, tokens=options.limits.tokens)
        )
    )
    chat = None
    if not options.cache_only:
        session.check(profile)
        chat = session.chat(profile, folder, stop)
    limit = options.reply_limit
    if limit is None and options.limits != NO_LIMITS and reply_limit(profile.parameters) is None:
        limit = MAX_REPLY_TOKENS  # what the budget reserves has to be what the model may send
    judge = ChatJudge(name, profile, chat, session.prices, cache, budget, reply_limit=limit)
    return judge, budget


def is_up_to_date(
    verdict: TrajectoryVerdict | None, trajectory: Trajectory, options: PipelineOptions = DEFAULT_OPTIONS
) -> bool:
    """Return whether a stored verdict is on the present record, by the present prompts and options.

    A failed verdict is not, nor one for which a frame was missing that can now be read.

    Args:
        verdict: The stored verdict; None if there is none.
        trajectory: The trajectory.
        options: The options of the pipeline.
    """
    return (
        verdict is not None
        and verdict.state is not VerdictState.FAILED
        and verdict.digest == trajectory.digest
        and verdict.judge_version == PROMPT_VERSION
        and (verdict.requested_votes, verdict.top_k) == (options.votes, options.top_k)
        and set(verdict.missing_frames) <= set(missing_frames(trajectory))
    )


class _Judged(NamedTuple):
    """The verdict on a trajectory.

    Attributes:
        verdict: The verdict.
        new: Whether it was not stored before.
        stored: Whether it is not withheld from the store for the sake of a complete one.
    """

    verdict: TrajectoryVerdict
    new: bool
    stored: bool


class JudgeRunner:
    """Judges trajectories and stores the verdicts."""

    def __init__(
        self,
        model: JudgeModel,
        store: VerdictStore,
        options: JudgeOptions,
        at_once: int,
        finish: Callable[[Trajectory, TrajectoryVerdict], TrajectoryVerdict] = lambda _, verdict: verdict,
        clock: Clock | None = None,
        stopped: threading.Event | None = None,
    ) -> None:
        """Prepare; nothing is sent.

        Args:
            model: The judge's model.
            store: Stores the verdicts.
            options: The options.
            at_once: Maximum number of concurrent calls.
            finish: Adds what the pipeline does not know, such as the recorded side effects.
            clock: Measures the stages and dates the verdicts.
            stopped: Set when the invocation is aborted; the model's calls should end then.
        """
        self._stopped = stopped or threading.Event()
        self._clock = clock or SystemClock()
        self._model = model
        self._store = store
        self._options = options
        self._at_once = at_once
        self._finish = finish

    def run(self, readers: Iterable[ReadTrajectory], on_verdict: OnVerdict = lambda _: None) -> JudgeResult:
        """Judge trajectories, several at once; each verdict is stored when it is ready.

        Args:
            readers: Read the trajectories, one at a time.
            on_verdict: Called with each verdict, also with those that were up to date.

        Raises:
            GaraError: A verdict cannot be written.
        """
        workers = self._at_once * _AHEAD
        judged = skipped = failed = unreplaced = 0
        unreadable: list[InputError] = []
        usage = when_requested = NO_USAGE
        exceeded: BudgetExceededError | None = None
        with (
            ThreadPoolExecutor(workers, "judge-call") as calls,
            ThreadPoolExecutor(workers, "judge-trajectory") as trajectories,
        ):
            pipeline = JudgePipeline(self._model, calls, self._options.pipeline, self._clock)
            open_: set[Future[_Judged]] = set()
            waiting = iter(readers)
            more = True
            try:
                while more or open_:
                    while more and exceeded is None and len(open_) < workers:
                        reader = next(waiting, None)
                        if reader is None:
                            more = False
                        else:
                            open_.add(trajectories.submit(self._judge, pipeline, reader))
                    if exceeded is not None:
                        more = False
                    if not open_:
                        break
                    done, open_ = wait(open_, return_when=FIRST_COMPLETED)
                    for future in done:
                        try:
                            verdict, new, stored = future.result()
                        except BudgetExceededError as error:
                            exceeded = exceeded or error
                            continue
                        except InputError as error:  # the others are judged all the same
                            unreadable.append(error)
                            continue
                        judged += new
                        unreplaced += new and not stored
                        skipped += not new
                        failed += new and verdict.state is VerdictState.FAILED
                        if new:
                            usage += verdict.usage
                            when_requested += verdict.usage_when_requested
                        on_verdict(verdict)
            except BaseException:  # also an interrupt: what has not begun is not needed any more
                self._stopped.set()
                for future in open_:
                    future.cancel()
                raise
        return JudgeResult(
            judged, skipped, failed, usage, when_requested, exceeded, unreplaced, tuple(unreadable)
        )

    def _judge(self, pipeline: JudgePipeline, reader: ReadTrajectory) -> _Judged:
        """Return the verdict on a trajectory.

        Raises:
            InputError: The trajectory cannot be read.
        """
        trajectory = reader()
        stored = self._stored(trajectory.key)
        if (
            not self._options.again
            and stored is not None
            and is_up_to_date(stored, trajectory, self._options.pipeline)
        ):
            return _Judged(stored, new=False, stored=True)
        verdict = self._finish(trajectory, pipeline.judge(trajectory))
        if self._stopped.is_set() and verdict.state is VerdictState.FAILED:
            # Its calls were aborted, which says nothing about it.
            return _Judged(verdict, new=True, stored=True)
        if (
            verdict.state is VerdictState.FAILED
            and stored is not None
            and stored.state is VerdictState.COMPLETE
        ):
            return _Judged(verdict, new=True, stored=False)  # a failure is worth less than what it replaces
        verdict = verdict.model_copy(update={"judged": self._clock.now().replace(microsecond=0)})
        self._store.write(verdict)
        return _Judged(verdict, new=True, stored=True)

    def _stored(self, key: str) -> TrajectoryVerdict | None:
        try:
            return self._store.read(key)
        except GaraError:
            return None  # unreadable: judged again and overwritten
