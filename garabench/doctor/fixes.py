"""Fix what ``--fix`` may fix: perform the device commands of findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from garabench.core.clock import Clock
from garabench.device.device import Device
from garabench.doctor.finding import DoctorFinding, Status, passed
from garabench.errors import GaraError


def apply_fixes(findings: Sequence[DoctorFinding], clock: Clock) -> Iterator[DoctorFinding]:
    """Perform the fixes of the findings that have one, and yield what happened.

    Args:
        findings: The findings.
        clock: The clock for all time limits.
    """
    for finding in findings:
        if not finding.fix:
            continue
        try:
            with Device.connect(finding.subject, clock, use_u2=False) as device:
                for argv in finding.fix:
                    device.adb.shell(argv).check("fix it")
        except GaraError as error:
            yield DoctorFinding(
                finding.check, finding.subject, Status.FAIL, f"not fixed: {error}", finding.hint
            )
        else:
            yield passed(finding.check, finding.subject, f"fixed: {finding.message}")
