"""Package and activity names, as in the real app's manifest where known."""

from __future__ import annotations

from garabench.virtual.kit.framework import Context

PACKAGE = "com.jingdong.app.mall"
REVIEWS_TITLE_ID = "com.jd.lib.productdetail.feature:id/cbh"
"""Resource id of the title 商品评价, which comes from the product page's own library."""

MAIN = "com.jingdong.app.mall.main.MainActivity"
SEARCH = "com.jd.lib.search.view.Activity.SearchActivity"
RESULTS = "com.jd.lib.search.view.Activity.ProductListActivity"
PRODUCT = "com.jd.lib.productdetail.ProductDetailActivity"
REVIEWS = "com.jd.lib.productdetail.comment.CommentListActivity"
CART = "com.jd.lib.cart.ShoppingCartNewActivity"
CHECKOUT = "com.jd.lib.settlement.fillorder.activity.NewFillOrderActivity"
CASHIER = "com.jd.lib.cashier.pay.view.CashierDeskActivity"
CHAT = "com.jd.lib.dongdong.chat.ChatActivity"
SHOP = "com.jd.lib.jshop.jshop.JshopMainShopActivity"
COUPONS = "com.jd.lib.coupon.mycoupon.MyCouponActivity"
COUPON_CENTER = "com.jd.lib.coupon.center.CouponCenterActivity"
ADDRESSES = "com.jd.lib.address.AddressListActivity"
ADDRESS = "com.jd.lib.address.AddressEditActivity"
ORDERS = "com.jd.lib.ordercenter.mygoodsorderlist.view.activity.MyOrderListActivity"
ORDER = "com.jd.lib.ordercenter.neworderdetail.NewOrderDetailActivity"
ORDER_REVIEW = "com.jd.lib.evaluatecenter.comment.view.CommentEditActivity"
PAY_RESULT = "com.jd.lib.cashier.complete.view.CashierCompleteActivity"
NOTICES = "com.jd.lib.message.view.MessageBoxActivity"
USER_INFO = "com.jd.lib.settings.UserInfoActivity"
FAVORITES = "com.jd.lib.favourites.FavouritesActivity"
HISTORY = "com.jd.lib.mypage.history.HistoryActivity"
SETTINGS = "com.jd.lib.settings.SettingActivity"
PLUS = "com.jd.lib.plus.PlusHomeActivity"


def open_product(ctx: Context, product: str) -> None:
    """Open a product's page."""
    ctx.open(PRODUCT, product=product)


def open_shop(ctx: Context, shop: str) -> None:
    """Open a shop's page."""
    ctx.open(SHOP, shop=shop)


def open_results(ctx: Context, query: str) -> None:
    """Open the results of a query."""
    ctx.open(RESULTS, query=query)
