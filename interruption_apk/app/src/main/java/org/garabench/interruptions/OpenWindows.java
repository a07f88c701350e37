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
 * The open windows, stored in a file. Windows that a new process finds there belonged to a process that died; the
 * new process reports them as {@code killed}, whatever started it.
 *
 * <p>Android can recreate a window from its saved state when the user returns to it, even if no activity of this app
 * exists meanwhile. Such a window stays in the file, so that a command can close it and report that.
 */
final class OpenWindows {
    static final String KILLED = "killed";
    private static final int MAX_WINDOWS = 20;
    private static final String FILE = "open.json";

    /** One window. */
    static final class Window {
        final String kind;
        final String token;
        final String template;
        /** Whether its state is saved, so that Android can recreate it. */
        private boolean saved;
        /** Whether its process died and that was reported. */
        private boolean killed;
        /** Whether it was closed while it had no activity: if Android recreates it, it must finish at once. */
        private boolean closed;

        Window(String kind, String token, String template) {
            this.kind = kind;
            this.token = token;
            this.template = template;
        }

        private Window(JSONObject json) throws JSONException {
            this(json.getString("kind"), json.getString("token"), json.getString("template"));
            saved = json.getBoolean("saved");
            killed = json.getBoolean("killed");
            closed = json.getBoolean("closed");
        }

        private JSONObject toJson() throws JSONException {
            return new JSONObject().put("kind", kind).put("token", token).put("template", template)
                    .put("saved", saved).put("killed", killed).put("closed", closed);
        }

        private boolean matches(String otherKind, String otherToken) {
            return kind.equals(otherKind) && token.equals(otherToken);
        }
    }

    private final Journal file;

    OpenWindows(Context context) {
        file = new Journal(new File(context.getFilesDir(), FILE));
    }

    /** Reports the windows that a dead process left open; called once, when a process starts. */
    static void recover(Context context) {
        OpenWindows openWindows = new OpenWindows(context);
        List<Window> restorable = new ArrayList<>();
        List<String> killedTokens = new ArrayList<>();
        for (Window window : openWindows.read()) {
            if (!window.killed && !window.closed) {
                window.killed = true;
                killedTokens.add(window.token);
            }
            if (window.saved) {
                restorable.add(window);
            }
        }
        openWindows.write(restorable);
        for (String token : killedTokens) {
            new EventLogger(context, token).write(KILLED);
        }
    }

    /** Adds a window that was opened or recreated. */
    void add(Window opened) {
        List<Window> windows = read();
        for (Window window : windows) {
            if (window.matches(opened.kind, opened.token) && !window.killed && !window.closed) {
                return;
            }
        }
        removeFrom(windows, opened);
        windows.add(opened);
        write(windows.subList(Math.max(0, windows.size() - MAX_WINDOWS), windows.size()));
    }

    /** Removes a window that has reported its final event. */
    void remove(Window ended) {
        List<Window> windows = read();
        if (removeFrom(windows, ended)) {
            write(windows);
        }
    }

    /** Records whether a window's state is saved; when the window is in front, a saved state is obsolete. */
    void setSaved(String kind, String token, boolean saved) {
        List<Window> windows = read();
        for (Window window : windows) {
            if (window.matches(kind, token) && window.saved != saved) {
                window.saved = saved;
                write(windows);
                return;
            }
        }
    }

    /**
     * Starts a window of a kind. Android has at most one of each kind, so records of earlier windows without an
     * activity are removed.
     *
     * @return whether a window of this token was closed while it had no activity
     */
    boolean start(String kind, String token) {
        List<Window> windows = read();
        boolean closed = false;
        boolean changed = false;
        for (Iterator<Window> iterator = windows.iterator(); iterator.hasNext(); ) {
            Window window = iterator.next();
            if (window.kind.equals(kind) && (window.killed || window.closed)) {
                closed |= window.closed && window.token.equals(token);
                iterator.remove();
                changed = true;
            }
        }
        if (changed) {
            write(windows);
        }
        return closed;
    }

    /** The windows that have no activity now but that Android would recreate. */
    List<Window> absent(List<LiveActivities.CloseableActivity> live) {
        List<Window> absent = read();
        for (Iterator<Window> iterator = absent.iterator(); iterator.hasNext(); ) {
            Window window = iterator.next();
            boolean excluded = window.closed || !window.saved;
            for (LiveActivities.CloseableActivity activity : live) {
                excluded |= activity.matches(window.kind, window.token);
            }
            if (excluded) {
                iterator.remove();
            }
        }
        return absent;
    }

    /** Marks a window without an activity as closed: it finishes when it is recreated. */
    void close(Window absent) {
        List<Window> windows = read();
        for (Window window : windows) {
            if (window.matches(absent.kind, absent.token)) {
                window.closed = true;
            }
        }
        write(windows);
    }

    private static boolean removeFrom(List<Window> windows, Window other) {
        boolean found = false;
        for (Iterator<Window> iterator = windows.iterator(); iterator.hasNext(); ) {
            if (iterator.next().matches(other.kind, other.token)) {
                iterator.remove();
                found = true;
            }
        }
        return found;
    }

    private List<Window> read() {
        List<Window> windows = new ArrayList<>();
        try {
            for (String line : file.lines()) {
                JSONArray array = new JSONArray(line);
                for (int i = 0; i < array.length(); i++) {
                    windows.add(new Window(array.getJSONObject(i)));
                }
            }
        } catch (IOException | JSONException e) { // the file was truncated by a full disk
            Log.w(EventLogger.TAG, "cannot read the open windows: " + e.getMessage());
        }
        return windows;
    }

    private void write(List<Window> windows) {
        try {
            JSONArray array = new JSONArray();
            for (Window window : windows) {
                array.put(window.toJson());
            }
            file.replace(windows.isEmpty() ? "" : array.toString() + "\n");
        } catch (IOException | JSONException e) { // the disk is full: the death of this process will not be reported
            Log.w(EventLogger.TAG, "cannot write the open windows: " + e.getMessage());
        }
    }
}
