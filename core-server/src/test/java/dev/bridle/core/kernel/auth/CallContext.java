package dev.bridle.core.kernel.auth;

import dev.bridle.core.kernel.error.RequestInfo;
import io.grpc.Context;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Runs work as if it were within a call. */
public final class CallContext {
  private CallContext() {}

  /** Runs the work for a caller that sent an idempotency key. */
  public static <T> T within(Caller caller, String idempotencyKey, Callable<T> work)
      throws Exception {
    return within(caller, Optional.of(idempotencyKey), work);
  }

  /** Runs the work for a caller that sent no idempotency key. */
  public static <T> T within(Caller caller, Callable<T> work) throws Exception {
    return within(caller, Optional.empty(), work);
  }

  private static <T> T within(Caller caller, Optional<String> idempotencyKey, Callable<T> work)
      throws Exception {
    RequestInfo info =
        new RequestInfo("-", idempotencyKey, "bridle.test/Command", Optional.empty(), false);
    return RequestInfo.in(Caller.in(Context.current(), caller), info).call(work);
  }
}
