package org.garabench.interruptions;

import static org.junit.Assert.assertEquals;

import org.json.JSONException;
import org.json.JSONObject;
import org.junit.Test;

public class WireFormatTest {
    @Test
    public void anEventIsOneLineOfJson() {
        assertEquals("{\"token\":\"t\",\"seq\":3,\"event\":\"pressed:accept\"}", WireFormat.eventLine("t", 3, "pressed:accept"));
    }

    @Test
    public void specialCharactersInATokenAreEscaped() throws JSONException {
        String token = "a\"},{\"\n\u0000\u2028\\";
        String line = WireFormat.eventLine(token, 1, "shown");
        assertEquals(-1, line.indexOf('\n'));
        assertEquals(token, new JSONObject(line).getString("token"));
    }

    @Test
    public void aLongTokenIsTruncated() {
        StringBuilder token = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            token.append('x');
        }
        assertEquals(WireFormat.MAX_TOKEN, WireFormat.token(token.toString()).length());
        assertEquals("", WireFormat.token(null));
        assertEquals("", WireFormat.token(5));
    }
}
