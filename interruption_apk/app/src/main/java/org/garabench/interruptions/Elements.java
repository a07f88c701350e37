package org.garabench.interruptions;

import org.json.JSONArray;
import org.json.JSONObject;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** The optional elements of a window, besides texts and buttons; absent ones are null or empty. */
final class Elements {
    static final int MAX_NOTE = 500;
    static final int MAX_FIELDS = 3;
    static final int MAX_CHOICES = 6;
    static final int MAX_STARS = 5;
    static final int MAX_AFTER_S = 60;
    static final double MIN_GAP = 0.2;
    static final double MAX_GAP = 0.95;
    static final double TOLERANCE = 0.04;

    /** A close button in the window's upper corner. */
    static final class Close {
        final String key;
        final int after;
        final boolean small;
        final String label;

        private Close(JSONObject json) throws SpecException {
            key = Spec.key(json.opt("key"), "bad-close");
            after = json.has("after") ? integer(json.opt("after"), MAX_AFTER_S, "bad-close") : 0;
            Object size = json.has("size") ? json.opt("size") : "usual";
            if (!"usual".equals(size) && !"small".equals(size)) {
                throw new SpecException("bad-close");
            }
            small = "small".equals(size);
            label = json.has("label") ? Spec.text(json.opt("label"), Spec.MAX_LABEL, true, "bad-close") : "";
        }
    }

    /** A text link. */
    static final class Link {
        final String key;
        final String label;

        private Link(JSONObject json) throws SpecException {
            key = Spec.key(json.opt("key"), "bad-link");
            label = Spec.text(json.opt("label"), Spec.MAX_LABEL, false, "bad-link");
        }
    }

    /** A text field; what the user types is never reported. */
    static final class Field {
        final String hint;
        final boolean password;

        private Field(JSONObject json) throws SpecException {
            Object masked = json.has("password") ? json.opt("password") : Boolean.FALSE;
            if (!(masked instanceof Boolean)) {
                throw new SpecException("bad-fields");
            }
            hint = Spec.text(json.opt("hint"), Spec.MAX_LABEL, false, "bad-fields");
            password = (Boolean) masked;
        }
    }

    /** A slider puzzle: it is solved by releasing the knob near the gap, at a position from 0 to 1. */
    static final class Slider {
        final String key;
        final double gap;
        final String label;

        private Slider(JSONObject json) throws SpecException {
            Object position = json.opt("gap");
            if (!(position instanceof Number)) {
                throw new SpecException("bad-slider");
            }
            gap = ((Number) position).doubleValue();
            if (!(gap >= MIN_GAP && gap <= MAX_GAP)) {
                throw new SpecException("bad-slider");
            }
            key = Spec.key(json.opt("key"), "bad-slider");
            label = Spec.text(json.opt("label"), Spec.MAX_LABEL, false, "bad-slider");
        }

        /** Whether releasing the knob at this position solves the puzzle. */
        boolean isSolvedAt(double position) {
            return Math.abs(position - gap) <= TOLERANCE;
        }
    }

    final String picture;
    final String note;
    final Close close;
    final Link link;
    final Slider slider;
    /** How many of the five stars are lit initially, or null for no stars. */
    final Integer stars;
    final List<String> choices;
    final List<Field> fields;

    Elements(JSONObject json) throws SpecException {
        Object name = json.has("picture") ? json.opt("picture") : "";
        if (!"".equals(name) && !Illustrations.contains(name)) {
            throw new SpecException("bad-picture");
        }
        picture = (String) name;
        note = json.has("note") ? Spec.text(json.opt("note"), MAX_NOTE, true, "bad-note") : "";
        close = isAbsent(json, "close") ? null
                : new Close(object(json.opt("close"), "bad-close", "key", "after", "size", "label"));
        link = isAbsent(json, "link") ? null : new Link(object(json.opt("link"), "bad-link", "key", "label"));
        slider = isAbsent(json, "slider") ? null
                : new Slider(object(json.opt("slider"), "bad-slider", "key", "gap", "label"));
        stars = isAbsent(json, "stars") ? null : (Integer) integer(json.opt("stars"), MAX_STARS, "bad-stars");
        List<String> labels = new ArrayList<>();
        for (Object item : list(json, "choices", MAX_CHOICES, "bad-choices")) {
            labels.add(Spec.text(item, Spec.MAX_LABEL, false, "bad-choices"));
        }
        choices = Collections.unmodifiableList(labels);
        List<Field> textFields = new ArrayList<>();
        for (Object item : list(json, "fields", MAX_FIELDS, "bad-fields")) {
            textFields.add(new Field(object(item, "bad-fields", "hint", "password")));
        }
        fields = Collections.unmodifiableList(textFields);
    }

    /** The keys of the elements that end the window. */
    List<String> keys() {
        List<String> keys = new ArrayList<>();
        if (close != null) {
            keys.add(close.key);
        }
        if (link != null) {
            keys.add(link.key);
        }
        if (slider != null) {
            keys.add(slider.key);
        }
        return keys;
    }

    private static boolean isAbsent(JSONObject json, String name) {
        return !json.has(name) || json.isNull(name);
    }

    private static JSONObject object(Object value, String reason, String... fields) throws SpecException {
        if (!(value instanceof JSONObject)) {
            throw new SpecException(reason);
        }
        Set<String> names = new HashSet<>(Arrays.asList(fields));
        for (Iterator<String> keys = ((JSONObject) value).keys(); keys.hasNext(); ) {
            if (!names.contains(keys.next())) {
                throw new SpecException(reason);
            }
        }
        return (JSONObject) value;
    }

    private static int integer(Object value, int max, String reason) throws SpecException {
        if (!(value instanceof Integer) || (Integer) value < 0 || (Integer) value > max) {
            throw new SpecException(reason);
        }
        return (Integer) value;
    }

    private static List<Object> list(JSONObject json, String name, int maxLength, String reason) throws SpecException {
        List<Object> items = new ArrayList<>();
        if (!json.has(name)) {
            return items;
        }
        Object value = json.opt(name);
        if (!(value instanceof JSONArray) || ((JSONArray) value).length() > maxLength) {
            throw new SpecException(reason);
        }
        for (int i = 0; i < ((JSONArray) value).length(); i++) {
            items.add(((JSONArray) value).opt(i));
        }
        return items;
    }
}
