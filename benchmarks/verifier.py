"""The verifier: its stages without a model, use of a model, re-scoring from the cache, and 20 episodes.

The pictures and trees of the synthetic trajectories have a phone's size and differ in every frame, so that no
reply is shared between trajectories.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import hashlib
import itertools
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from benchmarks.report import Measure, median_ms
from garabench.agents.profile import AgentProfile, ModelEndpoint, ModelLimits
from garabench.campaign.planner import make_plan
from garabench.campaign.run import run
from garabench.core.action import Tap
from garabench.core.png import encode_png
from garabench.core.usage import Usage
from garabench.records.reader import Run, load_run
from garabench.suite.suite import Suite
from garabench.testing.fake_judge import JudgeReplies, read_written_replies
from garabench.testing.requests import ReceivedMessage, ReceivedRequest
from garabench.testing.server import FakeModelServer
from garabench.verifier.goal_comparison import against_goals
from garabench.verifier.judge_call import JudgeCall
from garabench.verifier.judge_model import Judged
from garabench.verifier.judge_runner import JudgeOptions
from garabench.verifier.offline.offline_judge import OfflineJudge
from garabench.verifier.pipeline import JudgePipeline
from garabench.verifier.recorded_trajectory import recorded_trajectory
from garabench.verifier.trajectory import Trajectory, TrajectoryFrame, TrajectorySource, TrajectoryStep
from garabench.verifier.verdict import TrajectoryVerdict, VerdictState
from garabench.verifier.verdict_store import VerdictStore
from garabench.verifier.verification import ResolvedJudge, verify, verify_trajectories

SCREENSHOTS = 50
TRAJECTORIES, FRAMES, AT_ONCE, LATENCY_S = 100, 5, 8, 1.0
RESCORED = 1000
OFFLINE = 456
TASKS = (
    "amap-offline-chengdu,weibo-unfollow-the-seller,gmaps-home-address,bili-follow-science-uploader,"
    "fb-follow-bakery-oregon"
)
REPLIES = Path(__file__).with_name("verifier_replies.jsonl")
_INSTRUCTION = "Open the video number {number}, like it, then follow its author"
_LISTENING = re.compile(r"Listening on (\S+)")


class InstantJudge:
    """Answers calls at once, without a wire: what remains is the pipeline's own work."""

    name = "instant"

    def __init__(self) -> None:
        self._replies = JudgeReplies()
        self.seconds = 0.0
        """Time spent for the replies, which is not the pipeline's."""

    def ask(self, call: JudgeCall, read: Callable[[Any], Any]) -> Judged:
        """Return the computed reply."""
        begun = time.perf_counter()
        text = "\n".join(call.texts) + "\nElements of the screen: like video author"
        messages = (ReceivedMessage("system", (call.system,)), ReceivedMessage("user", (text,)))
        reply = self._replies.answer(ReceivedRequest(1, "m", messages))
        value = call.reply.model_validate_json(reply.text)
        self.seconds += time.perf_counter() - begun
        return Judged(read(value), Usage(requests=1), Usage(requests=1))


class InlineCalls(Executor):
    """Performs each call at once, in the caller's thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Perform a call."""
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def _trajectory(number: int, frames: tuple[TrajectoryFrame, ...]) -> Trajectory:
    return Trajectory(
        key=f"task-{number}/agent/clean/1",
        source=TrajectorySource.GARABENCH,
        digest=hashlib.sha256(str(number).encode()).hexdigest(),
        instruction=_INSTRUCTION.format(number=number),
        frames=frames,
        steps=tuple(
            TrajectoryStep(
                at, Tap(x=540, y=300 + at), f"tap(x=540, y={300 + at})", f"step {at}", True, before=at
            )
            for at in range(max(0, len(frames) - 1))
        ),
    )


def _frames(folder: Path, number: int, count: int) -> tuple[TrajectoryFrame, ...]:
    """Write the files of a trajectory's frames."""
    frames = []
    for at in range(count):
        image = Image.new("RGB", (1080, 2400), (245, 245, 245))
        draw = ImageDraw.Draw(image)
        for row in range(12):
            shade = 40 + (number * 7 + at * 31 + row * 13) % 180
            draw.rectangle((40, 120 + row * 180, 1040, 260 + row * 180), fill=(shade, 200 - shade // 2, 120))
        picture = folder / f"{number}-{at}.png"
        picture.write_bytes(encode_png(image))
        nodes = "".join(
            f'<node index="{row}" text="row {row} of {number} {at}" class="android.widget.TextView"'
            ' package="p.q"'
            f' clickable="true" bounds="[40,{120 + row * 180}][1040,{260 + row * 180}]"/>'
            for row in range(12)
        )
        xml = (
            '<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="p.q"'
            f' bounds="[0,0][1080,2400]">{nodes}</node></hierarchy>'
        ).encode()
        tree = folder / f"{number}-{at}.xml.gz"
        tree.write_bytes(gzip.compress(xml, 1))
        frames.append(
            TrajectoryFrame(
                index=at,
                step=at,
                picture_sha256=hashlib.sha256(picture.read_bytes()).hexdigest(),
                picture=picture,
                tree_sha256=hashlib.sha256(xml).hexdigest(),
                tree=tree,
                package="p.q",
                final=at == count - 1,
            )
        )
    return tuple(frames)


def _without_model() -> Measure:
    frames = tuple(
        TrajectoryFrame(
            index=at, step=at, picture_sha256=f"{at:064x}", tree_sha256=f"{at:064x}", package="p.q"
        )
        for at in range(SCREENSHOTS)
    )
    trajectory = _trajectory(0, frames)
    shares: list[float] = []

    def judge() -> None:
        model = InstantJudge()
        begun = time.perf_counter()
        verdict = JudgePipeline(model, InlineCalls()).judge(trajectory)
        shares.append((time.perf_counter() - begun - model.seconds) * 1000)
        if verdict.state is not VerdictState.COMPLETE:
            raise RuntimeError(f"no verdict: {verdict.errors}")

    median_ms(judge, 15)
    note = "prompts, choice of frames, scoring, votes; the fake replies are not counted"
    return Measure(
        f"stages without the model, {SCREENSHOTS} screenshots",
        sorted(shares)[len(shares) // 2],
        "ms",
        50,
        note=note,
    )


@contextlib.contextmanager
def _fake_server(seconds: float) -> Iterator[str]:
    """Start the fake server in a separate process, so that it does not share the judge's interpreter."""
    program = str(Path(sys.executable).with_name("garabench"))
    argv = [program, "agents", "fake-server", "--judge", "--port", "0"]
    process = subprocess.Popen(
        [*argv, "--delay", str(seconds)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        found = _LISTENING.search(process.stdout.readline())
        if found is None:
            raise RuntimeError("the fake server does not listen")
        yield found[1]
    finally:
        process.terminate()
        process.wait()


def _profile(url: str) -> AgentProfile:
    return AgentProfile(
        id="judge",
        dialect="json",
        model="judge",
        endpoint=ModelEndpoint(base_url=url),
        limits=ModelLimits(at_once=AT_ONCE),
    )


def _itself(trajectory: Trajectory) -> Trajectory:
    return trajectory


def _synthetic(folder: Path) -> list[Measure]:
    screens = folder / "screens"
    screens.mkdir()
    trajectories = [_trajectory(number, _frames(screens, number, FRAMES)) for number in range(TRAJECTORIES)]
    cache = folder / "replies"
    with _fake_server(LATENCY_S) as url:
        judge = ResolvedJudge("judge", _profile(url))
        begun = time.perf_counter()
        result = verify_trajectories(
            [functools.partial(_itself, each) for each in trajectories],
            judge,
            VerdictStore(folder / "first", "judge"),
            options=JudgeOptions(cache=cache),
        )
        seconds = time.perf_counter() - begun
    if result.failed or result.usage.from_cache:
        raise RuntimeError(f"{result.failed} verdicts failed, {result.usage.from_cache} replies were shared")
    share = result.usage.requests * LATENCY_S / (AT_ONCE * seconds)
    note = f"{result.usage.requests} calls of {LATENCY_S:g} s in {seconds:.0f} s"
    repeated = itertools.islice(itertools.cycle(trajectories), RESCORED)
    readers = [
        lambda each=each, number=number: replace(each, key=f"{number}/a/b/1")
        for number, each in enumerate(repeated)
    ]
    options = JudgeOptions(cache=cache, cache_only=True)
    begun = time.perf_counter()
    again = verify_trajectories(readers, judge, VerdictStore(folder / "again", "judge"), options=options)
    rescoring = time.perf_counter() - begun
    if again.failed or again.judged != RESCORED:
        raise RuntimeError(f"{again.failed} of {again.judged} verdicts failed")
    return [
        Measure(f"utilization of a model with {AT_ONCE} concurrent calls", share, "", 0.9, True, note),
        Measure(
            f"re-scoring of {RESCORED} trajectories from the cache",
            rescoring,
            "s",
            30,
            note=f"{_repeats(TRAJECTORIES, RESCORED)}; {again.usage.from_cache} cached replies",
        ),
    ]


def _episodes(folder: Path) -> list[Measure]:
    """Verify 20 episodes of the virtual phone against hand-written replies."""
    suite = Suite.load()
    plan = make_plan(suite.select(TASKS), ("dismiss", "heuristic"), conditions=("clean", "dual"))
    run(plan, folder / "run", jobs=2, suite=suite)
    recorded = load_run(folder / "run")
    offline = _offline(recorded, suite)
    verdicts: list[TrajectoryVerdict] = []
    with FakeModelServer(JudgeReplies(read_written_replies(REPLIES)), key=None) as server:
        options = f"base_url={server.base_url}&at_once={AT_ONCE}"
        begun = time.perf_counter()
        result = verify(
            recorded, f"judge=ui-tars?model=judge&{options}", suite=suite, on_verdict=verdicts.append
        )
        seconds = time.perf_counter() - begun
        calls = len(server.requests)
    compared = against_goals(recorded, verdicts)
    counts = compared.agreement.confusion
    return [
        offline,
        Measure(
            f"verification of {result.judged} episodes with hand-written replies",
            seconds,
            "s",
            note=f"{calls} calls, {result.usage.from_cache} replies shared",
        ),
        Measure("verdicts that were not reached", result.failed, "times", 0),
        Measure(
            "outcomes that differ from the goals",
            counts.items - round((counts.accuracy or 0) * counts.items),
            "times",
            0,
            note=f"{counts.true_positive} successes and {counts.true_negative} failures agree",
        ),
    ]


def _offline(recorded: Run, suite: Suite) -> Measure:
    """Judge as many episodes as the suite has in three conditions: the recorded ones, read anew each time."""
    episodes = list(recorded.episodes)
    begun, judged = time.process_time(), 0
    while judged < OFFLINE:
        judge = OfflineJudge(suite)
        for episode in itertools.islice(episodes, OFFLINE - judged):
            judge(recorded_trajectory(replace(episode)))
            judged += 1
    note = f"{_repeats(len(episodes), OFFLINE)}; each read and judged anew; processor time"
    return Measure(f"offline judge, {OFFLINE} episodes", time.process_time() - begun, "s", 60, note=note)


def _repeats(distinct: int, total: int) -> str:
    """Return how often each of the distinct items was measured, as text."""
    times = (
        f"{total // distinct}" if total % distinct == 0 else f"{total // distinct} or {total // distinct + 1}"
    )
    return f"{distinct} distinct × {times} times"


def measure_verifier(folder: Path) -> list[Measure]:
    """Measure the verifier with a fake model.

    Args:
        folder: An empty folder.
    """
    return [_without_model(), *_synthetic(folder), *_episodes(folder)]
