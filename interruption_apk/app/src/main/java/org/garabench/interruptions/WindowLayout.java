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

/** Builds the views of a window: one method per template, and one per kind of dialog. */
final class WindowLayout {
    private static final int MAX_ROW_CHARACTERS = 24;
    private static final float CARD_DP = 340;

    private final Context context;
    private final ViewFactory views;
    private final ElementViews elementViews;
    private final Spec spec;
    private final Palette palette;
    private final boolean compactHeight;

    private WindowLayout(Context context, Spec spec, InputState input, ViewFactory.Callbacks callbacks) {
        this.context = context;
        this.spec = spec;
        this.views = new ViewFactory(context, spec, callbacks);
        this.palette = views.palette;
        this.elementViews = new ElementViews(views, input);
        this.compactHeight = views.compactHeight;
    }

    /** Builds a window and its scrim for the phone's current configuration. */
    static View build(Context context, Spec spec, InputState input, ViewFactory.Callbacks callbacks) {
        View root = new WindowLayout(context, spec, input, callbacks).root();
        root.setLayoutDirection(isRightToLeft(spec.title) ? View.LAYOUT_DIRECTION_RTL : View.LAYOUT_DIRECTION_LTR);
        return root;
    }

    /** Whether the first character with a direction is of a right-to-left script. */
    static boolean isRightToLeft(String text) {
        return !new Bidi(text, Bidi.DIRECTION_DEFAULT_LEFT_TO_RIGHT).baseIsLeftToRight();
    }

    private View root() {
        FrameLayout root = new FrameLayout(context);
        root.setFitsSystemWindows(true);
        View window;
        FrameLayout.LayoutParams params;
        boolean onPicture = elementViews.hasPicture() && !compactHeight;
        float topMargin = 2;
        switch (spec.template) {
            case FULL_SCREEN:
                window = fullScreen();
                params = new FrameLayout.LayoutParams(ViewFactory.MATCH, ViewFactory.MATCH);
                topMargin = 12;
                break;
            case BOTTOM_SHEET:
                root.setBackgroundColor(palette.scrim);
                window = bottomSheet();
                params = new FrameLayout.LayoutParams(ViewFactory.MATCH, ViewFactory.WRAP, Gravity.BOTTOM);
                onPicture = false;
                topMargin = 8;
                break;
            default:
                root.setBackgroundColor(palette.scrim);
                window = dialog();
                params = new FrameLayout.LayoutParams(cardWidth(), ViewFactory.WRAP, Gravity.CENTER);
                onPicture = onPicture || (hasHeader(spec.style) && !compactHeight);
                break;
        }
        if (Build.VERSION.SDK_INT >= 21) {
            window.setElevation(views.dp(12));
            window.setClipToOutline(true);
        }
        window = elementViews.withCloseButton(window, params.height, topMargin, onPicture);
        window.setId(R.id.dialog_root);
        root.setOnTouchListener(outsideTouchListener(window, views.callbacks));
        if (Build.VERSION.SDK_INT >= 28) {
            window.setAccessibilityPaneTitle(spec.title);
        }
        root.addView(window, params);
        return root;
    }

    /**
     * Reports touches outside the window, and consumes them so that they do not reach the app below. This is a touch
     * listener because a click listener would make the root clickable in the UI tree.
     */
    private static View.OnTouchListener outsideTouchListener(
            final View window, final ViewFactory.Callbacks callbacks) {
        return new View.OnTouchListener() {
            @Override
            public boolean onTouch(View root, MotionEvent event) {
                Rect bounds = new Rect(window.getLeft(), window.getTop(), window.getRight(), window.getBottom());
                if (event.getAction() == MotionEvent.ACTION_UP
                        && !bounds.contains((int) event.getX(), (int) event.getY())) {
                    callbacks.onTouchOutside();
                }
                return true;
            }
        };
    }

    private int cardWidth() {
        DisplayMetrics screen = context.getResources().getDisplayMetrics();
        return Math.min(screen.widthPixels - views.dp(48), views.dp(CARD_DP));
    }

    private ScrollView scrollView(LinearLayout content) {
        int maxHeight = context.getResources().getDisplayMetrics().heightPixels - views.dp(96);
        ScrollView scroll = new MaxHeightScrollView(context, maxHeight);
        scroll.addView(content, new ViewGroup.LayoutParams(ViewFactory.MATCH, ViewFactory.WRAP));
        return scroll;
    }

    private View dialog() {
        LinearLayout content;
        switch (spec.style) {
            case PERMISSION:
            case NOTIFICATION:
                content = permissionCard();
                break;
            case CRASH:
            case NOT_RESPONDING:
                content = crashCard();
                break;
            case UPDATE:
            case PROMPT:
            case ADVERT:
                content = headerCard();
                break;
            case LOGIN:
            case COOKIE:
            case SURVEY:
            case CAPTCHA:
                content = formCard();
                break;
            default:
                content = alertCard();
                break;
        }
        if (elementViews.hasPicture() && !compactHeight) {
            LinearLayout withPicture = views.column();
            elementViews.addPicture(withPicture, 150, 0);
            withPicture.addView(content, views.fullWidth(0));
            content = withPicture;
        }
        ScrollView card = scrollView(content);
        card.setBackground(views.roundedBackground(palette.surface, 28));
        return card;
    }

    private static boolean hasHeader(Spec.Style style) {
        return style == Spec.Style.UPDATE || style == Spec.Style.PROMPT || style == Spec.Style.ADVERT;
    }

    /** A card like the system's AlertDialog: texts, and text buttons at the end of the last line. */
    private LinearLayout alertCard() {
        LinearLayout layout = views.column();
        LinearLayout texts = views.column();
        texts.setPadding(views.dp(24), views.dp(24), views.dp(24), views.dp(8));
        addIcon(texts, 28);
        texts.addView(views.title(22, Gravity.CENTER), views.fullWidth(14));
        texts.addView(views.message(15, Gravity.START), views.fullWidth(14));
        views.addProgressBar(texts);
        elementViews.addElements(texts);
        elementViews.addFooter(texts, Gravity.START);
        layout.addView(texts);

        int characters = 0;
        for (Spec.Button button : spec.buttons) {
            characters += button.label.length();
        }
        boolean stacked = spec.buttons.size() > 2 || characters > MAX_ROW_CHARACTERS;
        LinearLayout group = new LinearLayout(context);
        group.setOrientation(stacked ? LinearLayout.VERTICAL : LinearLayout.HORIZONTAL);
        group.setGravity(Gravity.END);
        group.setPadding(views.dp(16), views.dp(8), views.dp(16), views.dp(16));
        // As in the system's dialogs, the primary button is last in a row and first in a column.
        List<Spec.Button> order = new ArrayList<>(spec.buttons);
        if (!stacked) {
            Collections.reverse(order);
        }
        for (Spec.Button buttonSpec : order) {
            int color = buttonSpec.isSecondary() ? palette.link : palette.accent;
            Button button = views.button(buttonSpec, color, new ColorDrawable(Color.TRANSPARENT), 15, true);
            button.setPadding(views.dp(14), views.dp(11), views.dp(14), views.dp(11));
            group.addView(button, new LinearLayout.LayoutParams(ViewFactory.WRAP, ViewFactory.WRAP));
        }
        layout.addView(group, views.fullWidth(0));
        return layout;
    }

    /** A card like Android 12's permission dialog: centred, with wide tonal buttons. */
    private LinearLayout permissionCard() {
        LinearLayout layout = views.column();
        layout.setPadding(views.dp(20), views.dp(24), views.dp(20), views.dp(20));
        addIcon(layout, 30);
        layout.addView(views.title(19, Gravity.CENTER), views.fullWidth(16));
        layout.addView(views.message(15, Gravity.CENTER), views.fullWidth(10));
        views.addProgressBar(layout);
        elementViews.addElements(layout);
        float topMargin = 22;
        for (Spec.Button buttonSpec : spec.buttons) {
            Drawable background = views.roundedBackground(palette.tint, 12);
            Button button = views.button(buttonSpec, palette.tonalInk, background, 15, true);
            button.setMinHeight(views.dp(compactHeight ? 44 : 54));
            layout.addView(button, views.fullWidth(topMargin));
            topMargin = 4;
        }
        elementViews.addFooter(layout, Gravity.CENTER);
        return layout;
    }

    /** A card like Android's crash dialog: a title and a column of rows with an icon each. */
    private LinearLayout crashCard() {
        LinearLayout layout = views.column();
        LinearLayout texts = views.column();
        texts.setPadding(views.dp(24), views.dp(24), views.dp(24), views.dp(8));
        texts.addView(views.title(20, Gravity.START), views.fullWidth(0));
        texts.addView(views.message(15, Gravity.START), views.fullWidth(10));
        views.addProgressBar(texts);
        elementViews.addElements(texts);
        elementViews.addFooter(texts, Gravity.START);
        layout.addView(texts);
        LinearLayout rows = views.column();
        rows.setPadding(0, views.dp(4), 0, views.dp(16));
        for (Spec.Button buttonSpec : spec.buttons) {
            rows.addView(crashRow(buttonSpec), views.fullWidth(0));
        }
        layout.addView(rows);
        return layout;
    }

    private View crashRow(Spec.Button buttonSpec) {
        Button row = views.button(buttonSpec, palette.ink, new ColorDrawable(Color.TRANSPARENT), 16, false);
        row.setGravity(Gravity.START | Gravity.CENTER_VERTICAL);
        row.setPadding(views.dp(24), views.dp(14), views.dp(24), views.dp(14));
        Drawable icon = new IconDrawable(buttonSpec.isSecondary() ? "clock" : "close", palette.body);
        icon.setBounds(0, 0, views.dp(22), views.dp(22));
        row.setCompoundDrawablesRelative(icon, null, null, null);
        row.setCompoundDrawablePadding(views.dp(18));
        return row;
    }

    /** A card like an app's own prompt: a coloured header with a badge, texts, full-width buttons. */
    private LinearLayout headerCard() {
        LinearLayout layout = views.column();
        if (!compactHeight && !elementViews.hasPicture()) {
            FrameLayout header = new FrameLayout(context);
            int[] colors = {palette.accent, palette.tint};
            GradientDrawable background = new GradientDrawable(GradientDrawable.Orientation.TOP_BOTTOM, colors);
            float radius = views.dp(28);
            background.setCornerRadii(new float[] {radius, radius, radius, radius, 0, 0, 0, 0});
            header.setBackground(background);
            int size = views.dp(72);
            header.addView(views.badge(72, palette.tint), new FrameLayout.LayoutParams(size, size, Gravity.CENTER));
            layout.addView(header, new LinearLayout.LayoutParams(ViewFactory.MATCH, views.dp(124)));
        }
        layout.addView(body(Gravity.CENTER), views.fullWidth(0));
        return layout;
    }

    /** A card like an app's own form: texts at the start, form elements, full-width buttons. */
    private LinearLayout formCard() {
        return body(Gravity.START);
    }

    private LinearLayout body(int gravity) {
        LinearLayout texts = views.column();
        texts.setPadding(views.dp(24), views.dp(20), views.dp(24), views.dp(20));
        LinearLayout.LayoutParams titleParams = views.fullWidth(0);
        titleParams.setMarginEnd(views.dp(spec.elements.close != null && gravity == Gravity.START ? 20 : 0));
        texts.addView(views.title(22, gravity), titleParams);
        texts.addView(views.message(15, Gravity.START), views.fullWidth(10));
        views.addProgressBar(texts);
        elementViews.addElements(texts);
        views.addStackedButtons(texts, 20, 8);
        elementViews.addFooter(texts, Gravity.CENTER);
        return texts;
    }

    private View bottomSheet() {
        LinearLayout layout = views.column();
        layout.setPadding(views.dp(24), views.dp(12), views.dp(24), views.dp(28));
        View handle = new View(context);
        handle.setBackground(views.roundedBackground(palette.outline, 2));
        handle.setImportantForAccessibility(View.IMPORTANT_FOR_ACCESSIBILITY_NO);
        LinearLayout.LayoutParams centered = new LinearLayout.LayoutParams(views.dp(36), views.dp(4));
        centered.gravity = Gravity.CENTER_HORIZONTAL;
        layout.addView(handle, centered);
        if (elementViews.hasPicture() && !compactHeight) {
            elementViews.addPicture(layout, 130, 14);
        }
        LinearLayout header = new LinearLayout(context);
        header.setGravity(Gravity.CENTER_VERTICAL);
        header.addView(views.badge(44, palette.tint));
        TextView title = views.title(20, Gravity.START);
        LinearLayout.LayoutParams titleParams = new LinearLayout.LayoutParams(0, ViewFactory.WRAP, 1);
        titleParams.setMarginStart(views.dp(16));
        titleParams.setMarginEnd(views.dp(spec.elements.close == null ? 0 : 28));
        header.addView(title, titleParams);
        layout.addView(header, views.fullWidth(18));
        layout.addView(views.message(15, Gravity.START), views.fullWidth(14));
        views.addProgressBar(layout);
        elementViews.addElements(layout);
        views.addStackedButtons(layout, 22, 10);
        elementViews.addFooter(layout, Gravity.CENTER);
        ScrollView sheet = scrollView(layout);
        GradientDrawable background = new GradientDrawable();
        background.setColor(palette.surface);
        float radius = views.dp(28);
        background.setCornerRadii(new float[] {radius, radius, radius, radius, 0, 0, 0, 0});
        sheet.setBackground(background);
        return sheet;
    }

    private View fullScreen() {
        LinearLayout layout = views.column();
        int[] colors = {palette.tint, palette.surface};
        layout.setBackground(new GradientDrawable(GradientDrawable.Orientation.TOP_BOTTOM, colors));
        LinearLayout content = views.column();
        boolean hasPicture = elementViews.hasPicture() && !compactHeight;
        if (hasPicture) {
            elementViews.addPicture(content, 260, 0);
        } else if (!compactHeight) {
            FrameLayout header = new FrameLayout(context);
            int size = views.dp(96);
            FrameLayout.LayoutParams centered = new FrameLayout.LayoutParams(size, size, Gravity.CENTER);
            header.addView(views.badge(96, palette.surface), centered);
            Elements elements = spec.elements;
            boolean tall = !elements.fields.isEmpty() || !elements.choices.isEmpty() || elements.slider != null;
            content.addView(header, new LinearLayout.LayoutParams(ViewFactory.MATCH, views.dp(tall ? 160 : 240)));
        }
        LinearLayout texts = views.column();
        texts.setPadding(views.dp(32), views.dp(compactHeight ? 24 : 0), views.dp(32), views.dp(12));
        texts.addView(views.title(26, Gravity.CENTER), views.fullWidth(hasPicture ? 24 : 0));
        texts.addView(views.message(16, Gravity.CENTER), views.fullWidth(16));
        views.addProgressBar(texts);
        elementViews.addElements(texts);
        content.addView(texts, views.fullWidth(0));
        ScrollView scroll = new ScrollView(context);
        scroll.addView(content, new ViewGroup.LayoutParams(ViewFactory.MATCH, ViewFactory.WRAP));
        layout.addView(scroll, new LinearLayout.LayoutParams(ViewFactory.MATCH, 0, 1));
        LinearLayout buttons = views.column();
        buttons.setPadding(views.dp(32), views.dp(12), views.dp(32), views.dp(32));
        views.addStackedButtons(buttons, 0, 12);
        elementViews.addFooter(buttons, Gravity.CENTER);
        layout.addView(buttons);
        return layout;
    }

    private void addIcon(LinearLayout parent, float size) {
        if (compactHeight) {
            return;
        }
        View icon = views.icon(palette.icon, palette.accent, size);
        LinearLayout.LayoutParams centered = new LinearLayout.LayoutParams(views.dp(size), views.dp(size));
        centered.gravity = Gravity.CENTER_HORIZONTAL;
        parent.addView(icon, centered);
    }
}
