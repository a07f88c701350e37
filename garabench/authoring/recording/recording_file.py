"""The file of a recording, from which it is resumed: ``recording.json`` in its folder."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from garabench.core.identifiers import KebabId, PackageName, Texts
from garabench.core.steps import SolutionStep
from garabench.errors import InputError
from garabench.records.disk import write_atomic

FILE = "recording.json"
_VERSION = 1
_MAX_BYTES = 5_000_000


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
        InputError: There is none, or it is not valid.
    """
    path = folder / FILE
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{folder} contains no recording ({FILE}: {error.strerror or error})") from error
    try:
        if len(data) > _MAX_BYTES:
            raise InputError(f"{path} is larger than {_MAX_BYTES} bytes")
        json.loads(data)
        return RecordingFile.model_validate_json(data)
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}:{error.colno}: not valid JSON: {error.msg}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{path} is not a recording: {where}: {first['msg']}") from error
