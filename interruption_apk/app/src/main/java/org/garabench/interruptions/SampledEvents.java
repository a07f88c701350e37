package org.garabench.interruptions;

/**
 * Samples repeated events logarithmically: the first ones are all reported, then those whose number is a power of
 * two, so that ten thousand presses of Back are 25 events.
 */
final class SampledEvents {
    /** This many events are reported individually. */
    static final int UNSAMPLED = 16;

    private int count;

    /** Counts an occurrence; returns the event to report, with its number if some were skipped, or null to skip it. */
    String count(String event) {
        count++;
        if (count <= UNSAMPLED) {
            return event;
        }
        return (count & (count - 1)) == 0 ? event + ":" + count : null;
    }
}
