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
 * Provides the stored events, oldest first, one per row in the column {@code event}, for when logcat has dropped them.
 *
 * <p>{@code content query --uri content://org.garabench.interruptions.events/<token>} returns the events of a token,
 * and without a token every stored event.
 */
public final class Events extends ContentProvider {
    @Override
    public boolean onCreate() {
        OpenWindows.recover(getContext()); // a process creates its providers before anything else
        return true;
    }

    @Override
    public Cursor query(Uri uri, String[] columns, String selection, String[] args, String order) {
        MatrixCursor rows = new MatrixCursor(new String[] {"event"});
        String token = uri.getLastPathSegment();
        String prefix = token == null ? "{" : WireFormat.eventPrefix(token);
        for (String line : lines()) {
            if (line.startsWith(prefix)) {
                rows.addRow(new Object[] {line});
            }
        }
        return rows;
    }

    private List<String> lines() {
        try {
            return EventLogger.journal(getContext()).lines();
        } catch (IOException e) {
            Log.w(EventLogger.TAG, "cannot read the journal: " + e.getMessage());
            return Collections.emptyList();
        }
    }

    @Override
    public String getType(Uri uri) {
        return "vnd.android.cursor.dir/vnd.org.garabench.interruptions.event";
    }

    @Override
    public Uri insert(Uri uri, ContentValues values) {
        throw new UnsupportedOperationException("events are written only by the app");
    }

    @Override
    public int delete(Uri uri, String selection, String[] args) {
        throw new UnsupportedOperationException("events are written only by the app");
    }

    @Override
    public int update(Uri uri, ContentValues values, String selection, String[] args) {
        throw new UnsupportedOperationException("events are written only by the app");
    }
}
