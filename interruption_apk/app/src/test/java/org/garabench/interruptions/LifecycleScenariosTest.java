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

/** A window's life cycle and events in the scenarios that the twin on the virtual phone is tested with, too. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {19, 34}, qualifiers = "zh-w360dp-h640dp-xhdpi")
@LooperMode(LooperMode.Mode.PAUSED)
public class LifecycleScenariosTest {
    private Class<? extends Activity> activityClass;
    private Intent intent;
    /** The activity while its process is alive. */
    private ActivityController<? extends Activity> window;
    /** The activity's saved state, or null before it was saved. */
    private Bundle saved;
    private boolean inBackground;

    private static JSONArray scenarios() throws Exception {
        try (InputStream in = LifecycleScenariosTest.class.getResourceAsStream("/lifecycle_scenarios.json")) {
            return new JSONArray(new Scanner(in, "UTF-8").useDelimiter("\\A").next());
        }
    }

    private static Context context() {
        return RuntimeEnvironment.getApplication();
    }

    /** Sends an ordered broadcast, like {@code am broadcast}; returns the result's data. */
    private static String broadcast(String action) {
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
        JSONArray states = new JSONArray(broadcast(Commands.STATE));
        for (int i = 0; i < states.length(); i++) {
            JSONObject each = states.getJSONObject(i);
            assertTrue(each.getBoolean("open"));
            all.add(each.getString("kind") + " " + each.getString("token") + " " + each.getString("template"));
        }
        return String.join(", ", all);
    }

    private void start(Class<? extends Activity> cls, Intent intent) {
        activityClass = cls;
        if (window != null) {
            window.newIntent(intent);
        } else if (saved != null) {
            // Android delivers the new intent after creating the activity and before resuming it.
            window = Robolectric.buildActivity(activityClass, this.intent).create(saved).start();
            window.newIntent(intent).resume().visible();
        } else {
            window = Robolectric.buildActivity(activityClass, intent).setup();
        }
        this.intent = intent;
        inBackground = false;
        ShadowLooper.idleMainLooper();
    }

    /** Destroys a finished activity, as Android does some time later. */
    private void destroyFinished() {
        if (window != null && window.get().isFinishing()) {
            (inBackground ? window : window.pause().stop()).destroy();
            window = null;
            saved = null;
        }
    }

    /** Ends the process and starts the next one. */
    private void killProcess() {
        for (LiveActivities.CloseableActivity activity : LiveActivities.all()) {
            LiveActivities.remove(activity);
        }
        window = null;
        OpenWindows.recover(context());
    }

    private void returnToTask(String token) {
        if (window == null && saved != null) {
            window = Robolectric.buildActivity(activityClass, this.intent).create(saved).start().resume().visible();
        } else if (window != null && inBackground) {
            window.restart().start().resume();
        }
        ShadowLooper.idleMainLooper();
        boolean shown = window != null && !window.get().isFinishing();
        assertEquals(token, shown ? this.intent.getStringExtra("token") : "");
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
                inBackground = true;
                break;
            case "kill_process":
                killProcess();
                break;
            case "force_stop":
                saved = null;
                killProcess();
                break;
            case "close":
                assertEquals(name, word, broadcast(Commands.CLOSE));
                destroyFinished();
                break;
            case "state":
                assertEquals(name, word, state());
                break;
            case "return":
                returnToTask(word);
                break;
            default:
                throw new AssertionError(step.toString());
        }
    }

    private static JSONObject reportedEvents() throws Exception {
        JSONObject all = new JSONObject();
        for (ShadowLog.LogItem item : ShadowLog.getLogsForTag(EventLogger.TAG)) {
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
    public void removeActivities() {
        for (LiveActivities.CloseableActivity activity : LiveActivities.all()) {
            LiveActivities.remove(activity);
        }
    }

    @Test
    public void everyScenarioReportsTheRecordedEvents() throws Exception {
        JSONArray scenarios = scenarios();
        for (int i = 0; i < scenarios.length(); i++) {
            JSONObject scenario = scenarios.getJSONObject(i);
            String name = scenario.getString("name");
            for (int at = 0; at < scenario.getJSONArray("steps").length(); at++) {
                step(name + ", step " + at, scenario.getJSONArray("steps").getJSONArray(at));
            }
            JSONObject expected = scenario.getJSONObject("events");
            JSONObject actual = reportedEvents();
            assertEquals(name, expected.length(), actual.length());
            for (Iterator<String> tokens = expected.keys(); tokens.hasNext(); ) {
                String token = tokens.next();
                assertEquals(name, expected.get(token).toString(), actual.get(token).toString());
            }
            removeActivities();
            window = null;
            saved = null;
            ShadowLog.clear();
            EventLogger.journal(context()).replace("");
            new Journal(new java.io.File(context().getFilesDir(), "open.json")).replace("");
        }
    }

    @Test
    public void aWindowWithoutAnActivityIsClosedToo() throws Exception {
        start(Show.class, ShowTest.intent(ShowTest.spec("dialog", "battery", false), "t1"));
        saved = new Bundle();
        window.pause().stop().saveInstanceState(saved).destroy(); // to free memory; the process stays alive
        window = null;
        assertEquals("show t1 dialog", state());
        assertEquals("closed", broadcast(Commands.CLOSE));
        returnToTask("");
        assertEquals("[\"shown\",\"hidden\",\"dismissed:close\"]", reportedEvents().getJSONArray("t1").toString());
    }

    @Test
    @Config(sdk = 34)
    public void fromAndroid5OnTheTaskIsRemoved() throws Exception {
        ActivityManager.AppTask task = ShadowAppTask.newInstance();
        ActivityManager manager = (ActivityManager) context().getSystemService(Context.ACTIVITY_SERVICE);
        shadowOf(manager).setAppTasks(Collections.singletonList(task));
        start(Show.class, ShowTest.intent(ShowTest.spec("dialog", "battery", false), "t1"));
        saved = new Bundle();
        window.pause().stop().saveInstanceState(saved);
        killProcess();
        assertEquals("closed", broadcast(Commands.CLOSE));
        assertTrue(shadowOf(task).isFinishedAndRemoved());
    }

    @Test
    public void aTruncatedFileOfOpenWindowsIsIgnored() throws Exception {
        new Journal(new java.io.File(context().getFilesDir(), "open.json")).replace("[{\"kind\":\"show\"}]\n[\n");
        assertEquals("", state());
        assertEquals("nothing is shown", broadcast(Commands.CLOSE));
        OpenWindows.recover(context());
    }
}
