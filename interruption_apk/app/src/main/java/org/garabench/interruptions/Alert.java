package org.garabench.interruptions;

import org.json.JSONArray;
import org.json.JSONObject;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** What a notification at the top of the screen says, read as {@link Spec} is. */
final class Alert {
    /** Android shows no more buttons in a notification. */
    static final int MAX_ACTIONS = 3;
    static final int MAX_SECONDS = 600;
    /** The key under which a tap beside its buttons is told. */
    static final String OPEN = "open";

    private static final Set<String> KNOWN =
            new HashSet<>(Arrays.asList("v", "title", "message", "buttons", "seconds"));

    final String title;
    final String message;
    final List<Spec.Button> buttons;
    /** How long it lasts, at the top of the screen and in the shade. */
    final int seconds;

    private Alert(JSONObject from) throws SpecException {
        title = Spec.text(from.opt("title"), Spec.MAX_TITLE, false, "bad-title");
        message = Spec.text(from.has("message") ? from.opt("message") : "", Spec.MAX_MESSAGE, true, "bad-message");
        buttons = Spec.buttons(from.has("buttons") ? from.opt("buttons") : new JSONArray(), 0, MAX_ACTIONS);
        Object limit = from.has("seconds") ? from.opt("seconds") : MAX_SECONDS;
        if (!(limit instanceof Integer) || (Integer) limit < 1 || (Integer) limit > MAX_SECONDS) {
            throw new SpecException("bad-seconds");
        }
        seconds = (Integer) limit;
        for (Spec.Button button : buttons) {
            if (button.key.equals(OPEN)) {
                throw new SpecException("bad-keys");
            }
        }
    }

    /**
     * Reads a specification.
     *
     * @param encoded the intent's extra, whatever type it has
     * @throws SpecException it is missing or wrong
     */
    static Alert parse(Object encoded) throws SpecException {
        JSONObject value = Spec.value(encoded);
        for (Iterator<String> keys = value.keys(); keys.hasNext(); ) {
            if (!KNOWN.contains(keys.next())) {
                throw new SpecException("unknown-field");
            }
        }
        return new Alert(value);
    }
}
