package org.garabench.interruptions;

/**
 * What is told of one interruption, and when it is over: a pure state machine that {@link Show} feeds.
 *
 * <p>The order of events is a contract with the runner: {@code shown} comes first, then any number of
 * {@code hidden} and {@code resumed} in turns, and one last word ({@code pressed:<key>} or
 * {@code dismissed}). Nothing is told after the last word. In between {@code back} (a Back that was held back),
 * {@code rotated:<degrees>} and {@code wrong} end nothing, and are told as {@link Often} says.
 */
final class Life {
    /** Where events go. */
    interface Listener {
        void tell(String event);
    }

    private final Listener listener;
    private final boolean cancelable;
    private final Often backs = new Often();
    private final Often turns = new Often();
    private final Often wrongs = new Often();
    private int degrees = -1;
    private boolean away;
    private boolean over;

    Life(Listener listener, boolean cancelable) {
        this.listener = listener;
        this.cancelable = cancelable;
    }

    /** Whether the last word was told. */
    boolean isOver() {
        return over;
    }

    /** The window is on the screen for the first time. */
    void shown() {
        if (!over) {
            listener.tell("shown");
        }
    }

    /** A button was pressed; returns whether this ended it. */
    boolean pressed(String key) {
        return end("pressed:" + key);
    }

    /** A puzzle's piece was let go beside its gap: told, and it goes on. */
    void wrong() {
        if (!over) {
            tell(wrongs.told("wrong"));
        }
    }

    /** The screen stands like this, in degrees; the first time that says how it stood. */
    void stands(int now) {
        boolean turned = degrees >= 0 && degrees != now;
        degrees = now;
        if (turned && !over) {
            tell(turns.told("rotated:" + now));
        }
    }

    /** A touch beside the window; returns whether this ended it. */
    boolean outside() {
        return !over && cancelable && back();
    }

    /** Back was pressed; returns whether this ended it. A forced interruption holds it back, and tells so. */
    boolean back() {
        if (over) {
            return false;
        }
        if (!cancelable) {
            tell(backs.told("back"));
            return false;
        }
        listener.tell("hidden");
        return end("dismissed");
    }

    /** Another window has come in front or Home was pressed; or the screen went off. */
    void hidden(boolean screenOff) {
        if (!over && !away) {
            away = true;
            listener.tell(screenOff ? "hidden:screen-off" : "hidden");
        }
    }

    /** It is in front again. */
    void resumed() {
        if (!over && away) {
            away = false;
            listener.tell("resumed");
        }
    }

    /** It ends for another reason: {@code close}, {@code replaced}, {@code timeout}, {@code destroyed}. */
    boolean dismissed(String reason) {
        return end("dismissed:" + reason);
    }

    private void tell(String event) {
        if (event != null) {
            listener.tell(event);
        }
    }

    private boolean end(String event) {
        if (over) {
            return false;
        }
        over = true;
        listener.tell(event);
        return true;
    }
}
