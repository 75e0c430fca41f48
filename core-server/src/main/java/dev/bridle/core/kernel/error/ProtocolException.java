package dev.bridle.core.kernel.error;

import dev.bridle.api.v1.ErrorCode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A failure that is sent to the caller, with a code of the protocol's error taxonomy. The message
 * is a constant sentence where possible; what varies goes into the parameter and the details. Never
 * holds a secret.
 */
public final class ProtocolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final String param;
  private final transient Map<String, Object> details;
  private final int retryAfterSeconds;

  private ProtocolException(
      ErrorCode code,
      String message,
      String param,
      Map<String, Object> details,
      int retryAfterSeconds) {
    super(message, null, false, false);
    this.code = code;
    this.param = param;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Creates a failure with a code and a message. */
  public static ProtocolException of(ErrorCode code, String message) {
    return new ProtocolException(code, message, "", Map.of(), 0);
  }

  /** Creates an {@code invalid_request} whose {@code param} is a member of the request. */
  public static ProtocolException invalid(String param, String message) {
    return new ProtocolException(ErrorCode.ERROR_CODE_INVALID_REQUEST, message, param, Map.of(), 0);
  }

  /**
   * Creates an {@code invalid_request} for a member that would promise what this server does not
   * do, with the detail {@code reason: unsupported}.
   */
  public static ProtocolException unsupported(String param, String message) {
    return invalid(param, "is not supported: " + message).with("reason", "unsupported");
  }

  /** Creates a {@code resource_not_found}, the same for absent and for hidden resources. */
  public static ProtocolException notFound(String object, String id) {
    return of(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "There is no such " + object + ".")
        .with(object + "_id", id);
  }

  /** Returns this failure with a member of the request as its {@code param}. */
  public ProtocolException blaming(String member) {
    return new ProtocolException(code, getMessage(), member, details, retryAfterSeconds);
  }

  /** Returns this failure with one more detail. */
  public ProtocolException with(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(details);
    more.put(name, value);
    return new ProtocolException(code, getMessage(), param, more, retryAfterSeconds);
  }

  /** Returns this failure with a Retry-After in seconds. */
  public ProtocolException retryAfter(int seconds) {
    return new ProtocolException(code, getMessage(), param, details, seconds);
  }

  /** Returns the protocol's code. */
  public ErrorCode code() {
    return code;
  }

  /** Returns the member of the request that is invalid. */
  public Optional<String> param() {
    return param.isEmpty() ? Optional.empty() : Optional.of(param);
  }

  /** Returns after how many seconds to retry; 0: unknown. */
  public int retryAfterSeconds() {
    return retryAfterSeconds;
  }

  /** Returns the details by name. */
  public Map<String, Object> details() {
    return details;
  }
}
