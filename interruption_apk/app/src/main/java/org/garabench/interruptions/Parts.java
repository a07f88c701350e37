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

/** The pieces that interruptions are put together from: icon, words, progress, buttons. */
final class Parts {
    /** What is done when something is pressed. */
    interface Press {
        void press(String key);

        /** A puzzle's piece was let go beside its gap. */
        void wrong();

        /** A touch beside the window. */
        void outside();
    }

    static final int MATCH = ViewGroup.LayoutParams.MATCH_PARENT;
    static final int WRAP = ViewGroup.LayoutParams.WRAP_CONTENT;
    private static final int LOW_SCREEN_DP = 480;
    private static final int PROGRESS_STEPS = 1000;

    final Context context;
    final Spec spec;
    final Palette palette;
    final Press press;
    /** Whether the phone lies on its side: pictures are left out. */
    final boolean low;

    Parts(Context context, Spec spec, Press press) {
        this.context = context;
        this.spec = spec;
        this.palette = new Palette(context.getResources(), spec.style, spec.icon);
        this.press = press;
        this.low = context.getResources().getConfiguration().screenHeightDp < LOW_SCREEN_DP;
    }

    int dp(float value) {
        return dp(context, value);
    }

    static int dp(Context context, float value) {
        return Math.round(value * context.getResources().getDisplayMetrics().density);
    }

    /** A ground with round corners. */
    Drawable ground(int color, float radius) {
        GradientDrawable shape = new GradientDrawable();
        shape.setColor(color);
        shape.setCornerRadius(dp(radius));
        return shape;
    }

    /** A ring, or a disc where `line` is 0, `size` dp across. */
    Drawable circle(int color, float size, float line) {
        GradientDrawable shape = new GradientDrawable();
        shape.setShape(GradientDrawable.OVAL);
        if (line > 0) {
            shape.setStroke(dp(line), color);
        } else {
            shape.setColor(color);
        }
        shape.setSize(dp(size), dp(size));
        return shape;
    }

    /** A column; margins and weights are set by whoever adds to it. */
    LinearLayout column() {
        LinearLayout column = new LinearLayout(context);
        column.setOrientation(LinearLayout.VERTICAL);
        return column;
    }

    LinearLayout.LayoutParams wide(float top) {
        LinearLayout.LayoutParams place = new LinearLayout.LayoutParams(MATCH, WRAP);
        place.topMargin = dp(top);
        return place;
    }

    /** An icon; pictures say nothing that the words do not, so that a reader aloud leaves them out. */
    ImageView icon(String name, int color, float size) {
        ImageView view = new ImageView(context);
        view.setImageDrawable(new Glyph(name, color));
        view.setLayoutParams(new LinearLayout.LayoutParams(dp(size), dp(size)));
        view.setImportantForAccessibility(View.IMPORTANT_FOR_ACCESSIBILITY_NO);
        return view;
    }

    /** The style's icon on a round ground, `size` dp across. */
    FrameLayout badge(float size, int groundColor) {
        FrameLayout round = new FrameLayout(context);
        round.setId(R.id.icon);
        round.setBackground(ground(groundColor, size));
        ImageView picture = icon(palette.icon, palette.accent, size * 0.54f);
        round.addView(picture, new FrameLayout.LayoutParams(dp(size * 0.54f), dp(size * 0.54f), Gravity.CENTER));
        round.setLayoutParams(new LinearLayout.LayoutParams(dp(size), dp(size)));
        return round;
    }

    TextView title(float size, int gravity) {
        TextView view = words(R.id.title, spec.title, size, palette.ink, gravity);
        view.setTypeface(Typeface.DEFAULT_BOLD);
        if (Build.VERSION.SDK_INT >= 28) {
            view.setAccessibilityHeading(true);
        }
        return view;
    }

    TextView message(float size, int gravity) {
        TextView view = words(R.id.message, spec.message, size, palette.body, gravity);
        view.setLineSpacing(0, 1.25f);
        view.setVisibility(spec.message.isEmpty() ? View.GONE : View.VISIBLE);
        return view;
    }

    TextView words(int id, String text, float size, int color, int gravity) {
        TextView view = new TextView(context);
        view.setId(id);
        view.setText(text);
        view.setTextSize(TypedValue.COMPLEX_UNIT_SP, size);
        view.setTextColor(color);
        view.setGravity(gravity);
        return view;
    }

    /** The progress bar; only where the specification has one. */
    ProgressBar bar(double share) {
        ProgressBar bar = new ProgressBar(context, null, android.R.attr.progressBarStyleHorizontal);
        bar.setId(R.id.progress);
        bar.setProgressDrawable(new Track(palette.faint, palette.accent, dp(4)));
        bar.setMax(PROGRESS_STEPS);
        bar.setProgress((int) Math.round(share * PROGRESS_STEPS));
        return bar;
    }

    void addBar(LinearLayout to) {
        if (spec.progress != null) {
            to.addView(bar(spec.progress), wide(16));
        }
    }

    /** A button with a ground of its own. */
    Button button(Spec.Button what, int color, Drawable ground, float size, boolean bold) {
        return button(what.key, what.label, color, ground, size, bold);
    }

    /** A text that can be pressed. */
    Button link(Elements.Link what) {
        Button link = button(what.key, what.label, palette.link, new ColorDrawable(Color.TRANSPARENT), 14, false);
        link.setPadding(dp(12), dp(12), dp(12), dp(12));
        return link;
    }

    private Button button(String key, String label, int color, Drawable ground, float size, boolean bold) {
        Button button = new Button(context);
        dress(button, key, ground);
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

    /** Gives a view the id, the ground and the press of a button. */
    void dress(View view, final String key, Drawable ground) {
        view.setId(Keys.id(key));
        view.setBackground(ground);
        view.setFilterTouchesWhenObscured(false);
        view.setOnClickListener(new View.OnClickListener() {
            @Override
            public void onClick(View clicked) {
                press.press(key);
            }
        });
    }

    /** Full-width buttons: the first that leads on is filled, the others are quiet. */
    void addStacked(LinearLayout to, float firstTop, float gap) {
        float top = firstTop;
        for (Spec.Button what : spec.buttons) {
            boolean quiet = what.isSecondary();
            int color = quiet ? palette.body : palette.surface;
            Drawable ground = ground(quiet ? palette.faint : palette.accent, 25);
            Button button = button(what, color, ground, 16, !quiet);
            LinearLayout.LayoutParams place = wide(top);
            button.setMinimumHeight(dp(50));
            button.setMinHeight(dp(50));
            to.addView(button, place);
            top = gap;
        }
    }
}
