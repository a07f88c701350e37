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

/** The page of {@link Progress}: an icon, a title, a bar that fills and the per cent. */
final class ProgressPage {
    private static final int STEPS = 1000;

    final View root;
    private final ProgressBar bar;
    private final TextView percent;

    ProgressPage(Context context, String title, String note) {
        Palette palette = new Palette(context.getResources(), Spec.Style.UPDATE, "");
        LinearLayout all = new LinearLayout(context);
        all.setOrientation(LinearLayout.VERTICAL);
        all.setGravity(Gravity.CENTER);
        int side = Parts.dp(context, 32);
        all.setPadding(side, Parts.dp(context, 24), side, Parts.dp(context, 24));
        int[] colors = {palette.tint, palette.surface};
        all.setBackground(new GradientDrawable(GradientDrawable.Orientation.TOP_BOTTOM, colors));
        all.setFitsSystemWindows(true);

        FrameLayout badge = new FrameLayout(context);
        badge.setId(R.id.icon);
        GradientDrawable round = new GradientDrawable();
        round.setShape(GradientDrawable.OVAL);
        round.setColor(palette.surface);
        badge.setBackground(round);
        ImageView icon = new ImageView(context);
        icon.setImageDrawable(new Glyph(palette.icon, palette.accent));
        icon.setImportantForAccessibility(View.IMPORTANT_FOR_ACCESSIBILITY_NO);
        int inner = Parts.dp(context, 48);
        badge.addView(icon, new FrameLayout.LayoutParams(inner, inner, Gravity.CENTER));
        int outer = Parts.dp(context, 88);
        all.addView(badge, new LinearLayout.LayoutParams(outer, outer));

        TextView head = text(context, R.id.title, title, 22, palette.ink);
        head.setTypeface(Typeface.DEFAULT_BOLD);
        all.addView(head, below(context, 28));
        all.addView(text(context, R.id.message, note, 15, palette.body), below(context, 10));
        bar = new ProgressBar(context, null, android.R.attr.progressBarStyleHorizontal);
        bar.setId(R.id.progress);
        bar.setMax(STEPS);
        bar.setProgressDrawable(new Track(palette.faint, palette.accent, Parts.dp(context, 4)));
        all.addView(bar, below(context, 24));
        percent = text(context, R.id.percent, "0%", 15, palette.body);
        all.addView(percent, below(context, 12));
        root = all;
    }

    /** Shows how much is done. */
    void set(double share) {
        bar.setProgress((int) Math.round(share * STEPS));
        percent.setText(String.format(Locale.ROOT, "%d%%", (int) (share * 100)));
    }

    private static LinearLayout.LayoutParams below(Context context, float top) {
        LinearLayout.LayoutParams place = new LinearLayout.LayoutParams(Parts.MATCH, Parts.WRAP);
        place.topMargin = Parts.dp(context, top);
        return place;
    }

    private static TextView text(Context context, int id, String words, float size, int color) {
        TextView view = new TextView(context);
        view.setId(id);
        view.setText(words);
        view.setTextSize(TypedValue.COMPLEX_UNIT_SP, size);
        view.setTextColor(color);
        view.setGravity(Gravity.CENTER);
        return view;
    }
}
