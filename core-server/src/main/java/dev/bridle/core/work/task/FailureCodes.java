package dev.bridle.core.work.task;

import java.util.regex.Pattern;

/** Tells codes of failures from texts that agents report in their place. */
public final class FailureCodes {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z][a-zA-Z0-9_.-]{0,127}");

  private FailureCodes() {}

  /**
   * Returns whether a code is a short name. Anything else may be content, which a redaction has to
   * reach, and is not copied.
   */
  public static boolean isName(String code) {
    return NAME.matcher(code).matches();
  }
}
