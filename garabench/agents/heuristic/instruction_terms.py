"""Vocabulary of instructions common to all apps: pages, actions, rankings, travel modes."""

from __future__ import annotations

from collections.abc import Mapping

from garabench.agents.heuristic.subgoals import ListRank

OWN_PLACES = (
    "我的收藏|商品收藏|收藏夹|历史记录|浏览记录|草稿箱|全部订单|待付款|待收货|待评价|离线地图|收货地址|优惠券|个人信息|"
    "(?:关注|粉丝|订单|好友|作品|微博|动态)列表|常用[一-鿿]{2,3}"
)
"""The user's own pages, which are opened from the profile page."""
PLACES = "搜索历史|黑名单|购物车|地址|排行榜|频道页|个人空间|评论区|全部评价|图层|行程"
ACTS: tuple[tuple[str, str, bool], ...] = (
    ("取消关注", "unfollow", True),
    ("取消(?:对[它他她])?的?(?:点赞)", "like", True),
    ("取消收藏", "favourite", True),
    ("加入购物车", "cart", False),
    ("立即购买", "buy", False),
    ("提交订单", "submit", False),
    ("稍后再看", "later", False),
    ("申请售后", "return", False),
    ("点赞", "like", False),
    ("投币", "coin", False),
    ("转发", "repost", False),
    ("结算", "settle", False),
    ("预订", "buy", False),
    ("下载(?!好|完)", "download", False),
    ("领取", "claim", False),
    ("移出", "delete", False),
    ("删除", "delete", False),
    ("静音", "mute", False),
    ("保存", "save", False),
    ("提交", "submit", False),
    ("收藏(?!夹|里)", "favourite", False),
    ("(?<!特别)关注(?!列表|的人|数)", "follow", False),
    ("新建|新增|添加(?!至)", "new", False),
    ("取消(?=.{0,14}订单)", "cancel", False),
)
"""Verb patterns with their control and whether they undo an action; longer patterns first."""
ORDERS: tuple[tuple[str, ListRank], ...] = (
    (r"最便宜|价格最低|最低价", ListRank.CHEAPEST),
    (r"最高|最多|最大", ListRank.MOST),
    (r"第一[个条名家位篇]?|排名第一|排在最前|最近看过|最新发布|最新|最热|最近", ListRank.FIRST),
)
"""Patterns that select an item of a list."""
MODES: Mapping[str, tuple[str, ...]] = {
    "步行": ("步行", "walk", "walking"),
    "驾车": ("驾车", "drive", "driving"),
    "开车": ("驾车", "drive", "driving"),
    "骑行": ("骑行", "bike", "cycling", "bicycle"),
    "公共交通": ("公共交通", "公交", "公交地铁", "transit"),
}
"""Travel modes, with the possible labels of their tabs."""
NOTICES: tuple[str, ...] = (
    *("所有通知", "全部通知", "显示通知", "允许通知", "all notifications", "show notifications"),
    *("allow notifications", "通知", "notifications"),
)
"""Possible labels of the switch for all notifications of an app."""
