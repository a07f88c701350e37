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
 * The events in a file, so that none is lost when logcat is trimmed or the process dies.
 *
 * <p>When the file has grown past its limit, its older half is dropped at a line's end.
 */
final class Journal {
    static final int LIMIT = 256 * 1024;
    private static final Charset UTF_8 = Charset.forName("UTF-8");

    private final File file;

    Journal(File file) {
        this.file = file;
    }

    /** Appends a line; the system has it when this returns, so that it outlives this process. */
    synchronized void append(String line) throws IOException {
        if (file.length() > LIMIT) {
            trim();
        }
        write((line + "\n").getBytes(UTF_8), true);
    }

    /** All whole lines, oldest first. */
    synchronized List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        String text = read();
        int start = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
            lines.add(text.substring(start, end));
            start = end + 1;
        }
        return lines;
    }

    /** The highest number told under a token, so that a process that died goes on counting. */
    synchronized int lastSeq(String token) throws IOException {
        int last = 0;
        String prefix = Line.start(token);
        for (String line : lines()) {
            if (line.startsWith(prefix)) {
                int end = line.indexOf(',', prefix.length());
                if (end > 0) {
                    last = Math.max(last, number(line.substring(prefix.length(), end)));
                }
            }
        }
        return last;
    }

    private static int number(String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) { // a line that a full disk has cut
            return 0;
        }
    }

    private void trim() throws IOException {
        List<String> lines = lines();
        StringBuilder kept = new StringBuilder();
        for (String line : lines.subList(lines.size() / 2, lines.size())) {
            kept.append(line).append('\n');
        }
        replace(kept.toString());
    }

    /** Has the file hold this alone. */
    synchronized void replace(String text) throws IOException {
        write(text.getBytes(UTF_8), false);
    }

    private void write(byte[] bytes, boolean append) throws IOException {
        try (FileOutputStream out = new FileOutputStream(file, append)) {
            out.write(bytes);
        }
    }

    private String read() throws IOException {
        if (!file.exists()) {
            return "";
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] piece = new byte[8192];
        try (InputStream in = new FileInputStream(file)) {
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                all.write(piece, 0, n);
            }
        }
        return new String(all.toByteArray(), UTF_8);
    }
}
