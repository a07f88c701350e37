"""The queue of a run's episodes, in blocks whose episodes are compared as pairs; pure.

A block has the conditions of one task, agent and seed. Its episodes stay together: the first device that
begins a block binds it to its kind (model, Android version, screen), so that a pair differs in its condition
and not in its device. Devices of that kind prefer the blocks that have begun, so pairs run close in time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from garabench.episode.spec import EpisodeSpec

_Block = tuple[str, str, int]


def block_of(spec: EpisodeSpec) -> _Block:
    """Return the block of an episode."""
    return spec.task.id, spec.agent, spec.seed


@dataclass
class BlockQueue:
    """The episodes that remain, in order.

    Attributes:
        pending: The episodes.
        bound: The kind of device of each block that has begun.
    """

    pending: list[EpisodeSpec]
    bound: dict[_Block, str] = field(default_factory=dict)

    @classmethod
    def of(cls, specs: Iterable[EpisodeSpec]) -> BlockQueue:
        """Return a queue of episodes in the order of the plan."""
        return cls(list(specs))

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
