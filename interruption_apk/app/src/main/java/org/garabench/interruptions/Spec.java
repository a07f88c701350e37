package org.garabench.interruptions;

import android.util.Base64;

import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;
import org.json.JSONTokener;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What an interruption shows, read from the {@code spec} extra: Base64 of a JSON object.
 *
 * <p>Whatever is wrong with it ends in a {@link SpecException}, never in a crash. The rules are those of the
 * twin's {@code spec.py}; a test feeds both the same specifications.
 */
final class Spec {
    static final int MAX_ENCODED = 64 * 1024;
    static final int MAX_TITLE = 200;
    static final int MAX_MESSAGE = 2000;
    static final int MAX_LABEL = 60;
    static final int MAX_BUTTONS = 6;
    static final int MAX_ROLE = 32;

    /** The shape of the window. */
    enum Template {
        DIALOG("dialog"),
        FULL_SCREEN("full-screen"),
        BOTTOM_SHEET("bottom-sheet");

        final String word;

        Template(String word) {
            this.word = word;
        }
    }

    /** Whose dialog it looks like. */
    enum Style {
        PERMISSION("permission"),
        BATTERY("battery"),
        NETWORK("network"),
        UPDATE("update"),
        CRASH("crash"),
        PROMPT("prompt"),
        NOT_RESPONDING("not-responding"),
        STORAGE("storage"),
        NOTIFICATION("notification"),
        LOGIN("login"),
        COOKIE("cookie"),
        SURVEY("survey"),
        CAPTCHA("captcha"),
        ADVERT("advert");

        final String word;

        Style(String word) {
            this.word = word;
        }
    }

    /** A button: the key names it in the log, the role decides how prominent it looks. */
    static final class Button {
        private static final Set<String> SECONDARY =
                new HashSet<>(Arrays.asList("dismiss", "exit", "cancel", "deny", "later"));

        final String key;
        final String label;
        final String role;

        Button(String key, String label, String role) {
            this.key = key;
            this.label = label;
            this.role = role;
        }

        /** Whether it stands back behind the other ones. */
        boolean isSecondary() {
            return SECONDARY.contains(role);
        }
    }

    private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9_-]{0,31}");
    private static final Set<String> KNOWN = new HashSet<>(Arrays.asList(
            "v", "template", "style", "icon", "title", "message", "buttons", "progress", "cancelable",
            "picture", "note", "close", "link", "stars", "choices", "fields", "slider"));
    private static final Set<String> BUTTON_KNOWN = new HashSet<>(Arrays.asList("key", "label", "role"));
    private static final Set<String> ICONS = new HashSet<>(Arrays.asList(
            "bell", "folder", "star", "shield", "crown", "download", "wifi", "location"));

    final Template template;
    final Style style;
    final String icon;
    final String title;
    final String message;
    final List<Button> buttons;
    /** 0 to 1, or null for no bar. */
    final Double progress;
    /** Whether Back leaves it; without it the interruption is forced. */
    final boolean cancelable;
    final Elements elements;

    private Spec(JSONObject from) throws SpecException {
        template = template(from.opt("template"));
        style = style(from.opt("style"));
        icon = icon(from.has("icon") ? from.opt("icon") : "");
        title = text(from.opt("title"), MAX_TITLE, false, "bad-title");
        message = text(from.has("message") ? from.opt("message") : "", MAX_MESSAGE, true, "bad-message");
        buttons = buttons(from.opt("buttons"), 1, MAX_BUTTONS);
        progress = progress(from.opt("progress"));
        Object back = from.has("cancelable") ? from.opt("cancelable") : Boolean.FALSE;
        if (!(back instanceof Boolean)) {
            throw new SpecException("bad-cancelable");
        }
        cancelable = (Boolean) back;
        elements = new Elements(from);
        Set<String> ends = new HashSet<>();
        for (Button button : buttons) {
            ends.add(button.key);
        }
        for (String key : elements.keys()) {
            if (!ends.add(key)) {
                throw new SpecException("bad-keys");
            }
        }
    }

    /** What names a button in the log. */
    static String key(Object value, String reason) throws SpecException {
        if (!(value instanceof String) || !KEY.matcher((String) value).matches()) {
            throw new SpecException(reason);
        }
        return (String) value;
    }

    /**
     * Reads a specification.
     *
     * @param encoded the intent's extra, whatever type it has
     * @throws SpecException it is missing or wrong
     */
    static Spec parse(Object encoded) throws SpecException {
        JSONObject value = value(encoded);
        for (Iterator<String> keys = value.keys(); keys.hasNext(); ) {
            if (!KNOWN.contains(keys.next())) {
                throw new SpecException("unknown-field");
            }
        }
        return new Spec(value);
    }

    /** The object of an intent's extra, of this version. */
    static JSONObject value(Object encoded) throws SpecException {
        if (!(encoded instanceof String) || ((String) encoded).isEmpty()) {
            throw new SpecException("missing-spec");
        }
        String text = (String) encoded;
        if (text.length() > MAX_ENCODED) {
            throw new SpecException("spec-too-long");
        }
        JSONObject value = object(decoded(text));
        Object version = value.opt("v");
        if (!(version instanceof Integer) || (Integer) version != 1) {
            throw new SpecException("bad-version");
        }
        return value;
    }

    private static String decoded(String encoded) throws SpecException {
        if (!encoded.matches("[A-Za-z0-9+/]*={0,2}") || encoded.length() % 4 != 0) {
            throw new SpecException("bad-base64");
        }
        try {
            byte[] raw = Base64.decode(encoded, Base64.NO_WRAP);
            return Charset.forName("UTF-8").newDecoder().decode(ByteBuffer.wrap(raw)).toString();
        } catch (IllegalArgumentException e) {
            throw new SpecException("bad-base64");
        } catch (CharacterCodingException e) {
            throw new SpecException("bad-json");
        }
    }

    private static JSONObject object(String json) throws SpecException {
        try {
            JSONTokener tokens = new JSONTokener(json);
            Object value = tokens.nextValue();
            if (!(value instanceof JSONObject) || tokens.nextClean() != 0) {
                throw new SpecException("bad-json");
            }
            return (JSONObject) value;
        } catch (JSONException e) {
            throw new SpecException("bad-json");
        } catch (StackOverflowError e) { // brackets within brackets without end
            throw new SpecException("bad-json");
        }
    }

    private static Template template(Object value) throws SpecException {
        for (Template each : Template.values()) {
            if (each.word.equals(value)) {
                return each;
            }
        }
        throw new SpecException("bad-template");
    }

    private static Style style(Object value) throws SpecException {
        for (Style each : Style.values()) {
            if (each.word.equals(value)) {
                return each;
            }
        }
        throw new SpecException("bad-style");
    }

    private static String icon(Object value) throws SpecException {
        if (!(value instanceof String) || !(((String) value).isEmpty() || ICONS.contains(value))) {
            throw new SpecException("bad-icon");
        }
        return (String) value;
    }

    static String text(Object value, int longest, boolean mayBeEmpty, String reason) throws SpecException {
        if (!(value instanceof String)) {
            throw new SpecException(reason);
        }
        String text = (String) value;
        boolean tooLong = text.codePointCount(0, text.length()) > longest;
        if (tooLong || !(mayBeEmpty || !isBlank(text))) {
            throw new SpecException(reason);
        }
        return text;
    }

    private static boolean isBlank(String text) {
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (!Character.isWhitespace(letter) && !Character.isSpaceChar(letter)) {
                return false;
            }
        }
        return true;
    }

    private static Double progress(Object value) throws SpecException {
        if (value == null || value == JSONObject.NULL) {
            return null;
        }
        if (!(value instanceof Number)) {
            throw new SpecException("bad-progress");
        }
        double share = ((Number) value).doubleValue();
        if (!(share >= 0 && share <= 1)) {
            throw new SpecException("bad-progress");
        }
        return share;
    }

    static List<Button> buttons(Object value, int least, int most) throws SpecException {
        if (!(value instanceof JSONArray)) {
            throw new SpecException("bad-buttons");
        }
        JSONArray given = (JSONArray) value;
        if (given.length() < least || given.length() > most) {
            throw new SpecException("bad-buttons");
        }
        List<Button> buttons = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < given.length(); i++) {
            Button button = button(given.opt(i));
            if (!keys.add(button.key)) {
                throw new SpecException("bad-buttons");
            }
            buttons.add(button);
        }
        return Collections.unmodifiableList(buttons);
    }

    private static Button button(Object value) throws SpecException {
        if (!(value instanceof JSONObject)) {
            throw new SpecException("bad-buttons");
        }
        JSONObject given = (JSONObject) value;
        for (Iterator<String> keys = given.keys(); keys.hasNext(); ) {
            if (!BUTTON_KNOWN.contains(keys.next())) {
                throw new SpecException("bad-buttons");
            }
        }
        Object key = given.opt("key");
        Object role = given.has("role") ? given.opt("role") : "";
        if (!(key instanceof String) || !KEY.matcher((String) key).matches() || !(role instanceof String)) {
            throw new SpecException("bad-buttons");
        }
        String word = (String) role;
        String label = text(given.opt("label"), MAX_LABEL, false, "bad-buttons");
        return new Button((String) key, label, word.substring(0, Math.min(word.length(), MAX_ROLE)));
    }
}
