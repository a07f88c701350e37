"""``awk``, the subset that device scripts use: patterns, fields, print, variables, arrays, if and for."""

from __future__ import annotations

from collections.abc import Mapping

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.commands.awk_interpreter import AwkInterpreter, AwkJumpError
from garabench.virtual.commands.awk_syntax import AwkNode, parse_awk, unescaped
from garabench.virtual.commands.toybox_options import (
    UsageError,
    Utility,
    parse_options,
    read_operand,
    split_lines,
)
from garabench.virtual.shell.call import CommandCall


async def awk(files: FileSystem, call: CommandCall) -> int:
    """Run a program over input lines."""
    options, rest = parse_options(call, "F:v:f:")
    if "f" in options:
        program = (await read_operand(files, call, options["f"])).decode("utf-8", errors="replace")
    elif rest:
        program = rest.pop(0)
    else:
        raise UsageError("no program")
    rules = parse_awk(program)
    machine = AwkInterpreter()
    if "F" in options:
        machine.variables["FS"] = unescaped(options["F"])
    for index, arg in enumerate(call.argv):
        if call.argv[index - 1] == "-v" and "=" in arg:
            name, _, value = arg.partition("=")
            machine.variables[name] = unescaped(value)
    status = 0
    try:
        for kind, _, body in rules:
            if kind == "BEGIN" and body is not None:
                machine.run(body)
        if any(kind != "BEGIN" for kind, _, _ in rules):
            await _records(files, call, machine, rules, rest)
    except AwkJumpError as jump:
        status = jump.status
    if not status:
        try:
            for kind, _, body in rules:
                if kind == "END" and body is not None:
                    machine.run(body)
        except AwkJumpError as jump:
            status = jump.status
    await call.print("".join(machine.out))
    return status


async def _records(
    files: FileSystem,
    call: CommandCall,
    machine: AwkInterpreter,
    rules: list[tuple[str, tuple[AwkNode, ...], AwkNode | None]],
    names: list[str],
) -> None:
    lines: list[str] = []
    for name in names or ["-"]:
        lines += split_lines(await read_operand(files, call, name))
    inside: set[int] = set()
    for number, line in enumerate(lines, 1):
        machine.variables["NR"] = machine.variables["FNR"] = float(number)
        machine.record(line)
        try:
            for index, (kind, patterns, body) in enumerate(rules):
                if kind != "each" or not _selected(machine, patterns, index, inside):
                    continue
                if body is None:
                    machine.out.append(machine.fields[0] + "\n")
                else:
                    machine.run(body)
        except AwkJumpError as jump:
            if jump.kind != "next":
                raise


def _selected(machine: AwkInterpreter, patterns: tuple[AwkNode, ...], index: int, inside: set[int]) -> bool:
    if not patterns:
        return True
    if len(patterns) == 1:
        return machine.true(patterns[0])
    if index in inside or machine.true(patterns[0]):
        inside.add(index)
        if machine.true(patterns[1]):
            inside.discard(index)
        return True
    return False


UTILITIES: Mapping[str, Utility] = {"awk": awk}
