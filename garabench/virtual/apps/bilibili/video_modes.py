"""Overlays of the video page."""

from __future__ import annotations

import enum


class Overlay(enum.Enum):
    """The overlay of the page."""

    NONE = enum.auto()
    COIN = enum.auto()
    FAVORITE = enum.auto()
    SHARE = enum.auto()
    UNFOLLOW = enum.auto()
    DELETE_COMMENT = enum.auto()


class Writing(enum.Enum):
    """What is being written."""

    NOTHING = enum.auto()
    COMMENT = enum.auto()
    DANMAKU = enum.auto()
