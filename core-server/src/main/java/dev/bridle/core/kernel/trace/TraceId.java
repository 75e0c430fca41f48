package dev.bridle.core.kernel.trace;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.digests.SHA256Digest;

/**
 * The id of a trace, as in W3C Trace Context: 16 bytes that are not all zero.
 *
 * @param hex the id in 32 lower-case hexadecimal digits
 */
public record TraceId(String hex) {
  private static final int BYTES = 16;

  // Later versions may append further fields.
  private static final Pattern TRACEPARENT =
      Pattern.compile(
          "(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?");
  private static final String FIRST_VERSION = "00-";

  /**
   * Reads the id from a {@code traceparent} header. Empty if the header is malformed, in which case
   * the standard demands a new trace rather than an error.
   */
  public static Optional<TraceId> ofTraceparent(String header) {
    Matcher matcher = TRACEPARENT.matcher(header.strip());
    if (!matcher.matches()
        || (matcher.group().startsWith(FIRST_VERSION) && matcher.group(2) != null)) {
      return Optional.empty();
    }
    return Optional.of(new TraceId(matcher.group(1)));
  }

  /**
   * Makes the id of a new trace out of an id that is unique, so that each attempt of a transaction
   * makes the same one.
   */
  public static TraceId of(String unique) {
    byte[] text = unique.getBytes(StandardCharsets.UTF_8);
    SHA256Digest digest = new SHA256Digest();
    digest.update(text, 0, text.length);
    byte[] hash = new byte[digest.getDigestSize()];
    digest.doFinal(hash, 0);
    return new TraceId(HexFormat.of().formatHex(hash, 0, BYTES));
  }
}
