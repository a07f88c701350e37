"""The manifest of JD."""

from __future__ import annotations

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.address_form import JdAddressEditActivity
from garabench.virtual.apps.jd.addresses import JdAddressListActivity
from garabench.virtual.apps.jd.browsing_history import JdHistoryActivity
from garabench.virtual.apps.jd.cart import ShoppingCartActivity
from garabench.virtual.apps.jd.cashier import CashierCompleteActivity, CashierDeskActivity
from garabench.virtual.apps.jd.checkout import FillOrderActivity
from garabench.virtual.apps.jd.coupons import CouponCenterActivity, MyCouponActivity
from garabench.virtual.apps.jd.favorites import FavouritesActivity
from garabench.virtual.apps.jd.inbox import JdChatActivity
from garabench.virtual.apps.jd.main import JdMainActivity
from garabench.virtual.apps.jd.notices import JdMessageBoxActivity
from garabench.virtual.apps.jd.order_detail import CommentEditActivity, NewOrderDetailActivity
from garabench.virtual.apps.jd.orders import MyOrderListActivity
from garabench.virtual.apps.jd.plus import PlusHomeActivity
from garabench.virtual.apps.jd.product import ProductDetailActivity
from garabench.virtual.apps.jd.reviews import CommentListActivity
from garabench.virtual.apps.jd.search import JdSearchActivity
from garabench.virtual.apps.jd.search_results import ProductListActivity
from garabench.virtual.apps.jd.settings_page import JdSettingActivity
from garabench.virtual.apps.jd.shop import JshopMainShopActivity
from garabench.virtual.apps.jd.state import state
from garabench.virtual.apps.jd.store import initial_data
from garabench.virtual.apps.jd.user_info import UserInfoActivity
from garabench.virtual.kit.framework import App

APP = App(
    package=names.PACKAGE,
    label={"zh": "京东", "en": "JD"},
    activities={
        names.MAIN: JdMainActivity,
        names.SEARCH: JdSearchActivity,
        names.RESULTS: ProductListActivity,
        names.PRODUCT: ProductDetailActivity,
        names.REVIEWS: CommentListActivity,
        names.CART: ShoppingCartActivity,
        names.CHECKOUT: FillOrderActivity,
        names.CASHIER: CashierDeskActivity,
        names.PAY_RESULT: CashierCompleteActivity,
        names.CHAT: JdChatActivity,
        names.NOTICES: JdMessageBoxActivity,
        names.SHOP: JshopMainShopActivity,
        names.COUPONS: MyCouponActivity,
        names.COUPON_CENTER: CouponCenterActivity,
        names.ADDRESSES: JdAddressListActivity,
        names.ADDRESS: JdAddressEditActivity,
        names.ORDERS: MyOrderListActivity,
        names.ORDER: NewOrderDetailActivity,
        names.ORDER_REVIEW: CommentEditActivity,
        names.FAVORITES: FavouritesActivity,
        names.HISTORY: JdHistoryActivity,
        names.SETTINGS: JdSettingActivity,
        names.USER_INFO: UserInfoActivity,
        names.PLUS: PlusHomeActivity,
    },
    launcher=names.MAIN,
    version_name="13.1.0",
    version_code=99208,
    icon_seed="jd",
    icon_color="#E1251B",
    icon_glyph="京",
    permissions=(
        "android.permission.INTERNET",
        "android.permission.ACCESS_NETWORK_STATE",
        "android.permission.POST_NOTIFICATIONS",
        "android.permission.CAMERA",
        "android.permission.RECORD_AUDIO",
        "android.permission.ACCESS_COARSE_LOCATION",
        "android.permission.ACCESS_FINE_LOCATION",
        "android.permission.READ_CONTACTS",
        "android.permission.READ_EXTERNAL_STORAGE",
        "android.permission.WRITE_EXTERNAL_STORAGE",
        "android.permission.READ_MEDIA_IMAGES",
    ),
    initial_data=initial_data,
    state=state,
    target_sdk=33,
)
