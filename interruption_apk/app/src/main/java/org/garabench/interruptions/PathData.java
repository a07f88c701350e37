package org.garabench.interruptions;

/** Reads the commands of an outline: M, L, H, V, Q and Z with absolute places, repeated as in SVG. */
final class PathData {
    /** Takes the commands. */
    interface Pen {
        void moveTo(float x, float y);

        void lineTo(float x, float y);

        void quadTo(float x1, float y1, float x2, float y2);

        void close();
    }

    private final String text;
    private int at;

    private PathData(String text) {
        this.text = text;
    }

    /** Draws an outline. */
    static void draw(String outline, Pen pen) {
        new PathData(outline).run(pen);
    }

    private void run(Pen pen) {
        char command = ' ';
        float x = 0;
        float y = 0;
        while (skipSpace()) {
            char next = text.charAt(at);
            if (Character.isLetter(next)) {
                command = next;
                at++;
            }
            switch (command) {
                case 'M':
                    x = number();
                    y = number();
                    pen.moveTo(x, y);
                    command = 'L'; // further places are lines
                    break;
                case 'L':
                    x = number();
                    y = number();
                    pen.lineTo(x, y);
                    break;
                case 'H':
                    x = number();
                    pen.lineTo(x, y);
                    break;
                case 'V':
                    y = number();
                    pen.lineTo(x, y);
                    break;
                case 'Q':
                    float x1 = number();
                    float y1 = number();
                    x = number();
                    y = number();
                    pen.quadTo(x1, y1, x, y);
                    break;
                case 'Z':
                    pen.close();
                    command = ' ';
                    break;
                default:
                    throw new IllegalArgumentException("no command at " + at + " of " + text);
            }
        }
    }

    private boolean skipSpace() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == ',')) {
            at++;
        }
        return at < text.length();
    }

    private float number() {
        skipSpace();
        int start = at;
        while (at < text.length() && "+-.0123456789".indexOf(text.charAt(at)) >= 0) {
            if (at > start && "+-".indexOf(text.charAt(at)) >= 0) {
                break;
            }
            at++;
        }
        return Float.parseFloat(text.substring(start, at));
    }
}
