package dev.bridle.core.integrations.enforcer;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.core.work.permission.SignedAnswers;
import dev.bridle.core.work.policy.ApprovalDevices;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.record.v1.HarpRequestRecord;
import dev.bridle.record.v1.HarpRequestState;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.layer.DueEntry;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests for signed decisions to the relay, takes them back, and fetches decisions. What is
 * to be done stands in the records of the requests, so that any process does it, and again after a
 * crash.
 */
public final class Enforcer {
  /** The id by which the relay knows the enforcer of each tenant. */
  public static final String ID = "bridle";

  private static final Logger log = LoggerFactory.getLogger(Enforcer.class);

  /**
   * The relay says when it has a decision; looking again, the rarer the longer a request waits,
   * finds what a crash has kept it from saying.
   */
  private static final Duration FIRST_LOOK = Duration.ofSeconds(15);

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final int MOST_DOUBLINGS = 6;

  private final CoreContext context;
  private final HarpRequestStore store;
  private final HarpRequests requests;
  private final PermissionStore permissions;
  private final Acceptance acceptance;
  private final RelayPort relay;
  private final SecureRandom random = new SecureRandom();

  /** Requests that this process works on, with the calls for it that are not answered yet. */
  private final Map<String, Integer> underway = new ConcurrentHashMap<>();

  /**
   * Creates the enforcer.
   *
   * @param requests what {@link #listener} has returned
   * @param answers applies accepted decisions
   */
  public Enforcer(
      CoreContext context,
      HarpRequests requests,
      TaskStores stores,
      SignedAnswers answers,
      RelayPort relay) {
    this.context = context;
    this.store = new HarpRequestStore(context.layout(), context.due());
    this.requests = requests;
    this.permissions = new PermissionStore(context.layout());
    this.acceptance = new Acceptance(context, store, requests, stores, answers);
    this.relay = relay;
    requests.onChange(this::schedule);
  }

  /** Returns what makes and ends requests in the transactions that ask for permission. */
  public static HarpRequests listener(CoreContext context) {
    return new HarpRequests(context, new HarpRequestStore(context.layout(), context.due()));
  }

  /** Does what a request needs now; removes the entry if it is stale. */
  public void due(DueEntry entry) {
    boolean current =
        context
            .store()
            .read(tr -> store.find(tr, entry.tenant(), entry.id()))
            .filter(record -> HarpRecords.REQUEST.isDue(record, entry))
            .isPresent();
    if (current) {
      schedule(entry.tenant(), entry.id());
      return;
    }
    var unused =
        context
            .commands()
            .fenced(
                FencedWrite.SEND_REQUEST,
                entry.tenant(),
                Acceptance.ACTOR,
                write -> {
                  boolean stale =
                      store
                          .find(write.tr(), entry.tenant(), entry.id())
                          .filter(record -> HarpRecords.REQUEST.isDue(record, entry))
                          .isEmpty();
                  if (stale) {
                    store.cancel(write, entry);
                  }
                  return stale;
                });
  }

  /** Hears from a relay that a request may have been decided. */
  public void decided(String tenant, String requestId) {
    schedule(tenant, requestId);
  }

  /** Advances a request, once after this call at least and never twice at the same time. */
  private void schedule(String tenant, String requestId) {
    String key = tenant + "\n" + requestId;
    if (underway.merge(key, 1, Integer::sum) == 1) {
      context.environment().background().execute(() -> run(key, tenant, requestId));
    }
  }

  private void run(String key, String tenant, String requestId) {
    boolean again = true;
    while (again) {
      int calls = underway.get(key);
      try {
        work(tenant, requestId);
      } finally {
        again =
            Optional.ofNullable(
                    underway.computeIfPresent(
                        key, (same, all) -> all == calls ? null : all - calls))
                .isPresent();
      }
    }
  }

  private void work(String tenant, String requestId) {
    try {
      Optional<HarpRequestRecord> found =
          context.store().read(tr -> store.find(tr, tenant, requestId));
      if (found.isEmpty()) {
        return;
      }
      HarpRequestRecord record = found.get();
      if (record.getWithdrawalOwed()) {
        relay.withdraw(tenant, requestId, record.getReason());
        change(tenant, requestId, this::withdrawn);
      } else {
        switch (record.getState()) {
          case HARP_REQUEST_STATE_CREATED -> send(tenant, record);
          case HARP_REQUEST_STATE_AWAITING_DECISION -> look(tenant, record);
          default -> change(tenant, requestId, this::remove);
        }
      }
    } catch (RuntimeException e) {
      failed(tenant, requestId, e);
    }
  }

  private void failed(String tenant, String requestId, RuntimeException failure) {
    FailureLog.warn(
        log, "The request " + requestId + " for a decision could not be advanced; later.", failure);
    try {
      change(
          tenant,
          requestId,
          (write, record) -> {
            if (!HarpRequests.isOpen(record) && !record.getWithdrawalOwed()) {
              return; // It is kept as long as it would be otherwise.
            }
            int failures = record.getFailures() + 1;
            long pause = FIRST_RETRY.toMillis() << Math.min(failures - 1, MOST_DOUBLINGS);
            store.update(
                write,
                record,
                record.toBuilder()
                    .setFailures(failures)
                    .setDueAt(write.nowMillis() + pause)
                    .build());
          });
    } catch (StoreException e) {
      FailureLog.warn(log, "A request for a decision stays due.", e);
    }
  }

  private void withdrawn(Write write, HarpRequestRecord record) {
    if (record.getWithdrawalOwed()) {
      store.update(
          write,
          record,
          record.toBuilder()
              .setWithdrawalOwed(false)
              .setFailures(0)
              .setDueAt(HarpRequests.removedAt(record, write.nowMillis()))
              .build());
    }
  }

  private void remove(Write write, HarpRequestRecord record) {
    boolean over = !HarpRequests.isOpen(record) && record.getDueAt() <= write.nowMillis();
    if (over && !record.getWithdrawalOwed()) {
      store.remove(write, record);
    }
  }

  private void send(String tenant, HarpRequestRecord record) {
    Optional<ByteString> envelope = context.store().read(tr -> envelope(tr, tenant, record));
    if (envelope.isEmpty()) {
      change(tenant, record.getRequestId(), this::endOpen);
      return;
    }
    relay.submit(tenant, envelope.get());
    change(tenant, record.getRequestId(), this::sent);
  }

  /** Returns what is submitted; empty if the device is revoked, or nobody waits any more. */
  private Optional<ByteString> envelope(
      ReadTransaction tr, String tenant, HarpRequestRecord record) {
    Optional<PermissionRequest> asked =
        permissions
            .find(tr, tenant, record.getPermissionRequestId())
            .map(PermissionRecord::getRequest);
    Optional<ApprovalDevice> device = device(tr, tenant, record);
    return asked.isEmpty() || device.isEmpty()
        ? Optional.empty()
        : Optional.of(SealedRequest.envelope(record, asked.get(), device.get(), random));
  }

  private Optional<ApprovalDevice> device(
      ReadTransaction tr, String tenant, HarpRequestRecord record) {
    return ApprovalDevices.find(
            context.configurations().of(tr, tenant), record.getApprovalDeviceId())
        .filter(known -> !known.hasRevokedAt());
  }

  private void endOpen(Write write, HarpRequestRecord record) {
    if (HarpRequests.isOpen(record)) {
      requests.end(write, record, "The device was revoked, or nobody waits for it any more.");
    }
  }

  private void sent(Write write, HarpRequestRecord record) {
    if (record.getState() == HarpRequestState.HARP_REQUEST_STATE_CREATED) {
      store.update(
          write,
          record,
          record.toBuilder()
              .setState(HarpRequestState.HARP_REQUEST_STATE_AWAITING_DECISION)
              .setFailures(0)
              .setDueAt(nextLook(write, record))
              .build());
    } else if (record.getState() == HarpRequestState.HARP_REQUEST_STATE_WITHDRAWN
        && !record.getWithdrawalOwed()) {
      // It was withdrawn before the relay had it.
      requests.end(write, record, record.getReason());
    }
  }

  private void look(String tenant, HarpRequestRecord record) {
    Optional<ByteString> decision = relay.decision(tenant, record.getRequestId());
    if (decision.isPresent()) {
      acceptance.accept(tenant, record.getRequestId(), decision.get());
      relay.acknowledge(tenant, record.getRequestId());
    } else if (context.store().read(tr -> device(tr, tenant, record)).isEmpty()) {
      change(tenant, record.getRequestId(), this::endOpen);
    } else {
      change(tenant, record.getRequestId(), this::lookLater);
    }
  }

  private static long nextLook(Write write, HarpRequestRecord record) {
    long now = write.nowMillis();
    long waited = now - record.getCreatedAt();
    return now + Math.min(LONGEST_PAUSE.toMillis(), Math.max(FIRST_LOOK.toMillis(), waited / 2));
  }

  private void lookLater(Write write, HarpRequestRecord record) {
    if (HarpRequests.isOpen(record)) {
      store.update(
          write,
          record,
          record.toBuilder().setFailures(0).setDueAt(nextLook(write, record)).build());
    }
  }

  private void change(
      String tenant, String requestId, BiConsumer<Write, HarpRequestRecord> change) {
    var unused =
        context
            .commands()
            .fenced(
                FencedWrite.SEND_REQUEST,
                tenant,
                Acceptance.ACTOR,
                write -> {
                  store
                      .find(write.tr(), tenant, requestId)
                      .ifPresent(record -> change.accept(write, record));
                  return true;
                });
  }
}
