"""Measure what the tests detect: run them against deliberately changed lines of the package.

Draw mutants by seed, then run each against the tests of its package; a mutant that no test fails survives::

    python -m benchmarks.mutation draw --seed 12 --count 30 --out benchmarks/mutants.json
    python -m benchmarks.mutation run --tree . --mutants benchmarks/mutants.json --label after

The tree is changed during the run: use a separate worktree with its own environment in ``.venv``.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from garabench.core.seeds import generator

LIMIT_S = 600
"""Time limit for one stage of one mutant, in seconds."""
_FLIPPED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}


@dataclass
class Mutant:
    """A deliberately changed line.

    Attributes:
        module: Path of the module below the tree.
        line: Number of the line when it was drawn; among equal lines, the nearest one is changed.
        operator: Kind of change.
        text, mutated: The line before and after the change, stripped.
        results: ``killed``, ``survived`` or ``timeout`` by label, with the failed test; ``unclear`` with the
            reason.
    """

    module: str
    line: int
    operator: str
    text: str
    mutated: str
    results: dict[str, str] = field(default_factory=dict)


def candidates(module: str, source: str) -> Iterator[Mutant]:
    """Yield every mutant of a module."""
    lines = [line.encode() for line in source.split("\n")]  # columns are counted in bytes

    def written(node: ast.expr | ast.stmt) -> str:
        return lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode()

    def change(node: ast.expr | ast.stmt, operator: str, new: str) -> Iterator[Mutant]:
        line = lines[node.lineno - 1]
        mutated = (line[: node.col_offset] + new.encode() + line[node.end_col_offset :]).decode()
        yield Mutant(module, node.lineno, operator, line.decode().strip(), mutated.strip())

    for node in _executed(ast.parse(source)):
        if node.lineno != node.end_lineno and not isinstance(node, ast.If | ast.IfExp | ast.While):
            continue
        match node:
            case ast.Compare(left=left, ops=[how], comparators=[_]):
                old, new = _FLIPPED[type(how)]
                head, text = written(left), written(node)
                flipped = head + text[len(head) :].replace(f" {old} ", f" {new} ", 1)
                if flipped != text:
                    yield from change(node, "comparison", flipped)
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                if test.lineno == test.end_lineno:
                    yield from change(test, "negation", f"not ({written(test)})")
            case ast.Constant(value=bool(value)):
                yield from change(node, "constant", str(not value))
            case ast.Constant(value=int(value) | float(value)):
                yield from change(node, "constant", str(value + 1))
            case ast.Return(value=ast.expr() as value) if not _is_none(value):
                yield from change(node, "return", "return None")
            case ast.Expr(value=ast.Call()) | ast.AugAssign():
                yield from change(node, "deletion", "pass")
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                yield from change(node, "deletion", "pass")


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _executed(tree: ast.Module) -> Iterator[ast.expr | ast.stmt]:
    """Yield all expressions and statements inside functions except annotations."""

    def below(node: ast.AST, inside: bool) -> Iterator[ast.expr | ast.stmt]:
        function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if not isinstance(child, ast.AST):
                    continue
                executed = inside or (function and name in ("body", "args"))
                if executed and isinstance(child, ast.expr | ast.stmt):
                    yield child
                yield from below(child, executed)

    yield from below(tree, False)


def draw(tree: Path, seed: int, count: int) -> list[Mutant]:
    """Draw mutants: half of them in the virtual phone, which is two thirds of the package, half elsewhere."""
    rng = generator(seed, "mutants")
    by_line: dict[bool, dict[tuple[str, int], list[Mutant]]] = {True: {}, False: {}}
    for path in sorted((tree / "garabench").rglob("*.py")):
        module = path.relative_to(tree).as_posix()
        for mutant in candidates(module, path.read_text(encoding="utf-8")):
            virtual = module.startswith("garabench/virtual/")
            by_line[virtual].setdefault((module, mutant.line), []).append(mutant)
    drawn = []
    for number in range(count):
        lines = by_line[number % 2 == 0]
        place = rng.choice(sorted(lines))
        drawn.append(rng.choice(lines.pop(place)))
    return drawn


def apply(mutant: Mutant, source: str) -> str:
    """Change the line in a module's source.

    Raises:
        ValueError: The module no longer has that line.
    """
    lines = source.splitlines(keepends=True)
    found = [number for number, line in enumerate(lines, 1) if line.strip() == mutant.text]
    if not found:
        raise ValueError(f"{mutant.module} has no line {mutant.text!r}")
    nearest = min(found, key=lambda number: abs(number - mutant.line)) - 1
    lines[nearest] = lines[nearest].replace(mutant.text, mutant.mutated)
    return "".join(lines)


def stages(tree: Path, mutant: Mutant) -> Iterator[list[str]]:
    """Yield the test files to run, the nearest first.

    First the test of the module, then those that import it, those of its package, and all that use its names.
    """
    tests = tree / "tests"
    path = Path(mutant.module)
    dotted = ".".join(path.with_suffix("").parts)
    package = tests.joinpath(*path.parts[1:-1])
    while not package.is_dir():
        package = package.parent
    done: set[Path] = set()

    def remaining(files: list[Path]) -> list[str]:
        chosen = [each for each in sorted(files) if each not in done]
        done.update(chosen)
        return [each.relative_to(tree).as_posix() for each in chosen]

    everything = {each: each.read_text(encoding="utf-8") for each in sorted(tests.rglob("test_*.py"))}
    offline = [each for each in everything if "e2e" not in each.parts]
    names = re.compile(rf"{re.escape(dotted)}\b")
    yield remaining(
        [each for each in offline if each.name == f"test_{path.stem}.py" and package in each.parents]
    )
    yield remaining([each for each in offline if names.search(everything[each])])
    if package != tests:
        yield remaining([each for each in offline if package in each.parents])
    public = [
        node.name
        for node in ast.parse((tree / path).read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")
    ]
    used = re.compile("|".join([rf"{re.escape(dotted)}\b", *(rf"\b{name}\b" for name in public)]))
    yield remaining([each for each in everything if used.search(everything[each])])


def run_tests(tree: Path, files: list[str], limit_s: float) -> tuple[str, str]:
    """Run test files until one fails; return the verdict and the failed test."""
    arguments = [str(tree / ".venv/bin/python"), "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    arguments += ["--hypothesis-profile=fixed", *files]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with subprocess.Popen(
        arguments,
        cwd=tree,
        env=env,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            out, _ = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return "timeout", ""
    if process.returncode in (0, 5):  # 5: no test was collected
        return "survived", ""
    failed = re.search(r"^(?:FAILED|ERROR) (\S+(?: \S+)*?)(?: - .*)?$", out, re.MULTILINE)
    return "killed", failed.group(1) if failed else out.strip().splitlines()[-1]


def judge(tree: Path, mutant: Mutant, limit_s: float) -> str:
    """Run a mutant against the tests, stage by stage; a failure counts if the test passes without it."""
    path = tree / mutant.module
    original, times = path.read_text(encoding="utf-8"), path.stat()
    mutated = apply(mutant, original)
    plan = list(stages(tree, mutant))
    try:
        path.write_text(mutated, encoding="utf-8")
        verdict, failed = "survived", ""
        for files in plan:
            if files:
                verdict, failed = run_tests(tree, files, limit_s)
            if verdict != "survived":
                break
    finally:
        path.write_text(original, encoding="utf-8")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    if verdict == "killed":
        unmutated, _ = run_tests(tree, [failed.partition("::")[0]], limit_s)
        if unmutated != "survived":
            return f"unclear: {failed} also fails without the mutant"
    return f"{verdict} {failed}".strip()


def main() -> int:
    """Draw mutants or run them."""
    parser = argparse.ArgumentParser(description="Measure what the tests detect.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    drawing = verbs.add_parser("draw", help="draw mutants and write them to a file")
    drawing.add_argument("--seed", type=int, default=12)
    drawing.add_argument("--count", type=int, default=30)
    drawing.add_argument("--out", type=Path, required=True)
    running = verbs.add_parser("run", help="run mutants against the tests")
    running.add_argument(
        "--mutants", type=Path, required=True, help="the file to read, and to record results in"
    )
    running.add_argument("--label", required=True, help="label of the results")
    running.add_argument("--only", type=int, nargs="*", help="numbers of mutants, from 0")
    running.add_argument("--limit", type=float, default=LIMIT_S, help="seconds for each stage")
    for each in (drawing, running):
        each.add_argument("--tree", type=Path, default=Path(), help="a checkout with its own .venv")
    arguments = parser.parse_args()
    tree = arguments.tree.resolve()
    if arguments.verb == "draw":
        _write(arguments.out, draw(tree, arguments.seed, arguments.count))
        return 0
    mutants = [Mutant(**each) for each in json.loads(arguments.mutants.read_text(encoding="utf-8"))]
    for number, mutant in enumerate(mutants):
        if arguments.label in mutant.results or (arguments.only and number not in arguments.only):
            continue
        try:
            mutant.results[arguments.label] = judge(tree, mutant, arguments.limit)
        except ValueError as error:
            mutant.results[arguments.label] = f"unclear: {error}"  # the line was changed since
        print(
            f"{number:2} {mutant.module}:{mutant.line} {mutant.operator}: {mutant.results[arguments.label]}"
        )
        sys.stdout.flush()
        _write(arguments.mutants, mutants)
    killed = sum(each.results.get(arguments.label, "").startswith("killed") for each in mutants)
    print(f"{killed} of {len(mutants)} killed")
    return 0


def _write(path: Path, mutants: list[Mutant]) -> None:
    text = json.dumps([asdict(each) for each in mutants], ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
