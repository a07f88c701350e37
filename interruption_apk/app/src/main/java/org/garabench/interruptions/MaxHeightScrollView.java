package org.garabench.interruptions;

import android.content.Context;
import android.widget.ScrollView;

/** A scroll view as high as its content, up to a maximum height. */
final class MaxHeightScrollView extends ScrollView {
    private final int maxHeight;

    MaxHeightScrollView(Context context, int maxHeight) {
        super(context);
        this.maxHeight = maxHeight;
    }

    @Override
    protected void onMeasure(int widthSpec, int heightSpec) {
        int available = maxHeight;
        if (MeasureSpec.getMode(heightSpec) != MeasureSpec.UNSPECIFIED) {
            available = Math.min(available, MeasureSpec.getSize(heightSpec));
        }
        super.onMeasure(widthSpec, MeasureSpec.makeMeasureSpec(available, MeasureSpec.AT_MOST));
    }
}
