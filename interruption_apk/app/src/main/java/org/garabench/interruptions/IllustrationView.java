package org.garabench.interruptions;

import android.content.Context;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.Rect;
import android.widget.ImageView;

/** Shows one of the {@link Illustrations}; a puzzle also has a gap and a piece that follows the slider. */
final class IllustrationView extends ImageView {
    /** Width of the puzzle piece, as a fraction of the width of the picture. */
    private static final float PIECE_WIDTH = 0.15f;

    private final String name;
    private final double gap;
    private final Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);
    private double piecePosition;

    private IllustrationView(Context context, String name, double gap) {
        super(context);
        this.name = name;
        this.gap = gap;
    }

    static IllustrationView picture(Context context, String name) {
        IllustrationView picture = new IllustrationView(context, name, -1);
        picture.setId(R.id.picture);
        return picture;
    }

    static IllustrationView puzzle(Context context, double gap) {
        IllustrationView picture = new IllustrationView(context, "travel", gap);
        picture.setId(R.id.puzzle);
        return picture;
    }

    /** Moves the puzzle piece to a position from 0 to 1. */
    void setPiecePosition(double position) {
        piecePosition = position;
        invalidate();
    }

    @Override
    protected void onDraw(Canvas canvas) {
        int width = getWidth();
        int height = getHeight();
        Illustrations.draw(name, canvas, width, height);
        if (gap < 0) {
            return;
        }
        int size = Math.round(width * PIECE_WIDTH);
        int top = Math.max(0, (height - size) / 2);
        int gapLeft = (int) Math.round((width - size) * gap);
        int pieceLeft = (int) Math.round((width - size) * piecePosition);
        float border = Math.max(1, width / 160f);
        Rect gapBounds = new Rect(gapLeft, top, gapLeft + size, top + size);
        paint.setStyle(Paint.Style.FILL);
        paint.setColor(Color.rgb(0x2B, 0x3A, 0x42));
        canvas.drawRect(gapBounds, paint);
        drawBorder(canvas, gapBounds, border);
        int saved = canvas.save();
        canvas.clipRect(pieceLeft, top, pieceLeft + size, top + size);
        canvas.translate(pieceLeft - gapLeft, 0);
        Illustrations.draw(name, canvas, width, height);
        canvas.restoreToCount(saved);
        drawBorder(canvas, new Rect(pieceLeft, top, pieceLeft + size, top + size), border * 2);
    }

    private void drawBorder(Canvas canvas, Rect bounds, float border) {
        paint.setStyle(Paint.Style.STROKE);
        paint.setStrokeWidth(border);
        paint.setColor(Color.WHITE);
        canvas.drawRect(bounds, paint);
    }
}
