"""Vector icons by name: glyphs of Material Design Icons (Apache 2.0), drawn in any colour and size."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from PIL import Image, ImageDraw

from garabench.virtual.ui import fonts
from garabench.virtual.ui.image_cache import MIB, cache_images

MDI: Mapping[str, str] = {
    "add": "plus",
    "airplane": "airplane",
    "arrow_right": "arrow_right",
    "back": "arrow_left",
    "battery": "battery_80",
    "bell": "bell_outline",
    "bluetooth": "bluetooth",
    "bookmark": "bookmark_outline",
    "brightness": "brightness_6",
    "calendar": "calendar",
    "camera": "camera_outline",
    "cart": "cart_outline",
    "chat": "chat_outline",
    "check": "check",
    "chevron_down": "chevron_down",
    "chevron_right": "chevron_right",
    "clock": "clock_outline",
    "close": "close",
    "coin": "alpha_c_circle_outline",
    "comment": "comment_text_outline",
    "coupon": "ticket_percent_outline",
    "crown": "crown_outline",
    "danmaku": "comment_text_outline",
    "dislike": "thumb_down_outline",
    "download": "download",
    "edit": "pencil_outline",
    "emoji": "emoticon_happy_outline",
    "eye": "eye_outline",
    "filter": "filter_variant",
    "fire": "fire",
    "folder": "folder_outline",
    "fullscreen": "fullscreen",
    "gift": "gift_outline",
    "globe": "web",
    "grid": "view_grid_outline",
    "headset": "headset",
    "heart": "heart_outline",
    "history": "history",
    "home": "home_outline",
    "image": "image_outline",
    "info": "information_outline",
    "keyboard": "keyboard_outline",
    "list": "format_list_bulleted",
    "live": "television_play",
    "location": "map_marker_outline",
    "lock": "lock_outline",
    "menu": "menu",
    "message": "message_outline",
    "mic": "microphone_outline",
    "minus": "minus",
    "more": "dots_vertical",
    "nav_back": "triangle_outline",
    "nav_home": "circle_outline",
    "nav_recents": "square_rounded_outline",
    "pause": "pause",
    "person": "account_outline",
    "phone": "phone_outline",
    "play": "play",
    "plus": "plus",
    "refresh": "refresh",
    "rotate": "screen_rotation",
    "scan": "line_scan",
    "search": "magnify",
    "send": "send",
    "settings": "cog_outline",
    "share": "share_outline",
    "shield": "shield_outline",
    "signal": "signal_cellular_3",
    "sort": "sort",
    "star": "star_outline",
    "store": "store_outline",
    "sun": "white_balance_sunny",
    "tag": "tag_outline",
    "thumb_up": "thumb_up_outline",
    "trash": "trash_can_outline",
    "truck": "truck_outline",
    "tv": "television",
    "up": "chevron_up",
    "update": "update",
    "upload": "upload",
    "user": "account_outline",
    "verified": "check_decagram",
    "video": "video_outline",
    "wallet": "wallet_outline",
    "warning": "alert_outline",
    "wifi": "wifi",
    "backspace": "backspace_outline",
    "arrow-back": "arrow_left",
    "bag": "shopping_outline",
    "bulb": "lightbulb_outline",
    "chart": "chart_bar",
    "comic": "book_open_outline",
    "dance": "dance_ballroom",
    "dynamic": "fan",
    "feedback": "message_alert_outline",
    "game": "gamepad_variant_outline",
    "hd": "high_definition_box",
    "like": "thumb_up_outline",
    "moon": "weather_night",
    "news": "newspaper_variant_outline",
    "open": "open_in_new",
    "shirt": "tshirt_crew_outline",
    "volume": "volume_high",
    "watch-later": "clock_outline",
}

_FILLED = ("_filled", "-filled")
_ROTATED_LEFT = frozenset({"nav_back"})
"""Icons whose glyph points up and is drawn pointing left."""


class UnknownIconError(LookupError):
    """No icon has that name."""


@functools.cache
def _glyphs() -> Mapping[str, str]:
    from fonticon_mdi7.mdi7 import MDI7  # a table of 7,000 names, loaded on first use

    return {name: value.rpartition(".")[2] for name, value in vars(MDI7).items() if not name.startswith("_")}


@functools.cache
def glyph(name: str) -> str:
    """Return the character of an icon.

    Args:
        name: One of `MDI`, or any name of Material Design Icons; with ``_filled`` its solid form.

    Raises:
        UnknownIconError: The name is unknown.
    """
    table = _glyphs()
    for suffix in _FILLED:
        if name.endswith(suffix):
            base = name.removesuffix(suffix)
            solid = MDI.get(base, base).replace("_outline", "")
            if solid in table:
                return table[solid]
    for candidate in (MDI.get(name, name), name.replace("-", "_"), f"{name}_outline"):
        if candidate in table:
            return table[candidate]
    raise UnknownIconError(f"unknown icon {name!r}")


@cache_images(2 * MIB)
def icon_mask(name: str, size: int) -> Image.Image:
    """Return an icon's coverage, `size` pixels square, in mode L.

    Raises:
        UnknownIconError: The name is unknown.
    """
    image = Image.new("L", (size, size), 0)
    face = fonts.symbols(size)
    ImageDraw.Draw(image).text((size / 2, size / 2), glyph(name), fill=255, font=face, anchor="mm")
    return image.rotate(90) if name in _ROTATED_LEFT else image
