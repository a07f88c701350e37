"""The packages that contribute sections to a report, and to the page of an episode.

Each stores its results in a folder of the run and has a module ``report_section``; one more module joins the
results of two of them. A module is imported only if a run has the folder: some load libraries that most
reports do not need.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType

from garabench.core.sections import Section
from garabench.records.episode import Episode
from garabench.records.reader import Run


@dataclass(frozen=True, slots=True)
class SectionSource:
    """A package that contributes sections.

    Attributes:
        package: Its name within `garabench`.
        folder: The folder of a run in which it stores its results.
        module: The module of the package that makes the sections.
        title: The heading if the results cannot be read; default: the package's name.
    """

    package: str
    folder: str
    module: str = "report_section"
    title: str = ""

    @property
    def unreadable_id(self) -> str:
        """The anchor of the section that says that the results cannot be read."""
        return self.package if not self.title else self.title.lower().replace(" ", "-")

    @property
    def unreadable_title(self) -> str:
        """The heading of that section."""
        return self.title or self.package.capitalize()

    def sections(self, runs: Sequence[Run]) -> tuple[Section, ...]:
        """Return its sections; none if it has stored nothing in the runs.

        Raises:
            InputError: What it stored is broken or of a newer version.
        """
        if not any(self._has_stored(run) for run in runs):
            return ()
        found: Callable[[Sequence[Run]], tuple[Section, ...]] = self._module().sections
        return found(runs)

    def episode_sections(self, run: Run, episode: Episode) -> tuple[Section, ...]:
        """Return its sections about an episode; none if it has stored nothing about it.

        Raises:
            InputError: What it stored is broken or of a newer version.
        """
        if not self._has_stored(run):
            return ()
        found: Callable[[Run, Episode], tuple[Section, ...]] = self._module().episode_sections
        return found(run, episode)

    def _has_stored(self, run: Run) -> bool:
        return (run.folder / self.folder).is_dir()

    def _module(self) -> ModuleType:
        return importlib.import_module(f"garabench.{self.package}.{self.module}")


SECTION_SOURCES = (
    SectionSource("diagnosis", "diagnosis"),
    SectionSource("report", "diagnosis", "diagnosed_verdict_section", "Diagnoses and verdicts"),
    SectionSource("verifier", "verdicts"),
    SectionSource("graph", "graph"),
)
"""The sources, in the order of their sections in the report."""
