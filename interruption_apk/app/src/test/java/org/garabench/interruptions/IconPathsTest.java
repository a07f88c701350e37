package org.garabench.interruptions;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class IconPathsTest {
    @Test
    public void everyPathIsValidAndWithinItsSquare() {
        int count = 0;
        for (final String name : IconPaths.names()) {
            final int[] commands = {0};
            PathData.draw(IconPaths.find(name), new PathData.Pen() {
                private void assertWithin(float... coordinates) {
                    commands[0]++;
                    for (float coordinate : coordinates) {
                        assertTrue(name + ": " + coordinate, coordinate >= 0 && coordinate <= 24);
                    }
                }

                @Override
                public void moveTo(float x, float y) {
                    assertWithin(x, y);
                }

                @Override
                public void lineTo(float x, float y) {
                    assertWithin(x, y);
                }

                @Override
                public void quadTo(float x1, float y1, float x2, float y2) {
                    assertWithin(x1, y1, x2, y2);
                }

                @Override
                public void close() {
                    assertWithin();
                }
            });
            assertTrue(name, commands[0] > 3);
            count++;
        }
        assertTrue(count >= 12);
    }
}
