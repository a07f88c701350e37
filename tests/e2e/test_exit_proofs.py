"""Exit proofs on a virtual phone: exits broken in one mode only, and system anomalies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from pydantic import TypeAdapter

from garabench.core.clock import SystemClock
from garabench.core.interruption import Mode, SystemInterruption
from garabench.core.seeds import generator
from garabench.core.steps import DeviceStep
from garabench.core.tree import parse_tree
from garabench.device import screenshots
from garabench.device.adb import Adb
from garabench.interruptions.planned_interruption import PlannedInterruption
from garabench.proof.devices import DeviceGroup, open_device_groups
from garabench.proof.exit_checks import exit_findings
from garabench.proof.findings import ProofCheck
from tests.bundled import bundled_suite

SUITE = bundled_suite()
ITEM = SUITE.tasks["jd-new-nickname"]
TURNED_OFF = TypeAdapter(tuple[DeviceStep, ...]).validate_python([{"wifi": False}, {"airplane": True}])


@pytest.fixture(scope="module")
def group() -> Iterator[DeviceGroup]:
    with open_device_groups("virtual:android-34", SystemClock(), jobs=1) as (opened,):
        yield opened


@pytest.mark.parametrize("mode", Mode)
def test_exit_broken_in_one_mode_is_found(
    mode: Mode, group: DeviceGroup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = generator(0, "mutation", mode.value).choice(SUITE.rules_of(ITEM)).rule
    (name,) = rule.inject
    key = next(b.key for b in SUITE.interruptions[name].offered(mode) if not b.easy)
    original = PlannedInterruption.follow_up

    def broken_follow_up(self: PlannedInterruption, pressed: str) -> tuple[DeviceStep, ...]:
        broken = (self.name, self.mode, pressed) == (name, mode, key)
        return (*original(self, pressed), *(TURNED_OFF if broken else ()))

    monkeypatch.setattr(PlannedInterruption, "follow_up", broken_follow_up)
    early: list[Adb] = []
    monkeypatch.setattr(screenshots, "PendingScreenshot", early.append)
    group.save_evidence_in(tmp_path)
    item = replace(ITEM, task=ITEM.task.model_copy(update={"rules": (rule.id,)}))
    found = exit_findings(item, SUITE, group.exit_performer)
    assert {finding.subject for finding in found} >= {
        f"{rule.id} {each.value} {button.key}"
        for each in Mode
        for button in SUITE.interruptions[name].offered(each)
    }
    (bad,) = [finding for finding in found if not finding.ok]
    assert bad.subject == f"{rule.id} {mode.value} {key}"
    assert bad.reason.startswith("not solved after this exit (failure, ")
    assert not early  # only a failure is photographed
    picture = Path(bad.evidence)
    assert picture == tmp_path / f"exit-{rule.id}-{mode.value}-{key}.png"
    assert Image.open(picture).size == (1080, 2400)
    assert parse_tree(picture.with_suffix(".xml").read_bytes()).nodes


def test_system_anomaly_takes_effect_in_both_modes(group: DeviceGroup, tmp_path: Path) -> None:
    anomalies = {
        name: SystemInterruption(id=name, description="for a test", system=system)
        for name, system in {"turn": "rotation", "darken": "dark-mode"}.items()
    }
    bound = SUITE.rules_of(ITEM)[0]
    rule = bound.rule.model_copy(update={"inject": tuple(anomalies)})
    rules = {**SUITE.rules, rule.id: replace(bound, rule=rule)}
    item = replace(ITEM, task=ITEM.task.model_copy(update={"rules": (rule.id,)}))
    group.save_evidence_in(tmp_path)
    found = exit_findings(item, replace(SUITE, rules=rules, anomalies=anomalies), group.exit_performer)
    assert [(finding.check, finding.subject, finding.ok) for finding in found] == [
        (ProofCheck.IN_FORCE, f"{rule.id} {name} {mode.value}", True) for name in anomalies for mode in Mode
    ]
