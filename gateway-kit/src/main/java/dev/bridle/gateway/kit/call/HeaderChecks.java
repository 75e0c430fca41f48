package dev.bridle.gateway.kit.call;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Checks a request's headers before anything else. Each check throws a {@link ProtocolException}.
 */
public final class HeaderChecks {

  /** The header that makes a command idempotent. */
  public static final String IDEMPOTENCY_KEY = "Idempotency-Key";

  private static final String IDENTITY = "identity";

  private static final List<CharSequence> CONDITIONS =
      List.of(
          HttpHeaderNames.IF_MATCH,
          HttpHeaderNames.IF_NONE_MATCH,
          HttpHeaderNames.IF_UNMODIFIED_SINCE);

  private static final Pattern BEARER = Pattern.compile("(?i:bearer) +[\\x21-\\x7e]+ *");
  private static final Pattern KEY = Pattern.compile("[\\x20-\\x7e]{1,255}");

  private HeaderChecks() {}

  /** Requires a bearer token; the core checks whether it is valid. */
  public static void credentials(RequestHeaders headers) {
    List<String> given = headers.getAll(HttpHeaderNames.AUTHORIZATION);
    if (given.size() != 1 || !BEARER.matcher(given.get(0)).matches()) {
      throw new ProtocolException(
          ProtocolError.of(
              ErrorCode.ERROR_CODE_UNAUTHENTICATED,
              "The header Authorization must be present once, as \"Bearer <key or token>\"."));
    }
  }

  /** Rejects bodies whose declared length exceeds the limit. */
  public static void length(RequestHeaders headers, long limit) {
    if (headers.contentLength() > limit) {
      throw tooLarge(limit);
    }
  }

  /** Returns the error for a body above the limit. */
  public static ProtocolException tooLarge(long limit) {
    return new ProtocolException(
        ProtocolError.of(
                ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
                "The body is larger than " + limit + " bytes.")
            .with("{\"max_bytes\":" + limit + "}"));
  }

  /**
   * Rejects conditions of a change: resources have no entity tags, so that none can be checked, and
   * a change without the check is what the client has ruled out.
   */
  public static void noConditions(RequestHeaders headers) {
    if (headers.method() == HttpMethod.GET || headers.method() == HttpMethod.HEAD) {
      return;
    }
    for (CharSequence condition : CONDITIONS) {
      if (headers.contains(condition)) {
        throw new ProtocolException(
            ProtocolError.ofStatus(412, condition + " can't be checked: resources have no tags.")
                .blaming(condition.toString()));
      }
    }
  }

  /** Requires a content type of JSON in UTF-8, or none, and no encoding. */
  public static void jsonContent(RequestHeaders headers) {
    String encoding = headers.get(HttpHeaderNames.CONTENT_ENCODING, IDENTITY);
    if (!encoding.equalsIgnoreCase(IDENTITY)) {
      throw new ProtocolException(
          ProtocolError.ofStatus(415, "The body must not be encoded.").blaming("Content-Encoding"));
    }
    if (!headers.contains(HttpHeaderNames.CONTENT_TYPE)) {
      return;
    }
    MediaType type = headers.contentType();
    boolean json =
        type != null
            && type.type().equals("application")
            && (type.subtype().equals("json") || type.subtype().endsWith("+json"))
            && type.parameters().getOrDefault("charset", List.of()).stream()
                .allMatch(charset -> charset.equalsIgnoreCase("utf-8"));
    if (!json) {
      throw new ProtocolException(
          ProtocolError.ofStatus(415, "The body must be application/json in UTF-8.")
              .blaming("Content-Type"));
    }
  }

  /** Requires that {@code Accept} allows a type, such as {@code text/event-stream}. */
  public static void accepts(RequestHeaders headers, MediaType type) {
    List<MediaType> accepted;
    try {
      accepted = headers.accept();
    } catch (IllegalArgumentException e) {
      // A malformed header is treated as absent.
      return;
    }
    if (!accepted.isEmpty()
        && accepted.stream().noneMatch(range -> type.is(range.withoutParameters()))) {
      throw new ProtocolException(
          ProtocolError.ofStatus(406, "The response is " + type + ", which Accept does not allow.")
              .blaming("Accept"));
    }
  }

  /** Returns the idempotency key of a command, if it has one. */
  public static Optional<String> idempotencyKey(RequestHeaders headers) {
    List<String> given = headers.getAll(IDEMPOTENCY_KEY);
    if (given.isEmpty()) {
      return Optional.empty();
    }
    if (given.size() > 1) {
      throw new ProtocolException(
          ProtocolError.invalid(IDEMPOTENCY_KEY, "The header must be present at most once."));
    }
    return Optional.of(idempotencyKey(IDEMPOTENCY_KEY, given.get(0)));
  }

  /** Requires a valid idempotency key and returns it. */
  public static String idempotencyKey(String param, String given) {
    if (!KEY.matcher(given).matches()) {
      throw new ProtocolException(
          ProtocolError.invalid(
              param, "An idempotency key must have 1 to 255 printable ASCII characters."));
    }
    return given;
  }
}
