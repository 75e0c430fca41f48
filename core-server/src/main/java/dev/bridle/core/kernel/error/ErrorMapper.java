package dev.bridle.core.kernel.error;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.storage.StoreException;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps exceptions to the gRPC status and error detail that the caller receives. Nothing else in the
 * core maps errors.
 */
public final class ErrorMapper {
  /** The trailer that carries the {@link ErrorDetail}. */
  public static final Metadata.Key<byte[]> DETAIL =
      Metadata.Key.of("bridle-error-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private static final int RETRY_AFTER_SECONDS = 1;
  private static final Logger log = LoggerFactory.getLogger(ErrorMapper.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_TEXT = 1000;
  private static final int MAX_DETAILS = 2000;

  private ErrorMapper() {}

  /**
   * Returns the detail for a failure. Failures of the server itself are logged with the request's
   * id.
   */
  public static ErrorDetail detail(Throwable failure, String requestId) {
    return detail(failure, requestId, false);
  }

  /**
   * Returns the detail for a failure of a call.
   *
   * @param isCommand whether the call writes, so that it may have been applied
   */
  public static ErrorDetail detail(Throwable failure, String requestId, boolean isCommand) {
    if (failure instanceof ProtocolException known) {
      return detail(known);
    }
    if (failure instanceof StoreException store) {
      return detail(ofStore(store, requestId, isCommand));
    }
    log.error("Request {} failed unexpectedly.", requestId, failure);
    return detail(
        ProtocolException.of(
            ErrorCode.ERROR_CODE_INTERNAL_ERROR, "The server failed unexpectedly; see its log."));
  }

  /** Returns the gRPC failure that carries a detail. */
  public static StatusException status(ErrorDetail detail) {
    Metadata trailers = new Metadata();
    trailers.put(DETAIL, detail.toByteArray());
    return codeOf(detail.getCode()).withDescription(detail.getMessage()).asException(trailers);
  }

  private static ProtocolException ofStore(
      StoreException failure, String requestId, boolean isCommand) {
    return switch (failure.code()) {
      case DISK_LOW -> {
        log.warn("Request {} was refused: {}", requestId, failure.getMessage());
        yield ProtocolException.of(
            ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE,
            "The server's disk is nearly full; nothing was written.");
      }
      case TIMED_OUT,
          CONFLICT,
          TRANSACTION_TOO_OLD,
          PROCESS_BEHIND,
          COMMIT_UNKNOWN,
          CLUSTER_CHANGED -> {
        // No warning: a store that does not answer says so itself, once.
        log.info("Request {} ran out of time in the store: {}", requestId, failure.getMessage());
        yield ProtocolException.of(
                ErrorCode.ERROR_CODE_DEADLINE_EXCEEDED,
                isCommand
                    ? "The request was not confirmed in time; try again with the same idempotency"
                        + " key."
                    : "The server's storage did not answer in time; try again.")
            .retryAfter(RETRY_AFTER_SECONDS);
      }
      case STORE_CLOSED, STORE_FAILED, CANCELLED, OPERATION_CANCELLED -> {
        log.warn(
            "Request {} met a store that is closed or failed: {}", requestId, failure.getMessage());
        yield ProtocolException.of(
            ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE,
            isCommand
                ? "The server can't reach its storage; try again with the same idempotency key."
                : "The server can't reach its storage; try again.");
      }
      case TRANSACTION_TOO_LARGE, VALUE_TOO_LARGE, KEY_TOO_LARGE ->
          ProtocolException.of(
              ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE, "The request holds more than can be stored.");
      default -> {
        log.error("Request {} failed in the store.", requestId, failure);
        yield ProtocolException.of(
            ErrorCode.ERROR_CODE_INTERNAL_ERROR, "The server failed unexpectedly; see its log.");
      }
    };
  }

  private static ErrorDetail detail(ProtocolException failure) {
    ErrorDetail.Builder detail =
        ErrorDetail.newBuilder()
            .setCode(failure.code())
            .setMessage(cut(failure.getMessage()))
            .setRetryAfterSeconds(failure.retryAfterSeconds());
    failure.param().ifPresent(param -> detail.setParam(cut(param)));
    if (!failure.details().isEmpty()) {
      try {
        byte[] json = JSON.writeValueAsBytes(failure.details());
        if (json.length <= MAX_DETAILS) {
          detail.setDetails(ByteString.copyFrom(json));
        }
      } catch (JsonProcessingException e) {
        log.error("The details of an error can't be written.", e);
      }
    }
    return detail.build();
  }

  private static String cut(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
  }

  private static Status codeOf(ErrorCode code) {
    return switch (code) {
      case ERROR_CODE_INVALID_REQUEST, ERROR_CODE_UNSUPPORTED_PROTOCOL_VERSION ->
          Status.INVALID_ARGUMENT;
      case ERROR_CODE_INVALID_STATE_TRANSITION, ERROR_CODE_POLICY_VIOLATION ->
          Status.FAILED_PRECONDITION;
      case ERROR_CODE_UNAUTHENTICATED -> Status.UNAUTHENTICATED;
      case ERROR_CODE_PERMISSION_DENIED -> Status.PERMISSION_DENIED;
      case ERROR_CODE_RESOURCE_NOT_FOUND -> Status.NOT_FOUND;
      case ERROR_CODE_CONFLICT, ERROR_CODE_IDEMPOTENCY_KEY_REUSED -> Status.ALREADY_EXISTS;
      case ERROR_CODE_RESOURCE_LOCKED -> Status.ABORTED;
      case ERROR_CODE_CURSOR_EXPIRED -> Status.OUT_OF_RANGE;
      case ERROR_CODE_PAYLOAD_TOO_LARGE, ERROR_CODE_RATE_LIMITED -> Status.RESOURCE_EXHAUSTED;
      case ERROR_CODE_CLIENT_CLOSED_REQUEST -> Status.CANCELLED;
      case ERROR_CODE_UPSTREAM_UNAVAILABLE, ERROR_CODE_SERVICE_UNAVAILABLE -> Status.UNAVAILABLE;
      case ERROR_CODE_DEADLINE_EXCEEDED -> Status.DEADLINE_EXCEEDED;
      default -> Status.INTERNAL;
    };
  }
}
