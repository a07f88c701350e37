"""The manifest of Amazon Shopping."""

from __future__ import annotations

from garabench.virtual.apps.amazon import names
from garabench.virtual.apps.amazon.account import YourAccountActivity, YourPaymentsActivity
from garabench.virtual.apps.amazon.addresses import AddressBookActivity, EditAddressActivity
from garabench.virtual.apps.amazon.browsing_history import BrowsingHistoryActivity, TodaysDealsActivity
from garabench.virtual.apps.amazon.cart import CartActivity
from garabench.virtual.apps.amazon.checkout import WebCheckoutActivity
from garabench.virtual.apps.amazon.lists import WishListItemsActivity, WishListsActivity
from garabench.virtual.apps.amazon.main import AmazonMainActivity
from garabench.virtual.apps.amazon.order_page import OrderDetailsActivity
from garabench.virtual.apps.amazon.orders import TrackPackageActivity, YourOrdersActivity
from garabench.virtual.apps.amazon.product import ProductDetailsActivity
from garabench.virtual.apps.amazon.returns import CancelItemsActivity, ReturnActivity
from garabench.virtual.apps.amazon.reviews import CustomerReviewsActivity, QuestionsAnswersActivity
from garabench.virtual.apps.amazon.search import AmazonSearchActivity
from garabench.virtual.apps.amazon.search_results import AmazonSearchResultsActivity
from garabench.virtual.apps.amazon.service import CustomerServiceActivity, MessagingAssistantActivity
from garabench.virtual.apps.amazon.settings_page import AmazonSettingsActivity
from garabench.virtual.apps.amazon.state import state
from garabench.virtual.apps.amazon.store import initial_data
from garabench.virtual.apps.amazon.thank_you import ThankYouActivity
from garabench.virtual.kit.framework import App

APP = App(
    package=names.PACKAGE,
    label={"zh": "Amazon Shopping", "en": "Amazon Shopping"},
    activities={
        names.MAIN: AmazonMainActivity,
        names.SEARCH: AmazonSearchActivity,
        names.RESULTS: AmazonSearchResultsActivity,
        names.PRODUCT: ProductDetailsActivity,
        names.REVIEWS: CustomerReviewsActivity,
        names.QUESTIONS: QuestionsAnswersActivity,
        names.CART: CartActivity,
        names.CHECKOUT: WebCheckoutActivity,
        names.THANK_YOU: ThankYouActivity,
        names.LISTS: WishListsActivity,
        names.LIST: WishListItemsActivity,
        names.ORDERS: YourOrdersActivity,
        names.ORDER: OrderDetailsActivity,
        names.TRACKING: TrackPackageActivity,
        names.CANCEL: CancelItemsActivity,
        names.RETURN: ReturnActivity,
        names.ADDRESSES: AddressBookActivity,
        names.ADDRESS: EditAddressActivity,
        names.ACCOUNT: YourAccountActivity,
        names.PAYMENTS: YourPaymentsActivity,
        names.HISTORY: BrowsingHistoryActivity,
        names.DEALS: TodaysDealsActivity,
        names.SERVICE: CustomerServiceActivity,
        names.CHAT: MessagingAssistantActivity,
        names.SETTINGS: AmazonSettingsActivity,
    },
    launcher=names.MAIN,
    version_name="28.10.0.100",
    version_code=1241310210,
    icon_seed="amazon",
    icon_color="#F2A33A",
    icon_glyph="a",
    permissions=(
        "android.permission.INTERNET",
        "android.permission.ACCESS_NETWORK_STATE",
        "android.permission.POST_NOTIFICATIONS",
        "android.permission.CAMERA",
        "android.permission.RECORD_AUDIO",
        "android.permission.ACCESS_COARSE_LOCATION",
        "android.permission.ACCESS_FINE_LOCATION",
    ),
    initial_data=initial_data,
    state=state,
)
