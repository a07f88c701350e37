package org.garabench.interruptions;

import android.content.Context;
import android.content.res.Configuration;
import android.graphics.drawable.ColorDrawable;
import android.graphics.drawable.Drawable;
import android.graphics.drawable.GradientDrawable;
import android.graphics.Color;
import android.graphics.Rect;
import android.os.Build;
import android.util.DisplayMetrics;
import android.view.Gravity;
import android.view.MotionEvent;
import android.view.View;
import android.view.ViewGroup;
import android.widget.Button;
import android.widget.FrameLayout;
import android.widget.LinearLayout;
import android.widget.ScrollView;
import android.widget.TextView;

import java.text.Bidi;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** How the interruptions look: one method for each template. */
final class Look {
    private static final int MAX_IN_LINE = 24;
    private static final float CARD_DP = 340;

    private final Context context;
    private final Parts parts;
    private final ElementParts more;
    private final Spec spec;
    private final Palette palette;
    private final boolean low;

    private Look(Context context, Spec spec, Entered entered, Parts.Press press) {
        this.context = context;
        this.spec = spec;
        this.parts = new Parts(context, spec, press);
        this.palette = parts.palette;
        this.more = new ElementParts(parts, entered);
        this.low = parts.low;
    }

    /** All that the window of an interruption shows, on the phone as it is now. */
    static View of(Context context, Spec spec, Entered entered, Parts.Press press) {
        Look look = new Look(context, spec, entered, press);
        View all = look.all();
        all.setLayoutDirection(rightToLeft(spec.title) ? View.LAYOUT_DIRECTION_RTL : View.LAYOUT_DIRECTION_LTR);
        return all;
    }

    /** Whether a text begins in a script that is read from the right. */
    static boolean rightToLeft(String text) {
        return !new Bidi(text, Bidi.DIRECTION_DEFAULT_LEFT_TO_RIGHT).baseIsLeftToRight();
    }

    private View all() {
        FrameLayout all = new FrameLayout(context);
        all.setFitsSystemWindows(true);
        View window;
        FrameLayout.LayoutParams place;
        boolean over = more.hasPicture() && !low;
        float top = 2;
        switch (spec.template) {
            case FULL_SCREEN:
                window = page();
                place = new FrameLayout.LayoutParams(Parts.MATCH, Parts.MATCH);
                top = 12;
                break;
            case BOTTOM_SHEET:
                all.setBackgroundColor(palette.scrim);
                window = sheet();
                place = new FrameLayout.LayoutParams(Parts.MATCH, Parts.WRAP, Gravity.BOTTOM);
                over = false;
                top = 8;
                break;
            default:
                all.setBackgroundColor(palette.scrim);
                window = card();
                place = new FrameLayout.LayoutParams(cardWidth(), Parts.WRAP, Gravity.CENTER);
                over = over || (headed(spec.style) && !low);
                break;
        }
        if (Build.VERSION.SDK_INT >= 21) {
            window.setElevation(parts.dp(12));
            window.setClipToOutline(true);
        }
        window = more.crossed(window, place.height, top, over);
        window.setId(R.id.dialog_root);
        all.setOnTouchListener(beside(window, parts.press));
        if (Build.VERSION.SDK_INT >= 28) {
            window.setAccessibilityPaneTitle(spec.title);
        }
        all.addView(window, place);
        return all;
    }

    /**
     * Hears of touches that neither the window nor anything in it lies under, and keeps them from what is below;
     * a ground that could be clicked would be one more thing to press on the tree.
     */
    private static View.OnTouchListener beside(final View window, final Parts.Press press) {
        return new View.OnTouchListener() {
            @Override
            public boolean onTouch(View all, MotionEvent event) {
                Rect place = new Rect(window.getLeft(), window.getTop(), window.getRight(), window.getBottom());
                if (event.getAction() == MotionEvent.ACTION_UP
                        && !place.contains((int) event.getX(), (int) event.getY())) {
                    press.outside();
                }
                return true;
            }
        };
    }

    private int cardWidth() {
        DisplayMetrics screen = context.getResources().getDisplayMetrics();
        return Math.min(screen.widthPixels - parts.dp(48), parts.dp(CARD_DP));
    }

    private ScrollView scroll(LinearLayout inside) {
        int most = context.getResources().getDisplayMetrics().heightPixels - parts.dp(96);
        ScrollView scroll = new LimitedScroll(context, most);
        scroll.addView(inside, new ViewGroup.LayoutParams(Parts.MATCH, Parts.WRAP));
        return scroll;
    }

    private View card() {
        LinearLayout inner;
        switch (spec.style) {
            case PERMISSION:
            case NOTIFICATION:
                inner = permission();
                break;
            case CRASH:
            case NOT_RESPONDING:
                inner = crash();
                break;
            case UPDATE:
            case PROMPT:
            case ADVERT:
                inner = headed();
                break;
            case LOGIN:
            case COOKIE:
            case SURVEY:
            case CAPTCHA:
                inner = plain();
                break;
            default:
                inner = alert();
                break;
        }
        if (more.hasPicture() && !low) {
            LinearLayout whole = parts.column();
            more.addPicture(whole, 150, 0);
            whole.addView(inner, parts.wide(0));
            inner = whole;
        }
        ScrollView card = scroll(inner);
        card.setBackground(parts.ground(palette.surface, 28));
        return card;
    }

    private static boolean headed(Spec.Style style) {
        return style == Spec.Style.UPDATE || style == Spec.Style.PROMPT || style == Spec.Style.ADVERT;
    }

    /** As the system's AlertDialog: words, and text buttons at the lower end. */
    private LinearLayout alert() {
        LinearLayout all = parts.column();
        LinearLayout words = parts.column();
        words.setPadding(parts.dp(24), parts.dp(24), parts.dp(24), parts.dp(8));
        addIcon(words, 28);
        words.addView(parts.title(22, Gravity.CENTER), parts.wide(14));
        words.addView(parts.message(15, Gravity.START), parts.wide(14));
        parts.addBar(words);
        more.addElements(words);
        more.addTail(words, Gravity.START);
        all.addView(words);

        int letters = 0;
        for (Spec.Button button : spec.buttons) {
            letters += button.label.length();
        }
        boolean stacked = spec.buttons.size() > 2 || letters > MAX_IN_LINE;
        LinearLayout group = new LinearLayout(context);
        group.setOrientation(stacked ? LinearLayout.VERTICAL : LinearLayout.HORIZONTAL);
        group.setGravity(Gravity.END);
        group.setPadding(parts.dp(16), parts.dp(8), parts.dp(16), parts.dp(16));
        // As the system does: side by side the one that leads on stands last, above each other it stands first.
        List<Spec.Button> order = new ArrayList<>(spec.buttons);
        if (!stacked) {
            Collections.reverse(order);
        }
        for (Spec.Button what : order) {
            int color = what.isSecondary() ? palette.link : palette.accent;
            Button button = parts.button(what, color, new ColorDrawable(Color.TRANSPARENT), 15, true);
            button.setPadding(parts.dp(14), parts.dp(11), parts.dp(14), parts.dp(11));
            group.addView(button, new LinearLayout.LayoutParams(Parts.WRAP, Parts.WRAP));
        }
        all.addView(group, parts.wide(0));
        return all;
    }

    /** As Android 12's permission dialog: centred, with broad tonal buttons. */
    private LinearLayout permission() {
        LinearLayout all = parts.column();
        all.setPadding(parts.dp(20), parts.dp(24), parts.dp(20), parts.dp(20));
        addIcon(all, 30);
        all.addView(parts.title(19, Gravity.CENTER), parts.wide(16));
        all.addView(parts.message(15, Gravity.CENTER), parts.wide(10));
        parts.addBar(all);
        more.addElements(all);
        float top = 22;
        for (Spec.Button what : spec.buttons) {
            Button button = parts.button(what, palette.tonalInk, parts.ground(palette.tint, 12), 15, true);
            button.setMinHeight(parts.dp(low ? 44 : 54));
            all.addView(button, parts.wide(top));
            top = 4;
        }
        more.addTail(all, Gravity.CENTER);
        return all;
    }

    /** As Android's crash dialog: a title and a column of lines with an icon each. */
    private LinearLayout crash() {
        LinearLayout all = parts.column();
        LinearLayout words = parts.column();
        words.setPadding(parts.dp(24), parts.dp(24), parts.dp(24), parts.dp(8));
        words.addView(parts.title(20, Gravity.START), parts.wide(0));
        words.addView(parts.message(15, Gravity.START), parts.wide(10));
        parts.addBar(words);
        more.addElements(words);
        more.addTail(words, Gravity.START);
        all.addView(words);
        LinearLayout lines = parts.column();
        lines.setPadding(0, parts.dp(4), 0, parts.dp(16));
        for (Spec.Button what : spec.buttons) {
            lines.addView(line(what), parts.wide(0));
        }
        all.addView(lines);
        return all;
    }

    private View line(Spec.Button what) {
        Button line = parts.button(what, palette.ink, new ColorDrawable(Color.TRANSPARENT), 16, false);
        line.setGravity(Gravity.START | Gravity.CENTER_VERTICAL);
        line.setPadding(parts.dp(24), parts.dp(14), parts.dp(24), parts.dp(14));
        Drawable mark = new Glyph(what.isSecondary() ? "clock" : "close", palette.body);
        mark.setBounds(0, 0, parts.dp(22), parts.dp(22));
        line.setCompoundDrawablesRelative(mark, null, null, null);
        line.setCompoundDrawablePadding(parts.dp(18));
        return line;
    }

    /** As an app's own prompt: a coloured head with a badge, then words, then full-width buttons. */
    private LinearLayout headed() {
        LinearLayout all = parts.column();
        if (!low && !more.hasPicture()) {
            FrameLayout head = new FrameLayout(context);
            int[] colors = {palette.accent, palette.tint};
            GradientDrawable ground = new GradientDrawable(GradientDrawable.Orientation.TOP_BOTTOM, colors);
            float round = parts.dp(28);
            ground.setCornerRadii(new float[] {round, round, round, round, 0, 0, 0, 0});
            head.setBackground(ground);
            int size = parts.dp(72);
            head.addView(parts.badge(72, palette.tint), new FrameLayout.LayoutParams(size, size, Gravity.CENTER));
            all.addView(head, new LinearLayout.LayoutParams(Parts.MATCH, parts.dp(124)));
        }
        all.addView(body(Gravity.CENTER), parts.wide(0));
        return all;
    }

    /** As an app's own form: words at the start, what is to be filled in, full-width buttons. */
    private LinearLayout plain() {
        return body(Gravity.START);
    }

    private LinearLayout body(int gravity) {
        LinearLayout words = parts.column();
        words.setPadding(parts.dp(24), parts.dp(20), parts.dp(24), parts.dp(20));
        LinearLayout.LayoutParams first = parts.wide(0);
        first.setMarginEnd(parts.dp(spec.elements.close != null && gravity == Gravity.START ? 20 : 0));
        words.addView(parts.title(22, gravity), first);
        words.addView(parts.message(15, Gravity.START), parts.wide(10));
        parts.addBar(words);
        more.addElements(words);
        parts.addStacked(words, 20, 8);
        more.addTail(words, Gravity.CENTER);
        return words;
    }

    private View sheet() {
        LinearLayout all = parts.column();
        all.setPadding(parts.dp(24), parts.dp(12), parts.dp(24), parts.dp(28));
        View handle = new View(context);
        handle.setBackground(parts.ground(palette.outline, 2));
        handle.setImportantForAccessibility(View.IMPORTANT_FOR_ACCESSIBILITY_NO);
        LinearLayout.LayoutParams middle = new LinearLayout.LayoutParams(parts.dp(36), parts.dp(4));
        middle.gravity = Gravity.CENTER_HORIZONTAL;
        all.addView(handle, middle);
        if (more.hasPicture() && !low) {
            more.addPicture(all, 130, 14);
        }
        LinearLayout head = new LinearLayout(context);
        head.setGravity(Gravity.CENTER_VERTICAL);
        head.addView(parts.badge(44, palette.tint));
        TextView title = parts.title(20, Gravity.START);
        LinearLayout.LayoutParams rest = new LinearLayout.LayoutParams(0, Parts.WRAP, 1);
        rest.setMarginStart(parts.dp(16));
        rest.setMarginEnd(parts.dp(spec.elements.close == null ? 0 : 28));
        head.addView(title, rest);
        all.addView(head, parts.wide(18));
        all.addView(parts.message(15, Gravity.START), parts.wide(14));
        parts.addBar(all);
        more.addElements(all);
        parts.addStacked(all, 22, 10);
        more.addTail(all, Gravity.CENTER);
        ScrollView sheet = scroll(all);
        GradientDrawable ground = new GradientDrawable();
        ground.setColor(palette.surface);
        float round = parts.dp(28);
        ground.setCornerRadii(new float[] {round, round, round, round, 0, 0, 0, 0});
        sheet.setBackground(ground);
        return sheet;
    }

    private View page() {
        LinearLayout all = parts.column();
        int[] colors = {palette.tint, palette.surface};
        all.setBackground(new GradientDrawable(GradientDrawable.Orientation.TOP_BOTTOM, colors));
        LinearLayout inner = parts.column();
        boolean picture = more.hasPicture() && !low;
        if (picture) {
            more.addPicture(inner, 260, 0);
        } else if (!low) {
            FrameLayout head = new FrameLayout(context);
            int size = parts.dp(96);
            FrameLayout.LayoutParams middle = new FrameLayout.LayoutParams(size, size, Gravity.CENTER);
            head.addView(parts.badge(96, palette.surface), middle);
            Elements held = spec.elements;
            boolean full = !held.fields.isEmpty() || !held.choices.isEmpty() || held.slider != null;
            inner.addView(head, new LinearLayout.LayoutParams(Parts.MATCH, parts.dp(full ? 160 : 240)));
        }
        LinearLayout words = parts.column();
        words.setPadding(parts.dp(32), parts.dp(low ? 24 : 0), parts.dp(32), parts.dp(12));
        words.addView(parts.title(26, Gravity.CENTER), parts.wide(picture ? 24 : 0));
        words.addView(parts.message(16, Gravity.CENTER), parts.wide(16));
        parts.addBar(words);
        more.addElements(words);
        inner.addView(words, parts.wide(0));
        ScrollView scroll = new ScrollView(context);
        scroll.addView(inner, new ViewGroup.LayoutParams(Parts.MATCH, Parts.WRAP));
        all.addView(scroll, new LinearLayout.LayoutParams(Parts.MATCH, 0, 1));
        LinearLayout buttons = parts.column();
        buttons.setPadding(parts.dp(32), parts.dp(12), parts.dp(32), parts.dp(32));
        parts.addStacked(buttons, 0, 12);
        more.addTail(buttons, Gravity.CENTER);
        all.addView(buttons);
        return all;
    }

    private void addIcon(LinearLayout to, float size) {
        if (low) {
            return;
        }
        View icon = parts.icon(palette.icon, palette.accent, size);
        LinearLayout.LayoutParams middle = new LinearLayout.LayoutParams(parts.dp(size), parts.dp(size));
        middle.gravity = Gravity.CENTER_HORIZONTAL;
        to.addView(icon, middle);
    }
}
