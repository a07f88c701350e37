"""Generate the rubric of a task with a model, in two calls: write it, then check and reformulate it.

The prompts are in `garabench.verifier.judge_prompts`. The judge without a model makes its rubric in
`garabench.verifier.offline.task_rubric`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from garabench.verifier.judge_call import JudgeCall
from garabench.verifier.judge_prompts import dependency_call, rubric_call
from garabench.verifier.rubric import Rubric


def generate_rubric(send: Callable[[JudgeCall, Callable[[Any], Rubric]], Rubric], instruction: str) -> Rubric:
    """Return the rubric of a task.

    Args:
        send: Sends a call, and returns the reply as the given function converts it.
        instruction: The instruction of the task.
    """
    draft = send(rubric_call(instruction), lambda reply: reply.rubric(instruction))
    return send(dependency_call(instruction, draft), lambda reply: reply.rubric(instruction, draft))
