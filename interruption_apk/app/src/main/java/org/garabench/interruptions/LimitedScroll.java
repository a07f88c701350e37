package org.garabench.interruptions;

import android.content.Context;
import android.widget.ScrollView;

/** A scrolling area that is as high as what it holds, up to a limit. */
final class LimitedScroll extends ScrollView {
    private final int limit;

    LimitedScroll(Context context, int limit) {
        super(context);
        this.limit = limit;
    }

    @Override
    protected void onMeasure(int widthSpec, int heightSpec) {
        int most = limit;
        if (MeasureSpec.getMode(heightSpec) != MeasureSpec.UNSPECIFIED) {
            most = Math.min(most, MeasureSpec.getSize(heightSpec));
        }
        super.onMeasure(widthSpec, MeasureSpec.makeMeasureSpec(most, MeasureSpec.AT_MOST));
    }
}
