package dev.bridle.harp.gateway;

import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hashes as gateways spell them: {@code sha256:} and 64 digits, where the core has the digits. */
final class PrefixedHash {
  private static final Pattern FORM = Pattern.compile("(?:sha256:)?([0-9a-f]{64})");

  private PrefixedHash() {}

  /** Returns the digits. */
  static String digits(String member, String text) throws HarpException {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new HarpException(
          HarpErrorCode.TRANSPORT, "schema", "The body's " + member + " is no SHA-256.");
    }
    return form.group(1);
  }
}
