package org.garabench.interruptions;

import android.content.Context;
import android.graphics.Color;
import android.graphics.drawable.ColorDrawable;
import android.graphics.drawable.Drawable;
import android.graphics.drawable.InsetDrawable;
import android.graphics.drawable.LayerDrawable;
import android.graphics.drawable.StateListDrawable;
import android.os.Build;
import android.text.Editable;
import android.text.InputType;
import android.text.TextWatcher;
import android.util.TypedValue;
import android.view.Gravity;
import android.view.View;
import android.widget.Button;
import android.widget.EditText;
import android.widget.FrameLayout;
import android.widget.ImageButton;
import android.widget.ImageView;
import android.widget.LinearLayout;
import android.widget.RadioButton;
import android.widget.SeekBar;
import android.widget.TextView;

/** The views of {@link Elements}: picture, stars, answers, text fields, puzzle, cross, link and small print. */
final class ElementParts {
    private static final int STEPS = 1000;
    private static final float CROSS_DP = 48;
    private static final float SMALL_CROSS_DP = 32;

    private final Context context;
    private final Parts parts;
    private final Elements elements;
    private final Entered entered;

    ElementParts(Parts parts, Entered entered) {
        this.context = parts.context;
        this.parts = parts;
        this.elements = parts.spec.elements;
        this.entered = entered;
    }

    boolean hasPicture() {
        return !elements.picture.isEmpty();
    }

    /** The illustration, as wide as there is room. */
    void addPicture(LinearLayout to, float height, float top) {
        Illustration picture = Illustration.of(context, elements.picture);
        picture.setImportantForAccessibility(View.IMPORTANT_FOR_ACCESSIBILITY_NO);
        LinearLayout.LayoutParams place = new LinearLayout.LayoutParams(Parts.MATCH, parts.dp(height));
        place.topMargin = parts.dp(top);
        to.addView(picture, place);
    }

    /** What stands between the words and the buttons. */
    void addElements(LinearLayout to) {
        if (elements.stars != null) {
            addStars(to);
        }
        if (!elements.choices.isEmpty()) {
            addChoices(to);
        }
        for (int i = 0; i < elements.fields.size(); i++) {
            to.addView(field(i), parts.wide(i == 0 ? 14 : 10));
        }
        if (elements.slider != null) {
            addSlider(to);
        }
    }

    /** What stands below the buttons. */
    void addTail(LinearLayout to, int gravity) {
        if (elements.link != null) {
            Button link = parts.link(elements.link);
            LinearLayout.LayoutParams place = new LinearLayout.LayoutParams(Parts.WRAP, Parts.WRAP);
            place.topMargin = parts.dp(6);
            place.gravity = gravity;
            to.addView(link, place);
        }
        if (!elements.note.isEmpty()) {
            TextView note = parts.words(R.id.note, elements.note, 11, parts.palette.body, gravity);
            note.setAlpha(0.8f);
            to.addView(note, parts.wide(10));
        }
    }

    private void addStars(LinearLayout to) {
        LinearLayout row = new LinearLayout(context);
        row.setId(R.id.stars);
        final ImageView[] all = new ImageView[Elements.MAX_STARS];
        int side = parts.dp(48);
        for (int i = 0; i < all.length; i++) {
            final int lit = i + 1;
            ImageView star = new ImageView(context);
            star.setId(Keys.star(i));
            star.setPadding(parts.dp(8), parts.dp(8), parts.dp(8), parts.dp(8));
            star.setContentDescription(context.getString(R.string.star, lit, all.length));
            star.setOnClickListener(new View.OnClickListener() {
                @Override
                public void onClick(View clicked) {
                    entered.stars = lit;
                    light(all);
                }
            });
            all[i] = star;
            row.addView(star, new LinearLayout.LayoutParams(side, side));
        }
        light(all);
        LinearLayout.LayoutParams place = new LinearLayout.LayoutParams(Parts.WRAP, Parts.WRAP);
        place.gravity = Gravity.CENTER_HORIZONTAL;
        place.topMargin = parts.dp(14);
        to.addView(row, place);
    }

    private void light(ImageView[] stars) {
        for (int i = 0; i < stars.length; i++) {
            boolean lit = i < entered.stars;
            int color = lit ? parts.palette.accent : parts.palette.outline;
            stars[i].setImageDrawable(new Glyph(lit ? "star" : "star-outline", color));
            stars[i].setSelected(lit);
        }
    }

    private void addChoices(LinearLayout to) {
        LinearLayout group = parts.column();
        group.setId(R.id.choices);
        final RadioButton[] all = new RadioButton[elements.choices.size()];
        for (int i = 0; i < all.length; i++) {
            final int place = i;
            RadioButton row = new RadioButton(context);
            row.setId(Keys.choice(i));
            row.setText(elements.choices.get(i));
            row.setTextSize(TypedValue.COMPLEX_UNIT_SP, 15);
            row.setTextColor(parts.palette.ink);
            row.setMinHeight(parts.dp(44));
            row.setChecked(i == entered.choice);
            row.setButtonDrawable(new ColorDrawable(Color.TRANSPARENT));
            row.setCompoundDrawablesRelativeWithIntrinsicBounds(radio(), null, null, null);
            row.setCompoundDrawablePadding(parts.dp(14));
            row.setPaddingRelative(parts.dp(2), parts.dp(10), parts.dp(4), parts.dp(10));
            row.setOnClickListener(new View.OnClickListener() {
                @Override
                public void onClick(View clicked) {
                    entered.choice = place;
                    for (int j = 0; j < all.length; j++) {
                        all[j].setChecked(j == place);
                    }
                }
            });
            all[i] = row;
            group.addView(row, parts.wide(i == 0 ? 0 : 4));
        }
        to.addView(group, parts.wide(12));
    }

    /** The circle of an answer; the theme's own is that of Android 2. */
    private Drawable radio() {
        Drawable dot = new InsetDrawable(parts.circle(parts.palette.accent, 10, 0), parts.dp(5));
        Drawable ring = parts.circle(parts.palette.accent, 20, 2);
        StateListDrawable both = new StateListDrawable();
        both.addState(new int[] {android.R.attr.state_checked}, new LayerDrawable(new Drawable[] {ring, dot}));
        both.addState(new int[0], parts.circle(parts.palette.body, 20, 2));
        return both;
    }

    private EditText field(final int place) {
        Elements.Field what = elements.fields.get(place);
        EditText field = new EditText(context);
        field.setId(Keys.field(place));
        field.setHint(what.hint);
        field.setSingleLine(true);
        int hidden = InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_VARIATION_PASSWORD;
        field.setInputType(what.password ? hidden : InputType.TYPE_CLASS_TEXT);
        field.setTextSize(TypedValue.COMPLEX_UNIT_SP, 16);
        field.setTextColor(parts.palette.ink);
        field.setHintTextColor(parts.palette.hint);
        field.setBackground(parts.ground(parts.palette.faint, 12));
        field.setPadding(parts.dp(16), parts.dp(13), parts.dp(16), parts.dp(13));
        field.setSaveEnabled(false); // it is kept in `entered`, for as long as the window is there
        if (entered.texts[place] != null) {
            field.setText(entered.texts[place]);
        }
        field.addTextChangedListener(new TextWatcher() {
            @Override
            public void beforeTextChanged(CharSequence text, int start, int count, int after) {
            }

            @Override
            public void onTextChanged(CharSequence text, int start, int before, int count) {
            }

            @Override
            public void afterTextChanged(Editable text) {
                entered.texts[place] = text.toString();
            }
        });
        return field;
    }

    private void addSlider(LinearLayout to) {
        final Elements.Slider what = elements.slider;
        final Illustration puzzle = Illustration.puzzle(context, what.gap);
        puzzle.setImportantForAccessibility(View.IMPORTANT_FOR_ACCESSIBILITY_NO);
        LinearLayout.LayoutParams above = new LinearLayout.LayoutParams(Parts.MATCH, parts.dp(parts.low ? 96 : 140));
        above.topMargin = parts.dp(14);
        to.addView(puzzle, above);
        SeekBar slider = new SeekBar(context);
        slider.setId(R.id.slider);
        slider.setMax(STEPS);
        slider.setContentDescription(what.label);
        slider.setLayoutDirection(View.LAYOUT_DIRECTION_LTR); // as the picture's piece goes, whatever the script
        slider.setProgressDrawable(new Track(parts.palette.outline, parts.palette.accent, parts.dp(4)));
        slider.setThumb(parts.circle(parts.palette.accent, 24, 0));
        slider.setPadding(parts.dp(12), 0, parts.dp(12), 0);
        slider.setOnSeekBarChangeListener(new SeekBar.OnSeekBarChangeListener() {
            @Override
            public void onProgressChanged(SeekBar bar, int progress, boolean byUser) {
                puzzle.setKnob(progress / (double) STEPS);
            }

            @Override
            public void onStartTrackingTouch(SeekBar bar) {
            }

            @Override
            public void onStopTrackingTouch(SeekBar bar) {
                if (what.solvedAt(bar.getProgress() / (double) STEPS)) {
                    parts.press.press(what.key);
                } else {
                    parts.press.wrong();
                    bar.setProgress(0);
                }
            }
        });
        LinearLayout.LayoutParams below = new LinearLayout.LayoutParams(Parts.MATCH, parts.dp(48));
        below.topMargin = parts.dp(6);
        to.addView(slider, below);
        TextView label = parts.words(R.id.slider_label, what.label, 13, parts.palette.body, Gravity.CENTER);
        label.setImportantForAccessibility(View.IMPORTANT_FOR_ACCESSIBILITY_NO); // the slider says it
        to.addView(label, parts.wide(0));
    }

    /** The window with a cross in its upper corner, or with the word that there will be one. */
    View crossed(View window, int height, float top, boolean over) {
        final Elements.Close close = elements.close;
        if (close == null) {
            return window;
        }
        FrameLayout both = new FrameLayout(context);
        both.addView(window, new FrameLayout.LayoutParams(Parts.MATCH, height));
        final View cross = cross(close, over);
        if (Build.VERSION.SDK_INT >= 21) {
            cross.setElevation(parts.dp(13)); // above the window, which casts a shadow
        }
        int side = parts.dp(close.small ? SMALL_CROSS_DP : CROSS_DP);
        both.addView(cross, corner(side, side, top, 4));
        if (entered.closable) {
            return both;
        }
        final View word = countdown(over);
        if (Build.VERSION.SDK_INT >= 21) {
            word.setElevation(parts.dp(13));
        }
        both.addView(word, corner(Parts.WRAP, Parts.WRAP, top + 12, 12));
        cross.setVisibility(View.GONE);
        both.setTag(new Runnable() {
            @Override
            public void run() {
                word.setVisibility(View.GONE);
                cross.setVisibility(View.VISIBLE);
            }
        });
        return both;
    }

    private FrameLayout.LayoutParams corner(int width, int height, float top, float end) {
        FrameLayout.LayoutParams place = new FrameLayout.LayoutParams(width, height, Gravity.TOP | Gravity.END);
        place.topMargin = parts.dp(top);
        place.setMarginEnd(parts.dp(end));
        return place;
    }

    private View cross(Elements.Close close, boolean over) {
        ImageButton cross = new ImageButton(context);
        float side = close.small ? SMALL_CROSS_DP : CROSS_DP;
        float size = close.small ? 12 : 22;
        int gap = parts.dp((side - size) / 2);
        int edge = parts.dp((side - size) / 2 - 4);
        if (Build.VERSION.SDK_INT >= 21) {
            cross.setStateListAnimator(null);
        }
        parts.dress(cross, close.key, over
                ? new InsetDrawable(parts.ground(Color.argb(0x66, 0, 0, 0), side), edge)
                : new ColorDrawable(Color.TRANSPARENT));
        cross.setPadding(gap, gap, gap, gap);
        cross.setScaleType(ImageView.ScaleType.FIT_XY);
        cross.setImageDrawable(new Glyph("close", over ? Color.WHITE : parts.palette.body));
        String label = close.label.isEmpty() ? context.getString(R.string.close) : close.label;
        cross.setContentDescription(label);
        return cross;
    }

    private View countdown(boolean over) {
        int color = over ? Color.WHITE : parts.palette.body;
        String text = context.getString(R.string.closable_soon);
        TextView word = parts.words(R.id.countdown, text, 11, color, Gravity.CENTER);
        if (over) {
            word.setBackground(parts.ground(Color.argb(0x66, 0, 0, 0), 12));
        }
        word.setPadding(parts.dp(10), parts.dp(4), parts.dp(10), parts.dp(4));
        return word;
    }
}
