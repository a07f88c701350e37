package org.garabench.interruptions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import android.content.res.Resources;
import android.view.View;
import android.view.ViewGroup;
import android.view.accessibility.AccessibilityNodeInfo;

import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.shadows.ShadowLooper;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The windows of the library's specifications have the widgets recorded in windows.json, which the twin is
 * compared with, too. The current widgets are written beside the pictures, to replace the record after an intended change.
 */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = 34)
@GraphicsMode(GraphicsMode.Mode.NATIVE)
public class WindowsTest {
    private static final Charset UTF_8 = Charset.forName("UTF-8");
    private static final File FOLDER = new File(System.getProperty("pictures", "build/pictures"));
    private static final String SCREEN = "-w411dp-h914dp-420dpi";

    private static JSONArray kept() throws Exception {
        try (InputStream in = WindowsTest.class.getResourceAsStream("/windows.json")) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] piece = new byte[8192];
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                all.write(piece, 0, n);
            }
            return new JSONObject(new String(all.toByteArray(), UTF_8)).getJSONArray("windows");
        }
    }

    /** Class, id, text, content description and clickability of each view that has more than a class. */
    private static void add(View view, JSONArray to) throws Exception {
        if (view.getVisibility() != View.VISIBLE || view.getWidth() == 0 || view.getHeight() == 0) {
            return;
        }
        AccessibilityNodeInfo node = view.createAccessibilityNodeInfo();
        String id = "";
        if (view.getId() != View.NO_ID) {
            try {
                id = view.getResources().getResourceEntryName(view.getId());
            } catch (Resources.NotFoundException made) {
                id = "?"; // by the code: a dump shows none, and the app makes none
            }
        }
        String text = said(node.getText());
        String description = said(node.getContentDescription());
        if (!id.isEmpty() || !text.isEmpty() || !description.isEmpty() || node.isClickable()) {
            to.put(new JSONArray()
                    .put(node.getClassName().toString()).put(id).put(text).put(description).put(node.isClickable()));
        }
        if (view instanceof ViewGroup) {
            for (int i = 0; i < ((ViewGroup) view).getChildCount(); i++) {
                add(((ViewGroup) view).getChildAt(i), to);
            }
        }
    }

    private static String said(CharSequence text) {
        return text == null ? "" : text.toString();
    }

    private static JSONArray widgets(Show show) throws Exception {
        JSONArray found = new JSONArray();
        add(show.findViewById(R.id.dialog_root), found); // the ground below it is no part of the window
        return found;
    }

    private static JSONObject shown(JSONObject window) throws Exception {
        String name = window.getString("name");
        RuntimeEnvironment.setQualifiers(window.getString("language") + SCREEN);
        ActivityController<Show> controller =
                Robolectric.buildActivity(Show.class, ShowTest.intent(window.getString("spec"), name)).setup();
        ShadowLooper.idleMainLooper();
        JSONObject now = new JSONObject()
                .put("name", name)
                .put("language", window.getString("language"))
                .put("spec", window.getJSONObject("spec"))
                .put("widgets", widgets(controller.get()));
        JSONObject close = window.getJSONObject("spec").optJSONObject("close");
        if (close != null && close.getInt("after") > 0) {
            ShadowLooper.idleMainLooper(close.getInt("after"), TimeUnit.SECONDS);
            controller.get().getWindow().getDecorView().requestLayout();
            ShadowLooper.idleMainLooper();
            now.put("later", widgets(controller.get()));
        }
        controller.pause().stop().destroy();
        return now;
    }

    /** One widget per line, so that a change to one widget changes one line. */
    private static String written(JSONArray windows) throws Exception {
        StringBuilder all = new StringBuilder("{\"windows\": [\n");
        for (int i = 0; i < windows.length(); i++) {
            JSONObject window = windows.getJSONObject(i);
            all.append("{\"name\": ").append(JSONObject.quote(window.getString("name")))
                    .append(", \"language\": ").append(JSONObject.quote(window.getString("language")))
                    .append(",\n \"spec\": ").append(window.getJSONObject("spec"));
            for (String part : Arrays.asList("widgets", "later")) {
                if (window.has(part)) {
                    JSONArray widgets = window.getJSONArray(part);
                    all.append(",\n \"").append(part).append("\": [\n");
                    for (int j = 0; j < widgets.length(); j++) {
                        all.append("  ").append(widgets.getJSONArray(j)).append(j + 1 < widgets.length() ? ",\n" : "]");
                    }
                }
            }
            all.append(i + 1 < windows.length() ? "},\n" : "}\n");
        }
        return all.append("]}\n").toString().replace("\\/", "/");
    }

    private static void write(JSONArray windows) throws Exception {
        assertTrue(FOLDER.isDirectory() || FOLDER.mkdirs());
        try (FileOutputStream out = new FileOutputStream(new File(FOLDER, "windows.json"))) {
            out.write(written(windows).getBytes(UTF_8));
        }
    }

    @Test
    public void everyWidgetOfTheLibrarysWindowsIsTheKeptOne() throws Exception {
        JSONArray kept = kept();
        assertTrue(kept.length() > 60);
        JSONArray now = new JSONArray();
        for (int i = 0; i < kept.length(); i++) {
            now.put(shown(kept.getJSONObject(i)));
        }
        write(now);
        for (int i = 0; i < kept.length(); i++) {
            JSONArray before = new JSONArray().put(kept.getJSONObject(i));
            JSONArray after = new JSONArray().put(now.getJSONObject(i));
            assertEquals("pictures/windows.json has another window", written(before), written(after));
        }
    }
}
