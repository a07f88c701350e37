"""Actions on posts, shared by all pages: like, favourite, repost, comment, follow, and the post menu."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.content import ME, WeiboPost, users
from garabench.virtual.apps.weibo.page import Choice, WeiboPage
from garabench.virtual.apps.weibo.user_content import OPEN, VISIBILITIES
from garabench.virtual.ui.widgets import Handler


class PostPage(WeiboPage):
    """A page that shows posts or people."""

    # Posts

    def like(self, post: WeiboPost) -> None:
        """Like or unlike a post."""
        if not self.ctx.online:
            self.ctx.toast("网络不可用，请检查网络设置")
            return
        self.store.set_liked(post, not self.store.liked(post))

    def toggle_favorite(self, post: WeiboPost) -> None:
        """Toggle whether a post is a favourite."""
        wanted = not self.store.is_favorite(post)
        self.store.set_favorite(post, wanted, self.ctx.now())
        self.ctx.toast("收藏成功" if wanted else "已取消收藏")

    def forward(self, post: WeiboPost) -> None:
        """Open the choice of ways to repost."""
        if post.visibility != OPEN:
            self.ctx.toast("该微博不允许转发")
            return
        self.choose(
            (
                ("转发", partial(self.ctx.open, names.FORWARD, post=post.id)),
                ("快转", partial(self._quick, post)),
            )
        )

    def _quick(self, post: WeiboPost) -> None:
        if not self.ctx.online:
            self.ctx.toast("网络不可用，请检查网络设置")
            return
        root = post.of or post.id
        self.store.publish("转发微博", self.ctx.now(), of=root)
        self.ctx.toast("快转成功")

    def write_comment(self, post: WeiboPost) -> None:
        """Open the post's comments, or the composer if there are none."""
        if post.comments or self.store.own_comments(post):
            self.ctx.open(names.DETAIL, post=post.id, tab="评论")
        else:
            self.ctx.open(names.COMMENT, post=post.id)

    def menu(self, post: WeiboPost) -> None:
        """Open the menu of a post."""
        label = "取消收藏" if self.store.is_favorite(post) else "收藏"
        choices: list[Choice] = [(label, partial(self.toggle_favorite, post))]
        if post.user == ME:
            choices += [
                ("修改公开范围", partial(self._visibility, post)),
                ("删除", partial(self._ask_delete, post)),
            ]
        else:
            author = post.author
            if self.store.following(author.id):
                choices.append(
                    (f"取消关注 {author.name}", partial(self.store.set_following, author.id, False))
                )
            choices += [
                ("不感兴趣", partial(self.ctx.toast, "将减少类似内容推荐")),
                ("屏蔽该博主", partial(self.ask_block, author.id)),
                ("投诉", partial(self.ctx.toast, "投诉已提交")),
            ]
        choices.append(("复制链接", partial(self.ctx.toast, "链接已复制")))
        self.choose(choices)

    def _visibility(self, post: WeiboPost) -> None:
        if not post.id.startswith("own-"):
            self.ctx.toast("发布超过24小时，不能修改")
            return

        def sets(value: str) -> None:
            self.store.set_visibility(post, value)
            self.ctx.toast("修改成功")

        self.choose([(value, partial(sets, value)) for value in VISIBILITIES], title="公开范围")

    def _ask_delete(self, post: WeiboPost) -> None:
        def run() -> None:
            self.store.delete_post(post)
            self.ctx.toast("删除成功")
            self.deleted(post)

        self.ask("确定要删除这条微博吗？", "删除", run)

    def deleted(self, post: WeiboPost) -> None:
        """Handle the deletion of one of the user's posts from this page."""

    # People

    def follow(self, user: str) -> None:
        """Follow a user, or ask whether to unfollow."""
        if not self.ctx.online:
            self.ctx.toast("网络不可用，请检查网络设置")
        elif self.store.blocked(user):
            self.ctx.toast("对方在你的黑名单中，无法关注")
        elif self.store.following(user):
            self.ask_unfollow(user)
        else:
            self.store.set_following(user, True)
            self.ctx.toast("关注成功")

    def ask_unfollow(self, user: str) -> None:
        """Ask whether to unfollow."""

        def run() -> None:
            self.store.set_following(user, False)
            self.ctx.toast("已取消关注")

        self.ask(f"确定不再关注“{users()[user].name}”吗？", "确定", run)

    def ask_block(self, user: str) -> None:
        """Ask whether to block a user."""

        def run() -> None:
            self.store.set_blocked(user, True)
            self.ctx.toast("已加入黑名单")

        self.ask("加入黑名单后，你们将互相看不到对方的微博，也不能私信。", "加入", run)

    def follows(self, user: str) -> Handler:
        """Return a handler that follows a user, or asks whether to unfollow."""
        return partial(self.follow, user)
