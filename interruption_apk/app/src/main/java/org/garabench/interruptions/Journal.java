package org.garabench.interruptions;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of lines that stores the events, so that none is lost when logcat drops them or the process dies.
 *
 * <p>When the file exceeds its limit, the older half of its lines is dropped.
 */
final class Journal {
    /** Size in bytes, small enough to search the file before a window's first frame. */
    static final int LIMIT = 64 * 1024;
    private static final Charset UTF_8 = Charset.forName("UTF-8");
    /** One character per byte: the search needs no decoding. */
    private static final Charset BYTES = Charset.forName("ISO-8859-1");

    private final File file;

    Journal(File file) {
        this.file = file;
    }

    /** Appends a line; it survives the process as soon as this returns. */
    synchronized void append(String line) throws IOException {
        if (file.length() > LIMIT) {
            trim();
        }
        write((line + "\n").getBytes(UTF_8), true);
    }

    /** All complete lines, oldest first. */
    synchronized List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        String text = new String(read(), UTF_8);
        int start = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
            lines.add(text.substring(start, end));
            start = end + 1;
        }
        return lines;
    }

    /** The last sequence number of a token, so that numbering continues in a new process; 0 if there is none. */
    synchronized int lastSeq(String token) throws IOException {
        String text = new String(read(), BYTES);
        String start = new String(WireFormat.eventPrefix(token).getBytes(UTF_8), BYTES);
        for (int at = text.lastIndexOf(start); at >= 0; at = text.lastIndexOf(start, at - 1)) {
            int number = at + start.length();
            int comma = text.indexOf(',', number);
            boolean complete = comma > 0 && text.indexOf('\n', number) > comma;
            if (complete && (at == 0 || text.charAt(at - 1) == '\n')) {
                return number(text.substring(number, comma));
            }
        }
        return 0;
    }

    private static int number(String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) { // the line was truncated by a full disk
            return 0;
        }
    }

    private void trim() throws IOException {
        List<String> lines = lines();
        StringBuilder newer = new StringBuilder();
        for (String line : lines.subList(lines.size() / 2, lines.size())) {
            newer.append(line).append('\n');
        }
        replace(newer.toString());
    }

    /** Replaces the whole content of the file. */
    synchronized void replace(String text) throws IOException {
        write(text.getBytes(UTF_8), false);
    }

    private void write(byte[] bytes, boolean append) throws IOException {
        try (FileOutputStream out = new FileOutputStream(file, append)) {
            out.write(bytes);
        }
    }

    private byte[] read() throws IOException {
        if (!file.exists()) {
            return new byte[0];
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream((int) file.length());
        byte[] piece = new byte[8192];
        try (InputStream in = new FileInputStream(file)) {
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                all.write(piece, 0, n);
            }
        }
        return all.toByteArray();
    }
}
