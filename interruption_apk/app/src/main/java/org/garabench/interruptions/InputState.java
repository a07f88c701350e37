package org.garabench.interruptions;

/** What the user has entered in a window so far; it survives a rotation. */
final class InputState {
    final String[] texts = new String[Elements.MAX_FIELDS];
    int stars;
    /** Index of the selected choice, or -1. */
    int choice = -1;
    /** Whether the close button is visible already. */
    boolean closable;

    InputState(Elements elements) {
        stars = elements.stars == null ? 0 : elements.stars;
        closable = elements.close == null || elements.close.after == 0;
    }
}
