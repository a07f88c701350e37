"""Each task that cannot be done is proven by touch: that it cannot, and that no wrong ending passes."""

from __future__ import annotations

import zlib

import pytest

from garabench.campaign.parts import part_findings
from garabench.campaign.proof import Check, Variant
from garabench.campaign.prove import prove_task
from garabench.campaign.suite import Suite, SuiteTask
from tests.suite.test_tasks_on_phone import PROFILES
from tests.virtual.apps.stage import DriverStage

SUITE = Suite.load()


@pytest.mark.parametrize("item", SUITE.infeasible.values(), ids=lambda item: item.task.id)
def test_a_task_that_cannot_be_done_is_proven(item: SuiteTask) -> None:
    profile = PROFILES[zlib.crc32(item.task.id.encode()) % len(PROFILES)]
    found = prove_task(item, SUITE, [(Variant(profile), DriverStage(profile))])
    parts = part_findings(item, SUITE, dict(found.needed), lambda other: {})
    assert found.proof.with_findings(parts).failures == ()
    needed = {finding.subject for finding in parts if finding.check is Check.PART_NEEDED}
    assert needed >= {"seen", "harm"}
    kinds = {miss.kind.value for miss in item.task.near_misses if miss.kind}
    assert kinds >= {"overdone", "faked"}
    assert kinds & {"half-done", "wrong-object", "wrong-value"}
