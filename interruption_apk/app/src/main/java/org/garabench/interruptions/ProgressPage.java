package org.garabench.interruptions;

import android.content.Context;
import android.graphics.Typeface;
import android.graphics.drawable.GradientDrawable;
import android.util.TypedValue;
import android.view.Gravity;
import android.view.View;
import android.widget.FrameLayout;
import android.widget.ImageView;
import android.widget.LinearLayout;
import android.widget.ProgressBar;
import android.widget.TextView;

import java.util.Locale;

/** The views of {@link Progress}: icon, title, message, progress bar and percentage. */
final class ProgressPage {
    private static final int STEPS = 1000;

    final View root;
    private final ProgressBar bar;
    private final TextView percent;

    ProgressPage(Context context, String title, String note) {
        Palette palette = new Palette(context.getResources(), Spec.Style.UPDATE, "");
        LinearLayout page = new LinearLayout(context);
        page.setOrientation(LinearLayout.VERTICAL);
        page.setGravity(Gravity.CENTER);
        int sidePadding = ViewFactory.dp(context, 32);
        page.setPadding(sidePadding, ViewFactory.dp(context, 24), sidePadding, ViewFactory.dp(context, 24));
        int[] colors = {palette.tint, palette.surface};
        page.setBackground(new GradientDrawable(GradientDrawable.Orientation.TOP_BOTTOM, colors));
        page.setFitsSystemWindows(true);

        FrameLayout badge = new FrameLayout(context);
        badge.setId(R.id.icon);
        GradientDrawable circle = new GradientDrawable();
        circle.setShape(GradientDrawable.OVAL);
        circle.setColor(palette.surface);
        badge.setBackground(circle);
        ImageView icon = new ImageView(context);
        icon.setImageDrawable(new IconDrawable(palette.icon, palette.accent));
        icon.setImportantForAccessibility(View.IMPORTANT_FOR_ACCESSIBILITY_NO);
        int iconSize = ViewFactory.dp(context, 48);
        badge.addView(icon, new FrameLayout.LayoutParams(iconSize, iconSize, Gravity.CENTER));
        int badgeSize = ViewFactory.dp(context, 88);
        page.addView(badge, new LinearLayout.LayoutParams(badgeSize, badgeSize));

        TextView heading = textView(context, R.id.title, title, 22, palette.ink);
        heading.setTypeface(Typeface.DEFAULT_BOLD);
        page.addView(heading, fullWidth(context, 28));
        page.addView(textView(context, R.id.message, note, 15, palette.body), fullWidth(context, 10));
        bar = new ProgressBar(context, null, android.R.attr.progressBarStyleHorizontal);
        bar.setId(R.id.progress);
        bar.setMax(STEPS);
        bar.setProgressDrawable(new TrackDrawable(palette.faint, palette.accent, ViewFactory.dp(context, 4)));
        page.addView(bar, fullWidth(context, 24));
        percent = textView(context, R.id.percent, "0%", 15, palette.body);
        page.addView(percent, fullWidth(context, 12));
        root = page;
    }

    /** Shows the progress, from 0 to 1. */
    void setProgress(double progress) {
        bar.setProgress((int) Math.round(progress * STEPS));
        percent.setText(String.format(Locale.ROOT, "%d%%", (int) (progress * 100)));
    }

    private static LinearLayout.LayoutParams fullWidth(Context context, float topMargin) {
        LinearLayout.LayoutParams params = new LinearLayout.LayoutParams(ViewFactory.MATCH, ViewFactory.WRAP);
        params.topMargin = ViewFactory.dp(context, topMargin);
        return params;
    }

    private static TextView textView(Context context, int id, String text, float size, int color) {
        TextView view = new TextView(context);
        view.setId(id);
        view.setText(text);
        view.setTextSize(TypedValue.COMPLEX_UNIT_SP, size);
        view.setTextColor(color);
        view.setGravity(Gravity.CENTER);
        return view;
    }
}
