package org.garabench.interruptions;

import android.content.Context;
import android.graphics.Color;
import android.graphics.Typeface;
import android.graphics.drawable.ColorDrawable;
import android.graphics.drawable.Drawable;
import android.graphics.drawable.GradientDrawable;
import android.os.Build;
import android.text.TextUtils;
import android.util.TypedValue;
import android.view.Gravity;
import android.view.View;
import android.view.ViewGroup;
import android.widget.Button;
import android.widget.FrameLayout;
import android.widget.ImageView;
import android.widget.LinearLayout;
import android.widget.ProgressBar;
import android.widget.TextView;

/** Creates the views that all windows share: icon, texts, progress bar, buttons. */
final class ViewFactory {
    /** Receives what the user does in a window. */
    interface Callbacks {
        /** A button, close button or link was pressed, or a puzzle was solved. */
        void onPress(String key);

        /** A puzzle piece was released outside its gap. */
        void onPuzzleMissed();

        /** The user touched the screen outside the window. */
        void onTouchOutside();
    }

    static final int MATCH = ViewGroup.LayoutParams.MATCH_PARENT;
    static final int WRAP = ViewGroup.LayoutParams.WRAP_CONTENT;
    private static final int COMPACT_HEIGHT_DP = 480;
    private static final int PROGRESS_STEPS = 1000;

    final Context context;
    final Spec spec;
    final Palette palette;
    final Callbacks callbacks;
    /** Whether the screen is so low, as in landscape, that pictures are left out. */
    final boolean compactHeight;

    ViewFactory(Context context, Spec spec, Callbacks callbacks) {
        this.context = context;
        this.spec = spec;
        this.palette = new Palette(context.getResources(), spec.style, spec.icon);
        this.callbacks = callbacks;
        this.compactHeight = context.getResources().getConfiguration().screenHeightDp < COMPACT_HEIGHT_DP;
    }

    int dp(float value) {
        return dp(context, value);
    }

    static int dp(Context context, float value) {
        return Math.round(value * context.getResources().getDisplayMetrics().density);
    }

    /** A background with rounded corners. */
    Drawable roundedBackground(int color, float radius) {
        GradientDrawable shape = new GradientDrawable();
        shape.setColor(color);
        shape.setCornerRadius(dp(radius));
        return shape;
    }

    /** A circle with a diameter of {@code size} dp: a ring, or filled if {@code strokeWidth} is 0. */
    Drawable circle(int color, float size, float strokeWidth) {
        GradientDrawable shape = new GradientDrawable();
        shape.setShape(GradientDrawable.OVAL);
        if (strokeWidth > 0) {
            shape.setStroke(dp(strokeWidth), color);
        } else {
            shape.setColor(color);
        }
        shape.setSize(dp(size), dp(size));
        return shape;
    }

    /** A vertical layout; whoever adds a view to it sets the margins and weights. */
    LinearLayout column() {
        LinearLayout column = new LinearLayout(context);
        column.setOrientation(LinearLayout.VERTICAL);
        return column;
    }

    /** Layout parameters for the full width, with a top margin in dp. */
    LinearLayout.LayoutParams fullWidth(float topMargin) {
        LinearLayout.LayoutParams params = new LinearLayout.LayoutParams(MATCH, WRAP);
        params.topMargin = dp(topMargin);
        return params;
    }

    /** An icon; screen readers skip it because it says nothing that the texts do not. */
    ImageView icon(String name, int color, float size) {
        ImageView view = new ImageView(context);
        view.setImageDrawable(new IconDrawable(name, color));
        view.setLayoutParams(new LinearLayout.LayoutParams(dp(size), dp(size)));
        view.setImportantForAccessibility(View.IMPORTANT_FOR_ACCESSIBILITY_NO);
        return view;
    }

    /** The style's icon on a circle with a diameter of {@code size} dp. */
    FrameLayout badge(float size, int backgroundColor) {
        FrameLayout badge = new FrameLayout(context);
        badge.setId(R.id.icon);
        badge.setBackground(roundedBackground(backgroundColor, size));
        ImageView icon = icon(palette.icon, palette.accent, size * 0.54f);
        badge.addView(icon, new FrameLayout.LayoutParams(dp(size * 0.54f), dp(size * 0.54f), Gravity.CENTER));
        badge.setLayoutParams(new LinearLayout.LayoutParams(dp(size), dp(size)));
        return badge;
    }

    TextView title(float size, int gravity) {
        TextView view = textView(R.id.title, spec.title, size, palette.ink, gravity);
        view.setTypeface(Typeface.DEFAULT_BOLD);
        if (Build.VERSION.SDK_INT >= 28) {
            view.setAccessibilityHeading(true);
        }
        return view;
    }

    TextView message(float size, int gravity) {
        TextView view = textView(R.id.message, spec.message, size, palette.body, gravity);
        view.setLineSpacing(0, 1.25f);
        view.setVisibility(spec.message.isEmpty() ? View.GONE : View.VISIBLE);
        return view;
    }

    TextView textView(int id, String text, float size, int color, int gravity) {
        TextView view = new TextView(context);
        view.setId(id);
        view.setText(text);
        view.setTextSize(TypedValue.COMPLEX_UNIT_SP, size);
        view.setTextColor(color);
        view.setGravity(gravity);
        return view;
    }

    /** A progress bar, filled from 0 to 1. */
    private ProgressBar progressBar(double progress) {
        ProgressBar bar = new ProgressBar(context, null, android.R.attr.progressBarStyleHorizontal);
        bar.setId(R.id.progress);
        bar.setProgressDrawable(new TrackDrawable(palette.faint, palette.accent, dp(4)));
        bar.setMax(PROGRESS_STEPS);
        bar.setProgress((int) Math.round(progress * PROGRESS_STEPS));
        return bar;
    }

    /** Adds the progress bar if the specification has one. */
    void addProgressBar(LinearLayout parent) {
        if (spec.progress != null) {
            parent.addView(progressBar(spec.progress), fullWidth(16));
        }
    }

    /** A button with its own background. */
    Button button(Spec.Button button, int color, Drawable background, float size, boolean bold) {
        return button(button.key, button.label, color, background, size, bold);
    }

    /** A text link. */
    Button link(Elements.Link spec) {
        Button link = button(spec.key, spec.label, palette.link, new ColorDrawable(Color.TRANSPARENT), 14, false);
        link.setPadding(dp(12), dp(12), dp(12), dp(12));
        return link;
    }

    private Button button(String key, String label, int color, Drawable background, float size, boolean bold) {
        Button button = new Button(context);
        setUpButton(button, key, background);
        button.setText(label);
        button.setTextColor(color);
        button.setTextSize(TypedValue.COMPLEX_UNIT_SP, size);
        button.setTypeface(bold ? Typeface.DEFAULT_BOLD : Typeface.DEFAULT);
        button.setAllCaps(false);
        button.setSingleLine(false);
        button.setMaxLines(2);
        button.setEllipsize(TextUtils.TruncateAt.END);
        button.setMinHeight(0);
        button.setMinimumHeight(0);
        button.setMinWidth(0);
        button.setMinimumWidth(0);
        if (Build.VERSION.SDK_INT >= 21) {
            button.setStateListAnimator(null);
        }
        return button;
    }

    /** Gives a view the id, the background and the click listener of a button. */
    void setUpButton(View view, final String key, Drawable background) {
        view.setId(ViewIds.button(key));
        view.setBackground(background);
        view.setFilterTouchesWhenObscured(false);
        view.setOnClickListener(new View.OnClickListener() {
            @Override
            public void onClick(View clicked) {
                callbacks.onPress(key);
            }
        });
    }

    /** Adds full-width buttons: secondary ones are grey, the others have the accent colour. */
    void addStackedButtons(LinearLayout parent, float firstTopMargin, float gap) {
        float topMargin = firstTopMargin;
        for (Spec.Button buttonSpec : spec.buttons) {
            boolean secondary = buttonSpec.isSecondary();
            int color = secondary ? palette.body : palette.surface;
            Drawable background = roundedBackground(secondary ? palette.faint : palette.accent, 25);
            Button button = button(buttonSpec, color, background, 16, !secondary);
            button.setMinimumHeight(dp(50));
            button.setMinHeight(dp(50));
            parent.addView(button, fullWidth(topMargin));
            topMargin = gap;
        }
    }
}
