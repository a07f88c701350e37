"""The overlays and composers of the video page."""

from __future__ import annotations

import enum


class Overlay(enum.Enum):
    """The open overlay."""

    NONE = enum.auto()
    COIN = enum.auto()
    FAVORITE = enum.auto()
    SHARE = enum.auto()
    UNFOLLOW = enum.auto()
    DELETE_COMMENT = enum.auto()


class ComposerMode(enum.Enum):
    """The open composer."""

    NOTHING = enum.auto()
    COMMENT = enum.auto()
    DANMAKU = enum.auto()
