package org.garabench.interruptions;

import org.json.JSONArray;
import org.json.JSONObject;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** The specification of a heads-up notification, parsed like {@link Spec}. */
final class HeadsUpSpec {
    /** Android shows at most this many buttons in a notification. */
    static final int MAX_ACTIONS = 3;
    static final int MAX_SECONDS = 600;
    /** The key reported for a tap outside the buttons. */
    static final String OPEN = "open";

    private static final Set<String> FIELDS =
            new HashSet<>(Arrays.asList("v", "title", "message", "buttons", "seconds"));

    final String title;
    final String message;
    final List<Spec.Button> buttons;
    /** How long the notification lasts, at the top of the screen and in the shade. */
    final int seconds;

    private HeadsUpSpec(JSONObject json) throws SpecException {
        title = Spec.text(json.opt("title"), Spec.MAX_TITLE, false, "bad-title");
        message = Spec.text(json.has("message") ? json.opt("message") : "", Spec.MAX_MESSAGE, true, "bad-message");
        buttons = Spec.buttons(json.has("buttons") ? json.opt("buttons") : new JSONArray(), 0, MAX_ACTIONS);
        Object timeout = json.has("seconds") ? json.opt("seconds") : MAX_SECONDS;
        if (!(timeout instanceof Integer) || (Integer) timeout < 1 || (Integer) timeout > MAX_SECONDS) {
            throw new SpecException("bad-seconds");
        }
        seconds = (Integer) timeout;
        for (Spec.Button button : buttons) {
            if (button.key.equals(OPEN)) {
                throw new SpecException("bad-keys");
            }
        }
    }

    /**
     * Parses a specification.
     *
     * @param encoded the intent's extra, whatever type it has
     * @throws SpecException if it is missing or invalid
     */
    static HeadsUpSpec parse(Object encoded) throws SpecException {
        JSONObject json = Spec.decode(encoded);
        for (Iterator<String> keys = json.keys(); keys.hasNext(); ) {
            if (!FIELDS.contains(keys.next())) {
                throw new SpecException("unknown-field");
            }
        }
        return new HeadsUpSpec(json);
    }
}
