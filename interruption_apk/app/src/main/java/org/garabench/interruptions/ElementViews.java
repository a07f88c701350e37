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

/** Creates the views of {@link Elements}: picture, stars, choices, text fields, puzzle, close button, link, note. */
final class ElementViews {
    private static final int SLIDER_STEPS = 1000;
    private static final float CLOSE_BUTTON_DP = 48;
    private static final float SMALL_CLOSE_BUTTON_DP = 32;

    private final Context context;
    private final ViewFactory views;
    private final Elements elements;
    private final InputState input;

    ElementViews(ViewFactory views, InputState input) {
        this.context = views.context;
        this.views = views;
        this.elements = views.spec.elements;
        this.input = input;
    }

    boolean hasPicture() {
        return !elements.picture.isEmpty();
    }

    /** Adds the illustration, at full width. */
    void addPicture(LinearLayout parent, float height, float topMargin) {
        IllustrationView picture = IllustrationView.picture(context, elements.picture);
        picture.setImportantForAccessibility(View.IMPORTANT_FOR_ACCESSIBILITY_NO);
        LinearLayout.LayoutParams params = new LinearLayout.LayoutParams(ViewFactory.MATCH, views.dp(height));
        params.topMargin = views.dp(topMargin);
        parent.addView(picture, params);
    }

    /** Adds the elements between the texts and the buttons. */
    void addElements(LinearLayout parent) {
        if (elements.stars != null) {
            addStars(parent);
        }
        if (!elements.choices.isEmpty()) {
            addChoices(parent);
        }
        for (int i = 0; i < elements.fields.size(); i++) {
            parent.addView(field(i), views.fullWidth(i == 0 ? 14 : 10));
        }
        if (elements.slider != null) {
            addPuzzle(parent);
        }
    }

    /** Adds the elements below the buttons: the link and the small print. */
    void addFooter(LinearLayout parent, int gravity) {
        if (elements.link != null) {
            Button link = views.link(elements.link);
            LinearLayout.LayoutParams params = new LinearLayout.LayoutParams(ViewFactory.WRAP, ViewFactory.WRAP);
            params.topMargin = views.dp(6);
            params.gravity = gravity;
            parent.addView(link, params);
        }
        if (!elements.note.isEmpty()) {
            TextView note = views.textView(R.id.note, elements.note, 11, views.palette.body, gravity);
            note.setAlpha(0.8f);
            parent.addView(note, views.fullWidth(10));
        }
    }

    private void addStars(LinearLayout parent) {
        LinearLayout row = new LinearLayout(context);
        row.setId(R.id.stars);
        final ImageView[] stars = new ImageView[Elements.MAX_STARS];
        int size = views.dp(48);
        for (int i = 0; i < stars.length; i++) {
            final int number = i + 1;
            ImageView star = new ImageView(context);
            star.setId(ViewIds.star(i));
            star.setPadding(views.dp(8), views.dp(8), views.dp(8), views.dp(8));
            star.setContentDescription(context.getString(R.string.star, number, stars.length));
            star.setOnClickListener(new View.OnClickListener() {
                @Override
                public void onClick(View clicked) {
                    input.stars = number;
                    updateStars(stars);
                }
            });
            stars[i] = star;
            row.addView(star, new LinearLayout.LayoutParams(size, size));
        }
        updateStars(stars);
        LinearLayout.LayoutParams params = new LinearLayout.LayoutParams(ViewFactory.WRAP, ViewFactory.WRAP);
        params.gravity = Gravity.CENTER_HORIZONTAL;
        params.topMargin = views.dp(14);
        parent.addView(row, params);
    }

    private void updateStars(ImageView[] stars) {
        for (int i = 0; i < stars.length; i++) {
            boolean lit = i < input.stars;
            int color = lit ? views.palette.accent : views.palette.outline;
            stars[i].setImageDrawable(new IconDrawable(lit ? "star" : "star-outline", color));
            stars[i].setSelected(lit);
        }
    }

    private void addChoices(LinearLayout parent) {
        LinearLayout group = views.column();
        group.setId(R.id.choices);
        final RadioButton[] choices = new RadioButton[elements.choices.size()];
        for (int i = 0; i < choices.length; i++) {
            final int index = i;
            RadioButton row = new RadioButton(context);
            row.setId(ViewIds.choice(i));
            row.setText(elements.choices.get(i));
            row.setTextSize(TypedValue.COMPLEX_UNIT_SP, 15);
            row.setTextColor(views.palette.ink);
            row.setMinHeight(views.dp(44));
            row.setChecked(i == input.choice);
            row.setButtonDrawable(new ColorDrawable(Color.TRANSPARENT));
            row.setCompoundDrawablesRelativeWithIntrinsicBounds(radioDrawable(), null, null, null);
            row.setCompoundDrawablePadding(views.dp(14));
            row.setPaddingRelative(views.dp(2), views.dp(10), views.dp(4), views.dp(10));
            row.setOnClickListener(new View.OnClickListener() {
                @Override
                public void onClick(View clicked) {
                    input.choice = index;
                    for (int j = 0; j < choices.length; j++) {
                        choices[j].setChecked(j == index);
                    }
                }
            });
            choices[i] = row;
            group.addView(row, views.fullWidth(i == 0 ? 0 : 4));
        }
        parent.addView(group, views.fullWidth(12));
    }

    /** The circle of a choice; the default one of this theme looks like Android 2. */
    private Drawable radioDrawable() {
        Drawable dot = new InsetDrawable(views.circle(views.palette.accent, 10, 0), views.dp(5));
        Drawable ring = views.circle(views.palette.accent, 20, 2);
        StateListDrawable states = new StateListDrawable();
        states.addState(new int[] {android.R.attr.state_checked}, new LayerDrawable(new Drawable[] {ring, dot}));
        states.addState(new int[0], views.circle(views.palette.body, 20, 2));
        return states;
    }

    private EditText field(final int index) {
        Elements.Field spec = elements.fields.get(index);
        EditText field = new EditText(context);
        field.setId(ViewIds.field(index));
        field.setHint(spec.hint);
        field.setSingleLine(true);
        int password = InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_VARIATION_PASSWORD;
        field.setInputType(spec.password ? password : InputType.TYPE_CLASS_TEXT);
        field.setTextSize(TypedValue.COMPLEX_UNIT_SP, 16);
        field.setTextColor(views.palette.ink);
        field.setHintTextColor(views.palette.hint);
        field.setBackground(views.roundedBackground(views.palette.faint, 12));
        field.setPadding(views.dp(16), views.dp(13), views.dp(16), views.dp(13));
        field.setSaveEnabled(false); // `input` stores the text for as long as the window exists
        if (input.texts[index] != null) {
            field.setText(input.texts[index]);
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
                input.texts[index] = text.toString();
            }
        });
        return field;
    }

    private void addPuzzle(LinearLayout parent) {
        final Elements.Slider spec = elements.slider;
        final IllustrationView puzzle = IllustrationView.puzzle(context, spec.gap);
        puzzle.setImportantForAccessibility(View.IMPORTANT_FOR_ACCESSIBILITY_NO);
        int height = views.dp(views.compactHeight ? 96 : 140);
        LinearLayout.LayoutParams puzzleParams = new LinearLayout.LayoutParams(ViewFactory.MATCH, height);
        puzzleParams.topMargin = views.dp(14);
        parent.addView(puzzle, puzzleParams);
        SeekBar slider = new SeekBar(context);
        slider.setId(R.id.slider);
        slider.setMax(SLIDER_STEPS);
        slider.setContentDescription(spec.label);
        slider.setLayoutDirection(View.LAYOUT_DIRECTION_LTR); // the puzzle piece moves to the right in every script
        slider.setProgressDrawable(new TrackDrawable(views.palette.outline, views.palette.accent, views.dp(4)));
        slider.setThumb(views.circle(views.palette.accent, 24, 0));
        slider.setPadding(views.dp(12), 0, views.dp(12), 0);
        slider.setOnSeekBarChangeListener(new SeekBar.OnSeekBarChangeListener() {
            @Override
            public void onProgressChanged(SeekBar bar, int progress, boolean fromUser) {
                puzzle.setPiecePosition(progress / (double) SLIDER_STEPS);
            }

            @Override
            public void onStartTrackingTouch(SeekBar bar) {
            }

            @Override
            public void onStopTrackingTouch(SeekBar bar) {
                if (spec.isSolvedAt(bar.getProgress() / (double) SLIDER_STEPS)) {
                    views.callbacks.onPress(spec.key);
                } else {
                    views.callbacks.onPuzzleMissed();
                    bar.setProgress(0);
                }
            }
        });
        LinearLayout.LayoutParams sliderParams = new LinearLayout.LayoutParams(ViewFactory.MATCH, views.dp(48));
        sliderParams.topMargin = views.dp(6);
        parent.addView(slider, sliderParams);
        TextView label = views.textView(R.id.slider_label, spec.label, 13, views.palette.body, Gravity.CENTER);
        label.setImportantForAccessibility(View.IMPORTANT_FOR_ACCESSIBILITY_NO); // the slider has the same description
        parent.addView(label, views.fullWidth(0));
    }

    /**
     * Puts the close button into the upper corner of a window, or a note that it will appear. In the second case the
     * returned view's tag is a {@link Runnable} that shows the button.
     *
     * @param height the window's height, as in layout parameters
     * @param topMargin space above the button, in dp
     * @param onPicture whether the button covers a picture and needs a background
     */
    View withCloseButton(View window, int height, float topMargin, boolean onPicture) {
        final Elements.Close close = elements.close;
        if (close == null) {
            return window;
        }
        FrameLayout frame = new FrameLayout(context);
        frame.addView(window, new FrameLayout.LayoutParams(ViewFactory.MATCH, height));
        final View button = closeButton(close, onPicture);
        if (Build.VERSION.SDK_INT >= 21) {
            button.setElevation(views.dp(13)); // above the elevated window
        }
        int size = views.dp(close.small ? SMALL_CLOSE_BUTTON_DP : CLOSE_BUTTON_DP);
        frame.addView(button, cornerParams(size, size, topMargin, 4));
        if (input.closable) {
            return frame;
        }
        final View note = closableSoonNote(onPicture);
        if (Build.VERSION.SDK_INT >= 21) {
            note.setElevation(views.dp(13));
        }
        frame.addView(note, cornerParams(ViewFactory.WRAP, ViewFactory.WRAP, topMargin + 12, 12));
        button.setVisibility(View.GONE);
        frame.setTag(new Runnable() {
            @Override
            public void run() {
                note.setVisibility(View.GONE);
                button.setVisibility(View.VISIBLE);
            }
        });
        return frame;
    }

    private FrameLayout.LayoutParams cornerParams(int width, int height, float topMargin, float endMargin) {
        FrameLayout.LayoutParams params = new FrameLayout.LayoutParams(width, height, Gravity.TOP | Gravity.END);
        params.topMargin = views.dp(topMargin);
        params.setMarginEnd(views.dp(endMargin));
        return params;
    }

    private View closeButton(Elements.Close close, boolean onPicture) {
        ImageButton button = new ImageButton(context);
        float size = close.small ? SMALL_CLOSE_BUTTON_DP : CLOSE_BUTTON_DP;
        float iconSize = close.small ? 12 : 22;
        int padding = views.dp((size - iconSize) / 2);
        int inset = views.dp((size - iconSize) / 2 - 4);
        if (Build.VERSION.SDK_INT >= 21) {
            button.setStateListAnimator(null);
        }
        views.setUpButton(button, close.key, onPicture
                ? new InsetDrawable(views.roundedBackground(Color.argb(0x66, 0, 0, 0), size), inset)
                : new ColorDrawable(Color.TRANSPARENT));
        button.setPadding(padding, padding, padding, padding);
        button.setScaleType(ImageView.ScaleType.FIT_XY);
        button.setImageDrawable(new IconDrawable("close", onPicture ? Color.WHITE : views.palette.body));
        String label = close.label.isEmpty() ? context.getString(R.string.close) : close.label;
        button.setContentDescription(label);
        return button;
    }

    private View closableSoonNote(boolean onPicture) {
        int color = onPicture ? Color.WHITE : views.palette.body;
        String text = context.getString(R.string.closable_soon);
        TextView note = views.textView(R.id.countdown, text, 11, color, Gravity.CENTER);
        if (onPicture) {
            note.setBackground(views.roundedBackground(Color.argb(0x66, 0, 0, 0), 12));
        }
        note.setPadding(views.dp(10), views.dp(4), views.dp(10), views.dp(4));
        return note;
    }
}
