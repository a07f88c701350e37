"""The file of a recording keeps the steps as they were performed."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import TypeAdapter

from garabench.authoring.recording.person_session import step_text
from garabench.authoring.recording.recording_file import RecordingFile, read_recording
from garabench.core.steps import SolutionStep
from garabench.errors import InputError

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


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ('{"task": "book",', r"recording.json:1:17: not valid JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("\udcff", "not valid UTF-8"),
        ('{"version": 2, "task": "book"}', "has version 2; this GaraBench reads versions up to 1"),
        (
            '{"task": "book", "app": "com.acme.gym",\n "steps": [{"tapp": {"id": "late"}}]}',
            r"recording.json:2:12: unknown step 'tapp'\n.*\n.*\n  Did you mean 'tap'\?",
        ),
        ('{"task": "book", "app": "com.acme.gym",\n "steps": 3}', r"recording.json:2:11: expected a list"),
    ],
    ids=["cut", "deep", "encoding", "version", "step", "type"],
)
def test_a_broken_recording_is_reported_with_its_place(tmp_path: Path, written: str, message: str) -> None:
    (tmp_path / "recording.json").write_text(written, "utf-8", "surrogateescape")
    with pytest.raises(InputError, match=message):
        read_recording(tmp_path)


def test_a_folder_without_a_recording_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"contains no recording \(it has no recording.json\)"):
        read_recording(tmp_path)
