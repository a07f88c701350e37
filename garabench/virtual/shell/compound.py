"""Execution of compound commands: groups, ``if``, loops, ``case``."""

from __future__ import annotations

import asyncio

from garabench.virtual.shell import conditions
from garabench.virtual.shell import nodes as n
from garabench.virtual.shell.call import Streams
from garabench.virtual.shell.double_bracket import DoubleBracket
from garabench.virtual.shell.execution import Execution
from garabench.virtual.shell.globs import regex
from garabench.virtual.shell.shell_state import ShellJumpError


async def compound(sh: Execution, command: n.Command, streams: Streams) -> int:
    """Run a compound command; return its exit status.

    Raises:
        ShellJumpError: It was left by ``exit``, ``return``, ``break`` or ``continue``.
    """
    match command:
        case n.CommandGroup():
            if command.subshell:
                return await sh.subshell(command.body, streams)
            return await sh.script(command.body, streams)
        case n.IfClause():
            return await _if(sh, command, streams)
        case n.WhileClause():
            return await _loop(sh, command, streams)
        case n.ForClause():
            return await _for(sh, command, streams)
        case n.CaseClause():
            return await _case(sh, command, streams)
        case n.ConditionalCommand():
            return await _conditional(sh, command, streams)
    return 0


async def _condition(sh: Execution, script: n.CommandList, streams: Streams) -> bool:
    sh.tested += 1
    try:
        return await sh.script(script, streams) == 0
    finally:
        sh.tested -= 1


async def _if(sh: Execution, command: n.IfClause, streams: Streams) -> int:
    for condition, body in command.branches:
        if await _condition(sh, condition, streams):
            return await sh.script(body, streams)
    sh.state.status = 0
    return await sh.script(command.otherwise, streams) if command.otherwise else 0


async def _loop(sh: Execution, command: n.WhileClause, streams: Streams) -> int:
    status = 0
    while await _condition(sh, command.condition, streams) != command.until:
        ended, status = await _iterate(sh, command.body, streams, status)
        if ended:
            break
    sh.state.status = status
    return status


async def _iterate(sh: Execution, body: n.CommandList, streams: Streams, status: int) -> tuple[bool, int]:
    """Run a loop's body; return whether the loop ends, and its status."""
    await asyncio.sleep(0)  # an endless loop must not block the phone
    sh.loops += 1
    try:
        return False, await sh.script(body, streams)
    except ShellJumpError as leave:
        if leave.kind not in ("break", "continue"):
            raise
        if leave.value > 1 and sh.loops > 1:
            raise ShellJumpError(leave.kind, leave.value - 1) from leave
        sh.state.status = 0
        return leave.kind == "break", 0
    finally:
        sh.loops -= 1


async def _for(sh: Execution, command: n.ForClause, streams: Streams) -> int:
    if command.words is None:
        values = list(sh.state.arguments)
    else:
        values = await sh.expander(streams).words(command.words)
    if command.menu:
        return await _select(sh, command, values, streams)
    status = 0
    for value in values:
        sh.state.set(command.name, value)
        ended, status = await _iterate(sh, command.body, streams, status)
        if ended:
            break
    sh.state.status = status
    return status


async def _select(sh: Execution, command: n.ForClause, values: list[str], streams: Streams) -> int:
    """Run ``select``: print the choices, and run the body for each number read, until the input ends."""
    menu = "".join(f"{number}) {value}\n" for number, value in enumerate(values, 1))
    shown, status = False, 0
    while values:
        prompt = sh.state.variables.get("PS3", "#? ")
        await streams.write(2)(((menu if not shown else "") + prompt).encode())
        shown = True
        data = await streams.stdin.line()
        if not data:
            await streams.write(1)(b"\n")
            status = 1
            break
        reply = data.decode("utf-8", errors="surrogateescape").strip()
        if not reply:
            shown = False
            continue
        chosen = int(reply) if reply.isdecimal() else 0
        sh.state.set("REPLY", reply)
        sh.state.set(command.name, values[chosen - 1] if 0 < chosen <= len(values) else "")
        ended, status = await _iterate(sh, command.body, streams, status)
        if ended:
            break
    sh.state.status = status
    return status


async def _case(sh: Execution, command: n.CaseClause, streams: Streams) -> int:
    expander = sh.expander(streams)
    text = await expander.text(command.word)
    status, falls = 0, False
    for patterns, body, end in command.arms:
        for pattern in () if falls else patterns:
            if regex(await expander.pattern(pattern)).fullmatch(text):
                break
        else:
            if not falls:
                continue
        sh.state.status = 0
        status, falls = await sh.script(body, streams), end == ";&"
        if end == ";;":
            break
    return status


async def _conditional(sh: Execution, command: n.ConditionalCommand, streams: Streams) -> int:
    try:
        files = sh.file_tests(streams)
        return int(not await DoubleBracket(command.items, sh.expander(streams), files).evaluate())
    except conditions.ShellConditionError as problem:
        await streams.write(2)(f"/system/bin/sh: [[: {problem}\n".encode())
        return 2
