package org.garabench.interruptions;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class OutlinesTest {
    @Test
    public void everyOutlineIsReadAndLiesWithinItsSquare() {
        int count = 0;
        for (final String name : Outlines.names()) {
            final int[] commands = {0};
            PathData.draw(Outlines.of(name), new PathData.Pen() {
                private void within(float... places) {
                    commands[0]++;
                    for (float place : places) {
                        assertTrue(name + ": " + place, place >= 0 && place <= 24);
                    }
                }

                @Override
                public void moveTo(float x, float y) {
                    within(x, y);
                }

                @Override
                public void lineTo(float x, float y) {
                    within(x, y);
                }

                @Override
                public void quadTo(float x1, float y1, float x2, float y2) {
                    within(x1, y1, x2, y2);
                }

                @Override
                public void close() {
                    within();
                }
            });
            assertTrue(name, commands[0] > 3);
            count++;
        }
        assertTrue(count >= 12);
    }
}
