"""Write a task draft into the folder of a suite."""

from __future__ import annotations

from pathlib import Path

from garabench.authoring.new_names import check_new_id, check_package
from garabench.authoring.recording.task_draft import CONDITIONS_MARK, SOLUTION_MARK, TaskDraft
from garabench.authoring.suite_template import schema_files
from garabench.core.file_errors import unreadable
from garabench.errors import InputError
from garabench.records.disk import disk_error, write_atomic


def task_paths(suite: Path, task: str) -> tuple[Path, Path]:
    """Return the files of a task's own in a suite: the task's, and the goal's."""
    return suite / "tasks" / f"{task}.yaml", suite / "goal_schemas" / f"{task}.yaml"


def check_writable(suite: Path, task: str, *, complete: bool = False) -> None:
    """Check that a draft can be written.

    Args:
        suite: The suite's folder; it need not exist.
        task: The task's id.
        complete: Whether a file of ``garabench tasks new`` may be completed.

    Raises:
        InputError: A file exists already, or the task's name is not an id.
    """
    check_new_id(task)
    for path, mark in zip(task_paths(suite, task), (SOLUTION_MARK, CONDITIONS_MARK), strict=True):
        if path.exists() and not (complete and (mark in _read(path) or path.parent.name == "goal_schemas")):
            raise InputError(f"{path} already exists", hint="Choose another id, or remove the file.")


def write_draft(suite: Path, draft: TaskDraft) -> tuple[Path, ...]:
    """Write a draft as separate files, or complete those of ``garabench tasks new``.

    Args:
        suite: The suite's folder, created if missing; it also gets the schemas that the files name.
        draft: The draft.

    Returns:
        The files of the task and its goal that were written.

    Raises:
        InputError: A file exists already and cannot be completed, or a name is wrong.
        RecordError: The disk refuses.
    """
    check_writable(suite, draft.task, complete=True)
    check_package(draft.app)
    task_path, goal_path = task_paths(suite, draft.task)
    task_text = f"{_head('tasks', draft.app)}tasks:\n{draft.task_entry()}"
    goal_text = f"{_head('goals', draft.app)}goals:\n{draft.goal_entry()}"
    if task_path.exists():
        solution = "\n".join(draft.solution_lines())
        task_text = _read(task_path).replace(f"    {SOLUTION_MARK}", solution, 1)
        task_text = task_text.replace(f"{{use: {draft.goal}}}", draft.goal_use(), 1)
    written = [task_path]
    if not goal_path.exists() or CONDITIONS_MARK in _read(goal_path):
        written.append(goal_path)
    texts = {path: task_text if path == task_path else goal_text for path in written}
    texts |= {suite / name: text for name, text in schema_files().items() if not (suite / name).exists()}
    for path, text in texts.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise disk_error(error, path) from error
        write_atomic(path, text.encode())
    return tuple(written)


def _head(kind: str, app: str) -> str:
    return f"# yaml-language-server: $schema=../schemas/{kind}.schema.json\napp: {app}\n"


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(path, error) from error
