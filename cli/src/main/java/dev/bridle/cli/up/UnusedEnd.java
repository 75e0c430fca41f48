package dev.bridle.cli.up;

import dev.bridle.cli.admin.OperatorKey;
import dev.bridle.cli.console.Timeouts;
import dev.bridle.permission.v1.ListPermissionRequestsRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.PermissionStatus;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a server that nothing has used for some time. While an agent's question is open it stays, so
 * that somebody can answer.
 */
final class UnusedEnd {
  private static final Logger log = LoggerFactory.getLogger(UnusedEnd.class);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  private final LocalServer server;
  private final Channel core;
  private final Duration span;
  private final CompletableFuture<Void> over = new CompletableFuture<>();

  private UnusedEnd(LocalServer server, Duration span) {
    this.server = server;
    this.core =
        OperatorKey.withBearer(
            server.channel(), server.credential("unused-end", Set.of("permissions:read")));
    this.span = span;
  }

  /** Returns a future that completes when a server was unused for a time. */
  static CompletableFuture<Void> of(LocalServer server, Duration span) {
    UnusedEnd end = new UnusedEnd(server, span);
    Thread thread = new Thread(end::watch, "bridle-unused");
    thread.setDaemon(true);
    thread.start();
    return end.over.copy();
  }

  private void watch() {
    try {
      TimeUnit.MILLISECONDS.sleep(span.toMillis()); // From now on, however long the start took.
      // The look for questions is a call, too: the next one comes after another whole span.
      while (server.unused().compareTo(span) < 0 || hasOpenQuestion() || isInUse()) {
        long left = span.minus(server.unused()).toMillis();
        TimeUnit.MILLISECONDS.sleep(Math.max(1, Math.min(left, LONGEST_PAUSE.toMillis())));
      }
      log.info("Nothing has used this server for {}; it ends", span);
      over.complete(null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (StatusRuntimeException e) {
      log.debug("The server is ending already", e);
    }
  }

  private boolean isInUse() {
    return server.unused().isZero();
  }

  private boolean hasOpenQuestion() {
    return PermissionServiceGrpc.newBlockingStub(core)
            .withDeadlineAfter(Timeouts.OPERATOR_CALL.toSeconds(), TimeUnit.SECONDS)
            .listPermissionRequests(
                ListPermissionRequestsRequest.newBuilder()
                    .setStatus(PermissionStatus.PERMISSION_STATUS_PENDING)
                    .setLimit(1)
                    .build())
            .getDataCount()
        > 0;
  }
}
