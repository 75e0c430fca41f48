package dev.bridle.worker;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import java.util.Optional;

/**
 * Thrown when the core rejects a call; contains the protocol's error code (protocol section
 * "Errors").
 */
public final class CallRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final Metadata.Key<ErrorDetail> DETAIL =
      Metadata.Key.of(
          "bridle-error-bin", ProtoUtils.metadataMarshaller(ErrorDetail.getDefaultInstance()));

  private final ErrorCode code;
  private final String param;

  CallRefused(ErrorCode code, String message, String param, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.param = param;
  }

  static CallRefused from(StatusRuntimeException failure) {
    Metadata trailers = failure.getTrailers();
    ErrorDetail detail = trailers == null ? null : trailers.get(DETAIL);
    if (detail != null) {
      return new CallRefused(detail.getCode(), detail.getMessage(), detail.getParam(), failure);
    }
    Status status = failure.getStatus();
    String said = status.getDescription() == null ? "" : ": " + status.getDescription();
    return new CallRefused(codeOf(status.getCode()), status.getCode() + said, "", failure);
  }

  private static ErrorCode codeOf(Status.Code code) {
    return switch (code) {
      case UNAVAILABLE -> ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE;
      case DEADLINE_EXCEEDED -> ErrorCode.ERROR_CODE_DEADLINE_EXCEEDED;
      case CANCELLED -> ErrorCode.ERROR_CODE_CLIENT_CLOSED_REQUEST;
      case UNAUTHENTICATED -> ErrorCode.ERROR_CODE_UNAUTHENTICATED;
      case PERMISSION_DENIED -> ErrorCode.ERROR_CODE_PERMISSION_DENIED;
      case NOT_FOUND -> ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND;
      case INVALID_ARGUMENT, OUT_OF_RANGE -> ErrorCode.ERROR_CODE_INVALID_REQUEST;
      case RESOURCE_EXHAUSTED -> ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE;
      default -> ErrorCode.ERROR_CODE_INTERNAL_ERROR;
    };
  }

  /** Returns the protocol's code. */
  public ErrorCode code() {
    return code;
  }

  /** Returns the invalid member of the request, if the error names one. */
  public Optional<String> param() {
    return param.isEmpty() ? Optional.empty() : Optional.of(param);
  }

  /**
   * Returns whether the error is transient (the core is unreachable or overloaded): a retry may
   * succeed.
   */
  boolean isTransient() {
    return switch (code) {
      case ERROR_CODE_SERVICE_UNAVAILABLE,
          ERROR_CODE_UPSTREAM_UNAVAILABLE,
          ERROR_CODE_DEADLINE_EXCEEDED,
          ERROR_CODE_CLIENT_CLOSED_REQUEST,
          ERROR_CODE_RATE_LIMITED ->
          true;
      default -> false;
    };
  }

  /** Returns whether the server failed for a reason other than an invalid request. */
  boolean isServerError() {
    return code == ErrorCode.ERROR_CODE_INTERNAL_ERROR;
  }

  /** Returns whether the request itself is invalid, so that a retry would be rejected too. */
  boolean isInvalidRequest() {
    return switch (code) {
      case ERROR_CODE_INVALID_REQUEST,
          ERROR_CODE_PAYLOAD_TOO_LARGE,
          ERROR_CODE_RESOURCE_NOT_FOUND,
          ERROR_CODE_POLICY_VIOLATION ->
          true;
      default -> false;
    };
  }
}
