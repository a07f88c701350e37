"""A run verified over the wire against the fake model server, then again from the cache alone."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from garabench.agents.models.endpoint_errors import EndpointServerError
from garabench.agents.models.messages import ChatRequest
from garabench.agents.profile import AgentProfile, ModelEndpoint, ModelLimits
from garabench.cli.main import main
from garabench.cli.verdict_tables import verification_text
from garabench.core.progress import Progress
from garabench.core.sections import Details, Picture, Table
from garabench.errors import InputError
from garabench.records.reader import load_run
from garabench.testing.fake_judge import JudgeReplies, WrittenReply
from garabench.testing.server import FakeModelServer
from garabench.verifier.goal_comparison import SuspectedFault, against_goals
from garabench.verifier.judge_budget import (
    MAX_REPLY_TOKENS,
    JudgeLimits,
    reply_tokens,
    with_reply_limit,
)
from garabench.verifier.judge_call import JudgeCall
from garabench.verifier.judge_model import Judged
from garabench.verifier.judge_runner import JudgeOptions, JudgeResult, JudgeRunner, ReadTrajectory
from garabench.verifier.pipeline import PipelineOptions
from garabench.verifier.report_section import episode_sections, sections
from garabench.verifier.trajectory import Trajectory
from garabench.verifier.verdict import TrajectoryVerdict, VerdictState
from garabench.verifier.verdict_store import VERDICTS, VerdictStore, safe_name
from garabench.verifier.verification import (
    ResolvedJudge,
    resolve_judge,
    run_readers,
    stored_verdicts,
    verify,
    verify_trajectories,
)
from tests.graph.recorded_run import record_run
from tests.verifier.judging import TableJudge, trajectory
from tests.verifier.offline import player
from tests.verifier.test_pipeline import replies
from tests.waits import AMPLE


def profile(url: str) -> AgentProfile:
    return AgentProfile(
        id="judge",
        dialect="json",
        model="m",
        endpoint=ModelEndpoint(base_url=url),
        limits=ModelLimits(at_once=4),
    )


@pytest.mark.e2e
def test_a_run_is_verified_and_again_without_the_model(tmp_path: Path) -> None:
    record_run(tmp_path / "run")
    run = load_run(tmp_path / "run")
    readers = run_readers(run, None)
    verdicts: list[TrajectoryVerdict] = []
    store = VerdictStore.of_run(run.folder, "judge")
    point = {"criterion_idx": 0, "post_image_justification": "seen", "post_image_earned_points": 1.0}
    outcome = {"primary_intent": "x", "reasoning": "seen", "output_success": True}
    written = [
        WrittenReply(
            "RubricReply", (), {"items": [{"criterion": "c", "max_points": 1.0, "cites": ["Like"]}]}
        ),
        WrittenReply("RescoringReply", (), {"items": [point]}),
        WrittenReply("OutcomeReply", (), outcome),
    ]
    with FakeModelServer(JudgeReplies(written), key=None) as server:
        judge = ResolvedJudge("judge", profile(server.base_url))
        result = verify_trajectories(readers, judge, store, on_verdict=verdicts.append)
        sent = len(server.requests)
        assert verify_trajectories(readers, judge, store).skipped == len(readers)  # nothing is judged twice
        assert len(server.requests) == sent
    assert (result.judged, result.failed) == (len(readers), 0)
    assert all(verdict.state is VerdictState.COMPLETE and verdict.outcome for verdict in verdicts)
    assert sum(stage.calls for verdict in verdicts for stage in verdict.stages) >= sent
    again: list[TrajectoryVerdict] = []
    options = JudgeOptions(cache_only=True, again=True)
    scored = verify_trajectories(readers, judge, store, options=options, on_verdict=again.append)
    assert (scored.usage.tokens, scored.usage.seconds, scored.usage.tries) == (0, 0, 0)
    assert scored.usage.from_cache == scored.usage.requests
    paid = result.usage  # what the judgement cost survives, though replies were shared and nothing was sent
    assert result.when_requested.tokens == scored.when_requested.tokens == paid.tokens > 0
    assert scored.when_requested.seconds == pytest.approx(paid.seconds, abs=0.1)
    stored = [store.read(verdict.trajectory) for verdict in again]
    assert sum(one.usage_when_requested.tokens for one in stored if one is not None) == paid.tokens
    for one, other in zip(_sorted(verdicts), _sorted(again), strict=True):
        assert (one.rubric, one.outcome, one.evidence) == (other.rubric, other.outcome, other.evidence)
    compared = against_goals(run, verdicts, draws=20)
    for suspect in compared.suspects:
        assert all(each.fault is SuspectedFault.TOO_STRICT for each in suspect.disagreements)
    (section,) = sections([run])
    assert any(isinstance(block, Table) and block.caption.startswith("Process") for block in section.blocks)
    judged = [block for block in section.blocks if isinstance(block, Details) and "/" in block.summary]
    assert len(judged) == len(readers)
    rubric = judged[0].blocks[1]
    assert isinstance(rubric, Table) and rubric.caption == "Rubric"
    shown = {picture.sha256 for pictures in rubric.pictures for picture in pictures}
    assert shown and shown <= {each.picture_sha256 for verdict in verdicts for each in verdict.evidence}
    episode = next(each for each in run.episodes if store.read(str(each.key)))
    (page,) = episode_sections(run, episode)
    opened = [block for each in page.blocks if isinstance(each, Details) for block in each.blocks]
    assert any(isinstance(block, Picture) for block in opened)
    assert any(isinstance(block, Table) and any(block.pictures) for block in page.blocks)


def _sorted(verdicts: list[TrajectoryVerdict]) -> list[TrajectoryVerdict]:
    return sorted(verdicts, key=lambda verdict: verdict.trajectory)


def test_a_cache_without_the_replies_gives_failed_verdicts_and_exit_status_1(tmp_path: Path) -> None:
    record_run(tmp_path / "run")
    folder = str(tmp_path / "run")
    done = CliRunner().invoke(
        main, ["verify", folder, "--judge", "gpt-4o", "--cache-only", "--limit", "2", "--json"]
    )
    assert done.exit_code == 1, done.output
    data = json.loads(done.output)
    assert (data["judged"], data["failed"]) == (2, 2)
    assert data["verdicts"][0]["errors"] == ["the reply to 1a-rubric is not in the cache"]
    assert data["verdicts"][0]["process_score"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--judge", "gpt-4"], "Did you mean 'gpt-4o'"),
        (["--judge", "dismiss"], "is not a model"),
        (["--judge", "gpt-4o", "--votes", "2"], "--votes must be odd"),
        (["--judge", "gpt-4o", "--tasks", "none-such"], "no trajectory matches"),
        (["--judge", "gpt-4o", "--from", "osworld", "--out", "verdicts"], "not a trajectory of osworld"),
        (["--judge", "gpt-4o", "--from", "webarena"], "Name another folder: --out DIR"),
        (["--from", "osworld"], "the offline judge needs typed goals"),
        (["--estimate"], "uses no model"),
        (["--cache-only", "--max-cost", "1", "--votes", "3"], "no --votes, --cache-only, --max-cost"),
    ],
)
def test_wrong_input_is_reported(words: list[str], message: str, tmp_path: Path) -> None:
    record_run(tmp_path / "run")
    done = CliRunner().invoke(main, ["verify", str(tmp_path / "run"), *words])
    assert done.exit_code == 2
    assert message in done.output


def test_stored_verdicts_are_read_and_broken_ones_reported(tmp_path: Path) -> None:
    store = VerdictStore(tmp_path, "a/b")
    verdict = TrajectoryVerdict(
        trajectory="t/../x/1", digest="0", instruction="i", judge="a/b", state=VerdictState.UNDECIDED
    )
    path = store.write(verdict)
    assert path.is_relative_to(tmp_path)
    assert store.read("t/../x/1") == verdict
    assert list(stored_verdicts(tmp_path, "a/b")) == [verdict]
    path.write_text(verdict.model_copy(update={"version": 99}).model_dump_json(), encoding="utf-8")
    with pytest.raises(InputError, match="verdict version 99"):
        store.read("t/../x/1")
    path.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="is not a verdict"):
        store.read("t/../x/1")
    with pytest.raises(InputError, match="has no verdict"):
        stored_verdicts(tmp_path, "other")
    assert (safe_name(".."), safe_name("a/b")) == ("_..", "a_b")


def test_the_offline_judge_is_the_default_and_leaves_tasks_of_other_suites_undecided(tmp_path: Path) -> None:
    record_run(tmp_path / "run")
    run = load_run(tmp_path / "run")
    seen: list[Progress[TrajectoryVerdict]] = []
    assert verify(run, on_progress=seen.append).judged == 4
    assert [(each.done, each.total) for each in seen] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    stored = stored_verdicts(run.folder / VERDICTS, "offline")
    assert {verdict.state for verdict in stored} == {VerdictState.UNDECIDED}
    assert against_goals(run, stored).undecided == 4
    done = CliRunner().invoke(main, ["verify", str(run.folder), "--against", "goals"])
    assert done.exit_code == 1 and "4 trajectories judged" in done.output
    assert "4 undecided, such as" in done.output
    assert "was recorded with another version of the suite" in " ".join(done.output.split())
    assert against_goals(run, stored, suite_digest=run.file.suite_hash).warnings == ()


def test_the_offline_judge_needs_no_model(tmp_path: Path) -> None:
    walk = player.walk(tmp_path, player.LIKES, player.page(like="Liked"))
    store = VerdictStore(tmp_path / VERDICTS, "offline")
    result = verify_trajectories([lambda: walk], resolve_judge("offline"), store, suite=player.suite())
    assert (result.judged, result.failed, result.usage.requests) == (1, 0, 0)
    (verdict,) = store.verdicts()
    assert verdict.outcome is True and verdict.judge == "offline" and verdict.stages == ()


def test_judges_are_models() -> None:
    assert resolve_judge("mine=gpt-4o").name == "mine"
    assert dataclasses.asdict(resolve_judge("gpt-4o"))["profile"] is not None


class StuckJudge(TableJudge):
    """Answers the first trajectory; the calls of all others end only when the invocation is aborted."""

    def __init__(self, stopped: threading.Event) -> None:
        super().__init__(lambda call: {})
        self.stopped = stopped

    def ask(self, call: JudgeCall, read: Callable[[Any], Any]) -> Judged:
        if "number 0" not in call.texts[0]:
            assert self.stopped.wait(AMPLE)
        raise EndpointServerError("down")


def test_an_aborted_invocation_ends_at_once_and_stores_nothing_of_what_it_aborted(tmp_path: Path) -> None:
    stopped = threading.Event()
    store = VerdictStore(tmp_path, "judge")
    runner = JudgeRunner(StuckJudge(stopped), store, JudgeOptions(), 2, stopped=stopped)
    each = [
        dataclasses.replace(trajectory(1, f"Open number {at}"), key=f"t{at}/a/clean/1") for at in range(6)
    ]

    def abort(verdict: TrajectoryVerdict) -> None:
        raise KeyboardInterrupt

    def reader(one: Trajectory) -> ReadTrajectory:
        return lambda: one

    with pytest.raises(KeyboardInterrupt):
        runner.run(map(reader, each), abort)
    assert [verdict.trajectory for verdict in store.verdicts()] == ["t0/a/clean/1"]


def _broken_record(folder: Path) -> Path:
    """Record a run of four episodes and break a line of the first one's log."""
    record_run(folder)
    log = next(iter(load_run(folder).episodes)).log
    lines = log.read_text(encoding="utf-8").splitlines()
    log.write_text("\n".join([lines[0], "{broken", *lines[2:]]) + "\n", encoding="utf-8")
    return log


def test_a_broken_record_is_named_and_the_others_are_judged(tmp_path: Path) -> None:
    log = _broken_record(tmp_path / "run")
    done = CliRunner().invoke(main, ["verify", str(tmp_path / "run")])
    assert done.exit_code == 1 and "3 trajectories judged" in done.output
    assert log.parent.name in done.output and "events.jsonl" in "".join(done.output.split())
    assert len(stored_verdicts(tmp_path / "run" / VERDICTS, "offline")) == 3


def test_an_estimate_leaves_out_and_counts_what_cannot_be_read(tmp_path: Path) -> None:
    _broken_record(tmp_path / "run")
    words = ["verify", str(tmp_path / "run"), "--judge", "gpt-4o", "--estimate"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 1 and "left out: 1 trajectory that cannot be read" in done.stdout
    assert "events.jsonl" in "".join(done.stderr.split())
    data = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)
    assert (data["trajectories"], data["unreadable"]) == (3, 1)
    assert data["calls"] > 0


@pytest.mark.parametrize(
    ("agent", "options", "sent"),
    [
        ("gpt-4o", JudgeOptions(), 1000),
        ("gpt-4o", JudgeOptions(reply_limit=6000), 6000),
        ("judge", JudgeOptions(), None),
        ("judge", JudgeOptions(limits=JudgeLimits(tokens=9000)), MAX_REPLY_TOKENS),
        ("judge", JudgeOptions(limits=JudgeLimits(tokens=9000), reply_limit=500), 500),
    ],
)
def test_a_reply_is_limited_to_what_the_budget_reserves(
    tmp_path: Path, agent: str, options: JudgeOptions, sent: int | None
) -> None:
    with FakeModelServer(JudgeReplies([]), key=None) as server:
        known = resolve_judge("gpt-4o").profile if agent == "gpt-4o" else profile(server.base_url)
        assert known is not None
        known = known.model_copy(update={"endpoint": ModelEndpoint(base_url=server.base_url)})
        options = dataclasses.replace(options, again=True)
        store = VerdictStore(tmp_path, agent)
        verify_trajectories([lambda: trajectory(1)], ResolvedJudge(agent, known), store, options=options)
        assert {request.parameters.get("max_tokens") for request in server.requests} == {sent}


@pytest.mark.parametrize(
    ("url", "given", "name"),
    [
        ("https://api.openai.com/v1", {}, "max_completion_tokens"),
        ("http://127.0.0.1:8000/v1", {}, "max_tokens"),
        ("http://127.0.0.1:8000/v1", {"max_completion_tokens": 9}, "max_completion_tokens"),
        ("https://api.openai.com/v1", {"max_tokens": 9, "seed": 1}, "max_tokens"),
    ],
)
def test_the_limit_has_the_name_that_the_endpoint_reads(url: str, given: dict[str, Any], name: str) -> None:
    request = ChatRequest("m", (), parameters=given)
    limited = with_reply_limit(request, 70, ModelEndpoint(base_url=url))
    assert limited.parameters == {**given, name: 70}
    assert reply_tokens(limited) == 70


def test_a_model_judge_names_what_it_cannot_read_too(tmp_path: Path) -> None:
    def unreadable() -> Trajectory:
        raise InputError("broken line")

    runner = JudgeRunner(TableJudge(replies), VerdictStore(tmp_path, "judge"), JudgeOptions(), 2)
    result = runner.run([unreadable, lambda: trajectory(5)])
    assert (result.judged, [str(error) for error in result.unreadable]) == (1, ["broken line"])


def _run(folder: Path, reply: Callable[[JudgeCall], object], **options: Any) -> JudgeResult:
    """Judge one trajectory, and return the result."""
    runner = JudgeRunner(TableJudge(reply), VerdictStore(folder, "judge"), JudgeOptions(**options), 2)
    return runner.run([lambda: trajectory(5)])


def test_a_failed_verdict_never_replaces_a_complete_one(tmp_path: Path) -> None:
    def down(call: JudgeCall) -> object:
        raise EndpointServerError("down")

    assert _run(tmp_path, down).failed == 1
    assert _run(tmp_path, replies).unreplaced == 0  # a failed one is replaced
    result = _run(tmp_path, down, again=True)
    assert (result.judged, result.failed, result.unreplaced) == (1, 1, 1)
    (stored,) = VerdictStore(tmp_path, "judge").verdicts()
    assert stored.state is VerdictState.COMPLETE
    text = verification_text(result, [stored], None, tmp_path)
    assert "1 failed verdict not stored: a complete verdict is never replaced" in text


@pytest.mark.parametrize(
    ("changed", "judged"), [({}, 0), ({"votes": 3}, 1), ({"top_k": 2}, 1), ({"votes": 1, "top_k": 5}, 0)]
)
def test_other_options_make_a_verdict_out_of_date(
    tmp_path: Path, changed: dict[str, int], judged: int
) -> None:
    _run(tmp_path, replies)
    assert _run(tmp_path, replies, pipeline=PipelineOptions(**changed)).judged == judged
    assert _run(tmp_path, replies, pipeline=PipelineOptions(**changed)).judged == 0


def test_a_verdict_without_a_screen_that_is_there_again_is_out_of_date(tmp_path: Path) -> None:
    whole = trajectory(5)
    last = dataclasses.replace(whole.frames[-1], text="")
    lost = dataclasses.replace(whole, frames=(*whole.frames[:-1], last))
    store = VerdictStore(tmp_path, "judge")
    runner = JudgeRunner(TableJudge(replies), store, JudgeOptions(), 2)
    verdicts: list[TrajectoryVerdict] = []
    result = runner.run([lambda: lost], verdicts.append)
    assert "1 screen of 1 trajectory could not be read" in verification_text(result, verdicts, None, tmp_path)
    assert runner.run([lambda: lost]).skipped == 1
    assert runner.run([lambda: whole]).judged == 1
