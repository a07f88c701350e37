package org.garabench.interruptions;

/** A specification that cannot be shown; the message is the reason that is told, short and in kebab case. */
final class SpecException extends Exception {
    private static final long serialVersionUID = 1L;

    SpecException(String reason) {
        super(reason);
    }
}
