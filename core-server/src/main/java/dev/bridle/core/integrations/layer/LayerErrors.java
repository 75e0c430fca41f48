package dev.bridle.core.integrations.layer;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;

/**
 * Failures of the prompt and session layers, each with HARP's code and a finer reason in its
 * details, for the gateway that speaks HARP.
 */
public final class LayerErrors {
  private static final String TOO_LARGE = "too_large";

  private LayerErrors() {}

  /** Returns the failure of a document that is not accepted. */
  public static ProtocolException of(HarpException failure) {
    ErrorCode code =
        switch (failure.code()) {
          case HASH_MISMATCH, EXPIRED, POLICY_DENY, PROMPT_TARGET_UNSUPPORTED ->
              ErrorCode.ERROR_CODE_POLICY_VIOLATION;
          case PROMPT_RATE_LIMIT -> ErrorCode.ERROR_CODE_RATE_LIMITED;
          case SESSION_INVALID_STATE, SESSION_DUPLICATE_SNAPSHOT, SESSION_CLOSED ->
              ErrorCode.ERROR_CODE_CONFLICT;
          default ->
              failure.reason().equals(TOO_LARGE)
                  ? ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE
                  : ErrorCode.ERROR_CODE_INVALID_REQUEST;
        };
    return ProtocolException.of(code, failure.getMessage())
        .with("harp_code", failure.code().spelled())
        .with("reason", failure.reason());
  }

  /** Returns the failure of a document about a request. */
  public static ProtocolException of(HarpException failure, String requestId) {
    return of(failure).with("request_id", requestId);
  }

  /** Returns what is wrong with a document that its schema does not allow. */
  public static HarpException schema(String message) {
    return new HarpException(HarpErrorCode.TRANSPORT, "schema", message);
  }

  /**
   * Returns what is wrong with a document that is too large.
   *
   * @param code the code of its layer
   */
  public static HarpException tooLarge(HarpErrorCode code, int bytes, int most) {
    return new HarpException(
        code,
        TOO_LARGE,
        "The document has " + bytes + " bytes; at most " + most + " are accepted.");
  }
}
