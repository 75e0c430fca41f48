package dev.bridle.core.work.redaction;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ResourcePointer;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.redaction.RedactionPlan.Target;
import dev.bridle.record.v1.RedactedResourceRecord;
import dev.bridle.record.v1.RedactionRecord;
import dev.bridle.redaction.v1.RedactRequest;
import dev.bridle.redaction.v1.RedactedItem;
import dev.bridle.redaction.v1.Redaction;
import dev.bridle.redaction.v1.RedactionStatus;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Carries out requests for redactions. */
public final class RedactionOrders {
  /** How often a request is planned again, since content was added while it was planned. */
  private static final int MAX_PLANS = 5;

  /** How many requests are planned at a time: a plan keeps links of many events in memory. */
  private static final int PLANNED_AT_ONCE = 2;

  private static final long WAIT_SECONDS = 10;

  private final CoreContext context;
  private final RedactionStore store;
  private final RedactionPlanner planner;
  private final Erasure erasure;
  private final RedactionEvents events;
  private final Semaphore planned = new Semaphore(PLANNED_AT_ONCE, true);

  public RedactionOrders(CoreContext context) {
    this.context = context;
    this.store = new RedactionStore(context.layout());
    this.planner = new RedactionPlanner(context);
    this.erasure = new Erasure(context, store);
    this.events = new RedactionEvents(context);
  }

  /**
   * Redacts content. Once this returns, nobody can read it; copies that nobody is shown are erased
   * by {@link RedactionJob}.
   */
  public Redaction redact(RedactRequest request) {
    Caller caller = Caller.current();
    for (int attempt = 1; ; attempt++) {
      RedactionPlan plan = plan(caller, request);
      try {
        return context
            .commands()
            .run(
                request,
                "",
                write -> plan.workspace(),
                write -> carryOut(write, plan, request),
                Redaction.getDefaultInstance());
      } catch (RedactionPlan.Outdated e) {
        if (attempt == MAX_PLANS) {
          throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "Copies of the content are being made all the time; nothing was redacted. Try again.");
        }
      }
    }
  }

  private RedactionPlan plan(Caller caller, RedactRequest request) {
    try {
      if (!planned.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw ProtocolException.of(
                ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE,
                "Other redactions are being planned; nothing was redacted. Try again.")
            .retryAfter((int) WAIT_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE,
          "The server is stopping; nothing was redacted.");
    }
    try {
      return planner.plan(caller, request.getItemsList());
    } finally {
      planned.release();
    }
  }

  private Redaction carryOut(Write write, RedactionPlan plan, RedactRequest request) {
    Optional<Redaction> earlier = earlier(write, plan);
    if (earlier.isPresent()) {
      return earlier.get();
    }
    String id = write.id("redaction");
    List<Target> erased = erasure.apply(write, plan, id);
    Timestamp now = Timestamps.fromMillis(write.nowMillis());
    Redaction.Builder redaction =
        Redaction.newBuilder()
            .setId(id)
            .setCreatedAt(now)
            .setUpdatedAt(now)
            .setWorkspaceId(plan.workspace())
            .setRequestedBy(write.actor())
            .setStatus(RedactionStatus.REDACTION_STATUS_RUNNING)
            .setResources(erased.size());
    if (!request.getReason().isEmpty()) {
      redaction.setReason(request.getReason());
    }
    request.getItemsList().forEach(item -> redaction.addItems(pointer(item)));
    Redaction made = redaction.build();
    store.insert(
        write.tr(),
        write.tenant(),
        RedactionRecord.newBuilder()
            .setRedaction(made)
            .setDueAt(write.nowMillis())
            .addAllPending(plan.pending())
            .build());
    events.emit(write, made, erased);
    return made;
  }

  /** Returns the newest redaction of what a plan names, if all of it was redacted before. */
  private Optional<Redaction> earlier(Write write, RedactionPlan plan) {
    Optional<String> newest = Optional.empty();
    for (String key : plan.named()) {
      Optional<String> redaction =
          store
              .resource(write.tr(), write.tenant(), key)
              .map(RedactedResourceRecord::getRedactionId);
      if (redaction.isEmpty()) {
        return Optional.empty();
      }
      newest = newest.filter(id -> id.compareTo(redaction.get()) >= 0).or(() -> redaction);
    }
    return newest
        .flatMap(id -> store.find(write.tr(), write.tenant(), id))
        .map(RedactionRecord::getRedaction);
  }

  private static ResourcePointer pointer(RedactedItem item) {
    return ResourcePointer.newBuilder()
        .setObject(
            item.getObject().name().substring("REDACTED_OBJECT_".length()).toLowerCase(Locale.ROOT))
        .setId(item.getId())
        .build();
  }
}
