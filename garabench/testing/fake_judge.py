"""A fake model that answers the verifier's calls: by hand-written replies first, else computed by schema.

The schema at the end of the system message says which stage is called. A computed reply is always valid: the
rubric has a criterion for each clause of the instruction, a screen is relevant if it shows words of a
criterion, and a criterion is fulfilled if a screen shows its words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from garabench.core.file_errors import unreadable
from garabench.errors import InputError
from garabench.testing.replies import FakeReply
from garabench.testing.requests import ReceivedRequest

_SCHEMA = "JSON Schema of the reply:\n"
_CLAUSES = re.compile(r"[，。；,;.]\s*")
_WORDS = re.compile(r"[A-Za-z0-9]{3,}|[\u4e00-\u9fff]{2,}")
_FULL_SCORE = 8.0
_MAX_CLAUSES = 6


@dataclass(frozen=True, slots=True)
class WrittenReply:
    """A hand-written reply.

    Attributes:
        schema: Name of the reply's schema, such as ``RubricReply``.
        contains: Texts that the request must contain, all of them.
        reply: The reply.
    """

    schema: str
    contains: tuple[str, ...]
    reply: object


def read_written_replies(file: Path | str) -> tuple[WrittenReply, ...]:
    """Read hand-written replies: JSON Lines with ``schema``, ``contains`` and ``reply``.

    Args:
        file: The file.

    Raises:
        InputError: It cannot be read, or a line is malformed.
    """
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise unreadable(file, error) from error
    replies: list[WrittenReply] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            match json.loads(line):
                case {"schema": str(schema), "contains": list(contains), "reply": reply}:
                    replies.append(WrittenReply(schema, tuple(map(str, contains)), reply))
                case _:
                    raise InputError(f"{file}:{number}: expected an object with schema, contains and reply")
        except ValueError as error:
            raise InputError(f"{file}:{number}: not JSON: {error}") from error
    return tuple(replies)


class JudgeReplies:
    """Answers the calls of the verifier's judge."""

    def __init__(self, written: Sequence[WrittenReply] = ()) -> None:
        """Prepare.

        Args:
            written: Hand-written replies; the first that fits a request answers it.
        """
        self._written = tuple(written)

    def answer(self, request: ReceivedRequest) -> FakeReply:
        """Return the hand-written reply that fits, or the computed one."""
        schema = schema_of_call(request)
        text = request.text
        for written in self._written:
            if written.schema == schema and all(part in text for part in written.contains):
                return FakeReply(json.dumps(written.reply, ensure_ascii=False))
        return FakeReply(json.dumps(_COMPUTED[schema](_Prompt(text)), ensure_ascii=False))


def schema_of_call(request: ReceivedRequest) -> str:
    """Return the name of the schema that a judge's call requests.

    Args:
        request: The request.

    Raises:
        ValueError: It is not a call of the verifier's judge.
    """
    _, found, schema = request.messages[0].text.partition(_SCHEMA)
    if not found:
        raise ValueError("not a call of the verifier's judge: its rules name no schema")
    title = json.loads(schema).get("title", "")
    if title not in _COMPUTED:
        raise ValueError(f"unknown schema {title!r}")
    return str(title)


class _Prompt:
    """What the computed replies read from a prompt."""

    def __init__(self, text: str) -> None:
        self.text = text

    @property
    def instruction(self) -> str:
        start = self.text.index("Instruction: ") + len("Instruction: ")
        return str(json.JSONDecoder().raw_decode(self.text, start)[0])

    @property
    def criteria(self) -> list[dict[str, Any]]:
        rows = (json.loads(line) for line in self.text.splitlines() if line.startswith('{"criterion_idx"'))
        return [row for row in rows if "max_points" in row]

    @property
    def evidence(self) -> list[dict[str, Any]]:
        rows = (json.loads(line) for line in self.text.splitlines() if line.startswith('{"criterion_idx"'))
        return [row for row in rows if "shows" in row]

    @property
    def screen(self) -> str:
        return self.text.rpartition("Elements of the screen:")[2]

    def shown(self, criterion: Mapping[str, Any]) -> float:
        """Return the share of a criterion's words that the screen shows."""
        words = _words(criterion)
        return sum(word in self.screen for word in words) / len(words) if words else 0.0


def _words(criterion: Mapping[str, Any]) -> list[str]:
    return _WORDS.findall(str(criterion["criterion"]))


def _rubric(prompt: _Prompt) -> object:
    clauses = list(dict.fromkeys(each.strip() for each in _CLAUSES.split(prompt.instruction) if each.strip()))
    clauses = clauses[:_MAX_CLAUSES] or [prompt.instruction]
    return {
        "items": [
            {
                "criterion": clause,
                "description": f"full points if done: {clause}",
                "max_points": 2,
                "cites": [clause],
            }
            for clause in clauses
        ]
    }


def _dependencies(_: _Prompt) -> object:
    return {"reasoning": "each criterion is a separate clause", "needs_reformulation": False}


def _action_scores(prompt: _Prompt) -> object:
    claimed = "The agent reported that the task is done." in prompt.text or "ended the episode" in prompt.text
    return {
        "items": [
            {
                "criterion_idx": row["criterion_idx"],
                "earned_points": row["max_points"] if claimed else 0,
                "justification": "by the steps and the end",
                "is_condition_met": True if row.get("condition") else None,
            }
            for row in prompt.criteria
        ]
    }


def _relevance(prompt: _Prompt) -> object:
    return {f"criterion_{row['criterion_idx']}": round(10 * prompt.shown(row)) for row in prompt.criteria}


def _evidence(prompt: _Prompt) -> object:
    found = re.search(r"Criteria to report on: ([\d, ]+)\.", prompt.text)
    listed = [int(number) for number in found[1].split(",")] if found else []
    rows = {row["criterion_idx"]: row for row in prompt.criteria}
    return {
        "items": [
            {
                "criterion_idx": index,
                "screenshot_evidence": f"shows {round(10 * prompt.shown(rows[index]))} of 10 parts",
                "criterion_analysis": "fulfilled" if prompt.shown(rows[index]) else "not shown",
            }
            for index in listed
        ]
    }


def _conditions(prompt: _Prompt) -> object:
    rows = [row for row in prompt.criteria if row.get("condition")]
    return {
        "items": [
            {
                "criterion_idx": row["criterion_idx"],
                "reasoning": "as in the first pass",
                "is_condition_met": True,
            }
            for row in rows
        ]
    }


def _rescoring(prompt: _Prompt) -> object:
    fulfilled = {row["criterion_idx"] for row in prompt.evidence if row.get("analysis") == "fulfilled"}
    return {
        "items": [
            {
                "criterion_idx": row["criterion_idx"],
                "post_image_justification": "by the screens",
                "post_image_earned_points": row["max_points"] if row["criterion_idx"] in fulfilled else 0,
            }
            for row in prompt.criteria
        ]
    }


def _outcome(prompt: _Prompt) -> object:
    rows = prompt.criteria
    earned = sum(row.get("post_image_earned_points", row.get("earned_points", 0)) for row in rows)
    done = earned >= _FULL_SCORE / 10 * sum(row["max_points"] for row in rows)
    return {"primary_intent": prompt.instruction[:80], "reasoning": "by the points", "output_success": done}


def _failures(prompt: _Prompt) -> object:
    if "Outcome: success." in prompt.text:
        return {"failure_points": []}
    point = {
        "step_numbers": [],
        "error_code": "3.5",
        "error_category": "execution",
        "what_happened": "not all sub-goals were performed",
    }
    return {"failure_points": [point]}


_COMPUTED: dict[str, Callable[[_Prompt], object]] = {
    "RubricReply": _rubric,
    "DependencyReply": _dependencies,
    "ActionScoresReply": _action_scores,
    "RelevanceReply": _relevance,
    "EvidenceReply": _evidence,
    "ConditionsReply": _conditions,
    "RealityReply": lambda _: {"items": []},
    "RescoringReply": _rescoring,
    "SideEffectsReply": lambda _: {"requires_penalty": False, "penalty_criteria": []},
    "OutcomeReply": _outcome,
    "FailuresReply": _failures,
}
