package dev.bridle.core.webhook;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.command.Commands;
import dev.bridle.core.command.TokenChecked;
import dev.bridle.core.command.Write;
import dev.bridle.core.error.FailureLog;
import dev.bridle.core.event.EventFeed;
import dev.bridle.core.task.TaskStore;
import dev.bridle.core.turn.Turns;
import dev.bridle.event.v1.Event;
import dev.bridle.record.v1.WebhookDeliveryRecord;
import dev.bridle.record.v1.WebhookRecord;
import dev.bridle.record.v1.WebhookStateRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.Installation;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import dev.bridle.webhook.v1.WebhookStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes deliveries of events. Each webhook's place in the feed moves in the same transaction that
 * stores the deliveries of what it passes, so each event becomes one delivery of it, however many
 * processes try.
 */
final class WebhookPump {
  private static final Logger log = LoggerFactory.getLogger(WebhookPump.class);
  private static final String ACTOR = "bridle";
  private static final int PIECE = 100;

  /** How often each tenant that has webhooks is looked at, since a watch may be missed. */
  private static final Duration TICK = Duration.ofSeconds(1);

  /** How often tenants are looked through for webhooks that another process made. */
  private static final Duration SCAN = Duration.ofSeconds(10);

  private final KeyValueStore store;
  private final Installation installation;
  private final Commands commands;
  private final WebhookStore webhooks;
  private final WebhookDeliveryStore deliveries;
  private final TaskStore tasks;
  private final EventFeed feed;
  private final WebhookSending sending;
  private final Executor executor;
  private final Map<String, Tenant> tenants = new ConcurrentHashMap<>();

  WebhookPump(
      KeyValueStore store,
      Installation installation,
      Commands commands,
      WebhookStore webhooks,
      WebhookDeliveryStore deliveries,
      TaskStore tasks,
      EventFeed feed,
      WebhookSending sending,
      Executor executor) {
    this.store = store;
    this.installation = installation;
    this.commands = commands;
    this.webhooks = webhooks;
    this.deliveries = deliveries;
    this.tasks = tasks;
    this.feed = feed;
    this.sending = sending;
    this.executor = executor;
  }

  void start(ScheduledExecutorService timer) {
    every(timer, TICK, () -> tenants.values().forEach(Tenant::ask));
    every(timer, SCAN, this::scan);
    executor.execute(this::scan);
  }

  private static void every(ScheduledExecutorService timer, Duration interval, Runnable work) {
    var unused =
        timer.scheduleWithFixedDelay(
            work, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Goes through a tenant's feed soon, and from now on. */
  void wake(String tenant) {
    tenants.computeIfAbsent(tenant, Tenant::new).ask();
  }

  private void scan() {
    try {
      Optional<String> next = store.read(tr -> installation.tenantAfter(tr, ""));
      while (next.isPresent()) {
        String tenant = next.get();
        if (store.read(tr -> !webhooks.states(tr, tenant, WebhookStore.PREFIX, 1).isEmpty())) {
          wake(tenant);
        }
        next = store.read(tr -> installation.tenantAfter(tr, tenant));
      }
    } catch (StoreException | RejectedExecutionException e) {
      FailureLog.warn(log, "Webhooks were not looked for; they are soon.", e);
    }
  }

  /** A webhook that sends, and from where on. */
  private record Sender(Webhook webhook, EventId from) {}

  /** What one round goes through. */
  private record Round(List<Sender> senders, EventFeed.Piece piece, Map<String, String> personas) {}

  private final class Tenant {
    private final String name;
    private final Turns turns;

    /** How far webhooks are that wanted nothing of the last pieces. */
    private final Map<String, EventId> seen = new HashMap<>();

    Tenant(String name) {
      this.name = name;
      this.turns =
          new Turns(
              executor,
              this::round,
              failure ->
                  FailureLog.warn(
                      log, "Webhooks of tenant " + name + " wait; tried again soon.", failure));
    }

    void ask() {
      try {
        turns.ask();
      } catch (RejectedExecutionException e) {
        tenants.remove(name, this); // The server stops.
      }
    }

    private boolean round() {
      Optional<Round> round;
      List<CompletableFuture<Void>> watches = List.of();
      try (Transaction tr = store.begin(TransactionOptions.DEFAULT)) {
        ReadTransaction snapshot = tr.snapshot();
        round = read(snapshot);
        if (round.isEmpty()) {
          tenants.remove(name, this);
          return false;
        }
        if (!round.get().piece().more()) {
          watches = feed.watch(tr, name);
          tr.commit();
        }
      }
      for (CompletableFuture<Void> watch : watches) {
        var unused = watch.thenRun(this::ask);
      }
      round.get().senders().forEach(sender -> advance(round.get(), sender));
      return round.get().piece().more();
    }

    private Optional<Round> read(ReadTransaction tr) {
      if (feed.isClosed(tr, name)) {
        return Optional.empty();
      }
      List<Sender> senders = senders(tr);
      if (senders.isEmpty()) {
        return Optional.empty();
      }
      EventId from = senders.stream().map(Sender::from).min(EventId::compareTo).orElseThrow();
      EventFeed.Piece piece = feed.after(tr, name, from, PIECE);
      Map<String, String> personas = new HashMap<>();
      if (senders.stream().anyMatch(sender -> sender.webhook().hasPersonaId())) {
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
      return Optional.of(new Round(senders, piece, personas));
    }

    private List<Sender> senders(ReadTransaction tr) {
      List<WebhookStateRecord> states =
          webhooks.states(tr, name, WebhookStore.PREFIX, WebhookService.MOST + 1);
      Map<String, WebhookStateRecord> byId = new HashMap<>();
      states.forEach(state -> byId.put(state.getWebhookId(), state));
      List<Sender> senders = new ArrayList<>();
      for (WebhookRecord record : webhooks.all(tr, name, List.copyOf(byId.keySet()))) {
        Webhook webhook = record.getWebhook();
        if (sends(record)) {
          EventId stored = cursor(byId.get(webhook.getId()));
          EventId passed = seen.getOrDefault(webhook.getId(), stored);
          senders.add(new Sender(webhook, later(stored, passed)));
        }
      }
      seen.keySet().retainAll(byId.keySet());
      return senders;
    }

    private void advance(Round round, Sender sender) {
      EventId end = later(sender.from(), round.piece().end());
      boolean wanted =
          round.piece().events().stream()
              .filter(event -> id(event).compareTo(sender.from()) > 0)
              .anyMatch(event -> wants(round, sender.webhook(), event));
      if (wanted) {
        boolean stored =
            commands.fenced(
                TokenChecked.WORK_WEBHOOK,
                name,
                ACTOR,
                write -> store(write, round, sender.webhook().getId(), end));
        if (!stored) {
          return; // It was paused meanwhile, and goes on from there one day.
        }
        sending.wake(name, sender.webhook().getId());
      }
      seen.put(sender.webhook().getId(), end);
    }

    /** Stores the deliveries of what a webhook has not passed yet, as it stands now. */
    private boolean store(Write write, Round round, String id, EventId end) {
      Optional<WebhookRecord> found =
          webhooks.find(write.tr(), name, id).filter(WebhookPump::sends);
      Optional<WebhookStateRecord> state = webhooks.state(write.tr(), name, id);
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
          deliveries.add(write, delivery(write, webhook, event));
        }
      }
      webhooks.update(
          write.tr(),
          name,
          state.get(),
          state.get().toBuilder()
              .setCursor(later(from, end).toString())
              .setDueAt(deliveries.nextAt(write.tr(), name, id))
              .build());
      return true;
    }

    private boolean wants(Round round, Webhook webhook, Event event) {
      Function<String, Optional<String>> personas =
          task -> Optional.ofNullable(round.personas().get(task));
      return WebhookMatch.wants(webhook, event, personas);
    }
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

  static boolean sends(WebhookRecord record) {
    return WebhookStore.lives(record)
        && record.getWebhook().getStatus() == WebhookStatus.WEBHOOK_STATUS_ACTIVE;
  }

  private static EventId cursor(WebhookStateRecord state) {
    return EventId.parse(state.getCursor())
        .orElseThrow(() -> new IllegalStateException("a webhook's place is damaged"));
  }

  private static EventId id(Event event) {
    return EventId.parse(event.getId()).orElseThrow();
  }

  private static EventId later(EventId one, EventId other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
