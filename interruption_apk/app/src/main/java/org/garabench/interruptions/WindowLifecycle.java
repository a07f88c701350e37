package org.garabench.interruptions;

/**
 * The events of one window: a pure state machine that {@link Show} drives.
 *
 * <p>The order of events is a contract with the runner: {@code shown} comes first, then {@code hidden} and
 * {@code resumed} in turn, any number of times, then one final event ({@code pressed:<key>} or {@code dismissed}).
 * Nothing is reported after the final event. In between, {@code back} (a Back that was blocked),
 * {@code rotated:<degrees>} and {@code wrong} do not end the window; they are sampled by {@link SampledEvents}.
 */
final class WindowLifecycle {
    /** Receives the events. */
    interface EventSink {
        void write(String event);
    }

    private final EventSink sink;
    private final boolean cancelable;
    private final SampledEvents blockedBacks = new SampledEvents();
    private final SampledEvents rotations = new SampledEvents();
    private final SampledEvents misses = new SampledEvents();
    private int rotation = -1;
    private boolean inBackground;
    private boolean ended;

    WindowLifecycle(EventSink sink, boolean cancelable) {
        this.sink = sink;
        this.cancelable = cancelable;
    }

    /** Whether the final event was reported. */
    boolean isEnded() {
        return ended;
    }

    /** The window is on the screen for the first time. */
    void shown() {
        if (!ended) {
            sink.write("shown");
        }
    }

    /** A button was pressed; returns whether this ended the window. */
    boolean pressed(String key) {
        return end("pressed:" + key);
    }

    /** A puzzle piece was released outside its gap; the window stays. */
    void puzzleMissed() {
        if (!ended) {
            writeSampled(misses.count("wrong"));
        }
    }

    /** The screen has this rotation, in degrees. The first call sets the initial rotation and reports nothing. */
    void rotated(int degrees) {
        boolean changed = rotation >= 0 && rotation != degrees;
        rotation = degrees;
        if (changed && !ended) {
            writeSampled(rotations.count("rotated:" + degrees));
        }
    }

    /** The user touched the screen outside the window; returns whether this ended the window. */
    boolean touchedOutside() {
        return !ended && cancelable && backPressed();
    }

    /** Back was pressed; returns whether this ended the window. A forced interruption blocks it and reports that. */
    boolean backPressed() {
        if (ended) {
            return false;
        }
        if (!cancelable) {
            writeSampled(blockedBacks.count("back"));
            return false;
        }
        sink.write("hidden");
        return end("dismissed");
    }

    /** Another window covers this one, Home was pressed, or the screen went off. */
    void hidden(boolean screenOff) {
        if (!ended && !inBackground) {
            inBackground = true;
            sink.write(screenOff ? "hidden:screen-off" : "hidden");
        }
    }

    /** The window is in front again. */
    void resumed() {
        if (!ended && inBackground) {
            inBackground = false;
            sink.write("resumed");
        }
    }

    /**
     * Ends the window for another reason: {@code close}, {@code replaced}, {@code timeout} or {@code destroyed};
     * returns whether it was still open.
     */
    boolean dismissed(String reason) {
        return end("dismissed:" + reason);
    }

    private void writeSampled(String event) {
        if (event != null) {
            sink.write(event);
        }
    }

    private boolean end(String event) {
        if (ended) {
            return false;
        }
        ended = true;
        sink.write(event);
        return true;
    }
}
