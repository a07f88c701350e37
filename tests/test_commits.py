"""Commit subjects follow the convention of CONTRIBUTING.md, since the first commit that does."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FIRST_CHECKED = "d7381df09b6036dc93f6cdf481d8985143437135"
"""The first commit that is checked; earlier subjects have no area."""
FIRST_IMPERATIVE = "bfdf497ab57cf13b1a7c9e0f87b88e4e8548a195"
"""The commit after which a subject says what the commit does; many earlier ones name a thing."""
MAX_LENGTH = 72
SUBJECT = re.compile(r"[a-z][\w.-]*(?: [a-z][\w.-]*)?(?:(?:, |/)[a-z][\w.-]*(?: [a-z][\w.-]*)?)*: \S.*[^.\s]")
"""``area: do something``, without a full stop; the area is one word or two, such as ``known causes``."""

NOT_A_VERB = re.compile(
    r"(?:a|all|an|any|both|each|every|few|fewer|how|its|many|more|most|no|one|other|some|that|the|their|these|"
    r"this|those|two|three|four|five|ten|what|when|where|which|who|whose|why|your)\b",
    re.IGNORECASE,
)
"""Words with which no imperative begins: articles, pronouns, question words and numbers."""


def git(*words: str) -> str:
    """Run git in the checkout and return its output; skip the test if it fails."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0:
        pytest.skip(f"no history to check: {done.stderr.strip()}")
    return done.stdout


def find_problem(subject: str) -> str:
    """Return what is wrong with a commit subject; empty if nothing is."""
    if len(subject) > MAX_LENGTH:
        return f"{len(subject)} characters, at most {MAX_LENGTH}"
    return "" if SUBJECT.fullmatch(subject) else "expected `area: what the commit does`"


def test_commit_subjects_name_an_area_and_are_short() -> None:
    git("rev-parse", "--verify", "--quiet", f"{FIRST_CHECKED}~1^{{commit}}")  # missing in a shallow clone
    lines = git("log", "--no-merges", "--format=%h %s", f"{FIRST_CHECKED}~1..HEAD").splitlines()
    assert lines
    assert [f"{line}: {reason}" for line in lines if (reason := find_problem(line.partition(" ")[2]))] == []


def is_imperative(subject: str) -> bool:
    """Return whether what follows the area may be an imperative, as far as its first word tells."""
    return NOT_A_VERB.match(subject.partition(": ")[2]) is None


def test_commit_subjects_say_what_the_commit_does() -> None:
    git("rev-parse", "--verify", "--quiet", f"{FIRST_IMPERATIVE}^{{commit}}")  # missing in a shallow clone
    subjects = git("log", "--no-merges", "--format=%s", f"{FIRST_IMPERATIVE}..HEAD").splitlines()
    assert [subject for subject in subjects if not is_imperative(subject)] == []


@pytest.mark.parametrize(
    ("subject", "imperative"),
    [
        ("proof: report duplicate near misses", True),
        ("release: 1.2.0", True),
        ("docs: the figures of long campaigns", False),
        ("rules: One name for a threshold", False),
        ("lint: what a selector may leave out", False),
    ],
)
def test_subjects_that_name_a_thing_are_detected(subject: str, imperative: bool) -> None:
    assert is_imperative(subject) is imperative


@pytest.mark.parametrize(
    ("subject", "valid"),
    [
        ("cli: accept the log options after each command", True),
        ("agents/models: read the usage of a stream", True),
        ("rules, tasks: rename the parameters", True),
        ("release: 1.2.0", True),
        ("known causes: compare continuations", True),
        ("view, rules explain: count unknown outcomes apart", True),
        ("accept the log options: after each command", False),
        ("Accept the log options after each command", False),
        ("cli: ", False),
        ("cli:accept the log options", False),
        ("cli: accept the log options.", False),
        ("cli: " + "x" * 67, True),
        ("cli: " + "x" * 68, False),
    ],
)
def test_subject_problems_are_detected(subject: str, valid: bool) -> None:
    assert (find_problem(subject) == "") is valid
