"""The account: its pages, membership and payment methods."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from garabench.virtual.apps.amazon import content, names
from garabench.virtual.apps.amazon.content import price_text
from garabench.virtual.apps.amazon.dialogs import sheet
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.theme import (
    GREEN,
    INK,
    INK_2,
    PALE,
    PRIME,
    TEAL_DEEP,
    arrow_row,
    button,
    card,
    heading,
    message_page,
    page_title,
    small_button,
)
from garabench.virtual.apps.amazon.user_data import Payment
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Handler,
    Icon,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    divider,
    insets,
    spacer,
)

_MAX_TEXT = 60
_FIELDS = (("Name", "name"), ("Email", "email"), ("Primary mobile number", "phone"))


class YourAccountActivity(AmazonPage):
    """The account pages: groups of rows."""

    place = "You"

    def on_create(self) -> None:
        """Open the page from the intent."""
        self.name = str(self.intent.extras.get("page", "root"))

    def content(self) -> Widget:
        """Return the page."""
        match self.name:
            case "root":
                return self._root()
            case "security":
                return self._security()
            case "prime":
                return self._prime()
            case _:
                return message_page("account", "Sorry, we couldn't find that page")

    def _group(self, title: str, rows: tuple[tuple[str, Handler], ...]) -> Widget:
        lines: list[Widget] = []
        for label, on_click in rows:
            lines += [arrow_row(label, rid="account_row", on_click=on_click), divider()]
        return card(
            Row(width=MATCH, padding=insets(16, 12, 16, 4), children=(heading(title, size=17),)),
            *lines,
            padding=insets(0, 0),
            gap=0,
        )

    def _root(self) -> Widget:
        opens_page = self.opens_page
        return ScrollView(
            id="account_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                page_title("Your Account"),
                self._group(
                    "Ordering and shopping preferences",
                    (
                        ("Your Orders", opens_page(names.ORDERS)),
                        ("Your Addresses", opens_page(names.ADDRESSES)),
                        ("Your Payments", opens_page(names.PAYMENTS)),
                        ("Your Lists", opens_page(names.LISTS)),
                        ("Browsing History", opens_page(names.HISTORY)),
                        ("Archived orders", opens_page(names.ORDERS, tab="Archived Orders")),
                    ),
                ),
                self._group(
                    "Account settings",
                    (
                        ("Login & security", opens_page(names.ACCOUNT, page="security")),
                        ("Your Prime Membership", opens_page(names.ACCOUNT, page="prime")),
                        ("Default Purchase Settings", opens_page(names.SETTINGS, page="purchase")),
                        ("Country & Language", opens_page(names.SETTINGS, page="country")),
                    ),
                ),
                self._group(
                    "Communication and content",
                    (
                        ("Notifications", opens_page(names.SETTINGS, page="notifications")),
                        ("Customer Service", opens_page(names.SERVICE)),
                    ),
                ),
            ),
        )

    def _security(self) -> Widget:
        rows: list[Widget] = []
        for label, key in _FIELDS:
            value = str(self.store.profile[key])
            edit = _Edit(self, label, value, partial(self.store.set_profile, key))
            rows.append(
                Row(
                    id="security_row",
                    key=key,
                    width=MATCH,
                    children=(
                        Column(
                            weight=1,
                            gap=3,
                            children=(
                                Text(id="security_label", text=label, size=14, bold=True, color=INK),
                                Text(id="security_value", text=value, size=15, color=INK),
                            ),
                        ),
                        small_button(
                            "Edit", self.opening(edit.view), rid="security_edit", desc=f"Edit {label}"
                        ),
                    ),
                )
            )
        return ScrollView(
            id="security_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(page_title("Login & security"), card(*rows, gap=16)),
        )

    def _prime(self) -> Widget:
        return ScrollView(
            id="prime_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                page_title("Prime Membership"),
                card(
                    Text(text="prime", size=30, bold=True, color=PRIME),
                    Text(id="prime_renewal", text="Membership renews on June 14, 2024", size=15, color=INK),
                    Text(id="prime_price", text="$14.99 per month", size=15, color=INK),
                    button(
                        "Manage membership",
                        self.toasting("Sign in on the web to change your plan"),
                        rid="prime_manage",
                    ),
                    gap=10,
                ),
                card(
                    heading("Benefits"),
                    *(
                        Row(
                            key=text,
                            gap=10,
                            children=(
                                Icon(name="check", size=20, color=TEAL_DEEP, important=False),
                                Text(text=text, size=15, color=INK),
                            ),
                        )
                        for text in (
                            "Fast, FREE delivery",
                            "Exclusive deals",
                            "Prime Video",
                            "Prime Music",
                            "Free returns",
                        )
                    ),
                ),
            ),
        )


class _Edit:
    """A sheet for editing a value of the profile."""

    def __init__(self, page: AmazonPage, label: str, value: str, done: Callable[[str], None]) -> None:
        self.page = page
        self.label = label
        self.text = value
        self.done = done

    def type_text(self, text: str) -> None:
        """Handle a change of the text."""
        self.text = text[:_MAX_TEXT]

    def save(self) -> None:
        """Save the value."""
        text = " ".join(self.text.split())
        if not text:
            self.page.ctx.toast("Please enter a value")
            return
        self.done(text)
        self.page.sheet = None
        self.page.ctx.hide_keyboard()

    def view(self) -> Widget:
        """Return the sheet."""
        field = TextField(
            id="security_field",
            text=self.text,
            hint=self.label,
            size=16,
            color=INK,
            width=MATCH,
            height=46,
            radius=8,
            background=PALE,
            padding=insets(12, 0),
            on_change=self.type_text,
            on_submit=self.save,
        )
        body = Column(
            width=MATCH,
            gap=12,
            padding=insets(16, 14, 16, 4),
            children=(field, button("Save changes", self.save, rid="security_save")),
        )
        return sheet(
            f"Change your {self.label.lower()}", self.page.on_dismiss_dialog, body, rid="security_sheet"
        )


class YourPaymentsActivity(AmazonPage):
    """Cards, bank accounts and the gift card balance."""

    place = "You"

    def content(self) -> Widget:
        """Return the payment methods; the default one is marked."""
        balance = price_text(content.cents(self.store.profile["gift_balance"]))
        return ScrollView(
            id="payment_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                page_title("Your Payments"),
                card(
                    heading("Amazon Gift Card", size=16),
                    Text(id="gift_balance", text=balance, size=22, bold=True, color=GREEN),
                ),
                *map(self._item, self.store.payments()),
                card(
                    button(
                        "Add a payment method",
                        self.toasting("Scan or enter a card in the secure window"),
                        rid="add_payment",
                        color="#FFFFFF",
                    )
                ),
            ),
        )

    def _item(self, payment: Payment) -> Widget:
        default = payment.id == self.store.payment.id
        mark: Widget = (
            Text(id="payment_default_mark", text="Default", size=13, bold=True, color=INK_2)
            if default
            else small_button(
                "Set as default",
                partial(self.store.set_payment, payment.id),
                rid="payment_set_default",
                desc=f"Set as default {payment.label}",
            )
        )
        note = f"{payment.kind}, expires {payment.expires}" if payment.expires else payment.kind
        return card(
            Row(
                width=MATCH,
                gap=12,
                children=(
                    Icon(name=payment.icon, size=28, color=INK_2, important=False),
                    Column(
                        weight=1,
                        gap=2,
                        children=(
                            Text(
                                id="payment_label",
                                text=payment.label,
                                size=15,
                                bold=True,
                                color=INK,
                                max_lines=1,
                            ),
                            Text(text=note, size=13, color=INK_2),
                        ),
                    ),
                    spacer(4),
                    mark,
                ),
            ),
            rid="payment_item",
            key=payment.id,
        )
