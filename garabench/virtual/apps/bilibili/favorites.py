"""我的收藏: the folders, and the videos of a folder."""

from __future__ import annotations

from garabench.virtual.apps.bilibili import content, names
from garabench.virtual.apps.bilibili.cards import video_row
from garabench.virtual.apps.bilibili.composer import composer
from garabench.virtual.apps.bilibili.content import Video
from garabench.virtual.apps.bilibili.page import BilibiliPage
from garabench.virtual.apps.bilibili.store import Folder
from garabench.virtual.apps.bilibili.theme import (
    INK,
    INK_2,
    INK_3,
    PINK,
    WHITE,
    icon_button,
    message_page,
    sheet,
    sheet_row,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    Icon,
    ImageView,
    ListView,
    Row,
    Text,
    Widget,
    divider,
    insets,
    spacer,
)


class FavoritesActivity(BilibiliPage):
    """我的收藏: the folders."""

    def on_create(self) -> None:
        """Start with the panel closed."""
        self.naming = False
        self.name = ""

    def on_back(self) -> bool:
        """Back closes the panel first."""
        if self.naming:
            self._stop()
            return True
        return False

    def bar(self) -> Widget:
        """Return the title and the button for a new folder."""
        return self.back_bar(
            "我的收藏",
            icon_button("plus", rid="folder_new", desc="新建收藏夹", color=INK, on_click=self._start),
        )

    def _start(self) -> None:
        self.naming, self.name = True, ""
        self.ctx.focus("folder_input")

    def _stop(self) -> None:
        self.naming = False
        self.ctx.hide_keyboard()

    def _change(self, text: str) -> None:
        self.name = text

    def _make(self) -> None:
        name = self.name.strip()
        if name:
            self.store.add_folder(name)
            self._stop()
            self.ctx.toast("新建成功")

    def build(self) -> Widget:
        """Return the page, with the panel for a folder's name over it."""
        page = super().build()
        if not self.naming:
            return page
        panel = composer(
            text=self.name,
            hint="请输入收藏夹名称",
            action="创建",
            on_change=self._change,
            on_send=self._make,
            on_close=self._stop,
            rid="folder",
        )
        return Box(width=MATCH, height=MATCH, children=(page, panel))

    def content(self) -> Widget:
        """Return the folders with their first covers."""
        folders = self.store.folders()
        return ListView(
            id="folder_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            items=folders,
            header=(
                Text(
                    text=f"我创建的收藏夹 · {len(folders)}",
                    size=13,
                    color=INK_3,
                    padding=insets(14, 12, 14, 6),
                ),
            ),
            build=lambda folder, _: self._row(folder),
        )

    def _latest(self, folder: Folder) -> list[Widget]:
        """Return the title of the latest saved video; empty for an empty folder."""
        return [
            Text(id="folder_latest", text=video.title, size=12, color=INK_2, max_lines=1)
            for video in content.pick(folder.videos[:1])
        ]

    def _row(self, folder: Folder) -> Widget:
        picture: Widget = (
            ImageView(seed=folder.videos[0], kind="cover", width=120, height=75, radius=6)
            if folder.videos
            else Box(
                width=120,
                height=75,
                radius=6,
                background="#E3E5E7",
                children=(
                    Icon(
                        name="folder",
                        size=30,
                        color=WHITE,
                        align_self=Align.CENTER,
                        align_vertical=Align.CENTER,
                        important=False,
                    ),
                ),
            )
        )
        return Row(
            key=folder.id,
            id="folder_item",
            cls="android.view.ViewGroup",
            width=MATCH,
            gap=12,
            padding=insets(14, 8),
            on_click=lambda: self.ctx.open(names.FOLDER, folder=folder.id),
            children=(
                picture,
                Column(
                    weight=1,
                    gap=6,
                    children=(
                        Text(id="folder_name", text=folder.name, size=15, color=INK, max_lines=1),
                        Text(
                            id="folder_count", text=f"{len(folder.videos)}个内容 · 私密", size=12, color=INK_3
                        ),
                        *self._latest(folder),
                    ),
                ),
            ),
        )


class FolderActivity(BilibiliPage):
    """The videos of a folder."""

    def on_create(self) -> None:
        """Read the folder from the intent."""
        self.folder_id = str(self.intent.extras.get("folder", "default"))
        self.picked: Video | None = None

    @property
    def folder(self) -> Folder:
        """The current folder; the default one for an unknown id."""
        return self.store.folder(self.folder_id) or self.store.folders()[0]

    def bar(self) -> Widget:
        """Return the bar with the folder's name."""
        return self.back_bar(self.folder.name)

    def _picks(self, video: Video) -> Handler:
        def run() -> None:
            self.picked = video

        return run

    def _remove(self) -> None:
        if self.picked is not None:
            self.store.set_folders(self.picked, self.store.folders_with(self.picked) - {self.folder.id})
        self.picked = None
        self.ctx.toast("已取消收藏")

    def dialog(self) -> Widget | None:
        """Return the menu of a video, if it is open."""
        if self.picked is None:
            return None
        return sheet(
            (
                Text(text=self.picked.title, size=13, color=INK_3, max_lines=1, padding=insets(18, 10)),
                divider(),
                sheet_row("取消收藏", self._remove, icon="star", rid="folder_remove"),
                divider(),
                sheet_row("取消", self.on_dismiss_dialog, icon="close", rid="menu_cancel"),
            )
        )

    def on_dismiss_dialog(self) -> None:
        """Close the menu."""
        self.picked = None

    def content(self) -> Widget:
        """Return the folder's details above its videos."""
        videos = content.pick(self.folder.videos)
        if not videos:
            return message_page("star", "这个收藏夹还是空的")
        return ListView(
            id="folder_videos",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            items=videos,
            header=(
                Row(
                    width=MATCH,
                    height=42,
                    padding=insets(14, 0),
                    children=(
                        Icon(name="play-circle", size=18, color=PINK, important=False),
                        Text(text="播放全部", size=14, color=INK, margin=insets(6, 0)),
                        spacer(),
                        Text(id="folder_count", text=f"{len(videos)}个内容", size=12, color=INK_3),
                    ),
                ),
            ),
            build=lambda video, _: video_row(
                video, self.opens(video), on_more=self._picks(video), rid="folder_video"
            ),
        )
