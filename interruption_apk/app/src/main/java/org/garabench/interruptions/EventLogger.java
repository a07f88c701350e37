package org.garabench.interruptions;

import android.content.Context;
import android.util.Log;

import java.io.File;
import java.io.IOException;

/** Writes the events of one token to logcat and to the journal, numbered from 1 without a gap. */
final class EventLogger implements WindowLifecycle.EventSink {
    static final String TAG = "GaraBench";
    private static final String FILE = "events.jsonl";

    private final Journal journal;
    private final OpenWindows openWindows;
    private final OpenWindows.Window window;
    private final String token;
    private int seq;

    /** Creates a logger of events that belong to no open window. */
    EventLogger(Context context, String token) {
        this(context, token, null);
    }

    private EventLogger(Context context, String token, OpenWindows.Window window) {
        this.journal = journal(context);
        this.openWindows = window == null ? null : new OpenWindows(context);
        this.window = window;
        this.token = token;
        int lastSeq = 0;
        try {
            lastSeq = journal.lastSeq(token);
        } catch (IOException e) {
            Log.w(TAG, "cannot read the journal: " + e.getMessage());
        }
        this.seq = lastSeq;
    }

    /** Creates a logger of a window's events, which also records whether the window is open. */
    static EventLogger forWindow(Context context, OpenWindows.Window window) {
        return new EventLogger(context, window.token, window);
    }

    /** The journal of this app. */
    static Journal journal(Context context) {
        return new Journal(new File(context.getFilesDir(), FILE));
    }

    @Override
    public void write(String event) {
        if (openWindows != null) {
            if (isFinal(event)) {
                openWindows.remove(window);
            } else {
                openWindows.add(window);
            }
        }
        seq++;
        String line = WireFormat.eventLine(token, seq, event);
        Log.i(TAG, line);
        try {
            journal.append(line);
        } catch (IOException e) { // the disk is full: logcat still has the event
            Log.w(TAG, "cannot write the journal: " + e.getMessage());
        }
    }

    private static boolean isFinal(String event) {
        return event.startsWith("pressed:") || event.startsWith("dismissed") || event.startsWith("error:")
                || event.equals("progress_done");
    }
}
