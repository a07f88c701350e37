"""The manifest of Ctrip."""

from __future__ import annotations

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.addresses import CtripAddressEditActivity, CtripAddressListActivity
from garabench.virtual.apps.ctrip.cashier import CashierActivity
from garabench.virtual.apps.ctrip.flight_fares import FlightFaresActivity
from garabench.virtual.apps.ctrip.flight_inquire import FlightInquireActivity
from garabench.virtual.apps.ctrip.flight_list import FlightListActivity
from garabench.virtual.apps.ctrip.flight_order import FlightOrderActivity
from garabench.virtual.apps.ctrip.hotel import HotelDetailActivity
from garabench.virtual.apps.ctrip.hotel_inquire import HotelInquireActivity
from garabench.virtual.apps.ctrip.hotel_list import HotelListActivity
from garabench.virtual.apps.ctrip.hotel_order import HotelOrderActivity
from garabench.virtual.apps.ctrip.inbox import CtripChatActivity, MessageListActivity
from garabench.virtual.apps.ctrip.links import IntentUriHandlerActivity
from garabench.virtual.apps.ctrip.main import CtripHomeActivity
from garabench.virtual.apps.ctrip.orders import OrderDetailActivity, OrderListActivity
from garabench.virtual.apps.ctrip.reviews import HotelCommentListActivity
from garabench.virtual.apps.ctrip.search import CtripSearchActivity, CtripSearchResultsActivity
from garabench.virtual.apps.ctrip.settings_page import CtripSettingActivity
from garabench.virtual.apps.ctrip.sight import SightDetailActivity, TicketHomeActivity
from garabench.virtual.apps.ctrip.state import state
from garabench.virtual.apps.ctrip.store import initial_data
from garabench.virtual.apps.ctrip.ticket_order import TicketOrderActivity
from garabench.virtual.apps.ctrip.tour import TourDetailActivity
from garabench.virtual.apps.ctrip.tour_list import TourHomeActivity, TourListActivity
from garabench.virtual.apps.ctrip.tour_order import TourOrderActivity
from garabench.virtual.apps.ctrip.train import TrainDetailActivity, TrainOrderActivity
from garabench.virtual.apps.ctrip.train_inquire import TrainInquireActivity
from garabench.virtual.apps.ctrip.train_list import TrainListActivity
from garabench.virtual.apps.ctrip.travellers import TravellerEditActivity, TravellerListActivity
from garabench.virtual.apps.ctrip.user_lists import (
    BrowseHistoryActivity,
    CouponListActivity,
    FavoriteListActivity,
)
from garabench.virtual.kit.framework import App

APP = App(
    package=names.PACKAGE,
    label={"zh": "携程旅行", "en": "Ctrip"},
    activities={
        names.MAIN: CtripHomeActivity,
        names.LINKS: IntentUriHandlerActivity,
        names.SEARCH: CtripSearchActivity,
        names.SEARCH_RESULTS: CtripSearchResultsActivity,
        names.HOTEL_INQUIRE: HotelInquireActivity,
        names.HOTEL_LIST: HotelListActivity,
        names.HOTEL: HotelDetailActivity,
        names.HOTEL_REVIEWS: HotelCommentListActivity,
        names.HOTEL_ORDER: HotelOrderActivity,
        names.FLIGHT_INQUIRE: FlightInquireActivity,
        names.FLIGHT_LIST: FlightListActivity,
        names.FLIGHT_FARES: FlightFaresActivity,
        names.FLIGHT_ORDER: FlightOrderActivity,
        names.TRAIN_INQUIRE: TrainInquireActivity,
        names.TRAIN_LIST: TrainListActivity,
        names.TRAIN: TrainDetailActivity,
        names.TRAIN_ORDER: TrainOrderActivity,
        names.TICKET_HOME: TicketHomeActivity,
        names.SIGHT: SightDetailActivity,
        names.TICKET_ORDER: TicketOrderActivity,
        names.TOUR_HOME: TourHomeActivity,
        names.TOUR_LIST: TourListActivity,
        names.TOUR: TourDetailActivity,
        names.TOUR_ORDER: TourOrderActivity,
        names.CASHIER: CashierActivity,
        names.ORDERS: OrderListActivity,
        names.ORDER: OrderDetailActivity,
        names.FAVORITES: FavoriteListActivity,
        names.HISTORY: BrowseHistoryActivity,
        names.COUPONS: CouponListActivity,
        names.TRAVELLERS: TravellerListActivity,
        names.TRAVELLER: TravellerEditActivity,
        names.ADDRESSES: CtripAddressListActivity,
        names.ADDRESS: CtripAddressEditActivity,
        names.NOTICES: MessageListActivity,
        names.CHAT: CtripChatActivity,
        names.SETTINGS: CtripSettingActivity,
    },
    launcher=names.MAIN,
    version_name="8.70.0",
    version_code=1870,
    icon_seed="ctrip",
    icon_color="#0A84FF",
    icon_glyph="携",
    permissions=(
        "android.permission.INTERNET",
        "android.permission.ACCESS_NETWORK_STATE",
        "android.permission.POST_NOTIFICATIONS",
        "android.permission.CAMERA",
        "android.permission.ACCESS_COARSE_LOCATION",
        "android.permission.ACCESS_FINE_LOCATION",
        "android.permission.READ_CONTACTS",
        "android.permission.READ_CALENDAR",
        "android.permission.READ_EXTERNAL_STORAGE",
        "android.permission.WRITE_EXTERNAL_STORAGE",
    ),
    target_sdk=33,
    initial_data=initial_data,
    state=state,
)
