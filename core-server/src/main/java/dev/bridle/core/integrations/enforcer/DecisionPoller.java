package dev.bridle.core.integrations.enforcer;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.policy.ApprovalDevices;
import dev.bridle.record.v1.HarpRequestRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches the decisions of requests that their relays have.
 *
 * <p>A relay that does not say when it has a decision is asked all the time, by one call after the
 * other, each of which waits there: so a decision arrives at once, and a waiting request costs one
 * call in the time that the relay lets a call wait. No thread is held for that.
 */
final class DecisionPoller {
  private static final Logger log = LoggerFactory.getLogger(DecisionPoller.class);

  /**
   * Where the relay says when it has a decision, looking again, the rarer the longer a request
   * waits, finds what a crash has kept it from saying.
   */
  private static final Duration FIRST_POLL = Duration.ofSeconds(15);

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  /** When another call is made if the one that is under way was lost with its process. */
  private static final Duration NEXT_CALL = Duration.ofSeconds(30);

  /** A relay that answers sooner has not let the call wait, and is not asked again at once. */
  private static final Duration WAITED = Duration.ofSeconds(2);

  private final CoreContext context;
  private final HarpRequestStore store;
  private final RequestChanges changes;
  private final RequestFailures failures;
  private final Acceptance acceptance;
  private final BiConsumer<String, String> again;

  /** Requests whose relay this process is asking. */
  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  /**
   * Creates it.
   *
   * @param again has a request of a tenant looked at again
   */
  DecisionPoller(
      CoreContext context,
      HarpRequestStore store,
      RequestChanges changes,
      RequestFailures failures,
      Acceptance acceptance,
      BiConsumer<String, String> again) {
    this.context = context;
    this.store = store;
    this.changes = changes;
    this.failures = failures;
    this.acceptance = acceptance;
    this.again = again;
  }

  /** Asks the relay for the decision of a request, unless this process does so already. */
  void poll(RelayLane lane, String tenant, HarpRequestRecord record) {
    String requestId = record.getRequestId();
    String key = tenant + "\n" + requestId;
    if (asked.add(key)) {
      long began = context.environment().nanoTime().getAsLong();
      CompletableFuture<Optional<ByteString>> answer = call(lane, tenant, requestId);
      var unused =
          answer.whenComplete(
              (decision, failure) -> {
                asked.remove(key);
                onLane(
                    lane,
                    () -> {
                      if (failure == null) {
                        answered(lane, tenant, record, decision, began);
                      } else {
                        failures.failed(tenant, requestId, lane.name(), cause(failure));
                      }
                    });
              });
      if (answer.isDone()) {
        return;
      }
    }
    changes.change(
        tenant,
        requestId,
        (write, now) -> {
          if (HarpRequests.isOpen(now)) {
            store.update(write, now, now.toBuilder().setDueAt(next(write, now, lane)).build());
          }
        });
  }

  private static CompletableFuture<Optional<ByteString>> call(
      RelayLane lane, String tenant, String requestId) {
    try {
      return lane.port().decision(tenant, requestId);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static void onLane(RelayLane lane, Runnable work) {
    try {
      lane.executor().execute(work);
    } catch (RejectedExecutionException e) {
      log.debug("The server stops while it waits for a decision.");
    }
  }

  private static RuntimeException cause(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
  }

  private void answered(
      RelayLane lane,
      String tenant,
      HarpRequestRecord record,
      Optional<ByteString> decision,
      long began) {
    String requestId = record.getRequestId();
    try {
      if (decision.isPresent()) {
        acceptance.accept(tenant, requestId, decision.get());
        // Where this fails, the relay keeps the decision for as long as it keeps any.
        lane.port().acknowledge(tenant, requestId, decision.get());
      } else if (isRevoked(tenant, record)) {
        changes.change(tenant, requestId, acceptance::endUnwanted);
      } else {
        pollAgain(lane, tenant, record, context.environment().nanoTime().getAsLong() - began);
      }
    } catch (RuntimeException e) {
      failures.failed(tenant, requestId, lane.name(), e);
    }
  }

  private boolean isRevoked(String tenant, HarpRequestRecord record) {
    return context
        .store()
        .read(
            tr ->
                ApprovalDevices.find(
                    context.configurations().of(tr, tenant), record.getApprovalDeviceId()))
        .filter(device -> !device.hasRevokedAt())
        .isEmpty();
  }

  private void pollAgain(RelayLane lane, String tenant, HarpRequestRecord record, long nanos) {
    boolean waited = nanos >= WAITED.toNanos();
    if (!waited || record.getFailures() > 0) {
      changes.change(
          tenant,
          record.getRequestId(),
          (write, now) -> {
            if (HarpRequests.isOpen(now)) {
              long due = next(write, now, lane);
              store.update(write, now, now.toBuilder().setFailures(0).setDueAt(due).build());
            }
          });
    }
    if (waited) {
      again.accept(tenant, record.getRequestId());
    }
  }

  /** Returns when a request is looked at next if nothing says so before. */
  static long next(Write write, HarpRequestRecord record, RelayLane lane) {
    long now = write.nowMillis();
    if (!lane.port().reportsDecisions()) {
      return now + NEXT_CALL.toMillis();
    }
    long waited = now - record.getCreatedAt();
    return now + Math.min(LONGEST_PAUSE.toMillis(), Math.max(FIRST_POLL.toMillis(), waited / 2));
  }
}
