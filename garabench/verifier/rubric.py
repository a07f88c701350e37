"""Rubrics: criteria with points, how they were scored, and the process score."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

PROCESS_THRESHOLD = 0.8
"""The process counts as a success from this score."""


class RubricValue(BaseModel):
    """Base of the stored values: frozen, without unknown fields, with finite numbers."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Criterion(RubricValue):
    """A criterion of a rubric.

    Attributes:
        criterion: Its title.
        description: What earns full and partial points.
        max_points: Its weight.
        condition: When it applies; empty if it always does.
        cites: The words of the instruction that require it, verbatim; empty only for a penalty.
        penalty: Whether it was added for a side effect, which no instruction requires.
    """

    criterion: str = Field(min_length=1)
    description: str = ""
    max_points: float = Field(gt=0)
    condition: str = ""
    cites: tuple[str, ...] = ()
    penalty: bool = False

    @property
    def conditional(self) -> bool:
        """Whether it applies only under a condition."""
        return bool(self.condition)


class Rubric(RubricValue):
    """The criteria of a task, made from its instruction alone.

    Attributes:
        items: The criteria.
    """

    items: tuple[Criterion, ...] = Field(min_length=1)

    @property
    def conditionals(self) -> tuple[int, ...]:
        """Indices of the conditional criteria."""
        return tuple(index for index, item in enumerate(self.items) if item.conditional)


class ScoredCriterion(RubricValue):
    """A criterion with its points, from the actions alone and with the evidence of the screens.

    Attributes:
        criterion: The criterion.
        earned_points, justification: The points by the actions alone, and why.
        is_condition_met: Whether the condition is met; None for an unconditional criterion.
        post_image_earned_points, post_image_justification: The points with the screens, and why; None if it
            was not scored with them.
        applicable_evidence: The evidence that the second pass used.
        reality_notes: Assumptions of the rubric that do not hold on the device.
    """

    criterion: Criterion
    earned_points: float = Field(ge=0)
    justification: str = ""
    is_condition_met: bool | None = None
    post_image_earned_points: float | None = Field(default=None, ge=0)
    post_image_justification: str = ""
    applicable_evidence: str = ""
    reality_notes: str = ""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        most = self.criterion.max_points
        if self.earned_points > most or (self.post_image_earned_points or 0) > most:
            raise ValueError(f"{self.criterion.criterion!r}: more than {most:g} points")
        if self.criterion.conditional != (self.is_condition_met is not None):
            raise ValueError(f"{self.criterion.criterion!r}: is_condition_met is for conditional criteria")
        return self

    @property
    def applies(self) -> bool:
        """Whether it counts: it is unconditional, or its condition is met."""
        return self.is_condition_met is not False

    @property
    def points(self) -> float:
        """Its points: with the screens if it was scored with them, else by the actions alone."""
        return self.earned_points if self.post_image_earned_points is None else self.post_image_earned_points

    @property
    def disagreement(self) -> float:
        """Points with the screens minus points by the actions alone; 0 without a second pass."""
        return self.points - self.earned_points


class ScoredRubric(RubricValue):
    """A rubric with its points.

    Attributes:
        items: The scored criteria.
    """

    items: tuple[ScoredCriterion, ...] = Field(min_length=1)

    @property
    def earned(self) -> float:
        """The points of the criteria that apply."""
        return sum(item.points for item in self.items if item.applies)

    @property
    def maximum(self) -> float:
        """The most points of the criteria that apply."""
        return sum(item.criterion.max_points for item in self.items if item.applies)

    @property
    def process_score(self) -> float | None:
        """Earned points divided by the most points; None if no criterion applies."""
        return self.earned / self.maximum if self.maximum else None

    @property
    def action_only_score(self) -> float | None:
        """The process score by the actions alone, without penalties; None if no criterion applies."""
        items = [item for item in self.items if item.applies and not item.criterion.penalty]
        most = sum(item.criterion.max_points for item in items)
        return sum(item.earned_points for item in items) / most if most else None

    @property
    def disagreements(self) -> tuple[int, ...]:
        """Indices of the criteria whose two passes gave different points."""
        return tuple(index for index, item in enumerate(self.items) if item.applies and item.disagreement)


_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an the this that these those it its he him his she her they them their i me my we us our you your"
        " is are was were be been am do does did has have had and or but not no of in on at to from by with"
        " for as into if then so than please can could will would should must may"
        " 这个 那个 这些 那些 一个 一下 然后 并且 或者 以及 如果"
        " 请你 我们 你们 他们 它们 自己 可以 需要 还有",
    )
)
_WORD = re.compile(r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+")


def uncited(instruction: str, criteria: Sequence[Criterion]) -> tuple[int, ...]:
    """Return the indices of phantom criteria, whose citations are missing or not in the instruction.

    A citation is whole words of the instruction, in their order; case, white space and punctuation around
    words do not matter. It has a word of content: stop words require nothing. Chinese is written without
    spaces; there, a citation is at least two characters long. Penalties need no citation.

    Args:
        instruction: The instruction.
        criteria: The criteria.
    """
    words = _words(instruction)
    return tuple(
        index
        for index, item in enumerate(criteria)
        if not item.penalty
        and not (item.cites and all(_is_citation(_words(cited), words) for cited in item.cites))
    )


def _is_citation(cited: Sequence[str], words: Sequence[str]) -> bool:
    if not any(word not in _STOP_WORDS and not _is_lone(word, cited) for word in cited):
        return False
    starts = range(len(words) - len(cited) + 1)
    return any(_matches(cited, words[start : start + len(cited)]) for start in starts)


def _is_lone(word: str, cited: Sequence[str]) -> bool:
    """Return whether a citation is one Chinese character, which says nothing alone."""
    return len(cited) == 1 and len(word) == 1 and not word.isascii()


def _matches(cited: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether words are equal; at its ends, a citation may have a part of a run of Chinese."""
    last = len(cited) - 1
    return all(
        part == word
        or (
            _is_chinese(part)
            and _is_chinese(word)
            and (
                (at == 0 == last and part in word)
                or (at == 0 < last and word.endswith(part))
                or (at == last > 0 and word.startswith(part))
            )
        )
        for at, (part, word) in enumerate(zip(cited, words, strict=True))
    )


def _is_chinese(word: str) -> bool:
    return "\u3400" <= word[0] <= "\u9fff"


def _words(text: str) -> tuple[str, ...]:
    """Return the words of a text; a run of Chinese characters is one, also across white space."""
    joined = re.sub(r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])", "", text.casefold())
    return tuple(_WORD.findall(joined))
