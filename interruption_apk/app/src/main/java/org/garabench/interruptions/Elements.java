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

/** What an interruption can hold besides words and buttons; whatever is absent is null or empty. */
final class Elements {
    static final int MAX_NOTE = 500;
    static final int MAX_FIELDS = 3;
    static final int MAX_CHOICES = 6;
    static final int MAX_STARS = 5;
    static final int MAX_AFTER_S = 60;
    static final double MIN_GAP = 0.2;
    static final double MAX_GAP = 0.95;
    static final double NEAR = 0.04;

    /** A cross in the window's upper corner. */
    static final class Close {
        final String key;
        final int after;
        final boolean small;
        final String label;

        private Close(JSONObject given) throws SpecException {
            key = Spec.key(given.opt("key"), "bad-close");
            after = given.has("after") ? whole(given.opt("after"), MAX_AFTER_S, "bad-close") : 0;
            Object size = given.has("size") ? given.opt("size") : "usual";
            if (!"usual".equals(size) && !"small".equals(size)) {
                throw new SpecException("bad-close");
            }
            small = "small".equals(size);
            label = given.has("label") ? Spec.text(given.opt("label"), Spec.MAX_LABEL, true, "bad-close") : "";
        }
    }

    /** A text that can be pressed. */
    static final class Link {
        final String key;
        final String label;

        private Link(JSONObject given) throws SpecException {
            key = Spec.key(given.opt("key"), "bad-link");
            label = Spec.text(given.opt("label"), Spec.MAX_LABEL, false, "bad-link");
        }
    }

    /** A text field; what is typed stays in it and is told to nobody. */
    static final class Field {
        final String hint;
        final boolean password;

        private Field(JSONObject given) throws SpecException {
            Object hidden = given.has("password") ? given.opt("password") : Boolean.FALSE;
            if (!(hidden instanceof Boolean)) {
                throw new SpecException("bad-fields");
            }
            hint = Spec.text(given.opt("hint"), Spec.MAX_LABEL, false, "bad-fields");
            password = (Boolean) hidden;
        }
    }

    /** A puzzle whose piece follows a knob: solved where its place, 0 to 1, is near the gap. */
    static final class Slider {
        final String key;
        final double gap;
        final String label;

        private Slider(JSONObject given) throws SpecException {
            Object place = given.opt("gap");
            if (!(place instanceof Number)) {
                throw new SpecException("bad-slider");
            }
            gap = ((Number) place).doubleValue();
            if (!(gap >= MIN_GAP && gap <= MAX_GAP)) {
                throw new SpecException("bad-slider");
            }
            key = Spec.key(given.opt("key"), "bad-slider");
            label = Spec.text(given.opt("label"), Spec.MAX_LABEL, false, "bad-slider");
        }

        /** Whether the knob was let go near the gap. */
        boolean solvedAt(double place) {
            return Math.abs(place - gap) <= NEAR;
        }
    }

    final String picture;
    final String note;
    final Close close;
    final Link link;
    final Slider slider;
    /** How many of five are lit at first, or null for no stars. */
    final Integer stars;
    final List<String> choices;
    final List<Field> fields;

    Elements(JSONObject from) throws SpecException {
        Object scene = from.has("picture") ? from.opt("picture") : "";
        if (!"".equals(scene) && !Scenes.has(scene)) {
            throw new SpecException("bad-picture");
        }
        picture = (String) scene;
        note = from.has("note") ? Spec.text(from.opt("note"), MAX_NOTE, true, "bad-note") : "";
        close = absent(from, "close") ? null
                : new Close(object(from.opt("close"), "bad-close", "key", "after", "size", "label"));
        link = absent(from, "link") ? null : new Link(object(from.opt("link"), "bad-link", "key", "label"));
        slider = absent(from, "slider") ? null
                : new Slider(object(from.opt("slider"), "bad-slider", "key", "gap", "label"));
        stars = absent(from, "stars") ? null : (Integer) whole(from.opt("stars"), MAX_STARS, "bad-stars");
        List<String> answers = new ArrayList<>();
        for (Object each : list(from, "choices", MAX_CHOICES, "bad-choices")) {
            answers.add(Spec.text(each, Spec.MAX_LABEL, false, "bad-choices"));
        }
        choices = Collections.unmodifiableList(answers);
        List<Field> rooms = new ArrayList<>();
        for (Object each : list(from, "fields", MAX_FIELDS, "bad-fields")) {
            rooms.add(new Field(object(each, "bad-fields", "hint", "password")));
        }
        fields = Collections.unmodifiableList(rooms);
    }

    /** The keys by which the interruption can end besides those of its buttons. */
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

    private static boolean absent(JSONObject from, String name) {
        return !from.has(name) || from.isNull(name);
    }

    private static JSONObject object(Object value, String reason, String... known) throws SpecException {
        if (!(value instanceof JSONObject)) {
            throw new SpecException(reason);
        }
        Set<String> names = new HashSet<>(Arrays.asList(known));
        for (Iterator<String> keys = ((JSONObject) value).keys(); keys.hasNext(); ) {
            if (!names.contains(keys.next())) {
                throw new SpecException(reason);
            }
        }
        return (JSONObject) value;
    }

    private static int whole(Object value, int most, String reason) throws SpecException {
        if (!(value instanceof Integer) || (Integer) value < 0 || (Integer) value > most) {
            throw new SpecException(reason);
        }
        return (Integer) value;
    }

    private static List<Object> list(JSONObject from, String name, int most, String reason) throws SpecException {
        List<Object> all = new ArrayList<>();
        if (!from.has(name)) {
            return all;
        }
        Object value = from.opt(name);
        if (!(value instanceof JSONArray) || ((JSONArray) value).length() > most) {
            throw new SpecException(reason);
        }
        for (int i = 0; i < ((JSONArray) value).length(); i++) {
            all.add(((JSONArray) value).opt(i));
        }
        return all;
    }
}
