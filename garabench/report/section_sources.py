"""The packages that contribute sections to a report."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from garabench.core.sections import Section
from garabench.graph import report_section as graph
from garabench.records.reader import Run
from garabench.verifier import report_section as verifier

SectionSource = Callable[[Sequence[Run]], tuple[Section, ...]]
"""Returns the sections of a package; none if it has stored nothing in the runs."""

SECTION_SOURCES: tuple[SectionSource, ...] = (verifier.sections, graph.sections)
"""The sources, in the order of their sections in the report."""
