package org.garabench.interruptions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Notification;
import android.app.NotificationManager;
import android.content.Context;
import android.content.Intent;
import android.os.Build;

import org.json.JSONObject;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.LooperMode;
import org.robolectric.shadows.ShadowLog;
import org.robolectric.shadows.ShadowNotificationManager;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The second way: a notification with a full-screen intent, on the oldest and on a new Android. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {19, 34}, qualifiers = "zh-w360dp-h640dp-xhdpi")
@LooperMode(LooperMode.Mode.PAUSED)
public class NoticeTest {
    private Context context;
    private ShadowNotificationManager shade;

    @Before
    public void begin() {
        context = RuntimeEnvironment.getApplication();
        shade = shadowOf((NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE));
        if (Build.VERSION.SDK_INT >= 24) {
            shade.setNotificationsEnabled(true);
        }
    }

    @After
    public void leave() {
        for (Living.Closable each : Living.all()) {
            Living.remove(each);
        }
    }

    private static Intent asked(String token) throws Exception {
        return ShowTest.intent(ShowTest.spec("dialog", "battery", true), token);
    }

    private void command(String action, Intent intent) {
        new Commands().onReceive(context, intent.setAction(action));
    }

    private String post(Intent intent) {
        return new Notice(context).post(intent.getStringExtra("spec"), intent.getStringExtra("token"));
    }

    private static List<String> told(String token) throws Exception {
        List<String> events = new ArrayList<>();
        for (ShadowLog.LogItem item : ShadowLog.getLogsForTag(Teller.TAG)) {
            JSONObject line = new JSONObject(item.msg);
            if (line.getString("token").equals(token)) {
                events.add(line.getString("event"));
                assertEquals(events.size(), line.getInt("seq"));
            }
        }
        return events;
    }

    @Test
    public void itCarriesTheWordsAndOpensTheWindowAtOnceWhereAndroidDoes() throws Exception {
        assertEquals("posted", post(asked("t1")));
        Notification posted = shade.getNotification(Notice.ID);
        assertEquals("电量不足", posted.extras.getString(Notification.EXTRA_TITLE));
        assertTrue(posted.extras.getString(Notification.EXTRA_TEXT).startsWith("剩余电量"));
        assertNotNull(posted.fullScreenIntent);
        Intent opens = shadowOf(posted.contentIntent).getSavedIntent();
        assertEquals(Show.class.getName(), opens.getComponent().getClassName());
        assertEquals(asked("t1").getStringExtra("spec"), opens.getStringExtra("spec"));
        assertEquals("t1", opens.getStringExtra("token"));
        assertTrue((posted.flags & Notification.FLAG_AUTO_CANCEL) != 0);
        if (Build.VERSION.SDK_INT >= 26) {
            NotificationManager manager =
                    (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
            assertEquals(NotificationManager.IMPORTANCE_HIGH,
                    manager.getNotificationChannel(Notice.CHANNEL).getImportance());
        } else {
            assertEquals(Notification.PRIORITY_MAX, posted.priority);
        }
        assertEquals(Arrays.asList("posted"), told("t1"));
        assertEquals("{\"kind\":\"notification\",\"token\":\"t1\",\"template\":\"dialog\",\"open\":true}",
                new Notice(context).state());
    }

    @Test
    public void aTapOpensTheWindowAndTakesTheNotificationAway() throws Exception {
        command(Commands.NOTIFY, asked("t1"));
        Intent opens = shadowOf(shade.getNotification(Notice.ID).contentIntent).getSavedIntent();
        ActivityController<Show> window = Robolectric.buildActivity(Show.class, opens).setup();
        assertNull(shade.getNotification(Notice.ID));
        assertNull(new Notice(context).state());
        window.get().findViewById(R.id.button_accept).performClick();
        assertEquals(Arrays.asList("posted", "shown", "pressed:accept"), told("t1"));
    }

    @Test
    public void closeTakesItAwayAndTellsSo() throws Exception {
        command(Commands.NOTIFY, asked("t1"));
        command(Commands.CLOSE, new Intent());
        assertNull(shade.getNotification(Notice.ID));
        command(Commands.CLOSE, new Intent());
        assertEquals(Arrays.asList("posted", "dismissed:close"), told("t1"));
    }

    @Test
    public void swipedAwayByAPerson() throws Exception {
        command(Commands.NOTIFY, asked("t1"));
        Intent swiped = shadowOf(shade.getNotification(Notice.ID).deleteIntent).getSavedIntent();
        assertEquals(Commands.class.getName(), swiped.getComponent().getClassName());
        new Commands().onReceive(context, swiped);
        assertEquals(Arrays.asList("posted", "dismissed:swiped"), told("t1"));
    }

    @Test
    public void aLaterOneTakesItsPlaceWhicheverWayItComes() throws Exception {
        command(Commands.NOTIFY, asked("t1"));
        command(Commands.NOTIFY, asked("t2"));
        assertEquals(Arrays.asList("posted", "dismissed:replaced"), told("t1"));
        Robolectric.buildActivity(Show.class, asked("t3")).setup();
        assertEquals(Arrays.asList("posted", "dismissed:replaced"), told("t2"));
        assertEquals(0, shade.size());
    }

    @Test
    public void aWrongSpecificationIsTold() throws Exception {
        assertTrue(post(new Intent().putExtra("spec", "e30=").putExtra("token", "t1")).startsWith("error:"));
        assertTrue(told("t1").get(0).startsWith("error:"));
        assertTrue(post(new Intent()).startsWith("error:"));
        assertEquals(0, shade.size());
    }

    @Test
    @Config(sdk = 34)
    public void whereNotificationsAreOffNothingIsPosted() throws Exception {
        shade.setNotificationsEnabled(false);
        assertEquals("notifications-off", post(asked("t1")));
        assertEquals(0, shade.size());
        assertEquals(Arrays.asList(), told("t1"));
    }
}
