package org.garabench.interruptions;

import java.util.ArrayList;
import java.util.List;

/** The app's activities that exist now, so that a command can reach them. Used on the main thread only. */
final class LiveActivities {
    /** An activity that a command can close. */
    interface CloseableActivity {
        /** Closes it at once, in any mode. */
        void close();

        /** Whether it shows the window of this kind and token. */
        boolean matches(String kind, String token);

        /** Its entry in the result of the {@code STATE} broadcast. */
        String state();
    }

    private static final List<CloseableActivity> ALL = new ArrayList<>();

    private LiveActivities() {
    }

    static void add(CloseableActivity activity) {
        ALL.add(activity);
    }

    static void remove(CloseableActivity activity) {
        ALL.remove(activity);
    }

    static List<CloseableActivity> all() {
        return new ArrayList<>(ALL);
    }
}
