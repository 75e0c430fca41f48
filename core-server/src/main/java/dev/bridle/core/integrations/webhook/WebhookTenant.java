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
 * Makes deliveries of a tenant's events. Each webhook's place in the feed moves in the same
 * transaction that stores the deliveries of what it passes, so each event becomes one delivery of
 * it, however many processes try.
 */
final class WebhookTenant {
  private static final Logger log = LoggerFactory.getLogger(WebhookTenant.class);
  private static final int PIECE = 100;

  /** More than a tenant may have webhooks: the states of deleted ones stay for a while. */
  private static final int MOST_STATES = 2 * TenantLimits.MOST_WEBHOOKS;

  private final String name;
  private final Means means;
  private final Runnable gone;
  private final CoalescingTask rounds;
  private final WebhookPlaces places;
  private boolean begun;

  /**
   * What deliveries are made with.
   *
   * @param context what all features share
   * @param webhooks webhooks
   * @param deliveries what they send
   * @param tasks what events are about
   * @param feed what happens
   * @param sender sends what is made
   */
  record Means(
      CoreContext context,
      WebhookStore webhooks,
      WebhookDeliveryStore deliveries,
      TaskStore tasks,
      EventFeed feed,
      WebhookSending sender) {
    WebhookOptions options() {
      return context.settings(WebhookOptions.class);
    }
  }

  /**
   * Makes the part of one tenant.
   *
   * @param gone is told once there is no tenant, or none that has webhooks
   */
  WebhookTenant(String name, Means means, Runnable gone) {
    this.name = name;
    this.means = means;
    this.gone = gone;
    this.places = new WebhookPlaces(means.options().longestUnstored());
    this.rounds =
        new CoalescingTask(
            means.context().environment().background(),
            this::round,
            failure ->
                FailureLog.warn(
                    log, "Webhooks of tenant " + name + " wait; tried again soon.", failure));
  }

  /** Goes through the feed soon. */
  void wake() {
    rounds.schedule();
  }

  /**
   * A webhook that sends.
   *
   * @param stored the place that is stored for it
   * @param from where it goes on
   */
  private record Sender(Webhook webhook, EventId stored, EventId from) {}

  /** What one round goes through. */
  private record Round(List<Sender> senders, EventFeed.Batch piece, Map<String, String> personas) {}

  private boolean round() {
    Optional<Round> round;
    List<CompletableFuture<Void>> watches = List.of();
    try (Transaction tr = means.context().store().begin(TransactionOptions.DEFAULT)) {
      round = read(tr.snapshot());
      if (round.isEmpty()) {
        gone.run();
        return false;
      }
      if (!round.get().piece().more() && means.options().watching()) {
        watches = means.feed().watch(tr, name);
        tr.commit();
      }
    }
    for (CompletableFuture<Void> watch : watches) {
      var unused = watch.thenRun(this::watched);
    }
    if (!begun) {
      // What a process before this one left unsent does not wait until it is due again.
      round.get().senders().forEach(sender -> means.sender().wake(name, sender.webhook().getId()));
      begun = true;
    }
    round.get().senders().forEach(sender -> advance(round.get(), sender));
    return round.get().piece().more();
  }

  private void watched() {
    try {
      wake();
    } catch (RejectedExecutionException e) {
      gone.run(); // The server stops.
    }
  }

  private Optional<Round> read(ReadTransaction tr) {
    if (means.feed().isClosed(tr, name)) {
      return Optional.empty();
    }
    List<Sender> senders = senders(tr);
    if (senders.isEmpty()) {
      return Optional.empty();
    }
    EventId from = senders.stream().map(Sender::from).min(EventId::compareTo).orElseThrow();
    EventFeed.Batch piece = means.feed().after(tr, name, from, PIECE);
    Map<String, String> personas = new HashMap<>();
    if (senders.stream().anyMatch(sender -> sender.webhook().hasPersonaId())) {
      piece.events().stream()
          .filter(Event::hasTaskId)
          .map(Event::getTaskId)
          .distinct()
          .forEach(
              task ->
                  means
                      .tasks()
                      .find(tr, name, task)
                      .ifPresent(found -> personas.put(task, found.getTask().getPersonaId())));
    }
    return Optional.of(new Round(senders, piece, personas));
  }

  private List<Sender> senders(ReadTransaction tr) {
    List<WebhookStateRecord> states =
        means.webhooks().states(tr, name, WebhookStore.PREFIX, MOST_STATES);
    Map<String, EventId> byId = new HashMap<>();
    states.forEach(state -> byId.put(state.getWebhookId(), cursor(state)));
    List<Sender> senders = new ArrayList<>();
    for (WebhookRecord record : means.webhooks().all(tr, name, List.copyOf(byId.keySet()))) {
      Webhook webhook = record.getWebhook();
      if (WebhookStore.sends(record)) {
        EventId stored = byId.get(webhook.getId());
        senders.add(new Sender(webhook, stored, places.from(webhook.getId(), stored)));
      }
    }
    places.keepOnly(byId.keySet());
    return senders;
  }

  private void advance(Round round, Sender sender) {
    String id = sender.webhook().getId();
    EventId end = WebhookPlaces.later(sender.from(), round.piece().end());
    List<Event> passed =
        round.piece().events().stream()
            .filter(event -> id(event).compareTo(sender.from()) > 0)
            .toList();
    long now = means.context().clock().millis();
    if (passed.stream().anyMatch(event -> wants(round, sender.webhook(), event))) {
      // One that was paused meanwhile goes on from there one day.
      if (fenced(write -> store(write, round, id, end))) {
        places.stored(id, end, now);
        means.sender().wake(name, id);
      }
    } else if (places.pass(id, sender.stored(), end, count(round, passed), now)
        && fenced(write -> keep(write, sender, end))) {
      places.stored(id, end, now);
    }
  }

  /** What was imported is in no piece, but passed as well. */
  private static int count(Round round, List<Event> passed) {
    return round.piece().more() ? Math.max(PIECE, passed.size()) : passed.size();
  }

  private boolean fenced(Function<Write, Boolean> work) {
    return means
        .context()
        .commands()
        .fenced(FencedWrite.WORK_WEBHOOK, name, WebhookSending.ACTOR, work);
  }

  /** Stores the deliveries of what a webhook has not passed yet, as it stands now. */
  private boolean store(Write write, Round round, String id, EventId end) {
    Optional<WebhookRecord> found =
        means.webhooks().find(write.tr(), name, id).filter(WebhookStore::sends);
    Optional<WebhookStateRecord> state = means.webhooks().state(write.tr(), name, id);
    if (found.isEmpty() || state.isEmpty()) {
      return false;
    }
    Webhook webhook = found.get().getWebhook();
    EventId from = cursor(state.get());
    long oldest = write.nowMillis() - webhook.getRetrySeconds() * 1000;
    for (Event event : round.piece().events()) {
      if (id(event).compareTo(from) > 0
          && Timestamps.toMillis(event.getCreatedAt()) >= oldest
          && wants(round, webhook, event)) {
        means.deliveries().add(write, delivery(write, webhook, event));
      }
    }
    means
        .webhooks()
        .update(
            write.tr(),
            name,
            state.get(),
            state.get().toBuilder()
                .setCursor(WebhookPlaces.later(from, end).toString())
                .setDueAt(means.deliveries().nextAt(write.tr(), name, id))
                .build());
    return true;
  }

  /** Stores how far a webhook is that wanted nothing, unless another process has moved it. */
  private boolean keep(Write write, Sender sender, EventId end) {
    Optional<WebhookStateRecord> state =
        means
            .webhooks()
            .state(write.tr(), name, sender.webhook().getId())
            .filter(now -> cursor(now).equals(sender.stored()));
    state.ifPresent(
        now ->
            means
                .webhooks()
                .update(write.tr(), name, now, now.toBuilder().setCursor(end.toString()).build()));
    return state.isPresent();
  }

  private static boolean wants(Round round, Webhook webhook, Event event) {
    Function<String, Optional<String>> personas =
        task -> Optional.ofNullable(round.personas().get(task));
    return WebhookMatch.wants(webhook, event, personas);
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
        .orElseThrow(() -> new IllegalStateException("a webhook's place is damaged"));
  }

  private static EventId id(Event event) {
    return EventId.parse(event.getId()).orElseThrow();
  }
}
