"""The queue of a run's episodes, in blocks whose episodes are compared as pairs; pure.

A block has the conditions of one task, agent and seed. Its episodes stay together: the first device that
begins a block binds it to its kind (model, Android version, screen), so that a pair differs in its condition
and not in its device. Devices of that kind prefer the blocks that have begun, so pairs run close in time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from garabench.episode.spec import EpisodeSpec
from garabench.errors import InputError

Block = tuple[str, str, int]
"""The task, agent and seed of a block."""


def block_of(spec: EpisodeSpec) -> Block:
    """Return the block of an episode."""
    return spec.task.id, spec.agent, spec.seed


@dataclass(frozen=True, slots=True)
class Shard:
    """The part of a plan that one worker performs.

    Attributes:
        number: Its number, from 1.
        count: Number of workers.
    """

    number: int = 1
    count: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.count:
            raise ValueError("the number of a shard must be from 1 to COUNT")

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def part(self, specs: Iterable[EpisodeSpec]) -> tuple[EpisodeSpec, ...]:
        """Return the episodes of this part: every `count`-th block."""
        chosen: dict[Block, bool] = {}
        for spec in (specs := tuple(specs)):
            chosen.setdefault(block_of(spec), len(chosen) % self.count == self.number - 1)
        return tuple(spec for spec in specs if chosen[block_of(spec)])


WHOLE = Shard()
"""The shard of a single worker."""


def parse_shard(text: str) -> Shard:
    """Parse ``2/5``: the second of five parts.

    Raises:
        InputError: It is something else.
    """
    number, slash, count = text.partition("/")
    if not (slash and number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise InputError(f"not a shard: {text!r}", hint="Expected NUMBER/COUNT, such as 2/5.")
    return Shard(int(number), int(count))


@dataclass
class BlockQueue:
    """The episodes that remain, in order.

    Attributes:
        pending: The episodes.
        bound: The kind of device of each block that has begun.
    """

    pending: list[EpisodeSpec]
    bound: dict[Block, str] = field(default_factory=dict)

    @classmethod
    def of(cls, specs: Iterable[EpisodeSpec], bound: Mapping[Block, str] | None = None) -> BlockQueue:
        """Return a queue of episodes in the order of the plan.

        Args:
            specs: The episodes.
            bound: The kind of device of each block that an earlier process has begun; default: none.
        """
        return cls(list(specs), dict(bound or {}))

    def __len__(self) -> int:
        return len(self.pending)

    def take(self, kind: str, present: Collection[str]) -> EpisodeSpec | None:
        """Remove and return the next episode for a device.

        Args:
            kind: The kind of the device.
            present: The kinds of all devices that still perform episodes. A block whose kind is gone is open
                to every device.

        Returns:
            None if every remaining episode belongs to a block of another kind that is present.
        """
        chosen: int | None = None
        for index, spec in enumerate(self.pending):
            bound = self.bound.get(block_of(spec))
            if bound == kind:
                chosen = index
                break
            if chosen is None and (bound is None or bound not in present):
                chosen = index
        if chosen is None:
            return None
        spec = self.pending.pop(chosen)
        self.bound[block_of(spec)] = kind
        return spec

    def put_back(self, spec: EpisodeSpec) -> None:
        """Return an episode that was not performed to the front."""
        self.pending.insert(0, spec)
