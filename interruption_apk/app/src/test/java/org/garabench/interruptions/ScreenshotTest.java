package org.garabench.interruptions;

import static org.junit.Assert.assertTrue;

import android.content.Intent;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.view.View;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.shadows.ShadowLooper;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * Draws the windows with Android's own graphics for visual inspection; the test checks only that they are drawn and fit
 * the screen.
 */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = 34)
@GraphicsMode(GraphicsMode.Mode.NATIVE)
public class ScreenshotTest {
    private static final File FOLDER = new File(System.getProperty("pictures", "build/pictures"));

    private static void draw(String name, String json) throws IOException {
        Intent intent = ShowTest.intent(json, name);
        ActivityController<Show> controller = Robolectric.buildActivity(Show.class, intent).setup();
        ShadowLooper.idleMainLooper();
        View window = controller.get().getWindow().getDecorView();
        Bitmap picture = Bitmap.createBitmap(window.getWidth(), window.getHeight(), Bitmap.Config.ARGB_8888);
        picture.eraseColor(Color.rgb(120, 150, 140)); // an app below
        window.draw(new Canvas(picture));
        Set<Integer> colours = new HashSet<>();
        for (int x = 0; x < picture.getWidth(); x += 3) {
            for (int y = 0; y < picture.getHeight(); y += 3) {
                colours.add(picture.getPixel(x, y));
            }
        }
        assertTrue(name + " shows " + colours.size() + " colours", colours.size() > 20);
        assertOnScreen(name, controller.get());
        assertTrue(FOLDER.isDirectory() || FOLDER.mkdirs());
        try (FileOutputStream out = new FileOutputStream(new File(FOLDER, name + ".png"))) {
            picture.compress(Bitmap.CompressFormat.PNG, 100, out);
        }
        controller.pause().stop().destroy();
    }

    /** Asserts that the whole window is on the screen. */
    private static void assertOnScreen(String name, Show show) {
        View root = show.findViewById(R.id.dialog_root);
        View screen = show.getWindow().getDecorView();
        int[] position = new int[2];
        root.getLocationInWindow(position);
        boolean onScreen = position[0] >= 0 && position[1] >= 0
                && position[0] + root.getWidth() <= screen.getWidth() && position[1] + root.getHeight() <= screen.getHeight();
        assertTrue(name, onScreen);
    }

    private static void drawAll(String kind) throws Exception {
        for (Spec.Template template : Spec.Template.values()) {
            for (Spec.Style style : Spec.Style.values()) {
                draw(template.value + "-" + style.value + "-" + kind, ShowTest.spec(template.value, style.value, true));
            }
        }
    }

    @Test
    @Config(qualifiers = "zh-w411dp-h914dp-420dpi")
    public void inTheLightTheme() throws Exception {
        drawAll("day");
    }

    @Test
    @Config(qualifiers = "zh-w411dp-h914dp-night-420dpi")
    public void inTheDarkTheme() throws Exception {
        drawAll("night");
    }

    @Test
    @Config(qualifiers = "zh-w640dp-h360dp-land-xhdpi")
    public void inLandscape() throws Exception {
        drawAll("side");
    }

    @Test
    @Config(qualifiers = "zh-w360dp-h640dp-xhdpi")
    public void withLargeText() throws Exception {
        RuntimeEnvironment.setFontScale(1.6f);
        drawAll("large");
    }

    @Test
    @Config(qualifiers = "zh-w411dp-h914dp-420dpi")
    public void withEveryElementInTheLightTheme() throws Exception {
        drawEveryElement("all-day");
    }

    @Test
    @Config(qualifiers = "zh-w411dp-h914dp-night-420dpi")
    public void withEveryElementInTheDarkTheme() throws Exception {
        drawEveryElement("all-night");
    }

    private static void drawEveryElement(String kind) throws Exception {
        for (String style : new String[] {"advert", "login", "survey", "captcha", "cookie"}) {
            for (Spec.Template template : Spec.Template.values()) {
                org.json.JSONObject spec = ElementsTest.everything(template.value, style);
                if (!style.equals("advert")) {
                    spec.remove("picture");
                }
                for (String part : new String[] {"login fields", "survey choices", "captcha slider", "advert stars"}) {
                    if (!part.startsWith(style)) {
                        spec.remove(part.split(" ")[1]);
                    }
                }
                draw(template.value + "-" + style + "-" + kind, spec.toString());
            }
        }
    }

    @Test
    @Config(qualifiers = "ar-w360dp-h640dp-xhdpi")
    public void inARightToLeftScript() throws Exception {
        for (Spec.Template template : Spec.Template.values()) {
            String json = ShowTest.spec(template.value, "crash", true)
                    .replace("电量不足", "البطارية منخفضة")
                    .replace("剩余电量 10%。建议打开省电模式以延长使用时间。", "بقي 10% من البطارية")
                    .replace("知道了", "حسنًا")
                    .replace("打开省电模式", "توفير الطاقة");
            draw(template.value + "-arabic", json);
        }
    }
}
