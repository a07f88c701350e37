package org.garabench.interruptions;

import static org.junit.Assert.assertEquals;

import org.json.JSONException;
import org.json.JSONObject;
import org.junit.Test;

public class LineTest {
    @Test
    public void anEventIsOneLineOfJson() {
        assertEquals("{\"token\":\"t\",\"seq\":3,\"event\":\"pressed:accept\"}", Line.of("t", 3, "pressed:accept"));
    }

    @Test
    public void whateverTheTokenHoldsStaysData() throws JSONException {
        String token = "a\"},{\"\n\u0000\u2028\\";
        String line = Line.of(token, 1, "shown");
        assertEquals(-1, line.indexOf('\n'));
        assertEquals(token, new JSONObject(line).getString("token"));
    }

    @Test
    public void aTokenIsCutToItsLongestLength() {
        StringBuilder token = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            token.append('x');
        }
        assertEquals(Line.MAX_TOKEN, Line.token(token.toString()).length());
        assertEquals("", Line.token(null));
        assertEquals("", Line.token(5));
    }
}
