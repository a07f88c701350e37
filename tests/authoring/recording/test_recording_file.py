"""The file of a recording keeps the steps as they were performed."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import TypeAdapter

from garabench.authoring.recording.person_session import step_text
from garabench.authoring.recording.recording_file import RecordingFile, read_recording
from garabench.core.steps import SolutionStep

STEPS: TypeAdapter[SolutionStep] = TypeAdapter(SolutionStep)


@pytest.mark.parametrize(
    ("step", "written"),
    [
        ({"tap": {"id": "late"}}, "tap: {id: late}"),
        ({"type": {"text": "box", "into": {"id": "query"}}}, "type: {text: box, into: {id: query}}"),
        ({"type": {"text": "茶", "submit": True}}, "type: {text: 茶, submit: true}"),
        ({"scroll": {"direction": "down"}}, "scroll: {direction: down}"),
        ({"key": "back"}, "key: back"),
    ],
)
def test_a_resumed_recording_has_its_steps_without_defaults(
    tmp_path: Path, step: dict[str, object], written: str
) -> None:
    performed = STEPS.validate_python(step)
    RecordingFile(task="book", app="com.acme.gym", steps=(performed,)).write(tmp_path)
    (read,) = read_recording(tmp_path).steps
    assert (step_text(performed), step_text(read)) == (written, written)
