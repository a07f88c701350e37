"""Package and activity names, as in the real app's manifest where known."""

from __future__ import annotations

from garabench.virtual.kit.framework import Context

PACKAGE = "com.amazon.mShop.android.shopping"

MAIN = "com.amazon.mShop.navigation.MainActivity"
SEARCH = "com.amazon.mShop.search.SearchActivity"
RESULTS = "com.amazon.mShop.search.SearchResultsActivity"
PRODUCT = "com.amazon.mShop.details.ProductDetailsActivity"
REVIEWS = "com.amazon.mShop.reviews.CustomerReviewsActivity"
QUESTIONS = "com.amazon.mShop.details.QuestionsAnswersActivity"
CART = "com.amazon.mShop.cart.CartActivity"
CHECKOUT = "com.amazon.mShop.checkout.web.WebCheckoutActivity"
THANK_YOU = "com.amazon.mShop.checkout.web.ThankYouActivity"
LISTS = "com.amazon.mShop.wishlist.WishListsActivity"
LIST = "com.amazon.mShop.wishlist.WishListItemsActivity"
ORDERS = "com.amazon.mShop.order.YourOrdersActivity"
ORDER = "com.amazon.mShop.order.OrderDetailsActivity"
TRACKING = "com.amazon.mShop.order.TrackPackageActivity"
CANCEL = "com.amazon.mShop.order.CancelItemsActivity"
RETURN = "com.amazon.mShop.order.ReturnActivity"
ADDRESSES = "com.amazon.mShop.address.AddressBookActivity"
ADDRESS = "com.amazon.mShop.address.EditAddressActivity"
ACCOUNT = "com.amazon.mShop.account.YourAccountActivity"
PAYMENTS = "com.amazon.mShop.account.YourPaymentsActivity"
HISTORY = "com.amazon.mShop.history.BrowsingHistoryActivity"
DEALS = "com.amazon.mShop.deals.TodaysDealsActivity"
SERVICE = "com.amazon.mShop.help.CustomerServiceActivity"
CHAT = "com.amazon.mShop.help.MessagingAssistantActivity"
SETTINGS = "com.amazon.mShop.settings.SettingsActivity"


def open_product(ctx: Context, product: str, **extras: str) -> None:
    """Open a product's page."""
    ctx.open(PRODUCT, product=product, **extras)


def open_results(ctx: Context, query: str, dept: str = "") -> None:
    """Open the results of a query, or of a department."""
    ctx.open(RESULTS, query=query, dept=dept)
