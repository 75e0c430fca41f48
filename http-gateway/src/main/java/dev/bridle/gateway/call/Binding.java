package dev.bridle.gateway.call;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A bound request.
 *
 * @param message the request message
 * @param lenient whether unknown members were ignored, as the client prefers
 * @param ignored the names of ignored members and query parameters, {@value
 *     UnknownMembers#MAX_NAMED} at most
 */
public record Binding(Message.Builder message, boolean lenient, List<String> ignored) {
  /** The response header that names ignored members. */
  public static final CharSequence IGNORED = HttpHeaderNames.of("bridle-ignored");

  // Whole headers of clients are limited to 8 KiB and more.
  private static final int MAX_HEADER = 4096;

  /** Adds headers to the response that name what was ignored. */
  public void announce(ServiceRequestContext ctx) {
    if (lenient) {
      ctx.addAdditionalResponseHeader(
          HandlingPreference.APPLIED, HandlingPreference.LENIENT_HANDLING);
    }
    String names = ignored.stream().map(Binding::encoded).collect(Collectors.joining(", "));
    if (!names.isEmpty()) {
      ctx.addAdditionalResponseHeader(IGNORED, names.length() > MAX_HEADER ? cut(names) : names);
    }
  }

  /** Drops the last names of a list that is too long. */
  private static String cut(String names) {
    return names.substring(0, names.lastIndexOf(", ", MAX_HEADER));
  }

  /** Percent-encodes what can't be in a list of a header. */
  private static String encoded(String name) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      if (b > ' ' && b < 0x7f && b != ',' && b != '%' && b != '"') {
        encoded.append((char) b);
      } else {
        encoded.append('%').append(String.format(Locale.ROOT, "%02X", b));
      }
    }
    return encoded.toString();
  }
}
