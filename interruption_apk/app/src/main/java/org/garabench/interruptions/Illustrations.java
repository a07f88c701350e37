package org.garabench.interruptions;

import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.Path;
import android.graphics.RectF;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * The illustrations, each a list of shapes on a canvas of 320 by 160 units: {@code r} is a rectangle with rounded
 * corners (left, top, width, height, radius), {@code c} a circle (centre, radius), {@code p} a polygon (its corners);
 * the colour comes last. The twin draws the same shapes.
 */
final class Illustrations {
    static final float WIDTH = 320;
    static final float HEIGHT = 160;
    private static final Map<String, String> ALL;

    static {
        Map<String, String> all = new HashMap<>();
        all.put("coupon", "r,0,0,320,160,0,FF7A59;c,40,20,46,FF8F73;c,300,150,60,FF6440;r,48,34,224,92,12,FFF4E6;"
                + "r,190,34,3,92,0,FFC9A8;c,191,34,9,FF7A59;c,191,126,9,FF7A59;c,92,66,11,E5342B;"
                + "c,92,66,5,FFF4E6;c,134,96,11,E5342B;c,134,96,5,FFF4E6;"
                + "p,136,54,142,58,90,108,84,104,E5342B;r,208,58,46,10,5,E5342B;r,208,76,46,8,4,F7B58F;"
                + "r,208,92,30,8,4,F7B58F");
        all.put("gift", "r,0,0,320,160,0,6C5CE7;c,48,40,5,FFEAA7;c,268,36,7,FFEAA7;c,84,112,4,FFFFFF;"
                + "c,250,110,5,FFFFFF;c,222,24,4,FD79A8;c,108,28,5,FD79A8;r,110,72,100,70,8,E84393;"
                + "r,102,56,116,24,6,FD79A8;r,152,56,16,86,0,FFEAA7;c,144,46,15,FFEAA7;c,176,46,15,FFEAA7;"
                + "c,144,46,8,6C5CE7;c,176,46,8,6C5CE7");
        all.put("game", "r,0,0,320,160,0,0F3460;c,258,36,22,F5D76E;p,0,160,70,80,130,160,16537E;"
                + "p,90,160,180,64,270,160,1B6CA8;p,220,160,290,90,320,116,320,160,16537E;"
                + "r,84,78,152,62,31,E8EEF4;r,112,96,12,28,3,0F3460;r,104,104,28,12,3,0F3460;"
                + "c,196,118,8,E94560;c,212,102,8,2ECC71;c,150,126,6,8FA3B8;c,170,126,6,8FA3B8");
        all.put("travel", "r,0,0,320,160,0,8FD3F4;c,262,38,20,FFE082;c,70,36,14,FFFFFF;c,90,32,18,FFFFFF;"
                + "c,112,38,12,FFFFFF;p,0,120,60,62,112,120,5FA777;p,76,124,158,44,232,124,3E8E63;"
                + "p,196,122,270,70,320,116,320,130,5FA777;p,158,44,142,62,158,58,172,64,FFFFFF;"
                + "r,0,116,320,44,0,3B8EA5;r,36,132,60,3,1,A8DCE8;r,190,142,74,3,1,A8DCE8;"
                + "p,130,132,190,132,178,146,142,146,B5533C;p,158,92,158,128,186,128,FFF4E6");
        ALL = Collections.unmodifiableMap(all);
    }

    private Illustrations() {
    }

    /** Whether there is an illustration with this name. */
    static boolean contains(Object name) {
        return name instanceof String && ALL.containsKey(name);
    }

    /** Draws an illustration so that it covers an area, cropped evenly on both sides. */
    static void draw(String name, Canvas canvas, float width, float height) {
        float scale = Math.max(width / WIDTH, height / HEIGHT);
        int saved = canvas.save();
        canvas.clipRect(0, 0, width, height);
        canvas.translate((width - WIDTH * scale) / 2, (height - HEIGHT * scale) / 2);
        canvas.scale(scale, scale);
        Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);
        for (String shape : ALL.get(name).split(";")) {
            drawShape(shape.split(","), canvas, paint);
        }
        canvas.restoreToCount(saved);
    }

    private static void drawShape(String[] shape, Canvas canvas, Paint paint) {
        int last = shape.length - 1;
        float[] numbers = new float[last];
        for (int i = 1; i < last; i++) {
            numbers[i] = Integer.parseInt(shape[i]);
        }
        paint.setColor(Color.parseColor("#" + shape[last]));
        switch (shape[0]) {
            case "r":
                RectF bounds = new RectF(
                        numbers[1], numbers[2], numbers[1] + numbers[3], numbers[2] + numbers[4]);
                canvas.drawRoundRect(bounds, numbers[5], numbers[5], paint);
                break;
            case "c":
                canvas.drawCircle(numbers[1], numbers[2], numbers[3], paint);
                break;
            default:
                Path path = new Path();
                path.moveTo(numbers[1], numbers[2]);
                for (int i = 3; i < last; i += 2) {
                    path.lineTo(numbers[i], numbers[i + 1]);
                }
                path.close();
                canvas.drawPath(path, paint);
                break;
        }
    }
}
