"""The packages that contribute sections to an episode's page."""

from __future__ import annotations

from collections.abc import Callable

from garabench.core.sections import Section
from garabench.diagnosis import report_section as diagnosis_section
from garabench.graph import report_section as graph_section
from garabench.records.episode import Episode
from garabench.records.reader import Run
from garabench.verifier import report_section as verifier_section

EpisodeSectionSource = Callable[[Run, Episode], tuple[Section, ...]]
"""Returns the sections of a package about an episode; none if it has stored nothing about it."""

EPISODE_SOURCES: tuple[EpisodeSectionSource, ...] = (
    diagnosis_section.episode_sections,
    verifier_section.episode_sections,
    graph_section.episode_sections,
)
"""The sources, in the order of their sections on the page."""
