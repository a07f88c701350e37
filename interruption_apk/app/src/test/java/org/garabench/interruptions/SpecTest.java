package org.garabench.interruptions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import android.util.Base64;

import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;
import org.junit.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.Arrays;

/** Parses the specifications of the twin's test: both must give the same result for each. */
public class SpecTest {
    private static final Charset UTF_8 = Charset.forName("UTF-8");

    private static JSONObject vectors() throws IOException, JSONException {
        return vectors("/window_specs.json");
    }

    private static JSONObject vectors(String file) throws IOException, JSONException {
        try (InputStream in = SpecTest.class.getResourceAsStream(file)) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] piece = new byte[8192];
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                all.write(piece, 0, n);
            }
            return new JSONObject(new String(all.toByteArray(), UTF_8));
        }
    }

    private static String encode(String json) {
        return Base64.encodeToString(json.getBytes(UTF_8), Base64.NO_WRAP);
    }

    private static String reason(Object encoded) {
        try {
            Spec.parse(encoded);
            return "";
        } catch (SpecException e) {
            return e.getMessage();
        }
    }

    private static String toJson(Object value) {
        return value instanceof String ? JSONObject.quote((String) value) : String.valueOf(value);
    }

    @Test
    public void everySpecificationHasTheResultOfTheTwin() throws Exception {
        JSONArray specs = vectors().getJSONArray("specs");
        assertTrue(specs.length() > 60);
        for (int i = 0; i < specs.length(); i++) {
            JSONObject vector = specs.getJSONObject(i);
            String actual = reason(encode(toJson(vector.opt("spec"))));
            assertEquals(vector.getString("name"), vector.getString("reason"), actual);
        }
    }

    @Test
    public void invalidEncodings() throws Exception {
        JSONArray encoded = vectors().getJSONArray("encoded");
        for (int i = 0; i < encoded.length(); i++) {
            JSONObject vector = encoded.getJSONObject(i);
            String actual = reason(vector.getString("encoded"));
            assertEquals(vector.getString("name"), vector.getString("reason"), actual);
        }
        assertEquals("missing-spec", reason(null));
        assertEquals("missing-spec", reason(12));
        char[] many = new char[Spec.MAX_ENCODED + 4];
        Arrays.fill(many, 'A');
        assertEquals("spec-too-long", reason(new String(many)));
    }

    @Test
    public void everyHeadsUpSpecificationHasTheResultOfTheTwin() throws Exception {
        JSONArray specs = vectors("/heads_up_specs.json").getJSONArray("specs");
        assertTrue(specs.length() > 30);
        for (int i = 0; i < specs.length(); i++) {
            JSONObject vector = specs.getJSONObject(i);
            String actual = "";
            try {
                HeadsUpSpec headsUp = HeadsUpSpec.parse(encode(toJson(vector.opt("spec"))));
                assertEquals(vector.getJSONObject("spec").getString("title"), headsUp.title);
            } catch (SpecException e) {
                actual = e.getMessage();
            }
            assertEquals(vector.getString("name"), vector.getString("reason"), actual);
        }
    }

    @Test
    public void deepNestingDoesNotCrash() {
        char[] deep = new char[40000];
        Arrays.fill(deep, '[');
        assertEquals("bad-json", reason(encode(new String(deep))));
    }

    @Test
    public void aSpecificationIsParsed() throws Exception {
        JSONObject first = vectors().getJSONArray("specs").getJSONObject(0).getJSONObject("spec");
        Spec spec = Spec.parse(encode(first.toString()));
        assertEquals(Spec.Template.DIALOG, spec.template);
        assertEquals(Spec.Style.BATTERY, spec.style);
        assertEquals("电量不足", spec.title);
        assertEquals("accept", spec.buttons.get(0).key);
        assertNull(spec.progress);
        try {
            spec.buttons.clear();
            fail("the buttons can be changed");
        } catch (UnsupportedOperationException expected) {
            assertEquals(1, spec.buttons.size());
        }
    }

    @Test
    public void rightToLeftTexts() {
        assertTrue(WindowLayout.isRightToLeft("البطارية منخفضة 10%"));
        assertTrue(!WindowLayout.isRightToLeft("10% battery"));
        assertTrue(!WindowLayout.isRightToLeft("电量不足"));
    }
}
