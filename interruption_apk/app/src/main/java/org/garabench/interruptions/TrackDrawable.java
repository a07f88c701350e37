package org.garabench.interruptions;

import android.graphics.Canvas;
import android.graphics.ColorFilter;
import android.graphics.Paint;
import android.graphics.PixelFormat;
import android.graphics.RectF;
import android.graphics.drawable.Drawable;

/** The track of a progress bar or slider, filled up to its level. */
final class TrackDrawable extends Drawable {
    private static final float MAX_LEVEL = 10000f;

    private final Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);
    private final int background;
    private final int filled;
    private final float thickness;

    TrackDrawable(int background, int filled, float thickness) {
        this.background = background;
        this.filled = filled;
        this.thickness = thickness;
    }

    @Override
    protected boolean onLevelChange(int level) {
        invalidateSelf();
        return true;
    }

    @Override
    public void draw(Canvas canvas) {
        RectF line = new RectF(getBounds());
        float middle = line.centerY();
        line.top = middle - thickness / 2;
        line.bottom = middle + thickness / 2;
        paint.setColor(background);
        canvas.drawRoundRect(line, thickness / 2, thickness / 2, paint);
        line.right = line.left + line.width() * getLevel() / MAX_LEVEL;
        if (line.width() > 0) {
            paint.setColor(filled);
            canvas.drawRoundRect(line, thickness / 2, thickness / 2, paint);
        }
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
