package org.garabench.interruptions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.res.Configuration;
import android.database.Cursor;
import android.net.Uri;
import android.os.Bundle;
import android.os.PowerManager;
import android.util.Base64;
import android.view.MotionEvent;
import android.view.Surface;
import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;

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
import org.robolectric.shadows.ShadowLog;
import org.robolectric.shadows.ShadowLooper;

import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The activity with the frameworks of Android 4.4 and 14. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {19, 34}, qualifiers = "zh-w360dp-h640dp-xhdpi")
@LooperMode(LooperMode.Mode.PAUSED)
public class ShowTest {
    private static final String TOKEN = "t1";

    private ActivityController<Show> controller;

    static String spec(String template, String style, boolean cancelable) throws Exception {
        return new JSONObject()
                .put("v", 1)
                .put("template", template)
                .put("style", style)
                .put("title", "电量不足")
                .put("message", "剩余电量 10%。建议打开省电模式以延长使用时间。")
                .put("buttons", new org.json.JSONArray()
                        .put(new JSONObject().put("key", "dismiss").put("label", "知道了").put("role", "dismiss"))
                        .put(new JSONObject().put("key", "accept").put("label", "打开省电模式").put("role", "accept")))
                .put("cancelable", cancelable)
                .toString();
    }

    static Intent intent(String json, String token) {
        String encoded = Base64.encodeToString(json.getBytes(Charset.forName("UTF-8")), Base64.NO_WRAP);
        return new Intent().putExtra("spec", encoded).putExtra("token", token);
    }

    private Show show(String json) {
        controller = Robolectric.buildActivity(Show.class, intent(json, TOKEN)).setup();
        ShadowLooper.idleMainLooper();
        return controller.get();
    }

    private static List<String> events(String token) throws Exception {
        List<String> events = new ArrayList<>();
        int seq = 0;
        for (ShadowLog.LogItem item : ShadowLog.getLogsForTag(EventLogger.TAG)) {
            JSONObject line = new JSONObject(item.msg);
            if (line.getString("token").equals(token)) {
                assertEquals(++seq, line.getInt("seq"));
                events.add(line.getString("event"));
            }
        }
        return events;
    }

    private static void assertEvents(String... events) throws Exception {
        assertEquals(Arrays.asList(events), events(TOKEN));
    }

    @After
    public void removeActivities() {
        for (LiveActivities.CloseableActivity activity : LiveActivities.all()) {
            LiveActivities.remove(activity);
        }
    }

    @Test
    public void everyTemplateAndStyleShowsItsTextsAndButtons() throws Exception {
        for (Spec.Template template : Spec.Template.values()) {
            for (Spec.Style style : Spec.Style.values()) {
                Show show = show(spec(template.value, style.value, true));
                String which = template + " " + style;
                assertEquals(which, "电量不足", ((TextView) show.findViewById(R.id.title)).getText().toString());
                assertNotNull(which, show.findViewById(R.id.message));
                assertNotNull(which, show.findViewById(R.id.dialog_root));
                for (int id : new int[] {R.id.button_accept, R.id.button_dismiss}) {
                    View button = show.findViewById(id);
                    assertTrue(which, button.isClickable() && button.isShown());
                    assertTrue(which, button.getWidth() > 0 && button.getHeight() > 0);
                    assertTrue(which, button instanceof android.widget.Button);
                }
                assertEveryTextHasAnId(which, (ViewGroup) show.getWindow().getDecorView());
                controller.pause().stop().destroy();
            }
        }
    }

    private static void assertEveryTextHasAnId(String which, ViewGroup group) {
        for (int i = 0; i < group.getChildCount(); i++) {
            View child = group.getChildAt(i);
            if (child instanceof TextView && child.isShown()) {
                assertTrue(which, child.getId() != View.NO_ID);
                assertFalse(which, child.getResources().getResourceName(child.getId()).isEmpty());
            }
            if (child instanceof ViewGroup) {
                assertEveryTextHasAnId(which, (ViewGroup) child);
            }
        }
    }

    @Test
    public void aPressedButtonEndsTheWindow() throws Exception {
        Show show = show(spec("dialog", "battery", false));
        show.findViewById(R.id.button_accept).performClick();
        assertTrue(show.isFinishing());
        show.findViewById(R.id.button_accept).performClick();
        controller.pause().stop().destroy();
        assertEvents("shown", "pressed:accept");
    }

    @Test
    public void backClosesACancelableWindow() throws Exception {
        Show show = show(spec("bottom-sheet", "network", true));
        show.onBackPressed();
        assertTrue(show.isFinishing());
        controller.pause().stop().destroy();
        assertEvents("shown", "hidden", "dismissed");
    }

    @Test
    public void aForcedWindowBlocksBack() throws Exception {
        Show show = show(spec("full-screen", "update", false));
        show.onBackPressed();
        assertFalse(show.isFinishing());
        assertEvents("shown", "back");
    }

    private static void touch(Show show, int x, int y) {
        View all = (View) show.findViewById(R.id.dialog_root).getParent();
        for (int action : new int[] {MotionEvent.ACTION_DOWN, MotionEvent.ACTION_UP}) {
            all.dispatchTouchEvent(MotionEvent.obtain(0, 0, action, x, y, 0));
        }
    }

    @Test
    public void aTouchOutsideClosesACancelableWindow() throws Exception {
        Show show = show(spec("dialog", "battery", true));
        View window = show.findViewById(R.id.dialog_root);
        touch(show, window.getLeft() + 3, window.getTop() + 3);
        assertFalse(show.isFinishing());
        touch(show, 3, window.getTop() - 9);
        assertTrue(show.isFinishing());
        controller.pause().stop().destroy();
        assertEvents("shown", "hidden", "dismissed");
    }

    @Test
    public void theScrimConsumesTouchesAndIsNotClickable() throws Exception {
        Show show = show(spec("dialog", "battery", false));
        View scrim = (View) show.findViewById(R.id.dialog_root).getParent();
        assertFalse(scrim.createAccessibilityNodeInfo().isClickable());
        MotionEvent down = MotionEvent.obtain(0, 0, MotionEvent.ACTION_DOWN, 3, 9, 0);
        assertTrue(scrim.dispatchTouchEvent(down));
        down.recycle();
    }

    @Test
    public void aTouchOutsideDoesNotCloseAForcedWindow() throws Exception {
        Show show = show(spec("dialog", "battery", false));
        touch(show, 3, 9);
        assertFalse(show.isFinishing());
        assertEvents("shown");
    }

    @Test
    public void aScreenThatGoesOffHidesTheWindow() throws Exception {
        show(spec("dialog", "crash", false));
        PowerManager power = (PowerManager) RuntimeEnvironment.getApplication().getSystemService(Context.POWER_SERVICE);
        shadowOf(power).setIsInteractive(false);
        controller.pause().stop();
        shadowOf(power).setIsInteractive(true);
        controller.restart().resume();
        assertEvents("shown", "hidden:screen-off", "resumed");
    }

    @Test
    public void aWindowIsHiddenByHomeAndResumed() throws Exception {
        Show show = show(spec("dialog", "crash", false));
        controller.pause().stop();
        controller.restart().resume();
        assertFalse(show.isFinishing());
        assertEvents("shown", "hidden", "resumed");
    }

    @Test
    public void aConfigurationChangeDoesNotRecreateTheWindow() throws Exception {
        Show show = show(spec("dialog", "prompt", false));
        shadowOf(show.getWindowManager().getDefaultDisplay()).setRotation(Surface.ROTATION_90);
        Configuration changed = new Configuration(show.getResources().getConfiguration());
        changed.orientation = Configuration.ORIENTATION_LANDSCAPE;
        changed.screenWidthDp = 640;
        changed.screenHeightDp = 360;
        changed.fontScale = 1.3f;
        controller.configurationChange(changed);
        ShadowLooper.idleMainLooper();
        assertEquals(show, controller.get());
        assertTrue(show.findViewById(R.id.button_accept).isShown());
        assertEvents("shown", "rotated:90");
    }

    @Test
    public void aWindowIsRecreatedAfterItsProcessDied() throws Exception {
        show(spec("dialog", "battery", false));
        Bundle saved = new Bundle();
        controller.pause().stop().saveInstanceState(saved);
        LiveActivities.remove(controller.get());
        OpenWindows.recover(RuntimeEnvironment.getApplication()); // as the next process does
        OpenWindows.recover(RuntimeEnvironment.getApplication());
        ActivityController<Show> again =
                Robolectric.buildActivity(Show.class, intent(spec("dialog", "battery", false), TOKEN));
        again.create(saved).start().resume().visible();
        assertEvents("shown", "hidden", "killed", "resumed");
        again.get().findViewById(R.id.button_dismiss).performClick();
        assertEvents("shown", "hidden", "killed", "resumed", "pressed:dismiss");
        OpenWindows.recover(RuntimeEnvironment.getApplication());
        assertEvents("shown", "hidden", "killed", "resumed", "pressed:dismiss");
    }

    @Test
    public void aKilledWindowIsReportedByTheNextProcess() throws Exception {
        show(spec("dialog", "battery", false));
        Robolectric.setupContentProvider(Events.class, "org.garabench.interruptions.events");
        assertEvents("shown", "killed");
    }

    @Test
    public void aProgressPageReportsBackItsEndAndTheDeathOfItsProcess() throws Exception {
        Intent intent = new Intent().putExtra("token", TOKEN).putExtra("seconds", 5);
        ActivityController<Progress> page = Robolectric.buildActivity(Progress.class, intent).setup();
        page.get().onBackPressed();
        assertFalse(page.get().isFinishing());
        page.newIntent(new Intent().putExtra("token", "t2").putExtra("seconds", 5));
        assertEvents("progress_started", "back", "dismissed:replaced");
        page.get().close();
        assertTrue(page.get().isFinishing());
        page.pause().stop().destroy();
        assertEquals(Arrays.asList("progress_started", "dismissed:close"), events("t2"));
        Robolectric.buildActivity(Progress.class, new Intent().putExtra("token", "t3").putExtra("seconds", 5)).setup();
        OpenWindows.recover(RuntimeEnvironment.getApplication());
        assertEquals(Arrays.asList("progress_started", "killed"), events("t3"));
    }

    @Test
    public void aNewWindowReplacesIt() throws Exception {
        show(spec("dialog", "battery", false));
        controller.newIntent(intent(spec("dialog", "network", true), "t2"));
        assertEvents("shown", "dismissed:replaced");
        assertEquals(Arrays.asList("shown"), events("t2"));
    }

    @Test
    public void stateListsAForcedWindowAndCloseEndsIt() throws Exception {
        Show show = show(spec("full-screen", "update", false));
        assertEquals("{\"kind\":\"show\",\"token\":\"t1\",\"template\":\"full-screen\",\"open\":true}", show.state());
        Context context = RuntimeEnvironment.getApplication();
        BroadcastReceiver commands = new Commands();
        commands.onReceive(context, new Intent("some.OTHER"));
        assertFalse(show.isFinishing());
        commands.onReceive(context, new Intent(Commands.CLOSE));
        assertTrue(show.isFinishing());
        assertEvents("shown", "dismissed:close");
    }

    @Test
    public void aForcedWindowEndsAfterTenMinutes() throws Exception {
        Show show = show(spec("dialog", "permission", false));
        ShadowLooper.idleMainLooper();
        ShadowLooper.shadowMainLooper().idleFor(Duration.ofMinutes(9));
        assertFalse(show.isFinishing());
        ShadowLooper.shadowMainLooper().idleFor(Duration.ofMinutes(2));
        assertTrue(show.isFinishing());
        assertEvents("shown", "dismissed:timeout");
    }

    @Test
    public void aSwipeFromTheRecentAppsIsReported() throws Exception {
        Show show = show(spec("dialog", "battery", true));
        show.finish();
        controller.pause().stop().destroy();
        assertEvents("shown", "dismissed:destroyed");
    }

    @Test
    public void anInvalidSpecificationIsReportedAndDoesNotCrash() throws Exception {
        for (String wrong : new String[] {"{}", "[", "{\"v\":1}", ""}) {
            ShadowLog.clear();
            controller = Robolectric.buildActivity(Show.class, intent(wrong, "wrong " + wrong)).setup();
            assertTrue(controller.get().isFinishing());
            List<String> events = events("wrong " + wrong);
            assertEquals(1, events.size());
            assertTrue(events.get(0).startsWith("error:"));
            controller.pause().stop().destroy();
        }
    }

    @Test
    public void aRightToLeftTitleMirrorsTheWindow() throws Exception {
        String arabic = spec("dialog", "battery", true).replace("电量不足", "البطارية منخفضة");
        Show show = show(arabic);
        assertEquals(View.LAYOUT_DIRECTION_RTL, show.findViewById(R.id.dialog_root).getLayoutDirection());
    }

    @Test
    public void eventsSurviveTheLog() throws Exception {
        show(spec("dialog", "battery", true)).onBackPressed();
        ShadowLog.clear();
        Events events = Robolectric.setupContentProvider(Events.class, "org.garabench.interruptions.events");
        Uri all = Uri.parse("content://org.garabench.interruptions.events/" + TOKEN);
        List<String> stored = new ArrayList<>();
        try (Cursor rows = events.query(all, null, null, null, null)) {
            while (rows.moveToNext()) {
                stored.add(new JSONObject(rows.getString(0)).getString("event"));
            }
        }
        assertEquals(Arrays.asList("shown", "hidden", "dismissed"), stored);
        Uri none = Uri.parse("content://org.garabench.interruptions.events/other");
        try (Cursor rows = events.query(none, null, null, null, null)) {
            assertEquals(0, rows.getCount());
        }
        assertNotNull(events.getType(none));
    }
}
