"""Infeasible tasks are proven on a virtual phone: they are infeasible, and no wrong ending passes.

One task of each app is proven here; `make prove` proves every one over the wire.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import replace

import pytest

from garabench.core.goal import Goal
from garabench.proof.coverage import coverage_findings
from garabench.proof.findings import ProofCheck, Variant
from garabench.proof.prove_task import prove_task
from garabench.suite.suite import SuiteTask
from garabench.virtual.apps.jd import content as jd
from tests.bundled import bundled_suite
from tests.bundled_suite.test_tasks_on_phone import PROFILES
from tests.virtual.apps.driver_performer import DriverPerformer

SUITE = bundled_suite()
ONE_EACH = {item.app: item for item in SUITE.infeasible.values()}


@pytest.mark.parametrize("item", ONE_EACH.values(), ids=lambda item: item.task.id)
def test_an_infeasible_task_is_proven(item: SuiteTask) -> None:
    profile = PROFILES[zlib.crc32(item.task.id.encode()) % len(PROFILES)]
    found = prove_task(item, SUITE, [(Variant(profile), DriverPerformer(profile))])
    parts = coverage_findings(item, SUITE, dict(found.needed), lambda other: {})
    assert found.proof.with_findings(parts).failures == ()
    needed = {finding.subject for finding in parts if finding.check is ProofCheck.PART_NEEDED}
    assert needed >= {"seen", "harm"}
    kinds = {miss.kind.value for miss in item.task.near_misses if miss.kind}
    assert kinds >= {"overdone", "faked"}
    assert kinds & {"half-done", "wrong-object", "wrong-value"}


def named(name: str) -> SuiteTask:
    return SUITE.infeasible[name]


def failures(item: SuiteTask) -> set[ProofCheck]:
    profile = PROFILES[0]
    proof = prove_task(item, SUITE, [(Variant(profile), DriverPerformer(profile))]).proof
    return {finding.check for finding in proof.failures}


def test_a_restocked_product_makes_its_task_feasible(monkeypatch: pytest.MonkeyPatch) -> None:
    item = named("infeasible-jd-air-fryer")
    assert failures(item) == set()
    stocked = {name: replace(each, stocked=True) for name, each in jd.products().items()}

    def products() -> Mapping[str, jd.JdProduct]:
        return stocked

    monkeypatch.setattr(jd, "products", products)
    assert ProofCheck.SOLVED in failures(item)


@pytest.mark.parametrize("name", ["infeasible-fb-befriend-nobody", "infeasible-gmaps-save-closed-diner"])
def test_a_harm_that_never_holds_is_caught(name: str) -> None:
    item = named(name)
    never = Goal.model_validate({"id": "never", "condition": {"exists": {"id": "nowhere"}}})
    assert failures(replace(item, harm=never)) == {ProofCheck.NEAR_MISS}
