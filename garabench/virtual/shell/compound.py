"""The compound commands of the shell: groups, conditions, loops, choices."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from garabench.virtual.shell import conditions
from garabench.virtual.shell import nodes as n
from garabench.virtual.shell.brackets import DoubleBracket
from garabench.virtual.shell.call import Streams
from garabench.virtual.shell.patterns import regex
from garabench.virtual.shell.state import Leave

if TYPE_CHECKING:
    from garabench.virtual.shell.interpreter import Execution


async def compound(sh: Execution, command: n.Command, streams: Streams) -> int:
    """Run a compound command; its exit status.

    Raises:
        Leave: It was left by ``exit`` and the like.
    """
    match command:
        case n.Group():
            if command.subshell:
                return await sh.subshell(command.body, streams)
            return await sh.script(command.body, streams)
        case n.If():
            return await _if(sh, command, streams)
        case n.Loop():
            return await _loop(sh, command, streams)
        case n.For():
            return await _for(sh, command, streams)
        case n.Case():
            return await _case(sh, command, streams)
        case n.Conditional():
            return await _conditional(sh, command, streams)
    return 0


async def _condition(sh: Execution, script: n.Script, streams: Streams) -> bool:
    sh.tested += 1
    try:
        return await sh.script(script, streams) == 0
    finally:
        sh.tested -= 1


async def _if(sh: Execution, command: n.If, streams: Streams) -> int:
    for condition, body in command.branches:
        if await _condition(sh, condition, streams):
            return await sh.script(body, streams)
    sh.state.status = 0
    return await sh.script(command.otherwise, streams) if command.otherwise else 0


async def _loop(sh: Execution, command: n.Loop, streams: Streams) -> int:
    status = 0
    while await _condition(sh, command.condition, streams) != command.until:
        ended, status = await _round(sh, command.body, streams, status)
        if ended:
            break
    sh.state.status = status
    return status


async def _round(sh: Execution, body: n.Script, streams: Streams, status: int) -> tuple[bool, int]:
    """Run a loop's body; whether the loop ends, and its status."""
    await asyncio.sleep(0)  # a loop without an end must not hold the phone
    sh.loops += 1
    try:
        return False, await sh.script(body, streams)
    except Leave as leave:
        if leave.kind not in ("break", "continue"):
            raise
        if leave.value > 1 and sh.loops > 1:
            raise Leave(leave.kind, leave.value - 1) from leave
        sh.state.status = 0
        return leave.kind == "break", 0
    finally:
        sh.loops -= 1


async def _for(sh: Execution, command: n.For, streams: Streams) -> int:
    if command.words is None:
        values = list(sh.state.arguments)
    else:
        values = await sh.expander(streams).words(command.words)
    status = 0
    for value in values:
        sh.state.set(command.name, value)
        ended, status = await _round(sh, command.body, streams, status)
        if ended:
            break
    sh.state.status = status
    return status


async def _case(sh: Execution, command: n.Case, streams: Streams) -> int:
    expander = sh.expander(streams)
    text = await expander.text(command.word)
    for patterns, body in command.arms:
        for pattern in patterns:
            if regex(await expander.pattern(pattern)).fullmatch(text):
                sh.state.status = 0
                return await sh.script(body, streams)
    return 0


async def _conditional(sh: Execution, command: n.Conditional, streams: Streams) -> int:
    try:
        files = conditions.Files(sh.shell.files, sh.state.cwd)
        return int(not await DoubleBracket(command.items, sh.expander(streams), files).whole())
    except conditions.ConditionProblem as problem:
        await streams.write(2)(f"/system/bin/sh: [[: {problem}\n".encode())
        return 2
