package dev.bridle.gateway.kit.stream;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.Call;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Makes responses whose bodies are in memory as a whole. Each is counted for its tenant until the
 * connection has taken the last of it.
 */
public final class WholeResponses {
  private static final int LARGE_AT_ONCE = 4;

  private final Bodies bodies;
  private final UnsentBytes unsent;
  private final Semaphore making = new Semaphore(LARGE_AT_ONCE);

  /**
   * Creates it.
   *
   * @param bodies returns the tenants of callers
   */
  public WholeResponses(Bodies bodies, UnsentBytes unsent) {
    this.bodies = bodies;
    this.unsent = unsent;
  }

  /**
   * Makes a large body while few others are made: to make one takes several times its size, which
   * is counted nowhere. Blocks a thread of the core, of which there are few, and not for longer
   * than the processors would be busy with them all in any case.
   */
  public byte[] alone(Supplier<byte[]> body) {
    making.acquireUninterruptibly();
    try {
      return body.get();
    } finally {
      making.release();
    }
  }

  /**
   * Returns a response, which counts for the tenant of the call, or for its address where that
   * can't be found any more. Fails with {@code service_unavailable}, if its bytes have no room.
   *
   * @param headers its headers, without the length
   */
  public CompletableFuture<HttpResponse> of(Call call, ResponseHeaders headers, byte[] body) {
    if (body.length == 0) {
      return CompletableFuture.completedFuture(HttpResponse.of(headers, HttpData.empty()));
    }
    return bodies
        .holder(call)
        // What was done is answered, also if the call has ended its own credentials.
        .exceptionally(failure -> Bodies.sender(call))
        .thenApply(tenant -> new WholeResponse(call, headers, body).start(unsent, tenant));
  }
}
