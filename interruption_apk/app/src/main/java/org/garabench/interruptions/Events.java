package org.garabench.interruptions;

import android.content.ContentProvider;
import android.content.ContentValues;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.net.Uri;
import android.util.Log;

import java.io.IOException;
import java.util.Collections;
import java.util.List;

/**
 * The events that were told, oldest first, one a row in the column {@code event}: for when logcat was trimmed.
 *
 * <p>{@code content query --uri content://org.garabench.interruptions.events/<token>} gives those of a token,
 * without one it gives all that are kept.
 */
public final class Events extends ContentProvider {
    @Override
    public boolean onCreate() {
        Open.recover(getContext()); // a process makes its providers before anything else
        return true;
    }

    @Override
    public Cursor query(Uri uri, String[] columns, String selection, String[] args, String order) {
        MatrixCursor rows = new MatrixCursor(new String[] {"event"});
        String token = uri.getLastPathSegment();
        String start = token == null ? "{" : Line.start(token);
        for (String line : lines()) {
            if (line.startsWith(start)) {
                rows.addRow(new Object[] {line});
            }
        }
        return rows;
    }

    private List<String> lines() {
        try {
            return Teller.journal(getContext()).lines();
        } catch (IOException e) {
            Log.w(Teller.TAG, "the journal cannot be read: " + e.getMessage());
            return Collections.emptyList();
        }
    }

    @Override
    public String getType(Uri uri) {
        return "vnd.android.cursor.dir/vnd.org.garabench.interruptions.event";
    }

    @Override
    public Uri insert(Uri uri, ContentValues values) {
        throw new UnsupportedOperationException("events are told by the app alone");
    }

    @Override
    public int delete(Uri uri, String selection, String[] args) {
        throw new UnsupportedOperationException("events are told by the app alone");
    }

    @Override
    public int update(Uri uri, ContentValues values, String selection, String[] args) {
        throw new UnsupportedOperationException("events are told by the app alone");
    }
}
