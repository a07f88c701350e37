from __future__ import annotations

from decimal import Decimal

from garabench.agents.models.budget import Budget, Meter
from garabench.campaign.engines.usage_ledger import UsageLedger
from garabench.core.clock import SystemClock
from garabench.core.usage import Usage


def used(tokens: int) -> Usage:
    return Usage(requests=1, sent=tokens, cost=Decimal(0))


def test_each_worker_hears_of_the_usage_of_others_once() -> None:
    meter = Meter(Budget(tokens=100), SystemClock(), before=[used(10)])
    ledger = UsageLedger(meter)
    assert [each.tokens for each in ledger.news("a")] == [10]  # that of earlier invocations
    ledger.add("a", [used(1), used(2)])
    assert [each.tokens for each in ledger.news("b")] == [13]
    ledger.add("b", [used(5)])
    assert [each.tokens for each in ledger.news("a")] == [5]
    assert ledger.news("a") == ()
    ledger.forget("a")  # its process has started anew
    assert [each.tokens for each in ledger.news("a")] == [18]
    assert not meter.exceeded()
    ledger.add("a", [used(82)])
    assert "100 tokens" in meter.exceeded()
