package org.garabench.interruptions;

/** What was entered in an interruption so far: it outlives turning the phone. */
final class Entered {
    final String[] texts = new String[Elements.MAX_FIELDS];
    int stars;
    int choice = -1;
    /** Whether the cross is there already. */
    boolean closable = true;

    Entered(Elements elements) {
        stars = elements.stars == null ? 0 : elements.stars;
        closable = elements.close == null || elements.close.after == 0;
    }
}
