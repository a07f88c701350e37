"""Declarative widgets, of which the virtual phone's screens are built.

A screen is a value: an app's ``build()`` returns a tree of frozen widgets, `layout` gives it
bounds, `render` draws it and `dump` writes it as Android's UI tree. Widgets hold no state;
state lives in the app (text, toggles) or in the window's `ViewState` (scrolling).

All lengths are in dp, text sizes in sp, colours ``"#RRGGBB"`` or ``"#AARRGGBB"`` as in Android.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from PIL import Image

Handler = Callable[[], None]
Color = str


class Dimension(enum.Enum):
    """A length that depends on the parent or on the content."""

    MATCH = "match_parent"
    WRAP = "wrap_content"


Length = float | Dimension
MATCH = Dimension.MATCH
WRAP = Dimension.WRAP


class Align(enum.Enum):
    """Alignment of a child on one axis, or distribution of children along it."""

    START = "start"
    CENTER = "center"
    END = "end"
    STRETCH = "stretch"
    SPACE_BETWEEN = "space-between"
    SPACE_AROUND = "space-around"


@dataclass(frozen=True, slots=True)
class Insets:
    """Distances from the four edges, in dp."""

    left: float = 0
    top: float = 0
    right: float = 0
    bottom: float = 0


NO_INSETS = Insets()
"""The default of most widgets; a single object, which layout compares by identity."""


def insets(*values: float) -> Insets:
    """Build insets from 1 (all), 2 (horizontal, vertical) or 4 (left, top, right, bottom) numbers."""
    match values:
        case (every,):
            return Insets(every, every, every, every)
        case (horizontal, vertical):
            return Insets(horizontal, vertical, horizontal, vertical)
        case (left, top, right, bottom):
            return Insets(left, top, right, bottom)
        case _:
            raise ValueError(f"insets takes 1, 2 or 4 numbers, not {len(values)}")


@dataclass(frozen=True, slots=True)
class Gradient:
    """A linear gradient from top (or left) to bottom (or right)."""

    start: Color
    end: Color
    horizontal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Widget:
    """The base of all widgets; alone an empty `android.view.View`.

    Attributes:
        id: Resource id. A bare name becomes ``<package>:id/<name>``; one with a colon is used as is.
        key: Identity across rebuilds among its siblings, for scroll positions and focus; default: the
            id, else the position in the tree. Scrollables and text fields in changing lists need one.
        cls: Android class in the UI tree; each widget has a default.
        desc: Content description. ``text`` belongs to the widgets that show text.
        width, height: dp, or MATCH / WRAP.
        weight: Share of the parent's free space on its main axis (LinearLayout's layout_weight).
        align_self: Alignment across the parent's main axis; in a `Box` horizontally.
        align_vertical: Vertical alignment in a `Box`.
        background: A colour or a gradient; drawn with `radius` and `border`.
        radius: Corner radius in dp; 999 makes a pill or a circle.
        elevation: Elevation in dp, drawn as a shadow.
        opacity: 0 to 1.
        clickable..: Derived from the handlers unless given.
        enabled, selected, focusable, checkable, checked, password: Android's attributes.
        visible: False removes it from the layout (GONE).
        important: False hides a drawn widget from the UI tree (decoration).
        on_click, on_long_click: Called after a tap or a long press on it or on a child without one.
    """

    id: str = ""
    key: str = ""
    cls: str = "android.view.View"
    desc: str = ""
    width: Length = WRAP
    height: Length = WRAP
    weight: float = 0
    margin: Insets = NO_INSETS
    padding: Insets = NO_INSETS
    align_self: Align | None = None
    align_vertical: Align | None = None
    background: Color | Gradient | None = None
    radius: float = 0
    border: Color | None = None
    border_width: float = 1
    elevation: float = 0
    opacity: float = 1
    clickable: bool | None = None
    long_clickable: bool | None = None
    enabled: bool = True
    selected: bool = False
    focusable: bool | None = None
    checkable: bool = False
    checked: bool = False
    password: bool = False
    visible: bool = True
    important: bool = True
    on_click: Handler | None = None
    on_long_click: Handler | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(Widget):
    """A TextView.

    Attributes:
        text: The text; newlines break lines.
        size: sp.
        color: Text colour.
        bold: Heavier weight.
        max_lines: Maximum number of lines before an ellipsis; 0 for no limit.
        align: Alignment of the lines.
        spans: (substring, colour) pairs for parts in another colour.
    """

    text: str = ""
    size: float = 14
    color: Color = "#212121"
    bold: bool = False
    max_lines: int = 0
    align: Align = Align.START
    line_spacing: float = 1.0
    strike: bool = False
    spans: tuple[tuple[str, Color], ...] = ()
    cls: str = "android.widget.TextView"


@dataclass(frozen=True, slots=True, kw_only=True)
class Button(Text):
    """An `android.widget.Button`: centred text; give it a background and a radius."""

    cls: str = "android.widget.Button"
    align: Align = Align.CENTER
    padding: Insets = Insets(16, 10, 16, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Icon(Widget):
    """A vector icon by name, drawn in one colour; the names are listed in `garabench.virtual.ui.icons`.

    Drawing an unknown name raises an error instead of drawing nothing.
    """

    name: str
    size: float = 24
    color: Color = "#424242"
    cls: str = "android.widget.ImageView"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageView(Widget):
    """A generated image (cover, avatar, product photo), deterministic by seed.

    Attributes:
        seed: Determines colours and composition.
        kind: ``"cover"`` (a scene), ``"avatar"`` (a face or initial), ``"product"`` (an object on a
            plain background), ``"logo"`` (an app icon), ``"banner"``.
        label: Text drawn into it (initials, product name).
        aspect: Aspect ratio if width or height is WRAP; 0 fills the given bounds.
    """

    seed: str
    kind: str = "cover"
    label: str = ""
    aspect: float = 0
    cls: str = "android.widget.ImageView"


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas(ImageView):
    """A widget that paints itself and handles gestures, such as a map.

    Attributes:
        paint: Paints an image in mode RGB, given width and height in pixels.
        on_drag: Called with the movement of a finger (right and down, in dp).
        on_tap_at, on_hold_at, on_double_tap_at: Called with the position (in dp from the top left).
    """

    seed: str = ""
    paint: Callable[[int, int], Image.Image]
    on_drag: Callable[[float, float], None] | None = None
    on_tap_at: Callable[[float, float], None] | None = None
    on_hold_at: Callable[[float, float], None] | None = None
    on_double_tap_at: Callable[[float, float], None] | None = None
    cls: str = "android.view.View"


@dataclass(frozen=True, slots=True, kw_only=True)
class Container(Widget):
    """A widget with children."""

    children: Sequence[Widget] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Box(Container):
    """A FrameLayout: children on top of each other, each at its own alignment."""

    cls: str = "android.widget.FrameLayout"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Container):
    """A horizontal LinearLayout.

    Attributes:
        gap: dp between children.
        align: Across (vertically); `justify`: along.
        wrap: Whether children that do not fit wrap to the next line (flow layout).
    """

    gap: float = 0
    align: Align = Align.CENTER
    justify: Align = Align.START
    wrap: bool = False
    cls: str = "android.widget.LinearLayout"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column(Container):
    """A vertical LinearLayout; `gap`, `align` and `justify` as in `Row`. Children stretch by default."""

    gap: float = 0
    align: Align = Align.STRETCH
    justify: Align = Align.START
    cls: str = "android.widget.LinearLayout"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrollView(Container):
    """A vertical ScrollView (horizontal with ``horizontal=True``); children in a column (or row).

    Attributes:
        on_end: Called once each time the end comes into view (pagination).
    """

    horizontal: bool = False
    gap: float = 0
    on_end: Handler | None = None
    cls: str = "android.widget.ScrollView"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListView(Widget):
    """A RecyclerView: only visible items are built, laid out and present in the UI tree.

    Attributes:
        items: The data, of any length.
        build: Builds an item's widget from (item, index).
        columns: Number of columns; more than one makes a grid.
        item_height: Constant height of items in dp, which makes long lists cheap; 0 measures them.
        header: Widgets above the items that scroll with them.
        on_end: Called once each time the end comes into view.
    """

    items: Sequence[Any] = ()
    build: Callable[[Any, int], Widget] = field(default=lambda item, index: Widget())
    columns: int = 1
    gap: float = 0
    item_height: float = 0
    header: Sequence[Widget] = ()
    on_end: Handler | None = None
    cls: str = "androidx.recyclerview.widget.RecyclerView"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextField(Widget):
    """An EditText. Its text belongs to the app: the keyboard calls `on_change` with the whole new text.

    Attributes:
        text: The current text; if empty, `hint` is shown.
        on_change: Called with the new text.
        on_submit: Called by the keyboard's action key (search, go, done) or Enter.
        action: Label of the action key: ``search``, ``done``, ``send``, ``go``, ``next``.
        input_type: ``text``, ``number``, ``phone``, ``multiline``.
        autofocus: Whether it takes the focus (and opens the keyboard) when the screen opens.
    """

    text: str = ""
    hint: str = ""
    on_change: Callable[[str], None] | None = None
    on_submit: Handler | None = None
    action: str = "done"
    input_type: str = "text"
    autofocus: bool = False
    size: float = 16
    color: Color = "#212121"
    hint_color: Color = "#9E9E9E"
    cls: str = "android.widget.EditText"


@dataclass(frozen=True, slots=True, kw_only=True)
class Toggle(Widget):
    """A Switch; `on_click` flips it, `checked` shows it."""

    color: Color = "#1A73E8"
    checkable: bool = True
    cls: str = "android.widget.Switch"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckBox(Widget):
    """A check box; ``round=True`` draws the round form that shopping carts use."""

    text: str = ""
    color: Color = "#1A73E8"
    round: bool = False
    size: float = 14
    checkable: bool = True
    cls: str = "android.widget.CheckBox"


@dataclass(frozen=True, slots=True, kw_only=True)
class RadioButton(Widget):
    """A radio button with a label."""

    text: str = ""
    color: Color = "#1A73E8"
    size: float = 14
    checkable: bool = True
    cls: str = "android.widget.RadioButton"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressBar(Widget):
    """A progress bar; `value` from 0 to 1, or None for an indeterminate spinner.

    A `turned` bar fills from the right, as Android's do in right-to-left layouts.
    """

    value: float | None = None
    turned: bool = False
    color: Color = "#1A73E8"
    circular: bool = False
    cls: str = "android.widget.ProgressBar"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slider(Widget):
    """A SeekBar from 0 to 1; a tap or drag calls `on_change` with the new value."""

    value: float = 0
    on_change: Callable[[float], None] | None = None
    color: Color = "#1A73E8"
    cls: str = "android.widget.SeekBar"


def spacer(size: float = 0) -> Widget:
    """Empty space: fixed in dp, or with 0 all free space."""
    return Widget(width=size or WRAP, height=size or WRAP, weight=0 if size else 1, important=False)


def divider(color: Color = "#EEEEEE", margin: Insets = NO_INSETS) -> Widget:
    """Build a horizontal hairline."""
    return Widget(width=MATCH, height=0.7, background=color, margin=margin, important=False)
