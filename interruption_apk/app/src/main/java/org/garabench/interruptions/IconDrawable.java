package org.garabench.interruptions;

import android.graphics.Canvas;
import android.graphics.ColorFilter;
import android.graphics.Paint;
import android.graphics.Path;
import android.graphics.PixelFormat;
import android.graphics.drawable.Drawable;

/** A single-colour icon, drawn at the size of its bounds. Android has vector drawables only from 5.0 on. */
final class IconDrawable extends Drawable {
    private static final float VIEWPORT = 24f;

    private final Path path = new Path();
    private final Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);

    IconDrawable(String name, int color) {
        paint.setColor(color);
        PathData.draw(IconPaths.find(name), new PathData.Pen() {
            @Override
            public void moveTo(float x, float y) {
                path.moveTo(x, y);
            }

            @Override
            public void lineTo(float x, float y) {
                path.lineTo(x, y);
            }

            @Override
            public void quadTo(float x1, float y1, float x2, float y2) {
                path.quadTo(x1, y1, x2, y2);
            }

            @Override
            public void close() {
                path.close();
            }
        });
    }

    @Override
    public void draw(Canvas canvas) {
        int saved = canvas.save();
        canvas.translate(getBounds().left, getBounds().top);
        canvas.scale(getBounds().width() / VIEWPORT, getBounds().height() / VIEWPORT);
        canvas.drawPath(path, paint);
        canvas.restoreToCount(saved);
    }

    @Override
    public void setAlpha(int alpha) {
        paint.setAlpha(alpha);
    }

    @Override
    public void setColorFilter(ColorFilter filter) {
        paint.setColorFilter(filter);
    }

    @Override
    public int getOpacity() {
        return PixelFormat.TRANSLUCENT;
    }
}
