package dev.bridle.gateway.kit.call;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.util.AttributeKey;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each request, with its status and duration, at level debug. */
public final class AccessLog {
  private static final Logger log = LoggerFactory.getLogger(AccessLog.class);

  private static final AttributeKey<String> SHOWN =
      AttributeKey.valueOf(AccessLog.class, "SHOWN_PATH");

  private AccessLog() {}

  /** Has a request logged with its route's label instead of its path, which holds a secret. */
  public static void hidePath(ServiceRequestContext ctx, Target target) {
    ctx.setAttr(SHOWN, target.label());
  }

  /** Logs a request when it is complete; without its query, which may hold a secret. */
  public static void record(ServiceRequestContext ctx, HttpRequest request, String requestId) {
    if (!log.isDebugEnabled()) {
      return;
    }
    long begin = System.nanoTime();
    var unused =
        ctx.log()
            .whenComplete()
            .thenAccept(
                done ->
                    log.debug(
                        "Request {}: {} {} from {}: {} in {} ms",
                        requestId,
                        request.method(),
                        Optional.ofNullable(ctx.attr(SHOWN)).orElseGet(() -> RawPath.of(ctx)),
                        ctx.remoteAddress(),
                        done.responseStatus(),
                        (System.nanoTime() - begin) / 1_000_000));
  }
}
