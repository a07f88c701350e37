package org.garabench.interruptions;

import android.content.Context;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.Rect;
import android.widget.ImageView;

/** A picture of {@link Scenes}; that of a puzzle has a gap, and a piece that follows the knob. */
final class Illustration extends ImageView {
    static final float PIECE = 0.15f;

    private final String name;
    private final double gap;
    private final Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);
    private double knob;

    private Illustration(Context context, String name, double gap) {
        super(context);
        this.name = name;
        this.gap = gap;
    }

    static Illustration of(Context context, String name) {
        Illustration picture = new Illustration(context, name, -1);
        picture.setId(R.id.picture);
        return picture;
    }

    static Illustration puzzle(Context context, double gap) {
        Illustration picture = new Illustration(context, "travel", gap);
        picture.setId(R.id.puzzle);
        return picture;
    }

    /** Moves the puzzle's piece. */
    void setKnob(double place) {
        knob = place;
        invalidate();
    }

    @Override
    protected void onDraw(Canvas canvas) {
        int width = getWidth();
        int height = getHeight();
        Scenes.draw(name, canvas, width, height);
        if (gap < 0) {
            return;
        }
        int side = Math.round(width * PIECE);
        int top = Math.max(0, (height - side) / 2);
        int hole = (int) Math.round((width - side) * gap);
        int here = (int) Math.round((width - side) * knob);
        float edge = Math.max(1, width / 160f);
        Rect place = new Rect(hole, top, hole + side, top + side);
        paint.setStyle(Paint.Style.FILL);
        paint.setColor(Color.rgb(0x2B, 0x3A, 0x42));
        canvas.drawRect(place, paint);
        frame(canvas, place, edge);
        int saved = canvas.save();
        canvas.clipRect(here, top, here + side, top + side);
        canvas.translate(here - hole, 0);
        Scenes.draw(name, canvas, width, height);
        canvas.restoreToCount(saved);
        frame(canvas, new Rect(here, top, here + side, top + side), edge * 2);
    }

    private void frame(Canvas canvas, Rect place, float edge) {
        paint.setStyle(Paint.Style.STROKE);
        paint.setStrokeWidth(edge);
        paint.setColor(Color.WHITE);
        canvas.drawRect(place, paint);
    }
}
