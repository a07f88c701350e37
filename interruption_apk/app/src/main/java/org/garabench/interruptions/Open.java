package org.garabench.interruptions;

import android.content.Context;
import android.util.Log;

import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The windows that are open, in a file: those that a process finds there when it starts belong to one that has died,
 * which it then tells as {@code killed}, whatever has started it.
 *
 * <p>Android keeps a window that has saved its state without any object of this app being there, and makes it anew
 * when it is come back to. Such a one stays in the file, so that a command can end it and tell of it meanwhile.
 */
final class Open {
    static final String KILLED = "killed";
    private static final int MOST = 20;
    private static final String FILE = "open.json";

    /** One window. */
    static final class Window {
        final String kind;
        final String token;
        final String template;
        /** Whether its state is saved, so that Android can make it anew. */
        private boolean saved;
        /** Whether its process has died, and it was told. */
        private boolean killed;
        /** Whether it was ended without being there: when it is made anew, it has to go at once. */
        private boolean closed;

        Window(String kind, String token, String template) {
            this.kind = kind;
            this.token = token;
            this.template = template;
        }

        private Window(JSONObject from) throws JSONException {
            this(from.getString("kind"), from.getString("token"), from.getString("template"));
            saved = from.getBoolean("saved");
            killed = from.getBoolean("killed");
            closed = from.getBoolean("closed");
        }

        private JSONObject json() throws JSONException {
            return new JSONObject().put("kind", kind).put("token", token).put("template", template)
                    .put("saved", saved).put("killed", killed).put("closed", closed);
        }

        private boolean is(String otherKind, String otherToken) {
            return kind.equals(otherKind) && token.equals(otherToken);
        }
    }

    private final Journal file;

    Open(Context context) {
        file = new Journal(new File(context.getFilesDir(), FILE));
    }

    /** Tells of what a process that has died left open; called once, when a process starts. */
    static void recover(Context context) {
        Open open = new Open(context);
        List<Window> kept = new ArrayList<>();
        List<String> died = new ArrayList<>();
        for (Window window : open.windows()) {
            if (!window.killed && !window.closed) {
                window.killed = true;
                died.add(window.token);
            }
            if (window.saved) {
                kept.add(window);
            }
        }
        open.write(kept);
        for (String token : died) {
            new Teller(context, token).tell(KILLED);
        }
    }

    /** A window is there, opened or made anew. */
    void add(Window opened) {
        List<Window> windows = windows();
        for (Window window : windows) {
            if (window.is(opened.kind, opened.token) && !window.killed && !window.closed) {
                return;
            }
        }
        without(windows, opened);
        windows.add(opened);
        write(windows.subList(Math.max(0, windows.size() - MOST), windows.size()));
    }

    /** It has told its last word. */
    void remove(Window over) {
        List<Window> windows = windows();
        if (without(windows, over)) {
            write(windows);
        }
    }

    /** Its state is saved, or it is in front and that state is no longer of use. */
    void saved(String kind, String token, boolean saved) {
        List<Window> windows = windows();
        for (Window window : windows) {
            if (window.is(kind, token) && window.saved != saved) {
                window.saved = saved;
                write(windows);
                return;
            }
        }
    }

    /**
     * A window of a kind begins, of which Android has one at most: what was kept of those that were not there is over.
     *
     * @return whether one of this token was ended while it was not there
     */
    boolean begins(String kind, String token) {
        List<Window> windows = windows();
        boolean closed = false;
        boolean changed = false;
        for (Iterator<Window> each = windows.iterator(); each.hasNext(); ) {
            Window window = each.next();
            if (window.kind.equals(kind) && (window.killed || window.closed)) {
                closed |= window.closed && window.token.equals(token);
                each.remove();
                changed = true;
            }
        }
        if (changed) {
            write(windows);
        }
        return closed;
    }

    /** The windows that Android would make anew, but for those that are there. */
    List<Window> absent(List<Living.Closable> living) {
        List<Window> absent = windows();
        for (Iterator<Window> each = absent.iterator(); each.hasNext(); ) {
            Window window = each.next();
            boolean there = window.closed || !window.saved;
            for (Living.Closable one : living) {
                there |= one.isOf(window.kind, window.token);
            }
            if (there) {
                each.remove();
            }
        }
        return absent;
    }

    /** A window that is not there is ended: it goes when it is made anew. */
    void close(Window absent) {
        List<Window> windows = windows();
        for (Window window : windows) {
            if (window.is(absent.kind, absent.token)) {
                window.closed = true;
            }
        }
        write(windows);
    }

    private static boolean without(List<Window> windows, Window other) {
        boolean found = false;
        for (Iterator<Window> each = windows.iterator(); each.hasNext(); ) {
            if (each.next().is(other.kind, other.token)) {
                each.remove();
                found = true;
            }
        }
        return found;
    }

    private List<Window> windows() {
        List<Window> windows = new ArrayList<>();
        try {
            for (String line : file.lines()) {
                JSONArray all = new JSONArray(line);
                for (int i = 0; i < all.length(); i++) {
                    windows.add(new Window(all.getJSONObject(i)));
                }
            }
        } catch (IOException | JSONException e) { // a full disk has cut it
            Log.w(Teller.TAG, "what was open cannot be read: " + e.getMessage());
        }
        return windows;
    }

    private void write(List<Window> windows) {
        try {
            JSONArray all = new JSONArray();
            for (Window window : windows) {
                all.put(window.json());
            }
            file.replace(windows.isEmpty() ? "" : all.toString() + "\n");
        } catch (IOException | JSONException e) { // a full disk: that a process has died is not told then
            Log.w(Teller.TAG, "what is open cannot be written: " + e.getMessage());
        }
    }
}
