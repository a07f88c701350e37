"""Common labels of controls and pages, in Chinese and in English; not specific to any app."""

from __future__ import annotations

from collections.abc import Mapping

CONTROLS: Mapping[str, tuple[str, ...]] = {
    "like": ("点赞", "赞", "喜欢", "like"),
    "favourite": ("收藏", "加入收藏", "存", "save", "favorite", "favourite", "add to list"),
    "follow": ("关注", "加关注", "follow"),
    "unfollow": ("取消关注", "不再关注", "已关注", "已互粉", "互相关注", "unfollow", "following"),
    "coin": ("投币", "硬币", "coin"),
    "repost": ("转发", "repost", "share"),
    "comment": (
        *("写评论", "发评论", "发条评论", "说点什么", "写下你的评论", "评论"),
        *("write a comment", "add a comment", "comment"),
    ),
    "danmaku": ("发弹幕", "点我发弹幕", "弹幕"),
    "message": ("私信", "发私信", "聊天", "发消息", "客服", "message", "chat"),
    "reply": ("回复", "reply"),
    "cart": ("加入购物车", "加购", "add to cart", "add to basket"),
    "buy": ("立即购买", "购买", "预订", "订", "buy now", "book"),
    "settle": ("去结算", "结算", "checkout", "proceed to checkout"),
    "submit": ("提交订单", "提交", "下单", "place your order", "place order", "submit"),
    "save": ("保存", "完成", "确定", "提交", "save", "done"),
    "delete": ("删除", "移除", "移出", "delete", "remove"),
    "cancel": ("取消订单", "取消", "cancel order", "cancel items", "cancel"),
    "send": ("发送", "发布", "发表", "提交", "send", "post", "publish"),
    "download": ("下载", "download"),
    "new": ("新建", "新增", "添加", "创建", "create", "new", "add", "+"),
    "claim": ("领取", "立即领取", "去领取", "claim", "collect"),
    "later": ("稍后再看", "稍后观看", "添加至稍后再看", "watch later", "save for later"),
    "review": ("评价", "去评价", "review"),
    "return": ("申请售后", "退换", "退货", "退款", "return", "return or replace items"),
    "route": ("路线", "到这去", "去这里", "directions", "route"),
    "navigate": ("导航", "开始导航", "start", "start navigation"),
    "mute": ("静音", "mute"),
    "taxi": ("打车", "立即打车", "taxi", "ride"),
    "track": ("查看物流", "物流", "track package", "track"),
    "react": ("like", "赞"),
    "confirm": ("确认", "确定", "confirm", "ok"),
    "join": ("加入", "申请加入", "join", "join group"),
    "call": ("电话", "call"),
    "share": ("分享", "share", "new share", "share location"),
    "default": ("设为默认", "默认", "set as default", "make default"),
}
"""Labels of controls by function, likeliest first."""

COMMITS: tuple[str, ...] = (
    *("确定", "完成", "保存", "确认", "提交", "应用", "查看结果", "查看", "发送", "发布", "好的", "好"),
    *("使用", "继续", "下一步", "开始", "done", "apply", "save", "ok", "confirm", "submit", "show results"),
    *("see results", "set", "continue", "next", "create", "send", "post", "share", "start"),
)
"""Buttons that complete a form, a sheet or a choice, likeliest first."""

AGREE: tuple[str, ...] = (
    *("确定", "确认", "删除", "移出", "移除", "是", "好", "继续", "提交", "允许", "开启", "关闭"),
    *("取消订单", "取消关注", "不再关注", "ok", "yes", "confirm", "delete", "remove", "turn off", "turn on"),
    *("continue", "unfollow", "cancel items", "cancel order", "submit", "done", "got it", "allow"),
)
"""Buttons of a dialog that confirm the action."""

DECLINE: tuple[str, ...] = (
    *(
        "取消",
        "以后再说",
        "稍后再说",
        "以后",
        "稍后",
        "暂不",
        "不了",
        "不用了",
        "不",
        "拒绝",
        "不允许",
        "跳过",
    ),
    *("关闭", "我知道了", "知道了", "残忍拒绝", "下次再说", "暂不更新", "否", "返回"),
    *("cancel", "not now", "later", "maybe later", "skip", "no thanks", "no", "close", "dismiss", "deny"),
    *("don't allow", "got it", "remind me later"),
)
"""Buttons of a dialog that change nothing."""

DECLINE_PREFIXES: tuple[str, ...] = (
    *(
        "暂不",
        "稍后",
        "以后",
        "下次",
        "不",
        "放弃",
        "继续使用",
        "等待",
        "忽略",
        "跳过",
        "知道",
        "我知道",
        "关闭",
        "取消",
    ),
    *(
        "not",
        "no ",
        "later",
        "maybe",
        "another",
        "skip",
        "wait",
        "keep",
        "leave",
        "ignore",
        "close",
        "cancel",
    ),
    *("dismiss", "got it", "i see", "go back", "返回"),
)
"""Prefixes of buttons that change nothing."""

LEAVE_APP_PREFIXES: tuple[str, ...] = (
    *(
        "去",
        "立即",
        "马上",
        "前往",
        "打开",
        "进入",
        "切换",
        "查看",
        "检查",
        "升级",
        "更新",
        "授权",
        "开启",
        "重新",
        "同意",
    ),
    *(
        "go to",
        "open",
        "turn",
        "switch",
        "see",
        "check",
        "update",
        "upgrade",
        "allow",
        "grant",
        "rate",
        "set",
        "accept",
    ),
)
"""Prefixes of buttons that lead to another page."""

PERSONAL: tuple[str, ...] = ("我的", "我", "you", "me", "profile", "account", "menu", "more", "个人中心")
"""Labels of the user's own page: orders, history, favourites and settings."""

AVATARS: tuple[str, ...] = (
    "头像",
    "我的头像",
    "个人中心",
    "account",
    "avatar",
    "profile",
    "account and settings",
)
"""Labels of the user's picture, which opens that page if there is no such tab."""

SETTINGS: tuple[str, ...] = ("设置", "settings")
SEARCH: tuple[str, ...] = ("搜索", "搜索栏", "搜索框", "search", "search here", "find")
PANELS: tuple[str, ...] = (
    *("筛选", "排序", "综合排序", "综合", "推荐排序", "智能排序", "偏好", "路线偏好", "选择", "规格", "已选"),
    *("全部", "更多", "filter", "filters", "all filters", "sort", "sort by", "options", "more filters"),
)
"""Labels of controls that may reveal options."""

MORE: tuple[str, ...] = (
    "更多",
    "更多选项",
    "more",
    "more options",
    "overflow",
    "管理",
    "编辑",
    "manage",
    "edit",
)
ALL: tuple[str, ...] = ("全部", "查看全部", "查看更多", "see all", "view all", "show all", "展开", "see more")

SYSTEM_SETTINGS = "com.android.settings"
"""Package of Android's own settings, on every phone."""

APPS: tuple[str, ...] = (
    *(
        "哔哩哔哩",
        "京东",
        "高德地图",
        "百度地图",
        "微博",
        "携程旅行",
        "携程",
        "谷歌地图",
        "亚马逊",
        "淘宝",
        "微信",
        "抖音",
    ),
    *(
        "小红书",
        "支付宝",
        "美团",
        "知乎",
        "Bilibili",
        "JD",
        "Amap",
        "Weibo",
        "Ctrip",
        "Google Maps",
        "Facebook",
    ),
    *("Amazon", "YouTube", "Instagram", "WhatsApp", "Spotify", "Gmail", "Twitter", "TikTok"),
)
"""Names of widespread apps: in an instruction they say where, not what."""
