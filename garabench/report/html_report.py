"""The report of runs as one HTML file: it opens from disk, and needs no network and no other file."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape

from garabench.core.phrases import counted, joined
from garabench.core.sections import Paragraph, Section
from garabench.errors import InputError
from garabench.records.disk import write_atomic
from garabench.records.reader import Run
from garabench.report.chinese_font import font_face
from garabench.report.comparison_section import comparison_section
from garabench.report.cost_section import cost_section
from garabench.report.failure_section import failure_section
from garabench.report.interruption_section import interruption_section
from garabench.report.matrix import MARKS, make_matrix, matrix_data
from garabench.report.method_section import method_section, version_section
from garabench.report.overview_section import overview_section
from garabench.report.picture_thumbnails import Thumbnails
from garabench.report.report_input import ReportInput, read_input
from garabench.report.reproduction_command import reproduction_command
from garabench.report.section_sources import SECTION_SOURCES, SectionSource
from garabench.report.side_effect_section import side_effect_sections
from garabench.report.text_redaction import Redaction, find_secrets, redact_section
from garabench.web.display_text import display_text
from garabench.web.section_html import no_pictures, section_html
from garabench.web.templating import static_text, template_environment

_OWN, _WEB = "garabench.report", "garabench.web"


def write_report(
    runs: Sequence[Run | Path | str] | Run | Path | str,
    out: Path | str,
    *,
    pictures: bool = True,
    redact: bool = False,
    strict: bool = False,
) -> Path:
    """Write the report of runs as one HTML file.

    Args:
        runs: Runs of one kind of device, or their folders.
        out: The file.
        pictures: Whether to show thumbnails of screens.
        redact: Whether to remove typed secrets, account names, model keys and paths, and all pictures.
        strict: Whether to refuse runs that are not comparable.

    Returns:
        The file.

    Raises:
        InputError: A run cannot be read, or the runs may not be in one report.
        RecordError: The file cannot be written.
    """
    given = read_input([runs] if isinstance(runs, Run | Path | str) else list(runs), strict=strict)
    redaction = None
    if redact:
        home = Path.home()
        redaction = find_secrets(given.runs, os.environ, (home.name, str(home)))
    path = Path(out)
    write_atomic(path, report_html(given, pictures=pictures, redaction=redaction).encode())
    return path


def report_html(
    given: ReportInput,
    *,
    pictures: bool = True,
    redaction: Redaction | None = None,
    sources: Sequence[SectionSource] = SECTION_SOURCES,
) -> str:
    """Return the report of runs as HTML.

    Args:
        given: The runs.
        pictures: Whether to show thumbnails of screens.
        redaction: What to remove from all texts; then there are no pictures.
        sources: The packages that contribute sections.
    """
    pictures = pictures and redaction is None
    clean = redaction.text if redaction is not None else str
    address = Thumbnails(run.store for run in given.runs).address if pictures else no_pictures
    before = [overview_section(given), comparison_section(given)]
    after = [
        interruption_section(given, pictures=pictures),
        failure_section(given, pictures=pictures),
        *side_effect_sections(given),
        cost_section(given),
        *(section for source in sources for section in _contributed(source, given)),
        method_section(given),
        version_section(given),
    ]
    if redaction is not None:
        before = [redact_section(section, clean) for section in before]
        after = [redact_section(section, clean) for section in after]
    titles = [(section.id, section.title) for section in before]
    titles.append(("matrix", "Task by task"))
    titles += [(section.id, section.title) for section in after]
    titles.append(("reproduce", "Commands"))
    matrix = make_matrix(given)
    data = matrix_data(given, matrix, clean)
    described = [(clean(run.folder.name), _whole(reproduction_command(run, clean))) for run in given.runs]
    warnings = [clean(caveat) for caveat in given.caveats]
    parts_before = [section_html(section, address) for section in before]
    parts_after = [section_html(section, address) for section in after]
    texts = [*parts_before, *parts_after, *warnings, *map(str, (data, described, titles, given.agents))]
    style = Markup("\n").join(
        [
            *(
                static_text(*sheet)
                for sheet in ((_WEB, "base.css"), (_WEB, "sections.css"), (_OWN, "report.css"))
            ),
            Markup(font_face(texts)),  # noqa: S704  # code points and Base64
        ]
    )
    script = static_text(_OWN, "report.js")
    template = _environment().get_template("report.html")
    return template.render(
        title=clean(_title(given)),
        first=given.runs[0],
        runs=described,
        redacted=redaction is not None,
        warnings=warnings,
        contents=titles,
        before=parts_before,
        after=parts_after,
        matrix=matrix,
        clean=clean,
        marks=MARKS,
        data=_script_data(data),
        style=style,
        script=script,
        policy=_policy(style, script),
    )


def _whole(text: str) -> Markup:
    """Return a text that the page never shortens."""
    return escape(display_text(text, len(text)))


def _title(given: ReportInput) -> str:
    agents = joined(given.agents) if len(given.agents) <= 4 else counted(len(given.agents), "agent")
    return f"{agents} on {counted(len(given.tasks), 'task')}"


def _contributed(source: SectionSource, given: ReportInput) -> tuple[Section, ...]:
    """Return a package's sections; damage to what it stored must not cost the rest of the report."""
    try:
        return source.sections(given.runs)
    except InputError as error:
        said = Paragraph(f"This section could not be read: {error}")
        return (Section(source.unreadable_id, source.unreadable_title, (said,)),)


def _policy(style: str, script: str) -> str:
    """Return a Content-Security-Policy that allows this style sheet and this script alone, and no network."""
    hashes = [
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in (style, script)
    ]
    return (
        f"default-src 'none'; img-src data:; font-src data:; style-src {hashes[0]}; script-src {hashes[1]}; "
        "base-uri 'none'; form-action 'none'"
    )


def _script_data(data: dict[str, Any]) -> Markup:
    """Return data as JSON that no text in it can end: the characters of markup are escaped."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704  # escaped above


@functools.cache
def _environment() -> Environment:
    return template_environment(_OWN)
