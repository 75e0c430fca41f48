package dev.bridle.core.integrations.webhook;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.coalesce.CoalescingTask;
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
import dev.bridle.storage.layer.WakeKeys;
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
  private final CoreContext context;
  private final WebhookStore webhooks;
  private final WebhookDeliveryStore deliveries;
  private final TaskStore tasks;
  private final EventFeed feed;
  private final WebhookEndpoints sender;
  private final boolean watching;
  private final Runnable gone;
  private final CoalescingTask rounds;
  private final WebhookPositions positions;
  private boolean started;

  // Accessed by rounds alone.
  private List<CompletableFuture<Void>> watches = List.of();

  /**
   * Creates the reader of one tenant's feed.
   *
   * @param sender sends deliveries
   * @param gone runs when the tenant no longer exists or has no webhooks
   */
  WebhookTenant(String name, CoreContext context, WebhookEndpoints sender, Runnable gone) {
    WebhookOptions options = context.settings(WebhookOptions.class);
    this.name = name;
    this.context = context;
    this.webhooks = new WebhookStore(context.layout(), context.due());
    this.deliveries = new WebhookDeliveryStore(context.layout());
    this.tasks = new TaskStore(context.layout());
    this.feed = new EventFeed(context.log(), new WakeKeys(context.layout()));
    this.sender = sender;
    this.watching = options.watching();
    this.gone = gone;
    this.positions = new WebhookPositions(options.longestUnstored());
    this.rounds =
        new CoalescingTask(
            context.environment().background(),
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
      List<ActiveWebhook> activeWebhooks, EventFeed.Batch piece, Map<String, String> personas) {}

  private boolean round() {
    Optional<Page> page;
    List<CompletableFuture<Void>> set = List.of();
    try (Transaction tr = context.store().begin(TransactionOptions.DEFAULT)) {
      page = read(tr.snapshot());
      if (page.isEmpty()) {
        replaceWatches(List.of());
        gone.run();
        return false;
      }
      if (!page.get().piece().more() && watching) {
        set = feed.watch(tr, name);
        tr.commit();
      }
    }
    replaceWatches(set);
    if (!started) {
      // Sends what a previous process left unsent at once.
      page.get().activeWebhooks().forEach(active -> sender.wake(name, active.webhook().getId()));
      started = true;
    }
    page.get().activeWebhooks().forEach(active -> advance(page.get(), active));
    return page.get().piece().more();
  }

  /** Keeps the watches of this round alone: a quiet feed would gather them at every tick. */
  private void replaceWatches(List<CompletableFuture<Void>> set) {
    watches.forEach(watch -> watch.cancel(false));
    watches = set;
    for (CompletableFuture<Void> watch : set) {
      var unused = watch.thenRun(this::watched);
    }
  }

  private void watched() {
    try {
      wake();
    } catch (RejectedExecutionException e) {
      gone.run(); // The server stops.
    }
  }

  private Optional<Page> read(ReadTransaction tr) {
    if (feed.isClosed(tr, name)) {
      return Optional.empty();
    }
    List<ActiveWebhook> activeWebhooks = activeWebhooks(tr);
    if (activeWebhooks.isEmpty()) {
      return Optional.empty();
    }
    EventId from =
        activeWebhooks.stream().map(ActiveWebhook::from).min(EventId::compareTo).orElseThrow();
    EventFeed.Batch piece = feed.after(tr, name, from, PIECE);
    Map<String, String> personas = new HashMap<>();
    if (activeWebhooks.stream().anyMatch(active -> active.webhook().hasPersonaId())) {
      piece.events().stream()
          .filter(Event::hasTaskId)
          .map(Event::getTaskId)
          .distinct()
          .forEach(
              task ->
                  tasks
                      .find(tr, name, task)
                      .ifPresent(found -> personas.put(task, found.getTask().getPersonaId())));
    }
    return Optional.of(new Page(activeWebhooks, piece, personas));
  }

  private List<ActiveWebhook> activeWebhooks(ReadTransaction tr) {
    List<WebhookStateRecord> states = webhooks.states(tr, name, WebhookStore.PREFIX, MOST_STATES);
    Map<String, EventId> byId = new HashMap<>();
    states.forEach(state -> byId.put(state.getWebhookId(), cursor(state)));
    List<ActiveWebhook> activeWebhooks = new ArrayList<>();
    webhooks
        .records()
        .each(
            tr,
            name,
            List.copyOf(byId.keySet()),
            record -> {
              if (WebhookStore.sends(record)) {
                // Its metadata, which may be large, is not sent.
                Webhook webhook = record.getWebhook().toBuilder().clearMetadata().build();
                EventId stored = byId.get(webhook.getId());
                activeWebhooks.add(
                    new ActiveWebhook(webhook, stored, positions.from(webhook.getId(), stored)));
              }
            });
    positions.keepOnly(byId.keySet());
    return activeWebhooks;
  }

  private void advance(Page page, ActiveWebhook active) {
    String id = active.webhook().getId();
    EventId end = WebhookPositions.later(active.from(), page.piece().end());
    List<Event> passed =
        page.piece().events().stream()
            .filter(event -> id(event).compareTo(active.from()) > 0)
            .toList();
    long now = context.clock().millis();
    if (passed.stream().anyMatch(event -> matches(page, active.webhook(), event))) {
      // A webhook that was paused meanwhile continues from its stored position when resumed.
      if (WebhookEndpoints.fenced(context, name, write -> store(write, page, id, end))) {
        positions.stored(id, end, now);
        sender.wake(name, id);
      }
    } else if (positions.pass(id, active.stored(), end, count(page, passed), now)
        && WebhookEndpoints.fenced(context, name, write -> keep(write, active, end))) {
      positions.stored(id, end, now);
    }
  }

  /**
   * Returns the number of passed events. Imported events are not in the page, but passed as well.
   */
  private static int count(Page page, List<Event> passed) {
    return page.piece().more() ? Math.max(PIECE, passed.size()) : passed.size();
  }

  /** Stores deliveries for the events that the current webhook matches and has not passed yet. */
  private boolean store(Write write, Page page, String id, EventId end) {
    Optional<WebhookRecord> found = webhooks.find(write.tr(), name, id).filter(WebhookStore::sends);
    Optional<WebhookStateRecord> state = webhooks.state(write.tr(), name, id);
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
        deliveries.add(write, delivery(write, webhook, event));
      }
    }
    webhooks.update(
        write.tr(),
        name,
        state.get(),
        state.get().toBuilder()
            .setCursor(WebhookPositions.later(from, end).toString())
            .setDueAt(deliveries.nextAt(write.tr(), name, id))
            .build());
    return true;
  }

  /**
   * Stores the position of a webhook without matching events, unless another process has moved it.
   */
  private boolean keep(Write write, ActiveWebhook active, EventId end) {
    Optional<WebhookStateRecord> state =
        webhooks
            .state(write.tr(), name, active.webhook().getId())
            .filter(now -> cursor(now).equals(active.stored()));
    state.ifPresent(
        now ->
            webhooks.update(
                write.tr(), name, now, now.toBuilder().setCursor(end.toString()).build()));
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
