"""The address book and the address form."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from garabench.virtual.apps.amazon import names
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.theme import (
    INK,
    INK_2,
    LINE,
    PALE,
    WHITE,
    arrow_row,
    button,
    card,
    mark_row,
    page_title,
    small_button,
)
from garabench.virtual.apps.amazon.user_data import AmazonAddress
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Icon,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    insets,
    spacer,
)

STATES = (
    "California",
    "Colorado",
    "Florida",
    "Georgia",
    "Idaho",
    "Illinois",
    "Massachusetts",
    "Nevada",
    "New York",
    "Ohio",
    "Oregon",
    "Pennsylvania",
    "Texas",
    "Utah",
    "Virginia",
    "Washington",
)
_ZIP_LENGTH = 5
_PHONE_LENGTH = 10


class AddressBookActivity(AmazonPage):
    """The address book."""

    place = "You"
    needs_network = False

    def set_default(self, address: AmazonAddress) -> None:
        """Make an address the default; it moves to the top."""
        self.store.set_default_address(address.id)
        self.ctx.scroll_to("address_list")

    def content(self) -> Widget:
        """Return the addresses, the default one first."""
        add = Column(
            width=MATCH,
            margin=insets(0, 0, 0, 8),
            children=(
                arrow_row(
                    "Add a new address",
                    rid="add_address",
                    icon="plus",
                    on_click=self.opens_page(names.ADDRESS),
                ),
            ),
        )
        every = self.store.addresses()
        total = Text(id="address_total", text=f"{len(every)} saved", size=13, color=INK_2)
        body = ScrollView(
            id="address_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(add, *map(self._item, every)),
        )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(page_title("Your Addresses", total), body),
        )

    def _item(self, address: AmazonAddress) -> Widget:
        ask = self.asks(
            "Remove this address?",
            "Remove",
            partial(self.store.delete_address, address.id),
            note=address.place,
        )
        actions = [
            small_button(
                "Edit",
                self.opens_page(names.ADDRESS, address=address.id),
                rid="address_edit",
                desc=f"Edit {address.street}",
            ),
            small_button("Remove", ask, rid="address_remove", desc=f"Remove {address.street}"),
        ]
        if not address.default:
            actions.append(
                small_button(
                    "Set as Default",
                    partial(self.set_default, address),
                    rid="address_set_default",
                    desc=f"Set as Default {address.street}",
                )
            )
        lines = [
            address.street,
            address.unit,
            address.town,
            "United States",
            f"Phone number: {address.phone}",
        ]
        if address.note:
            lines.append(f"Delivery instructions: {address.note}")
        default = Text(
            id="address_default_mark",
            text="Default",
            size=12,
            bold=True,
            color=INK_2,
            visible=address.default,
        )
        return card(
            Row(
                width=MATCH,
                gap=8,
                children=(
                    Text(id="address_name", text=address.name, size=16, bold=True, color=INK),
                    spacer(),
                    default,
                ),
            ),
            *(
                Text(
                    id="address_street" if line == address.street else "address_line",
                    text=line,
                    size=14,
                    color=INK,
                )
                for line in lines
                if line
            ),
            Row(width=MATCH, wrap=True, gap=8, children=actions),
            rid="address_item",
            key=address.id,
            gap=5,
        )


class EditAddressActivity(AmazonPage):
    """The form for a new or an existing address."""

    place = "You"
    needs_network = False

    def on_create(self) -> None:
        """Fill the form with the saved address, if any."""
        known = self.store.address(str(self.intent.extras.get("address", "")))
        self.known = known
        new = AmazonAddress(self.store.new_address_id(), "", "", "", "", "", "", "", "", False)
        self.address = known or new
        self.error = ""

    def change(self, field: str, value: str) -> None:
        """Handle a change of a field."""
        self.error = ""
        self.address = replace(self.address, **{field: value[:80]})  # type: ignore[arg-type]

    def toggle_default(self) -> None:
        """Toggle whether it is the default address."""
        self.address = replace(self.address, default=not self.address.default)

    def choose_state(self) -> None:
        """Open the choice of states."""
        self.ctx.hide_keyboard()

        def select(state: str) -> None:
            self.address = replace(self.address, state=state)

        self.chooses(
            "State", [(name, name) for name in STATES], self.address.state, select, rid="state_choice"
        )()

    def bottom(self) -> Widget:
        """Return None: there are no tabs, so that the form has more room."""
        return Widget(height=0, important=False)

    def _problem(self) -> str:
        address = self.address
        digits = "".join(filter(str.isdecimal, address.phone))
        if not address.name.strip():
            return "Please enter a name."
        if len(digits) != _PHONE_LENGTH:
            return "Please enter a valid phone number."
        if not address.street.strip():
            return "Please enter an address."
        if not address.city.strip():
            return "Please enter a city name."
        if not address.state:
            return "Please select a state."
        if len(address.zip) != _ZIP_LENGTH or not address.zip.isdecimal():
            return "Please enter a valid ZIP code."
        return ""

    def save(self) -> None:
        """Validate and save the address."""
        self.error = self._problem()
        if self.error:
            self.ctx.toast(self.error)
            return
        address = self.address
        digits = "".join(filter(str.isdecimal, address.phone))
        self.store.save_address(
            replace(
                address,
                name=" ".join(address.name.split()),
                phone=f"{digits[:3]}-{digits[3:6]}-{digits[6:]}",
                street=" ".join(address.street.split()),
                unit=" ".join(address.unit.split()),
                city=" ".join(address.city.split()),
                note=address.note.strip(),
            )
        )
        self.ctx.toast("Address saved")
        self.ctx.finish()

    def content(self) -> Widget:
        """Return the form."""
        address = self.address
        state = Row(
            id="address_state",
            width=MATCH,
            height=46,
            radius=8,
            padding=insets(12, 0),
            background=PALE,
            border=LINE,
            on_click=self.choose_state,
            children=(
                Text(
                    id="address_state_value",
                    text=address.state or "Select",
                    size=16,
                    color=INK if address.state else INK_2,
                ),
                spacer(),
                Icon(name="chevron_down", size=20, color=INK_2, important=False),
            ),
        )
        default = mark_row(
            "Make this my default address",
            address.default,
            self.toggle_default,
            rid="address_default",
            box=True,
        )
        problem = (Text(id="address_error", text=self.error, size=14, color="#CC0C39"),) if self.error else ()
        save = button(
            "Use this address" if self.known is None else "Save changes", self.save, rid="address_save"
        )
        return ScrollView(
            id="address_form",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            children=(
                page_title("Add a new address" if self.known is None else "Edit your address"),
                Column(
                    width=MATCH,
                    gap=6,
                    padding=insets(16, 4, 16, 24),
                    children=(
                        *self._field("Full name", "name", "address_full_name"),
                        *self._field("Phone number", "phone", "address_phone", kind="phone"),
                        *self._field("Street address", "street", "address_line1"),
                        *self._field("Apt, suite, unit, building (optional)", "unit", "address_line2"),
                        *self._field("City", "city", "address_city"),
                        Text(text="State", size=14, bold=True, color=INK),
                        state,
                        *self._field("ZIP Code", "zip", "address_zip", kind="number"),
                        *self._field("Delivery instructions (optional)", "note", "address_note"),
                        default,
                        *problem,
                        save,
                    ),
                ),
            ),
        )

    def _field(self, label: str, name: str, rid: str, *, kind: str = "text") -> tuple[Widget, Widget]:
        return (
            Text(text=label, size=14, bold=True, color=INK),
            TextField(
                id=rid,
                text=str(getattr(self.address, name)),
                hint=label,
                size=16,
                color=INK,
                width=MATCH,
                height=46,
                radius=8,
                background=PALE,
                border=LINE,
                padding=insets(12, 0),
                input_type=kind,
                on_change=partial(self.change, name),
                on_submit=self.ctx.hide_keyboard,
            ),
        )
