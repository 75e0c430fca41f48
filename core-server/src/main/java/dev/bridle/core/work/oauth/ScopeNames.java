package dev.bridle.core.work.oauth;

import dev.bridle.core.kernel.error.ProtocolException;
import java.util.List;
import java.util.regex.Pattern;

/** How scopes are spelled. */
public final class ScopeNames {
  private static final Pattern SCOPE = Pattern.compile("[a-z_]{1,64}:[a-z_]{1,64}|\\*");

  private ScopeNames() {}

  /** Returns whether a text is a scope, or stands for all. */
  public static boolean isOne(String text) {
    return SCOPE.matcher(text).matches();
  }

  /** Checks the scopes of a request. */
  public static void check(List<String> scopes) {
    for (int i = 0; i < scopes.size(); i++) {
      if (!isOne(scopes.get(i))) {
        throw ProtocolException.invalid(
            "scopes[" + i + "]", "must be 'resource:action' in lower case, or '*'");
      }
    }
  }
}
