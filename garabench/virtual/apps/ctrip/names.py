"""Package and activity names, as in the real app's manifest where known."""

from __future__ import annotations

from garabench.virtual.kit.framework import Context

PACKAGE = "ctrip.android.view"

MAIN = "ctrip.android.publicproduct.home.view.CtripHomeActivity"
LINKS = "ctrip.business.intent.IntentUriHandlerActivity"
SEARCH = "ctrip.android.search.GlobalSearchActivity"
SEARCH_RESULTS = "ctrip.android.search.GlobalSearchResultActivity"
HOTEL_INQUIRE = "ctrip.android.hotel.view.UI.inquire.HotelInquireActivity"
HOTEL_LIST = "ctrip.android.hotel.view.UI.list.HotelListActivity"
HOTEL = "ctrip.android.hotel.detail.view.HotelDetailActivity"
HOTEL_REVIEWS = "ctrip.android.hotel.comment.HotelCommentListActivity"
HOTEL_ORDER = "ctrip.android.hotel.order.HotelOrderFillActivity"
FLIGHT_INQUIRE = "ctrip.android.flight.view.inquire.FlightInquireActivity"
FLIGHT_LIST = "ctrip.android.flight.view.inland.FlightListActivity"
FLIGHT_FARES = "ctrip.android.flight.view.inland.FlightMiddleActivity"
FLIGHT_ORDER = "ctrip.android.flight.view.inland.FlightOrderFillActivity"
TRAIN_INQUIRE = "ctrip.android.train.view.TrainInquireActivity"
TRAIN_LIST = "ctrip.android.train.view.TrainListActivity"
TRAIN = "ctrip.android.train.view.TrainDetailActivity"
TRAIN_ORDER = "ctrip.android.train.view.TrainOrderFillActivity"
TICKET_HOME = "ctrip.android.ticket.TicketHomeActivity"
SIGHT = "ctrip.android.ticket.SightDetailActivity"
TICKET_ORDER = "ctrip.android.ticket.TicketOrderFillActivity"
TOUR_HOME = "ctrip.android.tour.TourHomeActivity"
TOUR_LIST = "ctrip.android.tour.TourListActivity"
TOUR = "ctrip.android.tour.TourDetailActivity"
TOUR_ORDER = "ctrip.android.tour.TourOrderFillActivity"
CASHIER = "ctrip.android.pay.view.CtripPayActivity"
ORDERS = "ctrip.android.order.OrderListActivity"
ORDER = "ctrip.android.order.OrderDetailActivity"
FAVORITES = "ctrip.android.myctrip.FavoriteListActivity"
HISTORY = "ctrip.android.myctrip.BrowseHistoryActivity"
COUPONS = "ctrip.android.myctrip.CouponListActivity"
TRAVELLERS = "ctrip.android.personinfo.PassengerListActivity"
TRAVELLER = "ctrip.android.personinfo.PassengerEditActivity"
ADDRESSES = "ctrip.android.personinfo.AddressListActivity"
ADDRESS = "ctrip.android.personinfo.AddressEditActivity"
NOTICES = "ctrip.android.message.MessageListActivity"
CHAT = "ctrip.android.imkit.ui.ChatActivity"
SETTINGS = "ctrip.android.setting.SettingActivity"

PRODUCT_PAGES = {"hotel": HOTEL, "sight": SIGHT, "tour": TOUR}
"""Activities of product pages, by kind of product."""


def open_product(ctx: Context, kind: str, name: str) -> None:
    """Open the page of a hotel, a sight or a tour."""
    ctx.open(PRODUCT_PAGES[kind], **{kind: name})
