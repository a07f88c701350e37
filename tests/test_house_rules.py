"""House rules that no linter checks, checked on the source."""

from __future__ import annotations

import ast
import functools
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = sorted((ROOT / "garabench").rglob("*.py"))
BENCHMARKS = sorted((ROOT / "benchmarks").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
CLOCK_MODULES = ("garabench/core/clock.py",)
CLOCK_READING = re.compile(
    r"time\.(sleep|time|monotonic|perf_counter|process_time|thread_time|localtime|gmtime)(_ns)?"
    r"|(\w+\.)?(datetime|date)\.(now|utcnow|today)"
)
MIN_BOUND_S = 30
"""The smallest limit in seconds that a test may compare a duration with."""
EXIT_STATUS_MODULES = ("garabench/device/adb.py", "garabench/effects/app_state_reader.py")
"""They read a command's exit status and its printed error, everyone else `ShellResult.failed`."""
_UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")


def relative_name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@functools.lru_cache(
    maxsize=1
)  # the checks of one file follow each other; all trees together take a gigabyte
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))))


def module_node(path: Path) -> ast.Module:
    root = nodes(path)[0]
    assert isinstance(root, ast.Module)
    return root


@functools.cache
def public_definitions(path: Path) -> tuple[tuple[type[ast.stmt], str], ...]:
    """Return the kinds and names of a module's public classes and functions, without commands."""
    return tuple(
        (type(node), node.name)
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and not node.name.startswith("_")
        and not (isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_command(node))
    )


def dotted(node: ast.AST) -> str:
    """Return the source of a chain of names, as ``time.sleep``; empty for any other expression."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join((node.id, *reversed(parts))) if isinstance(node, ast.Name) else ""


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def read_known_faults(name: str) -> set[str]:
    """Return the lines of a list of known faults in tests/data, which may only shrink."""
    lines = (ROOT / "tests" / "data" / name).read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


MODULES = {module_of(path): path for path in PACKAGE}


def format_places(path: Path, lines: list[int]) -> list[str]:
    return [f"{relative_name(path)}:{line}" for line in lines]


def called_names(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the dotted names that a module calls, with their lines."""
    for node in nodes(path):
        if isinstance(node, ast.Call):
            yield dotted(node.func), node.lineno


FileCheck = Callable[[Path], list[str]]
FILE_CHECKS: list[tuple[FileCheck, frozenset[Path]]] = []
"""The rules of single files, and the files that each is for; one test checks them, file by file."""


def for_each_file(paths: list[Path]) -> Callable[[FileCheck], FileCheck]:
    """Add a check of one file to the rules that all these files keep."""

    def decorate(check: FileCheck) -> FileCheck:
        FILE_CHECKS.append((check, frozenset(paths)))
        return check

    return decorate


def test_sources_are_found() -> None:
    assert len(PACKAGE) > 100
    assert BENCHMARKS
    assert Path(__file__) in TESTS


@for_each_file([path for path in PACKAGE if path.parent.name != "cli"])
def only_the_cli_prints(path: Path) -> list[str]:
    return format_places(path, [line for name, line in called_names(path) if name == "print"])


@for_each_file(PACKAGE + BENCHMARKS)
def shared_random_generator_is_not_used(path: Path) -> list[str]:
    found = [
        line
        for name, line in called_names(path)
        if re.fullmatch(r"random\.\w+", name) and name not in ("random.Random", "random.SystemRandom")
    ]
    found += [
        node.lineno
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom)
        and node.module == "random"
        and any(alias.name not in ("Random", "SystemRandom") for alias in node.names)
    ]
    return format_places(path, found)


@for_each_file([path for path in PACKAGE if relative_name(path) not in CLOCK_MODULES])
def only_core_clock_sleeps_and_reads_the_time(path: Path) -> list[str]:
    found = []
    for node in nodes(path):
        reads = isinstance(node, ast.Attribute) and CLOCK_READING.fullmatch(dotted(node))
        if reads or (isinstance(node, ast.ImportFrom) and node.module == "time"):
            found.append(node.lineno)
    return format_places(path, found)


@for_each_file(PACKAGE + BENCHMARKS + TESTS)
def broad_excepts_have_a_comment(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    found = []
    for node in nodes(path):
        if not isinstance(node, ast.ExceptHandler):
            continue
        caught = [] if node.type is None else re.findall(r"\w+", ast.unparse(node.type))
        blind = node.type is None or {"Exception", "BaseException"} & set(caught)
        context = lines[node.lineno - 1 : node.body[0].lineno - 1] or [lines[node.lineno - 1]]
        if blind and not any(
            re.search(r"#\s*(?!noqa)\w+.*", re.sub(r"noqa:?\s*\w*", "", t)) for t in context
        ):
            found.append(node.lineno)
    return format_places(path, found)


@for_each_file(TESTS)
def skipped_tests_have_a_reason(path: Path) -> list[str]:
    found = []
    for node in nodes(path):
        if isinstance(node, ast.Call):
            name = dotted(node.func)
            has_reason = bool(node.args) if name.endswith((".skip", ".xfail")) else False
            if re.fullmatch(r"pytest\.(mark\.)?(skip|skipif|xfail)", name):
                has_reason = has_reason or any(word.arg == "reason" and word.value for word in node.keywords)
                if not has_reason:
                    found.append(node.lineno)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bare = [ast.unparse(mark) for mark in node.decorator_list]
            if {"pytest.mark.skip", "pytest.mark.xfail"} & set(bare):
                found.append(node.lineno)
    return format_places(path, found)


@for_each_file(TESTS)
def no_test_measures_speed(path: Path) -> list[str]:
    """Speed is measured in benchmarks; tests have only generous limits, to detect hangs."""
    clocks = ("perf_counter", "process_time", "thread_time", "getrusage", "timeit")
    found = [line for name, line in called_names(path) if name.rpartition(".")[2] in clocks]
    for node in nodes(path):
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
            for small, how, large in zip(parts, node.ops, parts[1:], strict=False):
                if isinstance(how, ast.Gt | ast.GtE):
                    small, large = large, small
                elif not isinstance(how, ast.Lt | ast.LtE):
                    continue
                bound = large.value if isinstance(large, ast.Constant) else None
                if not isinstance(bound, int | float) or bound >= MIN_BOUND_S:
                    continue
                found += [node.lineno] if "monotonic()" in ast.unparse(small) else []
    return format_places(path, found)


@for_each_file([path for path in PACKAGE + BENCHMARKS if path.name == "__init__.py"])
def packages_reexport_nothing(path: Path) -> list[str]:
    if path.parent == ROOT / "garabench":
        return []  # the public API, which has its own test
    found = [node.lineno for node in nodes(path) if isinstance(node, ast.Import | ast.ImportFrom)]
    return format_places(path, found)


@for_each_file(PACKAGE + BENCHMARKS + [path for path in TESTS if path != Path(__file__)])
def no_code_is_unfinished(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    found = [number for number, line in enumerate(text.splitlines(), start=1) if _UNFINISHED.search(line)]
    abstract = {
        node.body[-1]  # an abstract method has no other statement
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and len(node.body) <= 2
    }
    found += [
        node.lineno
        for node in nodes(path)
        if isinstance(node, ast.Raise)
        and node.exc
        and "NotImplementedError" in ast.unparse(node.exc)
        and node not in abstract
    ]
    return format_places(path, found)


_RUNNERS = frozenset({"shell", "start_shell"})
_SHOWN_BY_LATER_READINGS = frozenset({"pkill", "reboot", "rm", "sleep"})
_PRINTS_ERRORS = frozenset({"am", "cmd", "content", "ime", "monkey", "pm", "settings", "svc"})
"""Commands that exit with 0 after an error in some versions of Android, and print it like a value."""


def device_command(node: ast.AST) -> str:
    """Return the first word of the device's command that an expression runs; empty for any other one."""
    if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.List | ast.Tuple):
        return ""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else dotted(node.func)
    first = node.args[0].elts[0] if node.args[0].elts else None
    if name in _RUNNERS and isinstance(first, ast.Constant) and isinstance(first.value, str):
        return first.value
    return ""


def lost_errors(found: Iterable[ast.AST]) -> list[int]:
    """Return the lines where the result of a device's command is ignored, or used without its error."""
    lines = []
    for node in found:
        match node:
            case ast.Expr(value=call):
                word = device_command(call)
                lost = bool(word) and word not in _SHOWN_BY_LATER_READINGS
            case ast.Attribute(value=call, attr="stdout" | "output"):
                lost = device_command(call) in _PRINTS_ERRORS
            case ast.Compare(left=ast.Attribute(attr="exit_code")):
                lost = True
            case _:
                lost = False
        if lost:
            lines.append(node.lineno)  # type: ignore[attr-defined]
    return lines


@for_each_file([path for path in PACKAGE if "virtual" not in path.parts])
def errors_of_device_commands_are_checked(path: Path) -> list[str]:
    """Before Android 7 adbd reports no exit status: `Adb` parses the output, and `check` raises its error."""
    return [] if relative_name(path) in EXIT_STATUS_MODULES else format_places(path, lost_errors(nodes(path)))


@pytest.mark.parametrize(
    ("source", "lost"),
    [
        ("adb.shell(['am', 'force-stop', app])", True),
        ("adb.shell(['am', 'force-stop', app]).check('stop it')", False),
        ("adb.shell(['rm', '-f', name])", False),
        ("value = shell(('settings', 'get', 'global', key)).stdout", True),
        ("value = shell(('settings', 'get', 'global', key)).check('read').stdout", False),
        ("size = adb.shell(['wm', 'size']).stdout", False),
        ("done = result.exit_code == 0", True),
        ("done = not result.failed", False),
    ],
)
def test_lost_errors_of_device_commands_are_found(source: str, lost: bool) -> None:
    assert bool(lost_errors(ast.walk(ast.parse(source)))) is lost


def test_public_class_names_are_unique() -> None:
    modules: dict[str, list[str]] = {}
    for path in PACKAGE:
        for kind, name in public_definitions(path):
            if kind is ast.ClassDef:
                modules.setdefault(name, []).append(module_of(path))
    assert {
        name: modules_of_name for name, modules_of_name in modules.items() if len(modules_of_name) > 1
    } == {}


SHARED_FUNCTION_NAMES = {
    "body": "encodes a request in one protocol of models",
    "episode_sections": "the sections of one analysis on an episode's page",
    "error": "encodes an error in one protocol of models",
    "find_files": "finds the trajectories of one tool in a folder",
    "main": "the entry point of a process",
    "read": "parses the text or data of one format",
    "sections": "the sections of one analysis in a report",
    "write": "encodes a reply in one protocol of models",
}
"""Functions that modules of one kind have in common, and what each does; the list may only shrink."""
_ANDROID_PROGRAMS = ("virtual/commands/", "virtual/shell/")
"""Their functions have the names of programs, which Android gives to several: `top` and `dumpsys top`, `kill`
of the shell and of toybox, `ls` of toolbox before Android 6 and of toybox since."""
_APPS = "virtual/apps/"
"""The apps of the suite do not import each other, so a name of one app never appears in another one's code:
each names its cards, pages and searches like a separately written app. Within an app each name is unique."""


def module_scope(path: Path) -> str | None:
    """Return the part of the package within which a public function's name is unique; None for programs."""
    name = relative_name(path).removeprefix("garabench/")
    if name.startswith(_ANDROID_PROGRAMS):
        return None
    return "/".join(name.split("/")[:3]) if name.startswith(_APPS) else ""


def is_command(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function is a command or group of the command line, named by its verb."""
    return any(
        re.search(r"\b(command|group)$", dotted(mark.func))
        for mark in node.decorator_list
        if isinstance(mark, ast.Call)
    )


def test_public_function_names_are_unique_or_one_contract() -> None:
    modules: dict[tuple[str, str], list[str]] = {}
    for path in PACKAGE:
        scope = module_scope(path)
        if scope is None:
            continue
        for kind, name in public_definitions(path):
            if kind is not ast.ClassDef:
                modules.setdefault((scope, name), []).append(module_of(path))
    shared = {key: found for key, found in modules.items() if len(found) > 1}
    contracts = {("", name) for name in SHARED_FUNCTION_NAMES}
    assert {key: shared[key] for key in shared.keys() - contracts} == {}
    assert contracts - shared.keys() == set(), "the list names only shared names"


SHARED_MODULE_NAMES = {
    "agent": "the agent of its package, as a class",
    "anthropic": "one protocol of models: Anthropic's messages",
    "bundle": "a run as one zip file: how it is written and opened, and the command",
    "cache": "a cache in a folder, keyed by a hash of everything that the value depends on",
    "catalog": "everything of one kind, by name",
    "comparison": "the comparison of agents and conditions: its rows, and how they are printed",
    "device": "an Android device: the class, and the command group",
    "devices": "the devices of a run or of proofs: opens, restores and closes them",
    "faults": "faults that a fake shows on demand",
    "gemini": "one protocol of models: Gemini's generateContent",
    "goals": "the goals of a suite: how they are read, and the command group",
    "leaderboard": "submissions to a leaderboard: the values, and the command group",
    "expected_effects": "the expected effects of tasks",
    "messages": "the messages of a protocol, as values",
    "phone": "the virtual phone: the class, and the command group",
    "report_section": "the stored results of an analysis as sections of a report and of an episode's page",
    "responses": "one protocol of models: OpenAI's responses",
    "run": "a run: the public function, and the command",
    "schemas": "published JSON Schemas: where they are made, and the command",
    "server": "serves on a socket",
    "side_effects": "changes that a task did not ask for: how states, statistics and a judge show them",
    "settings": "Android's settings: the provider, and the command",
    "spec": "a specification, as a value",
    "split_screen": "Android's split screen: its commands, its injection and its emulation",
    "state": "the state of an app, as a value: how it is declared, and how it is read",
    "tokens": "counts tokens",
}
"""Module names that several packages have, and what a module of the name holds in each of them."""


def test_module_names_in_several_packages_mean_one_kind_of_thing() -> None:
    """A module of another kind needs another name. The virtual phone's apps have their own names."""
    modules: dict[str, list[str]] = {}
    for path in PACKAGE:
        if path.stem not in ("__init__", "__main__") and "apps" not in path.relative_to(ROOT).parts:
            modules.setdefault(path.stem, []).append(module_of(path))
    shared = {name: found for name, found in modules.items() if len(found) > 1}
    assert {name: shared[name] for name in shared.keys() - SHARED_MODULE_NAMES.keys()} == {}
    assert SHARED_MODULE_NAMES.keys() - shared.keys() == set(), "the list names only shared names"


def test_package_docstrings_say_what_the_package_holds_and_imports() -> None:
    """Below the title, up to three sentences: what it holds, what it may import, where to start reading."""
    found = set()
    for path in PACKAGE:
        if path.name != "__init__.py" or path.parent == ROOT / "garabench":
            continue  # a module, or the public API
        text = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").strip()
        title, _, body = text.partition("\n\n")
        bare = re.fullmatch(r"\w+ of GaraBench\.", title) is not None
        sentences = len(re.findall(r"[.!?](?=\s|$)", body))
        if bare or not 1 <= sentences <= 3 or not re.search(r"\bimports?\b", text, re.IGNORECASE):
            found.add(module_of(path))
    assert found == set(), "a title, one to three sentences below it, and what the package may import"


def test_every_package_is_in_the_contract_of_who_talks_to_a_person() -> None:
    """The layers are exhaustive by themselves; this list is not, so a new package could be missing."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    listed = next(each for each in contracts["contracts"] if each["name"].startswith("Only the command line"))
    packages = {f"garabench.{path.parent.name}" for path in (ROOT / "garabench").glob("*/__init__.py")}
    assert packages - {"garabench.cli"} == set(listed["source_modules"])


def test_every_package_has_a_folder_of_tests() -> None:
    tested = {path.parent.relative_to(ROOT / "tests") for path in TESTS if path.name.startswith("test_")}
    packages = {path.parent.relative_to(ROOT / "garabench") for path in PACKAGE}
    assert packages - tested == set()


@for_each_file([path for path in TESTS if path.name.startswith("test_")])
def each_test_module_says_what_it_tests(path: Path) -> list[str]:
    """By the name of the module that they mirror, or else by a docstring."""
    *folders, name = path.relative_to(ROOT / "tests").with_suffix("").parts
    mirrored = ".".join(("garabench", *folders, name.removeprefix("test_")))
    documented = ast.get_docstring(module_node(path))
    return [] if mirrored in MODULES or documented else [relative_name(path)]


@functools.cache
def defined_names(module: str) -> frozenset[str]:
    """Return the classes, functions and constants that a module defines at its top level."""
    found = set()
    for node in ast.parse(MODULES[module].read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return frozenset(found)


def exists(name: str, package: str) -> bool:
    """Return whether a name in a package docstring is a module, a name in one, or defined in the package."""
    scopes = [package]
    while "." in scopes[-1]:
        scopes.append(scopes[-1].rpartition(".")[0])
    for full in (*(f"{scope}.{name}" for scope in scopes), name):
        module, _, attribute = full.rpartition(".")
        if full in MODULES or (module in MODULES and attribute in defined_names(module)):
            return True
    return any(name in defined_names(module) for module in MODULES if module.startswith(f"{package}."))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("adb", True),
        ("adb.connection", True),
        ("connection.DeviceConnection", False),
        ("garabench.core", True),
        ("core", True),
        ("PhoneBackend", True),
        ("phone_backend.PhoneBackend", True),
        ("door", False),
        ("phone_backend.Door", False),
    ],
)
def test_docstring_names_are_resolved_from_the_package(name: str, expected: bool) -> None:
    assert exists(name, "garabench.virtual") is expected


@for_each_file([path for path in PACKAGE if path.name == "__init__.py"])
def names_in_package_docstrings_exist(path: Path) -> list[str]:
    """A `name` is a module or a name in one; literals such as commands have double backticks."""
    text = ast.get_docstring(module_node(path)) or ""
    names = re.findall(r"(?<!`)`([^`]+)`(?!`)", text)
    documents = re.findall(r"``([\w./-]+\.md)``", text)
    missing = [name for name in names if not exists(name, module_of(path))]
    missing += [name for name in documents if not (ROOT / name).is_file()]
    return [f"{relative_name(path)}: {name}" for name in missing]


def import_cycles(imports: dict[str, set[str]]) -> list[tuple[str, ...]]:
    """Return the strongly connected components of more than one module (Tarjan, 1972)."""
    found: list[tuple[str, ...]] = []
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []

    def visit(module: str) -> None:
        number[module] = lowest[module] = len(number)
        stack.append(module)
        for other in sorted(imports[module]):
            if other not in number:
                visit(other)
            if other in stack:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == number[module]:
            at = stack.index(module)
            if len(stack) - at > 1:
                found.append(tuple(sorted(stack[at:])))
            del stack[at:]

    for module in sorted(imports):
        if module not in number:
            visit(module)
    return found


def test_import_cycles_are_detected() -> None:
    imports = {"a": {"b"}, "b": {"c", "e"}, "c": {"b", "d"}, "d": set(), "e": {"b"}, "f": {"f"}}
    assert import_cycles(imports) == [("b", "c", "e")]


def test_no_import_cycle_is_added() -> None:
    """Imports for types count. The virtual phone's apps have known cycles, which may only shrink."""
    graph = grimp.build_graph("garabench", cache_dir=None)
    found = import_cycles(
        {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    )
    assert {" ".join(cycle) for cycle in found} == read_known_faults("import_cycles.txt"), (
        "the list may only shrink"
    )
    assert all(module.startswith("garabench.virtual.apps.") for cycle in found for module in cycle)


def test_every_file_keeps_the_rules() -> None:
    broken = [
        f"{place}: {check.__name__.replace('_', ' ')}"
        for path in sorted({path for _, paths in FILE_CHECKS for path in paths})
        for check, paths in FILE_CHECKS
        if path in paths
        for place in check(path)
    ]
    assert broken == []
