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
        life.hidden(false);
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
        assertFalse(life.back());
        assertFalse(life.outside());
        assertFalse(life.isOver());
        assertTold("shown", "back", "back");
        assertTrue(life.pressed("accept"));
        assertFalse(life.back());
        assertTold("shown", "back", "back", "pressed:accept");
    }

    @Test
    public void tenThousandBacksAreAFewEvents() {
        Life life = new Life(listener, false);
        life.shown();
        for (int i = 0; i < 10_000; i++) {
            assertFalse(life.back());
        }
        assertEquals(1 + Often.EACH + 9, told.size());
        assertEquals(Arrays.asList("back", "back:32", "back:64"), told.subList(Often.EACH, Often.EACH + 3));
        assertEquals("back:8192", told.get(told.size() - 1));
    }

    @Test
    public void aTouchBesideTheWindowLeavesWhereBackDoes() {
        Life life = new Life(listener, true);
        life.shown();
        assertTrue(life.outside());
        assertFalse(life.outside());
        assertTold("shown", "hidden", "dismissed");
    }

    @Test
    public void turningIsToldAndEndsNothing() {
        Life life = new Life(listener, true);
        life.stands(0);
        life.shown();
        life.stands(0);
        life.stands(90);
        life.stands(90);
        life.stands(0);
        assertFalse(life.isOver());
        assertTold("shown", "rotated:90", "rotated:0");
        assertTrue(life.pressed("accept"));
        life.stands(270);
        assertTold("shown", "rotated:90", "rotated:0", "pressed:accept");
    }

    @Test
    public void theScreenGoesOff() {
        Life life = new Life(listener, false);
        life.shown();
        life.hidden(true);
        life.resumed();
        assertTold("shown", "hidden:screen-off", "resumed");
    }

    @Test
    public void homeAndBackAgain() {
        Life life = new Life(listener, false);
        life.shown();
        life.resumed();
        life.hidden(false);
        life.hidden(false);
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
                switch (chance.nextInt(8)) {
                    case 0:
                        life.hidden(chance.nextBoolean());
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
                    case 5:
                        life.stands(90 * chance.nextInt(4));
                        break;
                    case 6:
                        life.wrong();
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
                assertFalse("seed " + seed, event.equals("resumed") && !before.startsWith("hidden"));
                before = event.matches("(rotated|back|wrong).*") ? before : event;
            }
            assertEquals("seed " + seed, life.isOver() ? 1 : 0, last);
            if (life.isOver()) {
                String end = told.get(told.size() - 1);
                assertTrue("seed " + seed, end.startsWith("pressed") || end.startsWith("dismissed"));
            }
        }
    }
}
