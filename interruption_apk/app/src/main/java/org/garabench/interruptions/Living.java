package org.garabench.interruptions;

import java.util.ArrayList;
import java.util.List;

/** What of this app is on the phone now, so that a command can reach it. Used on the main thread only. */
final class Living {
    /** Something that a command can end. */
    interface Closable {
        /** Ends it at once, whatever its mode is. */
        void close();

        /** Whether it is the window of this kind and token. */
        boolean isOf(String kind, String token);

        /** What it is, as one line of JSON. */
        String state();
    }

    private static final List<Closable> ALL = new ArrayList<>();

    private Living() {
    }

    static void add(Closable one) {
        ALL.add(one);
    }

    static void remove(Closable one) {
        ALL.remove(one);
    }

    static List<Closable> all() {
        return new ArrayList<>(ALL);
    }
}
