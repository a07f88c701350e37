"""Render a call as a request: read trees, prepare pictures, describe what actions hit."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator

from garabench.agents.dialects.image_sizes import ImageRule
from garabench.agents.models.messages import (
    ChatMessage,
    ChatRequest,
    ChatRole,
    ContentPart,
    ReplyForm,
    TextPart,
)
from garabench.agents.profile import AgentProfile, ImageOptions
from garabench.agents.prompting.images import InvalidScreenshotError, prepare_image
from garabench.agents.prompting.quoting import between, quoted
from garabench.core.tree import UiTree
from garabench.errors import InputError
from garabench.verifier.frame_content import frame_picture, frame_tree
from garabench.verifier.judge_call import CallPart, FrameContent, HistoryContent, JudgeCall
from garabench.verifier.screen_text import plain_screen_text, screen_text, target_text
from garabench.verifier.secure_screen import BlackArea, black_area
from garabench.verifier.trajectory import Trajectory, TrajectoryFrame, TrajectoryStep

_MAX_THOUGHT, _MAX_DETAIL, _MAX_STEP_TEXT = 400, 200, 600
RECENT_FRAMES = 128
"""Rendered frames in memory, some 100 kB each."""
LONG_SIDE = 1120
"""Longer side of a picture in pixels unless the profile says otherwise."""


class FrameParts:
    """The rendered parts of recent frames; thread-safe.

    A frame that is selected as evidence was rated before, so most frames are needed twice.
    """

    def __init__(self, profile: AgentProfile, capacity: int = RECENT_FRAMES) -> None:
        """Start empty.

        Args:
            profile: The judge's profile.
            capacity: Maximum number of frames in memory.
        """
        self._profile = profile
        self._capacity = capacity
        self._parts: OrderedDict[str, tuple[ContentPart, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, content: FrameContent) -> tuple[ContentPart, ...]:
        """Return the parts of a frame.

        Args:
            content: The frame.

        Raises:
            InputError: Its tree or its picture is broken.
        """
        key = repr((content.identity, content.frame.picture, content.frame.tree))
        with self._lock:
            if key in self._parts:
                self._parts.move_to_end(key)
                return self._parts[key]
        parts = tuple(_frame_parts(content.frame, self._profile))
        with self._lock:
            self._parts[key] = parts
            while len(self._parts) > self._capacity:
                self._parts.popitem(last=False)
        return parts


def render_call(call: JudgeCall, profile: AgentProfile, frames: FrameParts | None = None) -> ChatRequest:
    """Return a call as a request; reads the trees and pictures that it names.

    Args:
        call: The call.
        profile: The judge's profile.
        frames: The rendered parts of recent frames; None to render every frame anew.

    Raises:
        InputError: A tree or a picture is broken.
    """
    recent = frames or FrameParts(profile, 1)
    parts: list[ContentPart] = []
    for part in call.parts:
        parts += _render(part, recent)
    return ChatRequest(
        model=profile.model,
        messages=(
            ChatMessage(ChatRole.SYSTEM, (TextPart(call.system),)),
            ChatMessage(ChatRole.USER, tuple(parts)),
        ),
        form=ReplyForm.JSON if profile.form is ReplyForm.JSON else ReplyForm.TEXT,
        parameters=dict(profile.parameters),
    )


def image_rule(profile: AgentProfile) -> tuple[ImageRule, ImageOptions]:
    """Return how a judge's pictures are prepared: by the profile, else at most `LONG_SIDE` pixels long."""
    options = profile.image
    if options.native is None and options.long_side is None and options.smart is None:
        options = ImageOptions(long_side=LONG_SIDE, format=options.format, quality=options.quality)
    return options.applied(profile.tuned_dialect().image), options


def history_text(trajectory: Trajectory) -> str:
    """Return the steps as text, quoted: number, screen, action, what it hits, thought and result.

    Args:
        trajectory: The trajectory.

    Raises:
        InputError: A tree is broken.
    """
    if not trajectory.steps:
        return "The agent performed no step."
    trees: dict[str, UiTree | None] = {}
    rows = [_step_text(trajectory, step, trees) for step in trajectory.steps]
    return f"Steps of the agent, {len(rows)} in all:\n" + between("\n".join(rows))


def _render(part: CallPart, frames: FrameParts) -> tuple[ContentPart, ...]:
    match part:
        case str():
            return (TextPart(part),)
        case HistoryContent():
            return (TextPart(history_text(part.trajectory)),)
        case FrameContent():
            return frames.of(part)


def _frame_parts(frame: TrajectoryFrame, profile: AgentProfile) -> list[ContentPart]:
    picture, tree = frame_picture(frame), frame_tree(frame)
    parts: list[ContentPart] = [TextPart(f"Screen of {quoted(f'{frame.package}/{frame.activity}', 300)}")]
    parts += _picture_parts(frame, picture, tree, profile)
    if tree is None and frame.text:
        parts.append(TextPart(f"Text of the screen:\n{plain_screen_text(frame.text)}"))
    elif tree is None:
        parts.append(TextPart("No elements of this screen were recorded. Judge by the picture."))
    else:
        parts.append(TextPart(f"Elements of the screen:\n{screen_text(tree)}"))
    return parts


def _picture_parts(
    frame: TrajectoryFrame, picture: bytes | None, tree: UiTree | None, profile: AgentProfile
) -> Iterator[ContentPart]:
    if picture is None:
        yield TextPart("No picture of this screen was recorded. Judge by its elements.")
        return
    black = black_area(picture, tree)
    if black is BlackArea.SCREEN:
        yield TextPart(
            "The picture is black: the app forbids screenshots of this screen. Judge by its elements."
        )
    elif profile.input.has_image:
        if black is BlackArea.ELEMENTS:
            yield TextPart(
                "The app forbids screenshots: its elements are black in the picture."
                " Judge them by the list below."
            )
        rule, options = image_rule(profile)
        try:
            yield prepare_image(picture, rule, options)
        except InvalidScreenshotError as error:
            raise InputError(f"frame {frame.index}: {error}") from error


def _step_text(trajectory: Trajectory, step: TrajectoryStep, trees: dict[str, UiTree | None]) -> str:
    frame = None if step.before is None else trajectory.frames[step.before]
    parts = [f"step {step.number}:", quoted(step.text, _MAX_STEP_TEXT)]
    if frame is not None:
        if frame.package:
            parts.append(f"in {quoted(frame.package, 200)}")
        if step.action is not None:
            if frame.tree_sha256 not in trees:
                trees[frame.tree_sha256] = frame_tree(frame)
            tree = trees[frame.tree_sha256]
            if tree is not None and (target := target_text(tree, step.action)):
                parts.append(f"hits {target}")
    if step.thought:
        parts.append(f"thought {quoted(step.thought, _MAX_THOUGHT)}")
    if step.ok is False:
        parts.append(f"not performed: {quoted(step.detail, _MAX_DETAIL)}")
    return " ".join(parts)
