package org.garabench.interruptions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.AlarmManager;
import android.app.Notification;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.os.Build;
import android.os.SystemClock;

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
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.LooperMode;
import org.robolectric.shadows.ShadowAlarmManager;
import org.robolectric.shadows.ShadowLog;
import org.robolectric.shadows.ShadowNotificationManager;
import org.robolectric.shadows.ShadowSystemClock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Notifications with a full-screen intent and heads-up notifications, on Android 4.4 and 14. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {19, 34}, qualifiers = "zh-w360dp-h640dp-xhdpi", shadows = InterruptionNotificationTest.FullScreen.class)
@LooperMode(LooperMode.Mode.PAUSED)
public class InterruptionNotificationTest {
    /** Whether full-screen intents are allowed, which Robolectric's shadow does not support. */
    @Implements(NotificationManager.class)
    public static class FullScreen extends ShadowNotificationManager {
        static boolean allowed;

        @Implementation(minSdk = 34)
        protected boolean canUseFullScreenIntent() {
            return allowed;
        }
    }

    private Context context;
    private ShadowNotificationManager shade;

    @Before
    public void begin() {
        context = RuntimeEnvironment.getApplication();
        shade = shadowOf((NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE));
        if (Build.VERSION.SDK_INT >= 24) {
            shade.setNotificationsEnabled(true);
            FullScreen.allowed = true;
        }
    }

    @After
    public void removeActivities() {
        for (LiveActivities.CloseableActivity activity : LiveActivities.all()) {
            LiveActivities.remove(activity);
        }
    }

    private static Intent windowIntent(String token) throws Exception {
        return ShowTest.intent(ShowTest.spec("dialog", "battery", true), token);
    }

    private void command(String action, Intent intent) {
        new Commands().onReceive(context, intent.setAction(action));
    }

    private String post(Intent intent) {
        return new InterruptionNotification(context).post(intent.getStringExtra("spec"), intent.getStringExtra("token"));
    }

    private static List<String> events(String token) throws Exception {
        List<String> events = new ArrayList<>();
        for (ShadowLog.LogItem item : ShadowLog.getLogsForTag(EventLogger.TAG)) {
            JSONObject line = new JSONObject(item.msg);
            if (line.getString("token").equals(token)) {
                events.add(line.getString("event"));
                assertEquals(events.size(), line.getInt("seq"));
            }
        }
        return events;
    }

    @Test
    public void aNotificationHasTheTextsAndOpensTheWindow() throws Exception {
        assertEquals("posted", post(windowIntent("t1")));
        Notification posted = shade.getNotification(InterruptionNotification.ID);
        assertEquals("电量不足", posted.extras.getString(Notification.EXTRA_TITLE));
        assertTrue(posted.extras.getString(Notification.EXTRA_TEXT).startsWith("剩余电量"));
        assertNotNull(posted.fullScreenIntent);
        Intent opened = shadowOf(posted.contentIntent).getSavedIntent();
        assertEquals(Show.class.getName(), opened.getComponent().getClassName());
        assertEquals(windowIntent("t1").getStringExtra("spec"), opened.getStringExtra("spec"));
        assertEquals("t1", opened.getStringExtra("token"));
        assertTrue((posted.flags & Notification.FLAG_AUTO_CANCEL) != 0);
        if (Build.VERSION.SDK_INT >= 26) {
            NotificationManager manager =
                    (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
            assertEquals(NotificationManager.IMPORTANCE_HIGH,
                    manager.getNotificationChannel(InterruptionNotification.CHANNEL).getImportance());
        } else {
            assertEquals(Notification.PRIORITY_MAX, posted.priority);
        }
        assertEquals(Arrays.asList("posted"), events("t1"));
        assertEquals("{\"kind\":\"notification\",\"token\":\"t1\",\"template\":\"dialog\",\"open\":true}",
                new InterruptionNotification(context).state());
    }

    @Test
    public void aTapOpensTheWindowAndRemovesTheNotification() throws Exception {
        command(Commands.NOTIFY, windowIntent("t1"));
        Intent opened = shadowOf(shade.getNotification(InterruptionNotification.ID).contentIntent).getSavedIntent();
        ActivityController<Show> window = Robolectric.buildActivity(Show.class, opened).setup();
        assertNull(shade.getNotification(InterruptionNotification.ID));
        assertNull(new InterruptionNotification(context).state());
        window.get().findViewById(R.id.button_accept).performClick();
        assertEquals(Arrays.asList("posted", "shown", "pressed:accept"), events("t1"));
    }

    @Test
    public void closeRemovesANotificationAndReportsIt() throws Exception {
        command(Commands.NOTIFY, windowIntent("t1"));
        command(Commands.CLOSE, new Intent());
        assertNull(shade.getNotification(InterruptionNotification.ID));
        command(Commands.CLOSE, new Intent());
        assertEquals(Arrays.asList("posted", "dismissed:close"), events("t1"));
    }

    @Test
    public void aSwipeIsReported() throws Exception {
        command(Commands.NOTIFY, windowIntent("t1"));
        Intent swiped = shadowOf(shade.getNotification(InterruptionNotification.ID).deleteIntent).getSavedIntent();
        assertEquals(Commands.class.getName(), swiped.getComponent().getClassName());
        new Commands().onReceive(context, swiped);
        assertEquals(Arrays.asList("posted", "dismissed:swiped"), events("t1"));
    }

    @Test
    public void aNewNotificationOrWindowReplacesIt() throws Exception {
        command(Commands.NOTIFY, windowIntent("t1"));
        command(Commands.NOTIFY, windowIntent("t2"));
        assertEquals(Arrays.asList("posted", "dismissed:replaced"), events("t1"));
        Robolectric.buildActivity(Show.class, windowIntent("t3")).setup();
        assertEquals(Arrays.asList("posted", "dismissed:replaced"), events("t2"));
        assertEquals(0, shade.size());
    }

    @Test
    public void anInvalidSpecificationIsReported() throws Exception {
        assertTrue(post(new Intent().putExtra("spec", "e30=").putExtra("token", "t1")).startsWith("error:"));
        assertTrue(events("t1").get(0).startsWith("error:"));
        assertTrue(post(new Intent()).startsWith("error:"));
        assertEquals(0, shade.size());
    }

    @Test
    @Config(sdk = 34)
    public void aDeniedFullScreenIntentIsReported() throws Exception {
        FullScreen.allowed = false;
        assertEquals("no-full-screen", post(windowIntent("t1")));
        assertEquals(1, shade.size());
        assertEquals(Arrays.asList("posted"), events("t1"));
    }

    @Test
    @Config(sdk = 34)
    public void nothingIsPostedIfNotificationsAreOff() throws Exception {
        shade.setNotificationsEnabled(false);
        assertEquals("notifications-off", post(windowIntent("t1")));
        assertEquals(0, shade.size());
        assertEquals(Arrays.asList(), events("t1"));
    }

    private static Intent headsUpIntent(String token) throws Exception {
        String json = new JSONObject()
                .put("v", 1)
                .put("title", "新消息")
                .put("message", "今晚八点见")
                .put("buttons", new org.json.JSONArray()
                        .put(new JSONObject().put("key", "accept").put("label", "回复"))
                        .put(new JSONObject().put("key", "dismiss").put("label", "忽略")))
                .put("seconds", 30)
                .toString();
        return ShowTest.intent(json, token);
    }

    private Notification postHeadsUp(String token) throws Exception {
        command(Commands.HEADS_UP, headsUpIntent(token));
        return shade.getNotification(InterruptionNotification.ID);
    }

    private void send(PendingIntent pending) {
        assertTrue(shadowOf(pending).isBroadcast());
        Intent intent = shadowOf(pending).getSavedIntent();
        assertEquals(Commands.class.getName(), intent.getComponent().getClassName());
        new Commands().onReceive(context, intent);
    }

    private List<ShadowAlarmManager.ScheduledAlarm> alarms() {
        return shadowOf((AlarmManager) context.getSystemService(Context.ALARM_SERVICE)).getScheduledAlarms();
    }

    @Test
    @Config(sdk = 19)
    public void android44HasNoHeadsUpNotifications() throws Exception {
        Intent intent = headsUpIntent("t1");
        assertEquals("no-heads-up",
                new InterruptionNotification(context).postHeadsUp(intent.getStringExtra("spec"), intent.getStringExtra("token")));
        assertEquals(0, shade.size());
        assertEquals(Arrays.asList(), events("t1"));
    }

    @Test
    @Config(sdk = 34)
    public void aHeadsUpIsUrgentAndSilentAndOpensNoWindow() throws Exception {
        Notification posted = postHeadsUp("t1");
        assertEquals("新消息", posted.extras.getString(Notification.EXTRA_TITLE));
        assertEquals("今晚八点见", posted.extras.getString(Notification.EXTRA_TEXT));
        assertNull(posted.fullScreenIntent);
        assertEquals(Notification.PRIORITY_HIGH, posted.priority);
        assertEquals(2, posted.actions.length);
        assertEquals("回复", posted.actions[0].title);
        assertEquals(30_000, posted.getTimeoutAfter());
        NotificationManager manager =
                (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
        assertEquals(NotificationManager.IMPORTANCE_HIGH,
                manager.getNotificationChannel(posted.getChannelId()).getImportance());
        assertNull(manager.getNotificationChannel(posted.getChannelId()).getSound());
        assertEquals(Arrays.asList("shown"), events("t1"));
        assertEquals("{\"kind\":\"heads-up\",\"token\":\"t1\",\"template\":\"\",\"open\":true}",
                new InterruptionNotification(context).state());
    }

    @Test
    @Config(sdk = 34)
    public void aPressOnAHeadsUpIsReportedAndRemovesIt() throws Exception {
        send(postHeadsUp("t1").actions[1].actionIntent);
        assertEquals(Arrays.asList("shown", "pressed:dismiss"), events("t1"));
        assertEquals(0, shade.size());
        assertEquals(0, alarms().size());
        Notification second = postHeadsUp("t2");
        send(second.contentIntent);
        send(second.actions[0].actionIntent);
        assertEquals(Arrays.asList("shown", "pressed:open"), events("t2"));
        send(postHeadsUp("t3").deleteIntent);
        assertEquals(Arrays.asList("shown", "dismissed:swiped"), events("t3"));
        postHeadsUp("t4");
        command(Commands.CLOSE, new Intent());
        assertEquals(Arrays.asList("shown", "dismissed:close"), events("t4"));
        assertNull(new InterruptionNotification(context).state());
    }

    @Test
    @Config(sdk = 34)
    public void aHeadsUpExpiresByAlarmOrByAndroid() throws Exception {
        postHeadsUp("t1");
        ShadowAlarmManager.ScheduledAlarm alarm = alarms().get(0);
        assertEquals(SystemClock.elapsedRealtime() + 30_000, alarm.triggerAtTime);
        send(alarm.operation);
        assertEquals(Arrays.asList("shown"), events("t1"));
        ShadowSystemClock.advanceBy(Duration.ofSeconds(30));
        send(alarm.operation);
        assertEquals(Arrays.asList("shown", "dismissed:timeout"), events("t1"));
        Notification second = postHeadsUp("t2");
        ShadowSystemClock.advanceBy(Duration.ofMillis(29_900));
        send(second.deleteIntent);
        assertEquals(Arrays.asList("shown", "dismissed:timeout"), events("t2"));
        assertEquals(0, shade.size());
    }

    @Test
    @Config(sdk = 34)
    public void aHeadsUpSurvivesItsProcess() throws Exception {
        postHeadsUp("t1");
        OpenWindows.recover(context);
        assertEquals(Arrays.asList("shown"), events("t1"));
    }
}
