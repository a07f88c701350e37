package org.garabench.interruptions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.app.ActivityManager;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.os.Bundle;

import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.After;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.LooperMode;
import org.robolectric.shadows.ShadowAppTask;
import org.robolectric.shadows.ShadowLog;
import org.robolectric.shadows.ShadowLooper;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Scanner;

/** The life cycle of a window and its events, by the file that the twin on the virtual phone is tested with, too. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {19, 34}, qualifiers = "zh-w360dp-h640dp-xhdpi")
@LooperMode(LooperMode.Mode.PAUSED)
public class LivesTest {
    private Class<? extends Activity> kind;
    private Intent asked;
    /** The activity while its process lives; otherwise its saved state, null before it is saved. */
    private ActivityController<? extends Activity> window;
    private Bundle saved;
    private boolean behind;

    private static JSONArray lives() throws Exception {
        try (InputStream in = LivesTest.class.getResourceAsStream("/lives.json")) {
            return new JSONArray(new Scanner(in, "UTF-8").useDelimiter("\\A").next());
        }
    }

    private static Context context() {
        return RuntimeEnvironment.getApplication();
    }

    /** An ordered broadcast, as {@code am broadcast} sends it; returns the result's data. */
    private static String ask(String action) {
        String[] data = new String[1];
        context().sendOrderedBroadcast(new Intent(action).setClass(context(), Commands.class), null,
                new BroadcastReceiver() {
                    @Override
                    public void onReceive(Context context, Intent intent) {
                        data[0] = getResultData();
                    }
                }, null, Activity.RESULT_OK, null, null);
        ShadowLooper.idleMainLooper();
        return data[0];
    }

    private static String state() throws Exception {
        List<String> all = new ArrayList<>();
        JSONArray states = new JSONArray(ask(Commands.STATE));
        for (int i = 0; i < states.length(); i++) {
            JSONObject each = states.getJSONObject(i);
            assertTrue(each.getBoolean("open"));
            all.add(each.getString("kind") + " " + each.getString("token") + " " + each.getString("template"));
        }
        return String.join(", ", all);
    }

    private void start(Class<? extends Activity> cls, Intent intent) {
        kind = cls;
        if (window != null) {
            window.newIntent(intent);
        } else if (saved != null) { // Android hands the new intent over between the making and the coming to front
            window = Robolectric.buildActivity(kind, asked).create(saved).start();
            window.newIntent(intent).resume().visible();
        } else {
            window = Robolectric.buildActivity(kind, intent).setup();
        }
        asked = intent;
        behind = false;
        ShadowLooper.idleMainLooper();
    }

    /** What Android does some time after an activity has finished. */
    private void dropFinished() {
        if (window != null && window.get().isFinishing()) {
            (behind ? window : window.pause().stop()).destroy();
            window = null;
            saved = null;
        }
    }

    /** End the process and start the next one. */
    private void die() {
        for (Living.Closable each : Living.all()) {
            Living.remove(each);
        }
        window = null;
        Open.recover(context());
    }

    private void comeBack(String token) {
        if (window == null && saved != null) {
            window = Robolectric.buildActivity(kind, asked).create(saved).start().resume().visible();
        } else if (window != null && behind) {
            window.restart().start().resume();
        }
        ShadowLooper.idleMainLooper();
        boolean shown = window != null && !window.get().isFinishing();
        assertEquals(token, shown ? asked.getStringExtra("token") : "");
    }

    private void step(String name, JSONArray step) throws Exception {
        String word = step.optString(1);
        switch (step.getString(0)) {
            case "show":
                start(Show.class, ShowTest.intent(ShowTest.spec("dialog", "battery", false), word));
                break;
            case "progress":
                start(Progress.class, new Intent().putExtra("seconds", 60).putExtra("token", word));
                break;
            case "home":
                saved = new Bundle();
                window.pause().stop().saveInstanceState(saved);
                behind = true;
                break;
            case "die":
                die();
                break;
            case "stop":
                saved = null;
                die();
                break;
            case "close":
                assertEquals(name, word, ask(Commands.CLOSE));
                dropFinished();
                break;
            case "state":
                assertEquals(name, word, state());
                break;
            case "return":
                comeBack(word);
                break;
            default:
                throw new AssertionError(step.toString());
        }
    }

    private static JSONObject told() throws Exception {
        JSONObject all = new JSONObject();
        for (ShadowLog.LogItem item : ShadowLog.getLogsForTag(Teller.TAG)) {
            JSONObject line = new JSONObject(item.msg);
            JSONArray events = all.optJSONArray(line.getString("token"));
            if (events == null) {
                events = new JSONArray();
                all.put(line.getString("token"), events);
            }
            events.put(line.getString("event"));
            assertEquals(events.length(), line.getInt("seq"));
        }
        return all;
    }

    @After
    public void leave() {
        for (Living.Closable each : Living.all()) {
            Living.remove(each);
        }
    }

    @Test
    public void whatBefallsAWindowIsToldAsOfTheTwin() throws Exception {
        JSONArray lives = lives();
        for (int i = 0; i < lives.length(); i++) {
            JSONObject life = lives.getJSONObject(i);
            String name = life.getString("name");
            for (int at = 0; at < life.getJSONArray("steps").length(); at++) {
                step(name + ", step " + at, life.getJSONArray("steps").getJSONArray(at));
            }
            JSONObject wanted = life.getJSONObject("told");
            JSONObject got = told();
            assertEquals(name, wanted.length(), got.length());
            for (Iterator<String> tokens = wanted.keys(); tokens.hasNext(); ) {
                String token = tokens.next();
                assertEquals(name, wanted.get(token).toString(), got.get(token).toString());
            }
            leave();
            window = null;
            saved = null;
            ShadowLog.clear();
            Teller.journal(context()).replace("");
            new Journal(new java.io.File(context().getFilesDir(), "open.json")).replace("");
        }
    }

    @Test
    public void aWindowWhoseObjectAloneIsGoneIsClosedToo() throws Exception {
        start(Show.class, ShowTest.intent(ShowTest.spec("dialog", "battery", false), "t1"));
        saved = new Bundle();
        window.pause().stop().saveInstanceState(saved).destroy(); // short of memory; the process lives
        window = null;
        assertEquals("show t1 dialog", state());
        assertEquals("closed", ask(Commands.CLOSE));
        comeBack("");
        assertEquals("[\"shown\",\"hidden\",\"dismissed:close\"]", told().getJSONArray("t1").toString());
    }

    @Test
    @Config(sdk = 34)
    public void aNewAndroidDropsItsTask() throws Exception {
        ActivityManager.AppTask task = ShadowAppTask.newInstance();
        ActivityManager manager = (ActivityManager) context().getSystemService(Context.ACTIVITY_SERVICE);
        shadowOf(manager).setAppTasks(Collections.singletonList(task));
        start(Show.class, ShowTest.intent(ShowTest.spec("dialog", "battery", false), "t1"));
        saved = new Bundle();
        window.pause().stop().saveInstanceState(saved);
        die();
        assertEquals("closed", ask(Commands.CLOSE));
        assertTrue(shadowOf(task).isFinishedAndRemoved());
    }

    @Test
    public void aFileOfOpenWindowsThatWasCutIsNoReasonToFail() throws Exception {
        new Journal(new java.io.File(context().getFilesDir(), "open.json")).replace("[{\"kind\":\"show\"}]\n[\n");
        assertEquals("", state());
        assertEquals("nothing is shown", ask(Commands.CLOSE));
        Open.recover(context());
    }
}
