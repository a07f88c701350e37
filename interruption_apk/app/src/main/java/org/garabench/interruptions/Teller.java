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
    private final String token;
    private int seq;

    Teller(Context context, String token) {
        this.journal = journal(context);
        this.token = token;
        int last = 0;
        try {
            last = journal.lastSeq(token);
        } catch (IOException e) {
            Log.w(TAG, "the journal cannot be read: " + e.getMessage());
        }
        this.seq = last;
    }

    /** The journal of this app. */
    static Journal journal(Context context) {
        return new Journal(new File(context.getFilesDir(), FILE));
    }

    @Override
    public void tell(String event) {
        seq++;
        String line = Line.of(token, seq, event);
        Log.i(TAG, line);
        try {
            journal.append(line);
        } catch (IOException e) { // a full disk: the log has it still
            Log.w(TAG, "the journal cannot be written: " + e.getMessage());
        }
    }
}
