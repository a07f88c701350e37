"""Images for requests, and messages that contain them."""

from __future__ import annotations

import base64
import io
from typing import Any

from PIL import Image


def make_image(width: int = 108, height: int = 240, *, kind: str = "PNG", colour: str = "red") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(out, kind)
    return out.getvalue()


def url(data: bytes, media_type: str = "image/png") -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def user_message(text: str, data: bytes | None = None) -> list[dict[str, Any]]:
    """Return a user message with a text and an image."""
    parts: list[dict[str, Any]] = [{"type": "text", "text": text}]
    if data is not None:
        parts.append({"type": "image_url", "image_url": {"url": url(data)}})
    return [{"role": "user", "content": parts}]
