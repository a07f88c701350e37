"""The packages that contribute sections to a report.

Each stores its results in a folder of the run and has a module ``report_section``. The module is imported
only if a run has the folder: some load libraries that most reports do not need.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from garabench.core.sections import Section
from garabench.records.reader import Run


@dataclass(frozen=True, slots=True)
class SectionSource:
    """A package that contributes sections.

    Attributes:
        package: Its name within `garabench`.
        folder: The folder of a run in which it stores its results.
    """

    package: str
    folder: str

    def sections(self, runs: Sequence[Run]) -> tuple[Section, ...]:
        """Return its sections; none if it has stored nothing in the runs.

        Raises:
            InputError: What it stored is broken or of a newer version.
        """
        if not any((run.folder / self.folder).is_dir() for run in runs):
            return ()
        module = importlib.import_module(f"garabench.{self.package}.report_section")
        found: Callable[[Sequence[Run]], tuple[Section, ...]] = module.sections
        return found(runs)


SECTION_SOURCES = (
    SectionSource("diagnosis", "diagnosis"),
    SectionSource("verifier", "verdicts"),
    SectionSource("graph", "graph"),
)
"""The sources, in the order of their sections in the report."""
