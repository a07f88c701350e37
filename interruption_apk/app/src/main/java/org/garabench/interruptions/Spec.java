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
 * The specification of a window, parsed from the {@code spec} extra: Base64 of a JSON object.
 *
 * <p>An invalid one raises a {@link SpecException} and never crashes the app. The rules are those of the twin's
 * {@code spec.py}; a test gives both the same specifications.
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

        final String value;

        Template(String value) {
            this.value = value;
        }
    }

    /** The kind of dialog that the window imitates. */
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

        final String value;

        Style(String value) {
            this.value = value;
        }
    }

    /** A button: its key identifies it in events, its role decides how prominent it is. */
    static final class Button {
        private static final Set<String> SECONDARY_ROLES =
                new HashSet<>(Arrays.asList("dismiss", "exit", "cancel", "deny", "later"));

        final String key;
        final String label;
        final String role;

        Button(String key, String label, String role) {
            this.key = key;
            this.label = label;
            this.role = role;
        }

        /** Whether the button is less prominent than the primary one. */
        boolean isSecondary() {
            return SECONDARY_ROLES.contains(role);
        }
    }

    private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9_-]{0,31}");
    private static final Set<String> FIELDS = new HashSet<>(Arrays.asList(
            "v", "template", "style", "icon", "title", "message", "buttons", "progress", "cancelable",
            "picture", "note", "close", "link", "stars", "choices", "fields", "slider"));
    private static final Set<String> BUTTON_FIELDS = new HashSet<>(Arrays.asList("key", "label", "role"));
    private static final Set<String> ICONS = new HashSet<>(Arrays.asList(
            "bell", "folder", "star", "shield", "crown", "download", "wifi", "location"));

    final Template template;
    final Style style;
    final String icon;
    final String title;
    final String message;
    final List<Button> buttons;
    /** From 0 to 1, or null for no progress bar. */
    final Double progress;
    /** Whether Back closes the window; otherwise the interruption is forced. */
    final boolean cancelable;
    final Elements elements;

    private Spec(JSONObject json) throws SpecException {
        template = template(json.opt("template"));
        style = style(json.opt("style"));
        icon = icon(json.has("icon") ? json.opt("icon") : "");
        title = text(json.opt("title"), MAX_TITLE, false, "bad-title");
        message = text(json.has("message") ? json.opt("message") : "", MAX_MESSAGE, true, "bad-message");
        buttons = buttons(json.opt("buttons"), 1, MAX_BUTTONS);
        progress = progress(json.opt("progress"));
        Object value = json.has("cancelable") ? json.opt("cancelable") : Boolean.FALSE;
        if (!(value instanceof Boolean)) {
            throw new SpecException("bad-cancelable");
        }
        cancelable = (Boolean) value;
        elements = new Elements(json);
        Set<String> keys = new HashSet<>();
        for (Button button : buttons) {
            keys.add(button.key);
        }
        for (String key : elements.keys()) {
            if (!keys.add(key)) {
                throw new SpecException("bad-keys");
            }
        }
    }

    /** Validates a key, which identifies a button in events. */
    static String key(Object value, String reason) throws SpecException {
        if (!(value instanceof String) || !KEY.matcher((String) value).matches()) {
            throw new SpecException(reason);
        }
        return (String) value;
    }

    /**
     * Parses a specification.
     *
     * @param encoded the intent's extra, whatever type it has
     * @throws SpecException if it is missing or invalid
     */
    static Spec parse(Object encoded) throws SpecException {
        JSONObject json = decode(encoded);
        for (Iterator<String> keys = json.keys(); keys.hasNext(); ) {
            if (!FIELDS.contains(keys.next())) {
                throw new SpecException("unknown-field");
            }
        }
        return new Spec(json);
    }

    /** Decodes an intent's extra to a JSON object of the supported version. */
    static JSONObject decode(Object encoded) throws SpecException {
        if (!(encoded instanceof String) || ((String) encoded).isEmpty()) {
            throw new SpecException("missing-spec");
        }
        String text = (String) encoded;
        if (text.length() > MAX_ENCODED) {
            throw new SpecException("spec-too-long");
        }
        JSONObject json = object(base64Text(text));
        Object version = json.opt("v");
        if (!(version instanceof Integer) || (Integer) version != 1) {
            throw new SpecException("bad-version");
        }
        return json;
    }

    private static String base64Text(String encoded) throws SpecException {
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
        } catch (StackOverflowError e) { // brackets nested too deeply
            throw new SpecException("bad-json");
        }
    }

    private static Template template(Object value) throws SpecException {
        for (Template each : Template.values()) {
            if (each.value.equals(value)) {
                return each;
            }
        }
        throw new SpecException("bad-template");
    }

    private static Style style(Object value) throws SpecException {
        for (Style each : Style.values()) {
            if (each.value.equals(value)) {
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

    static String text(Object value, int maxLength, boolean mayBeEmpty, String reason) throws SpecException {
        if (!(value instanceof String)) {
            throw new SpecException(reason);
        }
        String text = (String) value;
        boolean tooLong = text.codePointCount(0, text.length()) > maxLength;
        if (tooLong || !(mayBeEmpty || !isBlank(text))) {
            throw new SpecException(reason);
        }
        return text;
    }

    private static boolean isBlank(String text) {
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (!Character.isWhitespace(character) && !Character.isSpaceChar(character)) {
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
        double progress = ((Number) value).doubleValue();
        if (!(progress >= 0 && progress <= 1)) {
            throw new SpecException("bad-progress");
        }
        return progress;
    }

    static List<Button> buttons(Object value, int min, int max) throws SpecException {
        if (!(value instanceof JSONArray)) {
            throw new SpecException("bad-buttons");
        }
        JSONArray given = (JSONArray) value;
        if (given.length() < min || given.length() > max) {
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
            if (!BUTTON_FIELDS.contains(keys.next())) {
                throw new SpecException("bad-buttons");
            }
        }
        Object key = given.opt("key");
        Object role = given.has("role") ? given.opt("role") : "";
        if (!(key instanceof String) || !KEY.matcher((String) key).matches() || !(role instanceof String)) {
            throw new SpecException("bad-buttons");
        }
        String roleText = (String) role;
        String label = text(given.opt("label"), MAX_LABEL, false, "bad-buttons");
        return new Button((String) key, label, roleText.substring(0, Math.min(roleText.length(), MAX_ROLE)));
    }
}
