package org.garabench.interruptions;

/**
 * Says which of many occurrences are told: each of the first ones, then those whose number is a power of two, so
 * that ten thousand presses of Back are some twenty events.
 */
final class Often {
    static final int EACH = 16;

    private int count;

    /** Counts one more; returns the word that tells it, with its number where some were left out, or null. */
    String told(String word) {
        count++;
        if (count <= EACH) {
            return word;
        }
        return (count & (count - 1)) == 0 ? word + ":" + count : null;
    }
}
