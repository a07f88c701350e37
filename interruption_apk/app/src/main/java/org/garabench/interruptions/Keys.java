package org.garabench.interruptions;

/** Resource ids of buttons by their keys. */
final class Keys {
    private Keys() {
    }

    /** The id of a button's key; keys that the resources do not name share one. */
    static int id(String key) {
        switch (key) {
            case "accept":
                return R.id.button_accept;
            case "dismiss":
                return R.id.button_dismiss;
            case "exit":
                return R.id.button_exit;
            case "close":
                return R.id.button_close;
            default:
                return R.id.button;
        }
    }
}
