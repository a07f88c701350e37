package org.garabench.interruptions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

public class JournalTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Journal journal() {
        return new Journal(new File(folder.getRoot(), "events.jsonl"));
    }

    @Test
    public void linesAreStoredInOrder() throws IOException {
        journal().append(WireFormat.eventLine("a", 1, "shown"));
        journal().append(WireFormat.eventLine("b", 1, "pressed:去"));
        List<String> lines = journal().lines();
        assertEquals(Arrays.asList(WireFormat.eventLine("a", 1, "shown"), WireFormat.eventLine("b", 1, "pressed:去")), lines);
    }

    @Test
    public void anEmptyJournal() throws IOException {
        assertEquals(Collections.<String>emptyList(), journal().lines());
        assertEquals(0, journal().lastSeq("a"));
    }

    @Test
    public void numberingContinuesAfterTheProcessDied() throws IOException {
        journal().append(WireFormat.eventLine("a", 1, "shown"));
        journal().append(WireFormat.eventLine("ab", 7, "shown"));
        journal().append(WireFormat.eventLine("a", 2, "hidden"));
        assertEquals(2, journal().lastSeq("a"));
        journal().append(WireFormat.eventLine("\u53bb \"b\"", 12, "error:{\"token\":\"a\",\"seq\":9,"));
        assertEquals(2, journal().lastSeq("a"));
        assertEquals(7, journal().lastSeq("ab"));
        assertEquals(12, journal().lastSeq("\u53bb \"b\""));
        assertEquals(0, journal().lastSeq("b"));
    }

    @Test
    public void aTruncatedLineIsIgnored() throws IOException {
        journal().append(WireFormat.eventLine("a", 1, "shown"));
        try (FileOutputStream out = new FileOutputStream(new File(folder.getRoot(), "events.jsonl"), true)) {
            out.write("{\"token\":\"a\",\"seq\":2,\"ev".getBytes(Charset.forName("UTF-8")));
        }
        assertEquals(1, journal().lines().size());
        assertEquals(1, journal().lastSeq("a"));
    }

    @Test
    public void itStaysWithinItsLimitAndDropsTheOldestLines() throws IOException {
        for (int i = 1; i <= 9000; i++) {
            journal().append(WireFormat.eventLine("token", i, "hidden"));
        }
        File file = new File(folder.getRoot(), "events.jsonl");
        assertTrue(file.length() <= Journal.LIMIT + 100);
        List<String> lines = journal().lines();
        assertEquals(WireFormat.eventLine("token", 9000, "hidden"), lines.get(lines.size() - 1));
        assertEquals(9000, journal().lastSeq("token"));
    }
}
