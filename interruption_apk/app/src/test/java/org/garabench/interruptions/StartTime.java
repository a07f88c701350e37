package org.garabench.interruptions;

import android.view.View;

import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.LooperMode;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * Measures the main thread's processor time from {@code onCreate} until the window's view has been measured and laid
 * out: the app's own work before its first frame.
 *
 * <p>It runs on this computer's Java with Android's own classes; in the first run nothing is loaded or compiled. It is a
 * benchmark rather than a test, since the figures also depend on the machine: {@code build.py time} runs it.
 */
@RunWith(RobolectricTestRunner.class)
@LooperMode(LooperMode.Mode.PAUSED)
public class StartTime {
    private static final int TIMES = 60;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static String everyElement() throws Exception {
        JSONArray buttons = new JSONArray();
        for (String key : new String[] {"accept", "dismiss", "settings"}) {
            buttons.put(new JSONObject().put("key", key).put("label", "打开 " + key).put("role", key.equals("settings") ? "accept" : key));
        }
        return new JSONObject(ShowTest.spec("full-screen", "update", false))
                .put("buttons", buttons)
                .put("progress", 0.4)
                .put("picture", "gift")
                .put("note", "本通知只显示一次")
                .put("stars", 3)
                .put("choices", new JSONArray().put("太大").put("太慢").put("不需要"))
                .toString();
    }

    private static double milliseconds(String json, String token) {
        ActivityController<Show> controller = Robolectric.buildActivity(Show.class, ShowTest.intent(json, token));
        long startedAt = THREADS.getCurrentThreadCpuTime();
        controller.create();
        View root = controller.get().findViewById(R.id.dialog_root);
        root.measure(View.MeasureSpec.makeMeasureSpec(720, View.MeasureSpec.EXACTLY),
                View.MeasureSpec.makeMeasureSpec(1280, View.MeasureSpec.AT_MOST));
        root.layout(0, 0, root.getMeasuredWidth(), root.getMeasuredHeight());
        double taken = (THREADS.getCurrentThreadCpuTime() - startedAt) / 1e6;
        controller.start().resume().pause().stop().destroy();
        return taken;
    }

    private static void measure(String name, String json) {
        double first = milliseconds(json, name);
        double[] taken = new double[TIMES];
        for (int i = 0; i < TIMES; i++) {
            taken[i] = milliseconds(json, name + i);
        }
        double[] early = Arrays.copyOf(taken, 20);
        taken = Arrays.copyOfRange(taken, TIMES / 2, TIMES);
        Arrays.sort(early);
        Arrays.sort(taken);
        double median = taken[taken.length / 2];
        System.out.printf("start %s: first %.1f ms, median of the next 20 %.1f ms, of the last %d %.1f ms, longest %.1f ms%n",
                name, first, early[10], taken.length, median, taken[taken.length - 1]);
    }

    /** Fills the journal with events of other tokens, all of which are searched for the token of a new window. */
    private static void fillJournal() throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; lines.length() < Journal.LIMIT - 8 * 1024; i++) {
            lines.append(WireFormat.eventLine("0123456789abcdef" + i / 4, i % 4 + 1, "hidden")).append('\n');
        }
        EventLogger.journal(RuntimeEnvironment.getApplication()).replace(lines.toString());
    }

    @Test
    @Config(sdk = 34, qualifiers = "zh-w360dp-h640dp-xhdpi")
    public void onAndroid14() throws Exception {
        measure("dialog-34", ShowTest.spec("dialog", "battery", true));
        measure("fullest-34", everyElement());
        fillJournal();
        measure("dialog-34-full-journal", ShowTest.spec("dialog", "battery", true));
        fillJournal();
        measure("fullest-34-full-journal", everyElement());
    }

    @Test
    @Config(sdk = 19, qualifiers = "zh-w360dp-h640dp-xhdpi")
    public void onAndroid44() throws Exception {
        measure("dialog-19", ShowTest.spec("dialog", "battery", true));
        measure("fullest-19", everyElement());
        fillJournal();
        measure("dialog-19-full-journal", ShowTest.spec("dialog", "battery", true));
        fillJournal();
        measure("fullest-19-full-journal", everyElement());
    }
}
