package dev.bridle.gateway.kit.error;

import dev.bridle.api.v1.ErrorCode;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The protocol's error taxonomy: the HTTP status and type of each code. */
public final class ErrorTable {

  /** The HTTP status and type of a code. */
  public record Row(int status, String type) {}

  private static final String PREFIX = "ERROR_CODE_";
  private static final Map<ErrorCode, Row> ROWS = new EnumMap<>(ErrorCode.class);

  static {
    row(ErrorCode.ERROR_CODE_INVALID_REQUEST, 400, "request_error");
    row(ErrorCode.ERROR_CODE_INVALID_STATE_TRANSITION, 400, "request_error");
    row(ErrorCode.ERROR_CODE_UNAUTHENTICATED, 401, "auth_error");
    row(ErrorCode.ERROR_CODE_PERMISSION_DENIED, 403, "permission_error");
    row(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, 404, "not_found_error");
    row(ErrorCode.ERROR_CODE_CONFLICT, 409, "conflict_error");
    row(ErrorCode.ERROR_CODE_IDEMPOTENCY_KEY_REUSED, 409, "conflict_error");
    row(ErrorCode.ERROR_CODE_CURSOR_EXPIRED, 410, "request_error");
    row(ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE, 413, "request_error");
    row(ErrorCode.ERROR_CODE_POLICY_VIOLATION, 422, "permission_error");
    row(ErrorCode.ERROR_CODE_RESOURCE_LOCKED, 423, "conflict_error");
    row(ErrorCode.ERROR_CODE_UNSUPPORTED_PROTOCOL_VERSION, 426, "request_error");
    row(ErrorCode.ERROR_CODE_RATE_LIMITED, 429, "rate_limit_error");
    row(ErrorCode.ERROR_CODE_CLIENT_CLOSED_REQUEST, 499, "request_error");
    row(ErrorCode.ERROR_CODE_INTERNAL_ERROR, 500, "server_error");
    row(ErrorCode.ERROR_CODE_UPSTREAM_UNAVAILABLE, 502, "upstream_error");
    row(ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE, 503, "server_error");
    row(ErrorCode.ERROR_CODE_DEADLINE_EXCEEDED, 504, "server_error");
  }

  private ErrorTable() {}

  /**
   * Returns the status and type of a code, or those of {@code internal_error} for an unknown code.
   */
  public static Row of(ErrorCode code) {
    return ROWS.getOrDefault(code, ROWS.get(ErrorCode.ERROR_CODE_INTERNAL_ERROR));
  }

  /** Returns the wire name of a code. */
  public static String spelling(ErrorCode code) {
    ErrorCode known = ROWS.containsKey(code) ? code : ErrorCode.ERROR_CODE_INTERNAL_ERROR;
    return known.name().substring(PREFIX.length()).toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the code for a status of the HTTP layer. Statuses without their own code (405, 406,
   * 408, 415, 431) have {@code invalid_request}.
   */
  public static ErrorCode ofStatus(int status) {
    return switch (status) {
      case 401 -> ErrorCode.ERROR_CODE_UNAUTHENTICATED;
      case 403 -> ErrorCode.ERROR_CODE_PERMISSION_DENIED;
      case 404 -> ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND;
      case 413 -> ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE;
      case 426 -> ErrorCode.ERROR_CODE_UNSUPPORTED_PROTOCOL_VERSION;
      case 429 -> ErrorCode.ERROR_CODE_RATE_LIMITED;
      case 502 -> ErrorCode.ERROR_CODE_UPSTREAM_UNAVAILABLE;
      case 503 -> ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE;
      case 504 -> ErrorCode.ERROR_CODE_DEADLINE_EXCEEDED;
      default ->
          status >= 400 && status < 500
              ? ErrorCode.ERROR_CODE_INVALID_REQUEST
              : ErrorCode.ERROR_CODE_INTERNAL_ERROR;
    };
  }

  private static void row(ErrorCode code, int status, String type) {
    ROWS.put(code, new Row(status, type));
  }
}
