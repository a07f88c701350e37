"""Check the files of a suite without a device and report all mistakes at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path

from garabench.core.interruption import Interruption
from garabench.core.steps import ShowStep
from garabench.core.suggestions import nearest
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc, decode_text, parse_yaml
from garabench.errors import CombinedInputError, InputError
from garabench.lint.bare_counts import bare_counts
from garabench.lint.bundled import bundled_suite_requirements
from garabench.lint.codes import CODES
from garabench.lint.duplicates import duplicates
from garabench.lint.instructions import duplicate_instructions, language_errors
from garabench.lint.keywords import unknown_keywords
from garabench.lint.packages import foreign_packages
from garabench.lint.schedules import unreachable_schedules
from garabench.lint.screen_texts import ScreenTexts
from garabench.lint.selectors import unselective_selectors
from garabench.lint.silence import Ignore, read_ignores, silenced
from garabench.lint.targets import unknown_targets
from garabench.lint.task_references import invalid_also_meets
from garabench.lint.unfinished import missing_solutions, placeholder_texts
from garabench.lint.unused import are_users_known, unused
from garabench.suite.files import LISTS, display_path, model_by_content, read_bytes
from garabench.suite.suite import Suite, SuiteSources, read_sources

_SuiteCheck = Callable[[SuiteSources], Iterable[InputError]]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check of files has found.

    Attributes:
        suite: The usable part of the suite.
        findings: The mistakes in the order of files and lines, each with its code.
        silenced: Number of warnings that comments in the files silence.
        files: The names of the checked files, as in the findings.
    """

    suite: Suite
    findings: tuple[InputError, ...]
    silenced: int = 0
    files: tuple[str, ...] = ()


def check_suite(root: Path | str | Suite | None = None) -> Suite:
    """Check a suite.

    Args:
        root: Its folder, or the suite loaded from it; default: the built-in suite.

    Returns:
        The suite, read again from its files, if it has no mistakes.

    Raises:
        CombinedInputError: All mistakes in its files, except warnings that comments in them silence.
        InputError: The folder is not a suite.
    """
    result = find_mistakes(root)
    if result.findings:
        raise CombinedInputError(result.findings)
    return result.suite


def find_mistakes(root: Path | str | Suite | None = None) -> CheckResult:
    """Return the mistakes in the files of a suite.

    Args:
        root: As for `check_suite`.

    Raises:
        InputError: The folder is not a suite.
    """
    folder = root.root if isinstance(root, Suite) else root
    sources = read_sources(None if folder is None else Path(folder))
    return _checked(sources, unchecked=set() if are_users_known(sources) else {"unused"})


def find_mistakes_in_loose_file(path: Path) -> CheckResult:
    """Return the mistakes in a file outside of a suite, which may use ids of the built-in suite.

    Entries that nothing uses are not reported: their users are elsewhere.

    Raises:
        InputError: The file cannot be read, is not YAML, or has no tasks, goals, rules or interruptions.
    """
    data = read_bytes(path)
    model = model_by_content(data)
    if model is None:
        text = decode_text(data, display_path(path))  # in another encoding no list is found
        raise _not_a_suite_file(parse_yaml(text, display_path(path)))
    return _checked(read_sources(path.parent, loose=(path, model)), unchecked={"unused"})


def _not_a_suite_file(doc: YamlDoc) -> InputError:
    for key in doc.data if isinstance(doc.data, dict) else ():
        if near := nearest(str(key), LISTS):
            return doc.error((key,), f"unknown key {key!r}", hint=f"Did you mean {near!r}?", key=True)
    return doc.error(
        (),
        "not a suite file",
        hint="A suite file has a list tasks, goals, rules, interruptions or anomalies;"
        " the file of an app has package and screens.",
    )


def _checked(sources: SuiteSources, *, unchecked: Set[str]) -> CheckResult:
    found = [_with_code(error, "invalid-file") for error in sources.errors]
    for code, check in _CHECKS.items():
        if code not in unchecked:
            found += [_with_code(error, code) for error in check(sources)]
    if any(error.code == "invalid-file" for error in found):
        unchecked = CODES.keys()  # no check reads a faulty entry, so a comment there may silence something
    ignores: list[Ignore] = []
    files = [(display_path(path), data) for path, data in sources.files.texts.items()]
    for shown, data in files:
        if b"garabench:" in data:
            lines = data.decode("utf-8", errors="replace").splitlines()
            read, wrong = read_ignores(lines, shown)
            ignores += read
            found += wrong
    rest, count = silenced(found, ignores, unchecked)
    ordered = CombinedInputError(tuple(rest)).errors if rest else ()
    return CheckResult(sources.suite, ordered, count, tuple(shown for shown, _ in files))


def _with_code(error: InputError, code: str) -> InputError:
    error.code = error.code or code
    return error


def _unknown_texts(sources: SuiteSources) -> Iterator[InputError]:
    """Find search terms that are on no screen, or report the mistakes in the files of screen texts."""
    try:
        shown = ScreenTexts.load(sources.suite.root)
    except CombinedInputError as error:
        yield from (_with_code(each, "invalid-file") for each in error.errors)
    else:
        yield from unknown_keywords(sources, shown)
        yield from unknown_targets(sources, shown)


def _cycles(sources: SuiteSources) -> Iterator[InputError]:
    """Find interruptions whose buttons lead back to them."""
    library = sources.suite.interruptions
    reported: set[str] = set()
    for name, interruption in sources.own.interruptions.items():
        for path, shown in _chained_interruptions(interruption):
            if name not in reported and name in (cycle := _reachable(shown, library)):
                reported |= cycle
                message = f"the interruption {name!r} leads back to itself through {shown!r}"
                doc, at = sources.places["interruption", name]
                yield doc.error((*at, *path), message)


def _chained_interruptions(interruption: Interruption) -> Iterator[tuple[DocPath, str]]:
    for number, button in enumerate(interruption.buttons):
        for at, step in enumerate(button.follow_up):
            if isinstance(step, ShowStep):
                yield ("buttons", number, "follow_up", at, "show"), step.show


def _reachable(name: str, library: dict[str, Interruption]) -> set[str]:
    """Return an interruption and all that are reachable through its buttons."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        name = waiting.pop()
        if name in library and name not in found:
            found.add(name)
            waiting.extend(shown for _, shown in _chained_interruptions(library[name]))
    return found


_CHECKS: Mapping[str, _SuiteCheck] = {
    "translation": language_errors,
    "duplicate-instruction": duplicate_instructions,
    "invalid-also-meets": invalid_also_meets,
    "duplicate-entry": duplicates,
    "suite-requirement": bundled_suite_requirements,
    "unknown-text": _unknown_texts,
    "foreign-package": foreign_packages,
    "bare-selector": unselective_selectors,
    "bare-count": bare_counts,
    "unreachable-schedule": unreachable_schedules,
    "interruption-cycle": _cycles,
    "no-solution": missing_solutions,
    "unfinished": placeholder_texts,
    "unused": unused,
}
"""The checks by the code of what they find, one of `garabench.lint.codes`."""
