package org.garabench.interruptions;

import org.json.JSONObject;

/** The JSON that the runner reads: event lines, {@code {"token":"…","seq":1,"event":"shown"}}, and states. */
final class WireFormat {
    static final int MAX_TOKEN = 200;

    private WireFormat() {
    }

    /** Formats an event as one line of JSON; the order of its fields is fixed. */
    static String eventLine(String token, int seq, String event) {
        return eventPrefix(token) + seq + ",\"event\":" + JSONObject.quote(event) + "}";
    }

    /** The beginning of every event line of a token, up to its sequence number. */
    static String eventPrefix(String token) {
        return "{\"token\":" + JSONObject.quote(token) + ",\"seq\":";
    }

    /** The token as it is reported: truncated to the maximum length, empty if none was given. */
    static String token(Object given) {
        if (!(given instanceof String)) {
            return "";
        }
        String token = (String) given;
        return token.substring(0, Math.min(token.length(), MAX_TOKEN));
    }

    /** Formats a window or notification as an entry in the result of the {@code STATE} broadcast. */
    static String state(String kind, String token, String template, boolean open) {
        return "{\"kind\":" + JSONObject.quote(kind) + ",\"token\":" + JSONObject.quote(token)
                + ",\"template\":" + JSONObject.quote(template) + ",\"open\":" + open + "}";
    }
}
