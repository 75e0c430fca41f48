package dev.bridle.core.integrations.webhook;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.coalesce.CoalescingTask;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.kernel.event.EventFeed;
import dev.bridle.core.kernel.resource.TenantLimits;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.event.v1.Event;
import dev.bridle.record.v1.WebhookDeliveryRecord;
import dev.bridle.record.v1.WebhookRecord;
import dev.bridle.record.v1.WebhookStateRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import dev.bridle.storage.layer.EventId;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates deliveries for a tenant's events. A webhook's position in the feed moves in the same
 * transaction that stores the deliveries for the passed events, so each event becomes one delivery,
 * however many processes read the feed.
 */
final class WebhookTenant {
  private static final Logger log = LoggerFactory.getLogger(WebhookTenant.class);
  private static final int PIECE = 100;

  /** Twice the maximum number of webhooks, since the states of deleted ones stay for a while. */
  private static final int MOST_STATES = 2 * TenantLimits.MOST_WEBHOOKS;

  private final String name;
  private final Dependencies dependencies;
  private final Runnable gone;
  private final CoalescingTask rounds;
  private final WebhookPositions positions;
  private boolean started;

  /**
   * What a reader of a tenant's feed needs.
   *
   * @param context the shared services
   * @param webhooks stores webhooks
   * @param deliveries stores their deliveries
   * @param tasks stores tasks
   * @param feed reads events
   * @param sender sends deliveries
   */
  record Dependencies(
      CoreContext context,
      WebhookStore webhooks,
      WebhookDeliveryStore deliveries,
      TaskStore tasks,
      EventFeed feed,
      WebhookEndpoints sender) {
    WebhookOptions options() {
      return context.settings(WebhookOptions.class);
    }
  }

  /**
   * Creates the reader of one tenant's feed.
   *
   * @param gone runs when the tenant no longer exists or has no webhooks
   */
  WebhookTenant(String name, Dependencies dependencies, Runnable gone) {
    this.name = name;
    this.dependencies = dependencies;
    this.gone = gone;
    this.positions = new WebhookPositions(dependencies.options().longestUnstored());
    this.rounds =
        new CoalescingTask(
            dependencies.context().environment().background(),
            this::round,
            failure ->
                FailureLog.warn(
                    log, "Webhooks of tenant " + name + " are delayed; retrying soon.", failure));
  }

  /** Schedules a read of the feed. */
  void wake() {
    rounds.schedule();
  }

  /**
   * An active webhook.
   *
   * @param stored its stored position
   * @param from its current position
   */
  private record ActiveWebhook(Webhook webhook, EventId stored, EventId from) {}

  /** A page of the feed, with the active webhooks and the personas of its tasks. */
  private record Page(
      List<ActiveWebhook> senders, EventFeed.Batch piece, Map<String, String> personas) {}

  private boolean round() {
    Optional<Page> page;
    List<CompletableFuture<Void>> watches = List.of();
    try (Transaction tr = dependencies.context().store().begin(TransactionOptions.DEFAULT)) {
      page = read(tr.snapshot());
      if (page.isEmpty()) {
        gone.run();
        return false;
      }
      if (!page.get().piece().more() && dependencies.options().watching()) {
        watches = dependencies.feed().watch(tr, name);
        tr.commit();
      }
    }
    for (CompletableFuture<Void> watch : watches) {
      var unused = watch.thenRun(this::watched);
    }
    if (!started) {
      // Sends what a previous process left unsent at once.
      page.get()
          .senders()
          .forEach(sender -> dependencies.sender().wake(name, sender.webhook().getId()));
      started = true;
    }
    page.get().senders().forEach(sender -> advance(page.get(), sender));
    return page.get().piece().more();
  }

  private void watched() {
    try {
      wake();
    } catch (RejectedExecutionException e) {
      gone.run(); // The server stops.
    }
  }

  private Optional<Page> read(ReadTransaction tr) {
    if (dependencies.feed().isClosed(tr, name)) {
      return Optional.empty();
    }
    List<ActiveWebhook> senders = senders(tr);
    if (senders.isEmpty()) {
      return Optional.empty();
    }
    EventId from = senders.stream().map(ActiveWebhook::from).min(EventId::compareTo).orElseThrow();
    EventFeed.Batch piece = dependencies.feed().after(tr, name, from, PIECE);
    Map<String, String> personas = new HashMap<>();
    if (senders.stream().anyMatch(sender -> sender.webhook().hasPersonaId())) {
      piece.events().stream()
          .filter(Event::hasTaskId)
          .map(Event::getTaskId)
          .distinct()
          .forEach(
              task ->
                  dependencies
                      .tasks()
                      .find(tr, name, task)
                      .ifPresent(found -> personas.put(task, found.getTask().getPersonaId())));
    }
    return Optional.of(new Page(senders, piece, personas));
  }

  private List<ActiveWebhook> senders(ReadTransaction tr) {
    List<WebhookStateRecord> states =
        dependencies.webhooks().states(tr, name, WebhookStore.PREFIX, MOST_STATES);
    Map<String, EventId> byId = new HashMap<>();
    states.forEach(state -> byId.put(state.getWebhookId(), cursor(state)));
    List<ActiveWebhook> senders = new ArrayList<>();
    for (WebhookRecord record : dependencies.webhooks().all(tr, name, List.copyOf(byId.keySet()))) {
      Webhook webhook = record.getWebhook();
      if (WebhookStore.sends(record)) {
        EventId stored = byId.get(webhook.getId());
        senders.add(new ActiveWebhook(webhook, stored, positions.from(webhook.getId(), stored)));
      }
    }
    positions.keepOnly(byId.keySet());
    return senders;
  }

  private void advance(Page page, ActiveWebhook sender) {
    String id = sender.webhook().getId();
    EventId end = WebhookPositions.later(sender.from(), page.piece().end());
    List<Event> passed =
        page.piece().events().stream()
            .filter(event -> id(event).compareTo(sender.from()) > 0)
            .toList();
    long now = dependencies.context().clock().millis();
    if (passed.stream().anyMatch(event -> matches(page, sender.webhook(), event))) {
      // A webhook that was paused meanwhile continues from its stored position when resumed.
      if (fenced(write -> store(write, page, id, end))) {
        positions.stored(id, end, now);
        dependencies.sender().wake(name, id);
      }
    } else if (positions.pass(id, sender.stored(), end, count(page, passed), now)
        && fenced(write -> keep(write, sender, end))) {
      positions.stored(id, end, now);
    }
  }

  /**
   * Returns the number of passed events. Imported events are not in the page, but passed as well.
   */
  private static int count(Page page, List<Event> passed) {
    return page.piece().more() ? Math.max(PIECE, passed.size()) : passed.size();
  }

  private boolean fenced(Function<Write, Boolean> work) {
    return dependencies
        .context()
        .commands()
        .fenced(FencedWrite.WORK_WEBHOOK, name, WebhookEndpoints.ACTOR, work);
  }

  /** Stores deliveries for the events that the current webhook matches and has not passed yet. */
  private boolean store(Write write, Page page, String id, EventId end) {
    Optional<WebhookRecord> found =
        dependencies.webhooks().find(write.tr(), name, id).filter(WebhookStore::sends);
    Optional<WebhookStateRecord> state = dependencies.webhooks().state(write.tr(), name, id);
    if (found.isEmpty() || state.isEmpty()) {
      return false;
    }
    Webhook webhook = found.get().getWebhook();
    EventId from = cursor(state.get());
    long oldest = write.nowMillis() - webhook.getRetrySeconds() * 1000;
    for (Event event : page.piece().events()) {
      if (id(event).compareTo(from) > 0
          && Timestamps.toMillis(event.getCreatedAt()) >= oldest
          && matches(page, webhook, event)) {
        dependencies.deliveries().add(write, delivery(write, webhook, event));
      }
    }
    dependencies
        .webhooks()
        .update(
            write.tr(),
            name,
            state.get(),
            state.get().toBuilder()
                .setCursor(WebhookPositions.later(from, end).toString())
                .setDueAt(dependencies.deliveries().nextAt(write.tr(), name, id))
                .build());
    return true;
  }

  /**
   * Stores the position of a webhook without matching events, unless another process has moved it.
   */
  private boolean keep(Write write, ActiveWebhook sender, EventId end) {
    Optional<WebhookStateRecord> state =
        dependencies
            .webhooks()
            .state(write.tr(), name, sender.webhook().getId())
            .filter(now -> cursor(now).equals(sender.stored()));
    state.ifPresent(
        now ->
            dependencies
                .webhooks()
                .update(write.tr(), name, now, now.toBuilder().setCursor(end.toString()).build()));
    return state.isPresent();
  }

  private static boolean matches(Page page, Webhook webhook, Event event) {
    Function<String, Optional<String>> personas =
        task -> Optional.ofNullable(page.personas().get(task));
    return WebhookFilter.matches(webhook, event, personas);
  }

  private static WebhookDeliveryRecord delivery(Write write, Webhook webhook, Event event) {
    WebhookDelivery.Builder delivery =
        WebhookDelivery.newBuilder()
            .setId(write.id("webhook_delivery"))
            .setCreatedAt(Timestamps.fromMillis(write.nowMillis()))
            .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()))
            .setWebhookId(webhook.getId())
            .setStatus(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_WAITING)
            .setEventId(event.getId())
            .setEventKind(event.getEvent());
    if (event.hasTaskId()) {
      delivery.setTaskId(event.getTaskId());
    }
    return WebhookDeliveryRecord.newBuilder()
        .setDelivery(delivery)
        .setGiveUpAt(write.nowMillis() + webhook.getRetrySeconds() * 1000)
        .setLine(event.hasTaskId() ? event.getTaskId() : event.getResource().getId())
        .setPlace(event.getId())
        .build();
  }

  private static EventId cursor(WebhookStateRecord state) {
    return EventId.parse(state.getCursor())
        .orElseThrow(() -> new IllegalStateException("a webhook's stored position is damaged"));
  }

  private static EventId id(Event event) {
    return EventId.parse(event.getId()).orElseThrow();
  }
}
