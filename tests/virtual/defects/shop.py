"""A small app whose features the tests break."""

from __future__ import annotations

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.defects.defect import Defect
from garabench.virtual.kit.framework import Activity, App, Intent
from garabench.virtual.ui import widgets as w
from tests.virtual.android.toys import LOCATION, toys

SHOP = "toy.shop"
FRUIT = ("apple", "pear", "plum")


class Shop(Activity):
    """A list of fruit, a toggle, a search field and a link to another screen."""

    def on_create(self) -> None:
        self.query = ""
        self.searched = ""

    def build(self) -> w.Widget:
        data = self.ctx.data
        return w.Column(
            width=w.MATCH,
            height=w.MATCH,
            children=[
                w.Toggle(id="dark", checked=data["dark"], height=48, on_click=self.flip),
                w.Row(
                    id="sound_row",
                    height=48,
                    on_click=self.flip,
                    children=[
                        w.Text(text="sound", weight=1),
                        w.Toggle(id="sound", checked=data["dark"], on_click=self.flip),
                    ],
                ),
                w.Row(
                    id="card",
                    height=48,
                    children=[w.Text(id="title", text="basket")],
                    on_click=self.open_basket,
                ),
                w.TextField(
                    id="query", text=self.query, height=48, on_change=self.change, on_submit=self.search
                ),
                w.Button(id="lemon", text="lemon", height=48, on_click=lambda: self.buy("lemon")),
                w.Button(id="lime", text="lime", height=48, on_click=lambda: self.buy("lime")),
                w.Text(text=f"online {self.ctx.online}", height=48),
                w.ListView(
                    id="fruit",
                    items=FRUIT,
                    build=lambda item, index: w.Row(
                        id="item",
                        height=48,
                        children=[w.Text(id="name", text=item)],
                        on_click=lambda: self.buy(item),
                    ),
                    weight=1,
                    width=w.MATCH,
                ),
            ],
        )

    def flip(self) -> None:
        self.ctx.data["dark"] = not self.ctx.data["dark"]

    def buy(self, item: str) -> None:
        self.ctx.data["basket"].append(item)

    def change(self, text: str) -> None:
        self.query = text

    def search(self) -> None:
        self.searched = self.query

    def open_basket(self) -> None:
        self.ctx.open(f"{SHOP}.Basket")


class Basket(Activity):
    def build(self) -> w.Widget:
        return w.Text(text="the basket", width=w.MATCH, height=w.MATCH)


def shop(*, seed: int = 0) -> Phone:
    """Return a phone with the shop in the foreground."""
    app = App(
        package=SHOP,
        label={"zh": "商店", "en": "Shop"},
        activities={f"{SHOP}.Shop": Shop, f"{SHOP}.Basket": Basket},
        launcher=f"{SHOP}.Shop",
        permissions=(LOCATION,),
        initial_data=lambda: {"basket": [], "dark": False},
    )
    phone = Phone(Profile.parse("android-34:1080x2400"), apps=(*toys(), app), seed=seed, strict=True)
    open_shop(phone)
    return phone


def open_shop(phone: Phone) -> None:
    phone.activities.start(Intent(package=SHOP, activity=f"{SHOP}.Shop"))


def break_shop(phone: Phone, **defect: object) -> None:
    """Inject a defect into the shop."""
    phone.defects.inject(
        Defect.model_validate({"id": "broken", "app": SHOP, "symptom": "It fails.", **defect})
    )


def data(phone: Phone) -> dict[str, object]:
    installed = phone.packages.get(SHOP)
    assert installed is not None
    return installed.data
