package org.garabench.interruptions;

/** Parses path data: the commands M, L, H, V, Q and Z with absolute coordinates, repeated as in SVG. */
final class PathData {
    /** Receives the path commands. */
    interface Pen {
        void moveTo(float x, float y);

        void lineTo(float x, float y);

        void quadTo(float x1, float y1, float x2, float y2);

        void close();
    }

    private final String text;
    private int position;

    private PathData(String text) {
        this.text = text;
    }

    /** Sends the commands of a path to a pen. */
    static void draw(String path, Pen pen) {
        new PathData(path).run(pen);
    }

    private void run(Pen pen) {
        char command = ' ';
        float x = 0;
        float y = 0;
        while (skipSpace()) {
            char next = text.charAt(position);
            if (Character.isLetter(next)) {
                command = next;
                position++;
            }
            switch (command) {
                case 'M':
                    x = number();
                    y = number();
                    pen.moveTo(x, y);
                    command = 'L'; // further coordinates are lines
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
                    throw new IllegalArgumentException("expected a command position " + position + " in " + text);
            }
        }
    }

    private boolean skipSpace() {
        while (position < text.length() && (text.charAt(position) == ' ' || text.charAt(position) == ',')) {
            position++;
        }
        return position < text.length();
    }

    private float number() {
        skipSpace();
        int start = position;
        while (position < text.length() && "+-.0123456789".indexOf(text.charAt(position)) >= 0) {
            if (position > start && "+-".indexOf(text.charAt(position)) >= 0) {
                break;
            }
            position++;
        }
        return Float.parseFloat(text.substring(start, position));
    }
}
