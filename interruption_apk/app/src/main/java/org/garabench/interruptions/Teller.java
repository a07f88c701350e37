package org.garabench.interruptions;

import android.content.Context;
import android.util.Log;

import java.io.File;
import java.io.IOException;

/** Tells the events of one token to logcat and to the journal, numbered from 1 without a gap. */
final class Teller implements Life.Listener {
    static final String TAG = "GaraBench";
    private static final String FILE = "events.jsonl";

    private final Journal journal;
    private final Open open;
    private final Open.Window window;
    private final String token;
    private int seq;

    /** Tells of what outlives this process, or was never open. */
    Teller(Context context, String token) {
        this(context, token, null);
    }

    private Teller(Context context, String token, Open.Window window) {
        this.journal = journal(context);
        this.open = window == null ? null : new Open(context);
        this.window = window;
        this.token = token;
        int last = 0;
        try {
            last = journal.lastSeq(token);
        } catch (IOException e) {
            Log.w(TAG, "the journal cannot be read: " + e.getMessage());
        }
        this.seq = last;
    }

    /** Tells of a window, whose object is gone when this process dies. */
    static Teller ofWindow(Context context, Open.Window window) {
        return new Teller(context, window.token, window);
    }

    /** The journal of this app. */
    static Journal journal(Context context) {
        return new Journal(new File(context.getFilesDir(), FILE));
    }

    @Override
    public void tell(String event) {
        if (open != null) {
            if (isLastWord(event)) {
                open.remove(window);
            } else {
                open.add(window);
            }
        }
        seq++;
        String line = Line.of(token, seq, event);
        Log.i(TAG, line);
        try {
            journal.append(line);
        } catch (IOException e) { // a full disk: the log has it still
            Log.w(TAG, "the journal cannot be written: " + e.getMessage());
        }
    }

    private static boolean isLastWord(String event) {
        return event.startsWith("pressed:") || event.startsWith("dismissed") || event.startsWith("error:")
                || event.equals("progress_done");
    }
}
