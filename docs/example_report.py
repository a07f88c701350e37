"""Write the example of a report in the docs from a run: ``python docs/example_report.py RUN``.

It writes `docs/examples/report.html`, and the records without screenshots, trees and device log as
`docs/examples/report-run.tar.xz`, a tenth the size of a bundle. A test recomputes the figures of the one from
the other.
"""

from __future__ import annotations

import sys
import tarfile
from pathlib import Path

from garabench import write_report

FOLDER = Path(__file__).parent / "examples"
PAGE, RECORDS = "report.html", "report-run.tar.xz"
RUN_FILE, RESULTS, LOGS = "run.json", "results.jsonl", "episodes/*/*/*/*/events.jsonl"


def main() -> None:
    """Write both files from the run that the first argument names."""
    folder = Path(sys.argv[1])
    write_report(folder, FOLDER / PAGE)
    logs = sorted(folder.glob(LOGS))
    with tarfile.open(FOLDER / RECORDS, "w:xz") as archive:
        for path in (folder / RUN_FILE, folder / RESULTS, *logs):
            archive.add(path, str(path.relative_to(folder)), filter=_without_owner)


def _without_owner(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return member


if __name__ == "__main__":
    main()
