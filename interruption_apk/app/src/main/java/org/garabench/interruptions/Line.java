package org.garabench.interruptions;

import org.json.JSONObject;

/** An event as one line of JSON: {@code {"token":"…","seq":1,"event":"shown"}}. */
final class Line {
    static final int MAX_TOKEN = 200;

    private Line() {
    }

    /** Writes an event; the order of its fields is fixed. */
    static String of(String token, int seq, String event) {
        return start(token) + seq + ",\"event\":" + JSONObject.quote(event) + "}";
    }

    /** How every line of a token begins, up to its number. */
    static String start(String token) {
        return "{\"token\":" + JSONObject.quote(token) + ",\"seq\":";
    }

    /** A token as it is told: cut to its longest length, empty where none was given. */
    static String token(Object given) {
        if (!(given instanceof String)) {
            return "";
        }
        String token = (String) given;
        return token.substring(0, Math.min(token.length(), MAX_TOKEN));
    }

    /** What an activity of this app is, for the runner's question. */
    static String state(String kind, String token, String template, boolean open) {
        return "{\"kind\":" + JSONObject.quote(kind) + ",\"token\":" + JSONObject.quote(token)
                + ",\"template\":" + JSONObject.quote(template) + ",\"open\":" + open + "}";
    }
}
