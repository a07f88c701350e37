package org.garabench.interruptions;

import android.content.Context;
import android.util.Log;

import org.json.JSONArray;
import org.json.JSONException;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The tokens of the windows that are open, in a file: those that a process finds there when it starts belong to one
 * that has died, which it then tells as {@code killed}, whatever has started it.
 */
final class Open {
    static final String KILLED = "killed";
    private static final int MOST = 20;
    private static final String FILE = "open.json";

    private final Journal file;

    Open(Context context) {
        file = new Journal(new File(context.getFilesDir(), FILE));
    }

    /** Tells of what a process that has died left open; called once, when a process starts. */
    static void recover(Context context) {
        Open open = new Open(context);
        List<String> tokens = open.tokens();
        open.write(new ArrayList<String>());
        for (String token : tokens) {
            new Teller(context, token).tell(KILLED);
        }
    }

    /** A window was opened. */
    void add(String token) {
        List<String> tokens = tokens();
        if (!tokens.contains(token)) {
            tokens.add(token);
            write(tokens.subList(Math.max(0, tokens.size() - MOST), tokens.size()));
        }
    }

    /** It has told its last word. */
    void remove(String token) {
        List<String> tokens = tokens();
        if (tokens.remove(token)) {
            write(tokens);
        }
    }

    private List<String> tokens() {
        List<String> tokens = new ArrayList<>();
        try {
            for (String line : file.lines()) {
                JSONArray all = new JSONArray(line);
                for (int i = 0; i < all.length(); i++) {
                    tokens.add(all.getString(i));
                }
            }
        } catch (IOException | JSONException e) { // a full disk has cut it
            Log.w(Teller.TAG, "what was open cannot be read: " + e.getMessage());
        }
        return tokens;
    }

    private void write(List<String> tokens) {
        try {
            file.replace(tokens.isEmpty() ? "" : new JSONArray(tokens).toString() + "\n");
        } catch (IOException e) { // a full disk: that a process has died is not told then
            Log.w(Teller.TAG, "what is open cannot be written: " + e.getMessage());
        }
    }
}
