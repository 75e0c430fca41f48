package dev.bridle.gateway.kit.route;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.Call;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.gateway.kit.json.InvalidMemberException;
import dev.bridle.gateway.kit.json.JsonTape;
import java.util.concurrent.CompletionException;

/**
 * Serves a route that takes no body, and rejects calls with one, which would be ignored otherwise.
 * An empty JSON object and {@code null} are accepted, since HTTP libraries send them of their own
 * accord.
 *
 * @param <C> the type of calls
 */
public final class BodilessHandler<C extends Call> implements CallHandler<C> {
  /** Enough for an empty object; longer bodies are not read. */
  private static final int MAX_BYTES = 1024;

  private static final int MAX_DEPTH = 1;

  private final CallHandler<C> handler;
  private final CoreCalls core;
  private final Bodies bodies;

  /**
   * Creates a handler.
   *
   * @param handler serves the calls without a body
   */
  public BodilessHandler(CallHandler<C> handler, CoreCalls core, Bodies bodies) {
    this.handler = handler;
    this.core = core;
    this.bodies = bodies;
  }

  @Override
  public HttpResponse serve(C call) {
    if (!mayHaveBody(call.request())) {
      return handler.serve(call);
    }
    if (call.request().headers().contentLength() > MAX_BYTES) {
      return HttpResponse.of(Failures.refuse(core, call, refusal()));
    }
    return HttpResponse.of(
        bodies
            .read(call, MAX_BYTES)
            .thenApply(
                body -> {
                  if (!isEmpty(body)) {
                    throw refusal();
                  }
                  return handler.serve(call);
                })
            .exceptionallyCompose(failure -> Failures.refuse(core, call, withoutSize(failure))));
  }

  /** Returns whether a request may have a body; not all with one declare its length. */
  public static boolean mayHaveBody(HttpRequest request) {
    long length = request.headers().contentLength();
    return length > 0 || (length < 0 && !request.isEmpty());
  }

  private static boolean isEmpty(byte[] body) {
    if (body.length == 0) {
      return true;
    }
    try {
      JsonTape tape = JsonTape.parse(body, MAX_DEPTH);
      return switch (tape.kind(0)) {
        case NULL -> true;
        case OBJECT -> tape.next(0) == 1;
        default -> false;
      };
    } catch (InvalidMemberException e) {
      return false;
    }
  }

  /** Replaces the error for a body that is too large, which suggests a smaller one. */
  private static Throwable withoutSize(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof ProtocolException refused
            && refused.error().code() == ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE
        ? refusal()
        : failure;
  }

  private static ProtocolException refusal() {
    return new ProtocolException(
        ProtocolError.invalid("", "The operation takes no body. Leave it out."));
  }
}
