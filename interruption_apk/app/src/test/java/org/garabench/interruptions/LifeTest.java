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

public class LifeTest {
    private final List<String> told = new ArrayList<>();
    private final Life.Listener listener = new Life.Listener() {
        @Override
        public void tell(String event) {
            told.add(event);
        }
    };

    private void assertTold(String... events) {
        assertEquals(Arrays.asList(events), told);
    }

    @Test
    public void aPressIsTheLastWord() {
        Life life = new Life(listener, true);
        life.shown();
        assertTrue(life.pressed("accept"));
        assertTrue(life.isOver());
        assertFalse(life.pressed("accept"));
        life.hidden();
        life.dismissed("destroyed");
        assertTold("shown", "pressed:accept");
    }

    @Test
    public void backLeavesWhereItMay() {
        Life life = new Life(listener, true);
        life.shown();
        assertTrue(life.back());
        assertTold("shown", "hidden", "dismissed");
    }

    @Test
    public void aForcedOneHoldsBackBack() {
        Life life = new Life(listener, false);
        life.shown();
        assertFalse(life.back());
        assertFalse(life.isOver());
        assertTold("shown");
    }

    @Test
    public void homeAndBackAgain() {
        Life life = new Life(listener, false);
        life.shown();
        life.resumed();
        life.hidden();
        life.hidden();
        life.resumed();
        assertTold("shown", "hidden", "resumed");
    }

    @Test
    public void theLimitEndsEvenAForcedOne() {
        Life life = new Life(listener, false);
        life.shown();
        assertTrue(life.dismissed("timeout"));
        assertTold("shown", "dismissed:timeout");
    }

    @Test
    public void whateverHappensThereIsOneLastWordAndHiddenAndResumedTakeTurns() {
        for (long seed = 0; seed < 2000; seed++) {
            told.clear();
            Random chance = new Random(seed);
            Life life = new Life(listener, chance.nextBoolean());
            life.shown();
            for (int i = 0; i < 12; i++) {
                switch (chance.nextInt(6)) {
                    case 0:
                        life.hidden();
                        break;
                    case 1:
                        life.resumed();
                        break;
                    case 2:
                        life.back();
                        break;
                    case 3:
                        life.pressed("accept");
                        break;
                    case 4:
                        life.dismissed("close");
                        break;
                    default:
                        break;
                }
            }
            assertEquals("seed " + seed, 1, Collections.frequency(told, "shown"));
            int last = 0;
            String before = "shown";
            for (String event : told) {
                if (event.startsWith("pressed") || event.startsWith("dismissed")) {
                    last++;
                }
                assertFalse("seed " + seed, event.equals("resumed") && !before.equals("hidden"));
                before = event;
            }
            assertEquals("seed " + seed, life.isOver() ? 1 : 0, last);
            if (life.isOver()) {
                String end = told.get(told.size() - 1);
                assertTrue("seed " + seed, end.startsWith("pressed") || end.startsWith("dismissed"));
            }
        }
    }
}
