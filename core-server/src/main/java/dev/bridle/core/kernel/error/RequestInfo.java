package dev.bridle.core.kernel.error;

import dev.bridle.core.kernel.trace.TraceId;
import io.grpc.Context;
import io.grpc.Metadata;
import java.util.Optional;

/**
 * The metadata of a call.
 *
 * @param requestId the id of the call in logs and errors
 * @param idempotencyKey makes a command apply once for its caller
 * @param method the full name of the rpc
 * @param trace the caller's trace
 * @param frame whether it came as a frame of a WebSocket
 */
public record RequestInfo(
    String requestId,
    Optional<String> idempotencyKey,
    String method,
    Optional<TraceId> trace,
    boolean frame) {
  private static final Metadata.Key<String> REQUEST_ID =
      Metadata.Key.of("bridle-request-id", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> IDEMPOTENCY_KEY =
      Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> TRACEPARENT =
      Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> CHANNEL =
      Metadata.Key.of("bridle-channel", Metadata.ASCII_STRING_MARSHALLER);
  private static final Context.Key<RequestInfo> CURRENT = Context.key("bridle-request");

  /** Returns the request id of a call's headers, or a dash. */
  public static String requestId(Metadata headers) {
    String id = headers.get(REQUEST_ID);
    return id == null ? "-" : id;
  }

  /** Drops what only a gateway in this process says of a call. */
  public static void dropGateways(Metadata headers) {
    headers.discardAll(CHANNEL);
  }

  /** Reads the metadata of a call from its headers. */
  public static RequestInfo of(Metadata headers, String method) {
    return new RequestInfo(
        requestId(headers),
        Optional.ofNullable(headers.get(IDEMPOTENCY_KEY)),
        method,
        Optional.ofNullable(headers.get(TRACEPARENT)).flatMap(TraceId::ofTraceparent),
        "websocket".equals(headers.get(CHANNEL)));
  }

  /** Returns a context that carries the request info. */
  public static Context in(Context context, RequestInfo info) {
    return context.withValue(CURRENT, info);
  }

  /** Returns the trace of the current call; empty if it names none, or no call is under way. */
  public static Optional<TraceId> currentTrace() {
    return Optional.ofNullable(CURRENT.get()).flatMap(RequestInfo::trace);
  }

  /** Returns whether the current call came as a frame of a WebSocket. */
  public static boolean isFrame() {
    return Optional.ofNullable(CURRENT.get()).filter(RequestInfo::frame).isPresent();
  }

  /** Returns the current call's request info. */
  public static RequestInfo current() {
    return Optional.ofNullable(CURRENT.get())
        .orElseThrow(() -> new IllegalStateException("no call is under way on this thread"));
  }
}
