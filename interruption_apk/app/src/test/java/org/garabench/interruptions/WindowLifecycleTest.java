package org.garabench.interruptions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

public class WindowLifecycleTest {
    private final List<String> events = new ArrayList<>();
    private final WindowLifecycle.EventSink sink = new WindowLifecycle.EventSink() {
        @Override
        public void write(String event) {
            events.add(event);
        }
    };

    private void assertEvents(String... expected) {
        assertEquals(Arrays.asList(expected), events);
    }

    @Test
    public void aPressIsTheFinalEvent() {
        WindowLifecycle lifecycle = new WindowLifecycle(sink, true);
        lifecycle.shown();
        assertTrue(lifecycle.pressed("accept"));
        assertTrue(lifecycle.isEnded());
        assertFalse(lifecycle.pressed("accept"));
        lifecycle.hidden(false);
        lifecycle.dismissed("destroyed");
        assertEvents("shown", "pressed:accept");
    }

    @Test
    public void backClosesACancelableWindow() {
        WindowLifecycle lifecycle = new WindowLifecycle(sink, true);
        lifecycle.shown();
        assertTrue(lifecycle.backPressed());
        assertEvents("shown", "hidden", "dismissed");
    }

    @Test
    public void aForcedWindowBlocksBack() {
        WindowLifecycle lifecycle = new WindowLifecycle(sink, false);
        lifecycle.shown();
        assertFalse(lifecycle.backPressed());
        assertFalse(lifecycle.backPressed());
        assertFalse(lifecycle.touchedOutside());
        assertFalse(lifecycle.isEnded());
        assertEvents("shown", "back", "back");
        assertTrue(lifecycle.pressed("accept"));
        assertFalse(lifecycle.backPressed());
        assertEvents("shown", "back", "back", "pressed:accept");
    }

    @Test
    public void tenThousandBacksAre25Events() {
        WindowLifecycle lifecycle = new WindowLifecycle(sink, false);
        lifecycle.shown();
        for (int i = 0; i < 10_000; i++) {
            assertFalse(lifecycle.backPressed());
        }
        assertEquals(1 + SampledEvents.UNSAMPLED + 9, events.size());
        List<String> sampled = events.subList(SampledEvents.UNSAMPLED, SampledEvents.UNSAMPLED + 3);
        assertEquals(Arrays.asList("back", "back:32", "back:64"), sampled);
        assertEquals("back:8192", events.get(events.size() - 1));
    }

    @Test
    public void aTouchOutsideClosesACancelableWindow() {
        WindowLifecycle lifecycle = new WindowLifecycle(sink, true);
        lifecycle.shown();
        assertTrue(lifecycle.touchedOutside());
        assertFalse(lifecycle.touchedOutside());
        assertEvents("shown", "hidden", "dismissed");
    }

    @Test
    public void aRotationIsReportedAndEndsNothing() {
        WindowLifecycle lifecycle = new WindowLifecycle(sink, true);
        lifecycle.rotated(0);
        lifecycle.shown();
        lifecycle.rotated(0);
        lifecycle.rotated(90);
        lifecycle.rotated(90);
        lifecycle.rotated(0);
        assertFalse(lifecycle.isEnded());
        assertEvents("shown", "rotated:90", "rotated:0");
        assertTrue(lifecycle.pressed("accept"));
        lifecycle.rotated(270);
        assertEvents("shown", "rotated:90", "rotated:0", "pressed:accept");
    }

    @Test
    public void aScreenThatGoesOffHidesTheWindow() {
        WindowLifecycle lifecycle = new WindowLifecycle(sink, false);
        lifecycle.shown();
        lifecycle.hidden(true);
        lifecycle.resumed();
        assertEvents("shown", "hidden:screen-off", "resumed");
    }

    @Test
    public void homeAndReturn() {
        WindowLifecycle lifecycle = new WindowLifecycle(sink, false);
        lifecycle.shown();
        lifecycle.resumed();
        lifecycle.hidden(false);
        lifecycle.hidden(false);
        lifecycle.resumed();
        assertEvents("shown", "hidden", "resumed");
    }

    @Test
    public void theTimeoutEndsEvenAForcedWindow() {
        WindowLifecycle lifecycle = new WindowLifecycle(sink, false);
        lifecycle.shown();
        assertTrue(lifecycle.dismissed("timeout"));
        assertEvents("shown", "dismissed:timeout");
    }

    @Test
    public void inEveryOrderThereIsOneFinalEventAndHiddenAndResumedAlternate() {
        for (long seed = 0; seed < 2000; seed++) {
            events.clear();
            Random random = new Random(seed);
            WindowLifecycle lifecycle = new WindowLifecycle(sink, random.nextBoolean());
            lifecycle.shown();
            for (int i = 0; i < 12; i++) {
                switch (random.nextInt(8)) {
                    case 0:
                        lifecycle.hidden(random.nextBoolean());
                        break;
                    case 1:
                        lifecycle.resumed();
                        break;
                    case 2:
                        lifecycle.backPressed();
                        break;
                    case 3:
                        lifecycle.pressed("accept");
                        break;
                    case 4:
                        lifecycle.dismissed("close");
                        break;
                    case 5:
                        lifecycle.rotated(90 * random.nextInt(4));
                        break;
                    case 6:
                        lifecycle.puzzleMissed();
                        break;
                    default:
                        break;
                }
            }
            assertEquals("seed " + seed, 1, Collections.frequency(events, "shown"));
            int finalEvents = 0;
            String previous = "shown";
            for (String event : events) {
                if (event.startsWith("pressed") || event.startsWith("dismissed")) {
                    finalEvents++;
                }
                assertFalse("seed " + seed, event.equals("resumed") && !previous.startsWith("hidden"));
                previous = event.matches("(rotated|back|wrong).*") ? previous : event;
            }
            assertEquals("seed " + seed, lifecycle.isEnded() ? 1 : 0, finalEvents);
            if (lifecycle.isEnded()) {
                String finalEvent = events.get(events.size() - 1);
                assertTrue("seed " + seed, finalEvent.startsWith("pressed") || finalEvent.startsWith("dismissed"));
            }
        }
    }
}
