"""Write the example of a report in the docs from a run: ``python docs/example_report.py RUN``.

It writes `docs/examples/report.html`, and the records without screenshots, trees and device log as
`docs/examples/report-run.zip`. A test recomputes the figures of the one from the other.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from garabench import load_run, write_bundle, write_report
from garabench.records.bundle import BundledStore
from garabench.records.run_layout import EPISODES, RESULTS, RUN_FILE

FOLDER = Path(__file__).parent / "examples"
PAGE, RECORDS = "report.html", "report-run.zip"


def main() -> None:
    """Write both files from the run that the first argument names."""
    folder = Path(sys.argv[1])
    write_report(folder, FOLDER / PAGE)
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / folder.name
        shutil.copytree(folder / EPISODES, copy / EPISODES)
        for name in (RUN_FILE, RESULTS):
            shutil.copy(folder / name, copy / name)
        write_bundle(load_run(copy), FOLDER / RECORDS, store=BundledStore.NONE)


if __name__ == "__main__":
    main()
