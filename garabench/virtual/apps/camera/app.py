"""The camera: a viewfinder, a shutter, and the photos taken.

The viewfinder shows a painted scene, which depends on the number of photos only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from garabench.core.app_state import StateRecord
from garabench.virtual.kit.framework import Activity, App, Context
from garabench.virtual.kit.intent_filter import DEFAULT, IntentFilter
from garabench.virtual.kit.state import marks
from garabench.virtual.ui.widgets import MATCH, Align, Box, Icon, ImageView, Row, Text, Widget, insets

PACKAGE = "com.android.camera2"
MAIN, PHOTOS = "com.android.camera.CameraLauncher", "com.android.camera.PhotosActivity"
_MAX_PHOTOS = 500


class CameraActivity(Activity):
    """The viewfinder."""

    status_bar = "#000000"
    filters = (
        IntentFilter(
            ("android.media.action.STILL_IMAGE_CAMERA", "android.media.action.IMAGE_CAPTURE"), (DEFAULT,)
        ),
    )

    def on_create(self) -> None:
        self.front = False

    def build(self) -> Widget:
        ctx = self.ctx
        taken = ctx.data["photos"]
        last = Box(
            id="rounded_thumbnail_view",
            desc=ctx.t("照片", "Photos"),
            width=56,
            height=56,
            radius=28,
            background="#33FFFFFF",
            on_click=lambda: ctx.open(PHOTOS),
            children=[
                ImageView(
                    seed=taken[-1] if taken else "none",
                    width=56,
                    height=56,
                    radius=28,
                    visible=bool(taken),
                    important=False,
                )
            ],
        )
        shutter = Widget(
            id="shutter_button",
            cls="android.widget.ImageView",
            desc=ctx.t("快门", "Shutter"),
            width=76,
            height=76,
            radius=38,
            background="#FFFFFF",
            border="#9AA0A6",
            border_width=4,
            on_click=self._shoot,
        )
        turn = Icon(
            name="refresh",
            id="camera_toggle_button",
            desc=ctx.t("切换摄像头", "Switch camera"),
            color="#FFFFFF",
            width=56,
            height=56,
            padding=insets(14),
            on_click=self._turn,
        )
        bottom = Row(
            id="bottom_bar",
            width=MATCH,
            height=130,
            justify=Align.SPACE_AROUND,
            background="#99000000",
            align_vertical=Align.END,
            children=[last, shutter, turn],
        )
        view = ImageView(id="preview_content", seed=self._scene(), width=MATCH, height=MATCH)
        return Box(width=MATCH, height=MATCH, background="#000000", children=[view, bottom])

    def _scene(self) -> str:
        return f"{'front' if self.front else 'back'}-{len(self.ctx.data['photos'])}"

    def _shoot(self) -> None:
        photos = self.ctx.data["photos"]
        if len(photos) >= _MAX_PHOTOS:
            self.ctx.toast(self.ctx.t("存储空间已满", "Storage is full"))
            return
        photos.append(self._scene())

    def _turn(self) -> None:
        self.front = not self.front


class PhotosActivity(Activity):
    """The last photo, and those before it by the arrows."""

    status_bar = "#000000"

    def on_create(self) -> None:
        self.place = len(self.ctx.data["photos"]) - 1

    def build(self) -> Widget:
        ctx, photos = self.ctx, self.ctx.data["photos"]
        if not 0 <= self.place < len(photos):
            nothing = Text(
                id="empty",
                text=ctx.t("没有照片", "No photos"),
                size=18,
                color="#FFFFFF",
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
            )
            return Box(width=MATCH, height=MATCH, background="#000000", children=[nothing])
        count = Text(
            id="photo_number",
            text=f"{self.place + 1} / {len(photos)}",
            size=16,
            color="#FFFFFF",
            align_self=Align.CENTER,
            padding=insets(0, 20),
        )
        arrows = Row(
            width=MATCH,
            height=96,
            justify=Align.SPACE_AROUND,
            align_vertical=Align.END,
            background="#99000000",
            children=[
                self._icon("back", "previous", ctx.t("上一张", "Previous"), self._previous),
                self._icon("delete", "delete", ctx.t("删除", "Delete"), self._delete),
                self._icon("chevron_right", "next", ctx.t("下一张", "Next"), self._next),
            ],
        )
        photo = ImageView(
            id="photo", seed=photos[self.place], desc=ctx.t("照片", "Photo"), width=MATCH, height=MATCH
        )
        return Box(width=MATCH, height=MATCH, background="#000000", children=[photo, count, arrows])

    def _icon(self, name: str, identity: str, desc: str, press: Any) -> Widget:
        return Icon(
            name=name,
            id=identity,
            desc=desc,
            color="#FFFFFF",
            width=56,
            height=56,
            padding=insets(14),
            on_click=press,
        )

    def _previous(self) -> None:
        self.place = max(0, self.place - 1)

    def _next(self) -> None:
        self.place = min(len(self.ctx.data["photos"]) - 1, self.place + 1)

    def _delete(self) -> None:
        del self.ctx.data["photos"][self.place]
        self.place = min(self.place, len(self.ctx.data["photos"]) - 1)


def _initial_data() -> dict[str, Any]:
    return {"photos": []}


def state(ctx: Context) -> Iterator[StateRecord]:
    """Return the photos."""
    names = (f"{place}-{seed}" for place, seed in enumerate(ctx.data["photos"], 1))
    yield from marks("photo", names, "拍了照片 {}", "Took photo {}")


APP = App(
    package=PACKAGE,
    label={"zh": "相机", "en": "Camera"},
    activities={MAIN: CameraActivity, PHOTOS: PhotosActivity},
    launcher=MAIN,
    version_name="14",
    version_code=34,
    icon_seed="camera",
    icon_color="#37474F",
    icon_glyph="icon:camera",
    system=True,
    initial_data=_initial_data,
    state=state,
    apk_path="/product/app/Camera2/Camera2.apk",
)
