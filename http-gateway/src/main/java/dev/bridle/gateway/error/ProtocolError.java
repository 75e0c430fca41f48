package dev.bridle.gateway.error;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import java.util.Optional;

/**
 * One answer that is an error.
 *
 * @param status the HTTP status, which is the code's own but for 405, 406, 408, 415 and 431
 * @param code the protocol's code
 * @param message a sentence for a person
 * @param param the member, parameter or header that is to blame
 * @param details further facts, as a JSON object; empty: none
 * @param retryAfterSeconds when the same request may go better; 0: not known
 */
public record ProtocolError(
    int status,
    ErrorCode code,
    String message,
    Optional<String> param,
    ByteString details,
    int retryAfterSeconds) {

  /** An error with its code's own status. */
  public static ProtocolError of(ErrorCode code, String message) {
    return new ProtocolError(
        ErrorTable.of(code).status(), code, message, Optional.empty(), ByteString.EMPTY, 0);
  }

  /** An {@code invalid_request} that blames a member, parameter or header ({@code ""}: none). */
  public static ProtocolError invalid(String param, String message) {
    return of(ErrorCode.ERROR_CODE_INVALID_REQUEST, message).blaming(param);
  }

  /** An error with a status that has no code of its own. */
  public static ProtocolError ofStatus(int status, String message) {
    return new ProtocolError(
        status, ErrorTable.ofStatus(status), message, Optional.empty(), ByteString.EMPTY, 0);
  }

  /** An error as the core tells it. */
  public static ProtocolError of(ErrorDetail detail) {
    return new ProtocolError(
        ErrorTable.of(detail.getCode()).status(),
        detail.getCode(),
        detail.getMessage(),
        detail.hasParam() ? Optional.of(detail.getParam()) : Optional.empty(),
        detail.getDetails(),
        detail.getRetryAfterSeconds());
  }

  /** The same, blaming a member, parameter or header ({@code ""}: none). */
  public ProtocolError blaming(String culprit) {
    Optional<String> blamed = culprit.isEmpty() ? Optional.empty() : Optional.of(culprit);
    return new ProtocolError(status, code, message, blamed, details, retryAfterSeconds);
  }

  /** The same with further facts, a JSON object. */
  public ProtocolError with(String json) {
    return new ProtocolError(
        status, code, message, param, ByteString.copyFromUtf8(json), retryAfterSeconds);
  }
}
