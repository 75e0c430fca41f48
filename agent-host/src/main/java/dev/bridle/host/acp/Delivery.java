package dev.bridle.host.acp;

import java.util.Locale;

/** When a runtime takes a message of the user, as the bridge protocol has it. */
public enum Delivery {
  /** At once: what it does is interrupted. */
  INTERRUPT_IMMEDIATE,
  /** After the step that it is at. */
  FINISH_STEP,
  /** When it has nothing else to do. */
  WAIT_FOR_COMPLETION;

  /** Returns the word that the protocol has for it. */
  public String spelled() {
    return name().toLowerCase(Locale.ROOT);
  }
}
