package dev.bridle.worker;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

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
  private final String stepKey;

  CallRefused(ErrorCode code, String message, String param, Throwable cause) {
    this(code, message, param, "", cause);
  }

  private CallRefused(
      ErrorCode code, String message, String param, String stepKey, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.param = param;
    this.stepKey = stepKey;
  }

  /** Returns this failure as that of an earlier report. */
  CallRefused ofReport(String key) {
    return new CallRefused(code, "report `" + key + "`: " + getMessage(), param, key, this);
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
   * Returns the step key of the report that was rejected, if it is one of an earlier call that did
   * not wait for it. The call that throws this was not made then.
   */
  public Optional<String> stepKey() {
    return stepKey.isEmpty() ? Optional.empty() : Optional.of(stepKey);
  }

  /**
   * Returns whether the core rejected this report, or one that was rejected with it, in a way that
   * a retry can't change: the report is invalid, or its step key is that of another step.
   */
  boolean rejectsReport() {
    boolean rejected = isInvalidRequest() || code == ErrorCode.ERROR_CODE_CONFLICT;
    return (!stepKey.isEmpty() && rejected)
        || Stream.of(getSuppressed())
            .anyMatch(other -> other instanceof CallRefused refused && refused.rejectsReport());
  }

  /**
   * Returns whether a failure is or comes from the rejection of a report, as {@link
   * #rejectsReport()} says: it is among its causes and what they suppressed.
   */
  static boolean isOfRejectedReport(Throwable failure) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Throwable> open = new ArrayDeque<>(List.of(failure));
    while (!open.isEmpty()) {
      Throwable each = open.remove();
      if (each instanceof CallRefused refused && refused.rejectsReport()) {
        return true;
      }
      if (seen.add(each)) {
        Optional.ofNullable(each.getCause()).ifPresent(open::add);
        open.addAll(List.of(each.getSuppressed()));
      }
    }
    return false;
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
