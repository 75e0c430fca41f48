package dev.bridle.core.integrations.enforcer;

import com.google.protobuf.ByteString;
import dev.bridle.core.integrations.relay.LocalRelay;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.core.work.permission.SignedAnswers;
import dev.bridle.core.work.policy.ApprovalDevices;
import dev.bridle.core.work.receipt.KeySuccessions;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.record.v1.HarpRequestRecord;
import dev.bridle.record.v1.HarpRequestState;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import io.grpc.BindableService;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests for signed decisions to the relays of their devices, takes them back, and fetches
 * decisions. What is to be done stands in the records of the requests, so that any process does it,
 * and again after a crash.
 */
public final class Enforcer {
  private static final Logger log = LoggerFactory.getLogger(Enforcer.class);

  /** When a request that is under way is looked at if its process ends meanwhile. */
  private static final Duration UNDERWAY = Duration.ofSeconds(30);

  private final CoreContext context;
  private final HarpRequestStore store;
  private final HarpRequests requests;
  private final PermissionStore permissions;
  private final RequestChanges changes;
  private final RequestFailures failures;
  private final DecisionPoller poller;
  private final RelayLanes lanes;
  private final Acceptance acceptance;
  private final LaterDevices later;
  private final SecureRandom random = new SecureRandom();

  /** Requests that this process works on, with the calls for it that are not answered yet. */
  private final Map<String, Integer> underway = new ConcurrentHashMap<>();

  /**
   * Creates the enforcer.
   *
   * @param requests what {@link #listener} has returned
   * @param answers applies accepted decisions
   * @param lanes the relays
   */
  public Enforcer(
      CoreContext context,
      HarpRequests requests,
      TaskStores stores,
      SignedAnswers answers,
      RelayLanes lanes) {
    this.context = context;
    this.store = new HarpRequestStore(context.layout(), context.due());
    this.requests = requests;
    this.permissions = new PermissionStore(context.layout());
    this.changes = new RequestChanges(context.commands(), store);
    this.failures = new RequestFailures(store, changes, stores);
    this.acceptance = new Acceptance(context, store, requests, stores, answers);
    this.poller = new DecisionPoller(context, store, changes, failures, acceptance, this::decided);
    this.lanes = lanes;
    this.later = new LaterDevices(context, requests, stores);
    requests.onChange(this::decided);
  }

  /** Returns what makes and ends requests in the transactions that ask for permission. */
  public static HarpRequests listener(CoreContext context) {
    return new HarpRequests(context, new HarpRequestStore(context.layout(), context.due()));
  }

  /** Returns the service for those who trust this server with content. */
  public BindableService service(LocalRelay relay, KeySuccessions keys) {
    return new EnforcerService(
        new CoreArtifacts(context, relay),
        new CoreDecisions(context, store, acceptance, relay),
        keys);
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
      if (!schedule(entry.tenant(), entry.id())) {
        changes.change(
            entry.tenant(), entry.id(), (write, record) -> postpone(write, record, entry));
      }
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

  /**
   * Moves the entry of a request that waits for the threads of its relay: the index would show it
   * again and again, before what is due later.
   */
  private void postpone(Write write, HarpRequestRecord record, DueEntry entry) {
    if (HarpRecords.REQUEST.isDue(record, entry)) {
      long due = write.nowMillis() + UNDERWAY.toMillis();
      store.update(write, record, record.toBuilder().setDueAt(due).build());
    }
  }

  /** Hears that a device was enrolled in a tenant, which is asked what waits. */
  public void enrolled(String tenant) {
    try {
      context
          .environment()
          .background()
          .execute(
              () -> {
                try {
                  later.ask(tenant);
                } catch (RuntimeException e) {
                  FailureLog.warn(log, "A new device was not asked what waits.", e);
                }
              });
    } catch (RejectedExecutionException e) {
      log.debug("The server stops; a new device is not asked what waits.");
    }
  }

  /** Hears that something may be to be done with a request: a relay may have its decision. */
  public void decided(String tenant, String requestId) {
    var unused = schedule(tenant, requestId);
  }

  /**
   * Advances a request, once after this call at least and never twice at the same time.
   *
   * @return false if it was under way
   */
  private boolean schedule(String tenant, String requestId) {
    String key = tenant + "\n" + requestId;
    boolean first = underway.merge(key, 1, Integer::sum) == 1;
    if (first) {
      try {
        context.environment().background().execute(() -> route(key, tenant, requestId));
      } catch (RejectedExecutionException e) {
        underway.remove(key); // The server stops.
      }
    }
    return first;
  }

  /** Hands a request to the threads of its relay. */
  private void route(String key, String tenant, String requestId) {
    try {
      RelayLane lane = context.store().read(tr -> lane(tr, tenant, requestId));
      lane.executor().execute(() -> run(key, lane, tenant, requestId));
    } catch (RejectedExecutionException e) {
      underway.remove(key); // The server stops.
    } catch (RuntimeException e) {
      underway.remove(key);
      FailureLog.warn(log, "The request " + requestId + " for a decision stays due.", e);
    }
  }

  private RelayLane lane(ReadTransaction tr, String tenant, String requestId) {
    return store
        .find(tr, tenant, requestId)
        .flatMap(
            record ->
                ApprovalDevices.find(
                    context.configurations().of(tr, tenant), record.getApprovalDeviceId()))
        .map(device -> lanes.of(tenant, device))
        .orElseGet(lanes::own);
  }

  private void run(String key, RelayLane lane, String tenant, String requestId) {
    boolean again = true;
    while (again) {
      int calls = underway.get(key);
      try {
        work(lane, tenant, requestId);
      } finally {
        again =
            Optional.ofNullable(
                    underway.computeIfPresent(
                        key, (same, all) -> all == calls ? null : all - calls))
                .isPresent();
      }
    }
  }

  private void work(RelayLane lane, String tenant, String requestId) {
    try {
      Optional<HarpRequestRecord> found =
          context.store().read(tr -> store.find(tr, tenant, requestId));
      if (found.isEmpty()) {
        return;
      }
      HarpRequestRecord record = found.get();
      if (record.getWithdrawalOwed()) {
        lane.port().withdraw(tenant, requestId, record.getReason(), record.getEnd());
        changes.change(tenant, requestId, this::withdrawn);
      } else {
        switch (record.getState()) {
          case HARP_REQUEST_STATE_CREATED -> send(lane, tenant, record);
          case HARP_REQUEST_STATE_AWAITING_DECISION -> poller.poll(lane, tenant, record);
          default -> changes.change(tenant, requestId, this::remove);
        }
      }
    } catch (RuntimeException e) {
      failures.failed(tenant, requestId, lane.name(), e);
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

  private void send(RelayLane lane, String tenant, HarpRequestRecord record) {
    String requestId = record.getRequestId();
    Optional<ByteString> envelope =
        context.store().read(tr -> envelope(tr, lane.port(), tenant, record));
    if (envelope.isEmpty()) {
      changes.change(tenant, requestId, acceptance::endUnwanted);
      return;
    }
    lane.port().submit(tenant, envelope.get());
    changes.change(tenant, requestId, (write, now) -> sent(write, now, lane));
    if (!lane.port().reportsDecisions()) {
      decided(tenant, requestId);
    }
  }

  /** Returns what is submitted; empty if the device is revoked, or nobody waits any more. */
  private Optional<ByteString> envelope(
      ReadTransaction tr, RelayPort relay, String tenant, HarpRequestRecord record) {
    Optional<PermissionRequest> asking =
        permissions
            .find(tr, tenant, record.getPermissionRequestId())
            .map(PermissionRecord::getRequest);
    Optional<ApprovalDevice> device = device(tr, tenant, record);
    return asking.isEmpty() || device.isEmpty()
        ? Optional.empty()
        : Optional.of(
            SealedRequest.envelope(record, asking.get(), device.get(), relay.enforcerId(), random));
  }

  private Optional<ApprovalDevice> device(
      ReadTransaction tr, String tenant, HarpRequestRecord record) {
    return ApprovalDevices.find(
            context.configurations().of(tr, tenant), record.getApprovalDeviceId())
        .filter(known -> !known.hasRevokedAt());
  }

  private void sent(Write write, HarpRequestRecord record, RelayLane lane) {
    if (record.getState() == HarpRequestState.HARP_REQUEST_STATE_CREATED) {
      store.update(
          write,
          record,
          record.toBuilder()
              .setState(HarpRequestState.HARP_REQUEST_STATE_AWAITING_DECISION)
              .setFailures(0)
              .setDueAt(DecisionPoller.next(write, record, lane))
              .build());
    } else if (record.getState() == HarpRequestState.HARP_REQUEST_STATE_WITHDRAWN
        && !record.getWithdrawalOwed()) {
      // It was withdrawn before the relay had it.
      requests.end(write, record, record.getReason());
    }
  }
}
