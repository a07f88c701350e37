package org.garabench.interruptions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import android.content.res.Configuration;
import android.view.MotionEvent;
import android.view.View;
import android.widget.EditText;
import android.widget.RadioButton;
import android.widget.SeekBar;
import android.widget.TextView;

import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.After;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.LooperMode;
import org.robolectric.shadows.ShadowLog;
import org.robolectric.shadows.ShadowLooper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Close button, link, stars, choices, text fields and puzzle, with the frameworks of Android 4.4 and 14. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {19, 34}, qualifiers = "zh-w360dp-h640dp-xhdpi")
@LooperMode(LooperMode.Mode.PAUSED)
public class ElementsTest {
    private ActivityController<Show> controller;

    static JSONObject with(String template, String style, String name, Object value) throws Exception {
        return new JSONObject(ShowTest.spec(template, style, false)).put(name, value);
    }

    static JSONObject everything(String template, String style) throws Exception {
        return with(template, style, "picture", "gift")
                .put("note", "小字说明")
                .put("close", new JSONObject().put("key", "close"))
                .put("link", new JSONObject().put("key", "link").put("label", "了解更多"))
                .put("slider", new JSONObject().put("key", "solved").put("gap", 0.6).put("label", "向右拖动"))
                .put("stars", 3)
                .put("choices", new JSONArray().put("满意").put("一般"))
                .put("fields", new JSONArray().put(new JSONObject().put("hint", "手机号"))
                        .put(new JSONObject().put("hint", "密码").put("password", true)));
    }

    private Show show(JSONObject spec) {
        ShadowLog.clear();
        controller = Robolectric.buildActivity(Show.class, ShowTest.intent(spec.toString(), "e")).setup();
        ShadowLooper.idleMainLooper();
        return controller.get();
    }

    private static void assertEvents(String... events) throws Exception {
        List<String> actual = new ArrayList<>();
        for (ShadowLog.LogItem item : ShadowLog.getLogsForTag(EventLogger.TAG)) {
            actual.add(new JSONObject(item.msg).getString("event"));
        }
        assertEquals(Arrays.asList(events), actual);
    }

    @After
    public void removeActivities() {
        for (LiveActivities.CloseableActivity activity : LiveActivities.all()) {
            LiveActivities.remove(activity);
        }
    }

    @Test
    public void everyTemplateAndStyleShowsEveryElement() throws Exception {
        for (Spec.Template template : Spec.Template.values()) {
            for (Spec.Style style : Spec.Style.values()) {
                Show show = show(everything(template.value, style.value));
                for (int id : new int[] {R.id.picture, R.id.note, R.id.button_close, R.id.button_link, R.id.puzzle,
                    R.id.slider, R.id.star_1, R.id.star_5, R.id.choice_2, R.id.field_1, R.id.field_2}) {
                    View view = show.findViewById(id);
                    String which = template + " " + style + " " + show.getResources().getResourceName(id);
                    assertTrue(which, view != null && view.getVisibility() == View.VISIBLE);
                }
                controller.pause().stop().destroy();
            }
        }
    }

    @Test
    public void closeButtonAndLinkEndTheWindow() throws Exception {
        Show show = show(everything("dialog", "advert"));
        assertEquals("关闭", show.findViewById(R.id.button_close).getContentDescription().toString());
        show.findViewById(R.id.button_close).performClick();
        assertTrue(show.isFinishing());
        assertEvents("shown", "pressed:close");
        show = show(everything("full-screen", "login"));
        show.findViewById(R.id.button_link).performClick();
        assertTrue(show.isFinishing());
        assertEvents("shown", "pressed:link");
    }

    @Test
    public void aDelayedCloseButtonAppearsLaterAndSurvivesARotation() throws Exception {
        Show show = show(with("full-screen", "advert", "close", new JSONObject().put("key", "close").put("after", 5)));
        assertEquals(View.GONE, show.findViewById(R.id.button_close).getVisibility());
        assertEquals(View.VISIBLE, show.findViewById(R.id.countdown).getVisibility());
        ShadowLooper.shadowMainLooper().idleFor(Duration.ofSeconds(4));
        assertEquals(View.GONE, show.findViewById(R.id.button_close).getVisibility());
        ShadowLooper.shadowMainLooper().idleFor(Duration.ofSeconds(2));
        assertEquals(View.VISIBLE, show.findViewById(R.id.button_close).getVisibility());
        assertEquals(View.GONE, show.findViewById(R.id.countdown).getVisibility());
        rotate(show);
        assertEquals(View.VISIBLE, show.findViewById(R.id.button_close).getVisibility());
        assertNull(show.findViewById(R.id.countdown));
        show.findViewById(R.id.button_close).performClick();
        assertEvents("shown", "pressed:close");
    }

    private void rotate(Show show) {
        Configuration rotated = new Configuration(show.getResources().getConfiguration());
        rotated.screenWidthDp = 640;
        rotated.screenHeightDp = 360;
        controller.configurationChange(rotated);
        ShadowLooper.idleMainLooper();
    }

    @Test
    public void inputSurvivesARotationAndIsNotReported() throws Exception {
        Show show = show(everything("dialog", "survey"));
        show.findViewById(R.id.star_4).performClick();
        show.findViewById(R.id.choice_2).performClick();
        ((EditText) show.findViewById(R.id.field_1)).setText("13800138000");
        rotate(show);
        assertTrue(show.findViewById(R.id.star_4).isSelected());
        assertFalse(show.findViewById(R.id.star_5).isSelected());
        assertTrue(((RadioButton) show.findViewById(R.id.choice_2)).isChecked());
        assertFalse(((RadioButton) show.findViewById(R.id.choice_1)).isChecked());
        assertEquals("13800138000", ((EditText) show.findViewById(R.id.field_1)).getText().toString());
        assertEquals("手机号", ((TextView) show.findViewById(R.id.field_1)).getHint().toString());
        assertEquals("第 4 星，共 5 星", show.findViewById(R.id.star_4).getContentDescription().toString());
        assertEvents("shown");
    }

    @Test
    public void thePuzzleIsSolvedOnlyAtItsGap() throws Exception {
        Show show = show(everything("dialog", "captcha"));
        SeekBar slider = show.findViewById(R.id.slider);
        assertEquals("向右拖动", slider.getContentDescription().toString());
        drag(slider, 0.3f);
        assertEvents("shown", "wrong");
        assertFalse(show.isFinishing());
        assertEquals(0, slider.getProgress());
        drag(slider, 0.6f);
        assertTrue(show.isFinishing());
        assertEvents("shown", "wrong", "pressed:solved");
    }

    /** Drag the knob to a position, given as a fraction of the slider's width. */
    private static void drag(SeekBar slider, float fraction) {
        float end = slider.getWidth() * fraction;
        float y = slider.getHeight() / 2f;
        float[] positions = {slider.getPaddingLeft() + 1, end / 2, end};
        for (int i = 0; i < positions.length; i++) {
            int action = i == 0 ? MotionEvent.ACTION_DOWN : MotionEvent.ACTION_MOVE;
            touch(slider, action, positions[i], y);
        }
        touch(slider, MotionEvent.ACTION_UP, end, y);
    }

    private static void touch(View view, int action, float x, float y) {
        MotionEvent event = MotionEvent.obtain(0, 10, action, x, y, 0);
        view.onTouchEvent(event);
        event.recycle();
    }

    @Test
    public void passwordsAreHidden() throws Exception {
        Show show = show(everything("dialog", "login"));
        EditText password = show.findViewById(R.id.field_2);
        assertTrue(password.getTransformationMethod() instanceof android.text.method.PasswordTransformationMethod);
        assertFalse(((EditText) show.findViewById(R.id.field_1)).getTransformationMethod()
                instanceof android.text.method.PasswordTransformationMethod);
    }
}
