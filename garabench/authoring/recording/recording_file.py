"""The file of a recording, from which it is resumed: ``recording.json`` in its folder."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from garabench.core.identifiers import KebabId, PackageName, Texts
from garabench.core.steps import SolutionStep
from garabench.errors import InputError
from garabench.records.disk import write_atomic
from garabench.records.versions import check_version
from garabench.suite.files import display_path, read_bytes, read_model

FILE = "recording.json"
_VERSION = 1


class RecordingFile(BaseModel):
    """A recording.

    Attributes:
        version: Version of the format.
        task: Id of the task.
        app: The app's package.
        instruction: The task's instruction by language; empty if it is still to be written.
        steps: The steps so far, as performed.
        finished: Whether the person has finished.
        answer: The answer, if the task asks for one.
        size: Size of the screen on which it was recorded.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int = Field(default=_VERSION, le=_VERSION)
    task: KebabId
    app: PackageName
    instruction: Texts = Field(default_factory=dict)
    steps: tuple[SolutionStep, ...] = ()
    finished: bool = False
    answer: str = ""
    size: str = ""

    def write(self, folder: Path) -> None:
        """Write it.

        Raises:
            RecordError: The disk refuses.
        """
        data = self.model_dump(mode="json", by_alias=True, exclude_none=True)
        # A resumed recording writes its steps as the person performed them, without the default values.
        data["steps"] = [
            step.model_dump(mode="json", by_alias=True, exclude_unset=True) for step in self.steps
        ]
        write_atomic(folder / FILE, json.dumps(data, ensure_ascii=False, indent=2).encode())


def read_recording(folder: Path) -> RecordingFile:
    """Read the recording of a folder.

    Raises:
        InputError: There is none, it is not valid JSON, or of a newer version.
        CombinedInputError: It is not a recording; each mistake has its place.
    """
    path = folder / FILE
    if not path.exists():
        raise InputError(f"{folder} contains no recording (it has no {FILE})")
    data, shown = read_bytes(path), display_path(path)
    try:
        content = json.loads(data)
    except UnicodeDecodeError as error:
        raise InputError(f"{shown} is not valid UTF-8") from error
    except json.JSONDecodeError as error:
        raise InputError(f"{shown}:{error.lineno}:{error.colno}: not valid JSON: {error.msg}") from error
    except RecursionError as error:
        raise InputError(f"{shown} is nested too deeply") from error
    if isinstance(content, dict):
        check_version(path, content.get("version"), _VERSION)
    recording, _ = read_model(data, shown, RecordingFile)  # JSON is YAML
    return recording
