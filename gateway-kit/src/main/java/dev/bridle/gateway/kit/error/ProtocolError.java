package dev.bridle.gateway.kit.error;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import java.util.Optional;

/**
 * One error response.
 *
 * @param status the HTTP status, which is the status of the code except for 405, 406, 408, 415 and
 *     431
 * @param code the protocol's code
 * @param message a human-readable message
 * @param param the invalid member, parameter or header
 * @param details additional details as a JSON object; empty if there are none
 * @param retryAfterSeconds the seconds after which a retry may succeed; 0 if unknown
 */
public record ProtocolError(
    int status,
    ErrorCode code,
    String message,
    Optional<String> param,
    ByteString details,
    int retryAfterSeconds) {

  /** Returns an error with the status of its code. */
  public static ProtocolError of(ErrorCode code, String message) {
    return new ProtocolError(
        ErrorTable.of(code).status(), code, message, Optional.empty(), ByteString.EMPTY, 0);
  }

  /** Returns an {@code invalid_request} for a member, parameter or header ({@code ""}: none). */
  public static ProtocolError invalid(String param, String message) {
    return of(ErrorCode.ERROR_CODE_INVALID_REQUEST, message).blaming(param);
  }

  /** Returns an error with a status that has no code of its own. */
  public static ProtocolError ofStatus(int status, String message) {
    return new ProtocolError(
        status, ErrorTable.ofStatus(status), message, Optional.empty(), ByteString.EMPTY, 0);
  }

  /** Returns the error of the core's error detail. */
  public static ProtocolError of(ErrorDetail detail) {
    return new ProtocolError(
        ErrorTable.of(detail.getCode()).status(),
        detail.getCode(),
        detail.getMessage(),
        detail.hasParam() ? Optional.of(detail.getParam()) : Optional.empty(),
        detail.getDetails(),
        detail.getRetryAfterSeconds());
  }

  /** Returns a copy for another member, parameter or header ({@code ""}: none). */
  public ProtocolError blaming(String culprit) {
    Optional<String> blamed = culprit.isEmpty() ? Optional.empty() : Optional.of(culprit);
    return new ProtocolError(status, code, message, blamed, details, retryAfterSeconds);
  }

  /** Returns a copy that may succeed after a number of seconds. */
  public ProtocolError retryAfter(int seconds) {
    return new ProtocolError(status, code, message, param, details, seconds);
  }

  /** Returns a copy with details, a JSON object. */
  public ProtocolError with(String json) {
    return new ProtocolError(
        status, code, message, param, ByteString.copyFromUtf8(json), retryAfterSeconds);
  }
}
