package dev.bridle.core.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.command.Commands;
import dev.bridle.core.command.TokenChecked;
import dev.bridle.core.command.Write;
import dev.bridle.core.error.FailureLog;
import dev.bridle.core.event.EventDraft;
import dev.bridle.core.event.EventKinds;
import dev.bridle.core.event.Payload;
import dev.bridle.core.outbound.OutboundAnswer;
import dev.bridle.core.outbound.OutboundClient;
import dev.bridle.core.outbound.OutboundException;
import dev.bridle.core.outbound.OutboundRequest;
import dev.bridle.core.turn.Turns;
import dev.bridle.record.v1.WebhookDeliveryRecord;
import dev.bridle.record.v1.WebhookRecord;
import dev.bridle.record.v1.WebhookStateRecord;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookAttempt;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import dev.bridle.webhook.v1.WebhookStatus;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends deliveries. One is claimed before it is sent, and what came of it is stored under that
 * claim; a claim that runs out lets another process send it again, so each is sent at least once.
 * Each webhook has slots of its own, so that a slow one holds up no other.
 */
final class WebhookSending {
  private static final Logger log = LoggerFactory.getLogger(WebhookSending.class);
  private static final String ACTOR = "bridle";
  private static final int BATCH = 50;
  private static final int ATTEMPTS_KEPT = 5;
  private static final int ANSWER_KEPT = 500;
  private static final Duration DONE_KEPT = Duration.ofDays(7);
  private static final Duration DEAD_KEPT = Duration.ofDays(30);
  private static final Duration LONGEST_ASKED = Duration.ofHours(1);

  private final Commands commands;
  private final WebhookStore webhooks;
  private final WebhookDeliveryStore deliveries;
  private final WebhookRequests requests;
  private final WebhookEvents events;
  private final OutboundClient client;
  private final WebhookOptions options;
  private final Clock clock;
  private final RandomGenerator random;
  private final Executor executor;
  private final Map<String, Endpoint> endpoints = new ConcurrentHashMap<>();
  private final Map<String, Semaphore> tenants = new ConcurrentHashMap<>();

  WebhookSending(
      Commands commands,
      WebhookStore webhooks,
      WebhookDeliveryStore deliveries,
      WebhookRequests requests,
      WebhookEvents events,
      OutboundClient client,
      WebhookOptions options,
      Clock clock,
      RandomGenerator random,
      Executor executor) {
    this.commands = commands;
    this.webhooks = webhooks;
    this.deliveries = deliveries;
    this.requests = requests;
    this.events = events;
    this.client = client;
    this.options = options;
    this.clock = clock;
    this.random = random;
    this.executor = executor;
  }

  /** Looks at a webhook that is due. */
  void due(DueEntry entry) {
    boolean there =
        commands.fenced(
            TokenChecked.WORK_WEBHOOK,
            entry.tenant(),
            ACTOR,
            write -> {
              boolean own =
                  webhooks
                      .state(write.tr(), write.tenant(), entry.id())
                      .filter(state -> state.getDueAt() == entry.dueMillis())
                      .isPresent();
              if (!own) {
                webhooks.cancel(write.tr(), entry);
              }
              return own;
            });
    if (there) {
      wake(entry.tenant(), entry.id());
    }
  }

  /** Sends what is due of a webhook, soon. */
  void wake(String tenant, String webhook) {
    try {
      endpoints
          .computeIfAbsent(tenant + "/" + webhook, key -> new Endpoint(tenant, webhook))
          .turns
          .ask();
    } catch (RejectedExecutionException e) {
      endpoints.remove(tenant + "/" + webhook); // The server stops; it is due at the next start.
    }
  }

  /** Has the due index name the time of the first of a webhook's agenda, while it sends. */
  void settle(Write write, WebhookRecord webhook) {
    String id = webhook.getWebhook().getId();
    webhooks
        .state(write.tr(), write.tenant(), id)
        .ifPresent(
            state ->
                webhooks.update(
                    write.tr(),
                    write.tenant(),
                    state,
                    state.toBuilder().setDueAt(dueAt(write, webhook)).build()));
  }

  private long dueAt(Write write, WebhookRecord webhook) {
    if (!WebhookStore.lives(webhook)) {
      return write.nowMillis();
    }
    return WebhookPump.sends(webhook)
        ? deliveries.nextAt(write.tr(), write.tenant(), webhook.getWebhook().getId())
        : 0;
  }

  /** What one look at a webhook's agenda found to do. */
  private record Found(List<WebhookDeliveryRecord> claimed, boolean more) {
    static final Found NOTHING = new Found(List.of(), false);
  }

  /** One webhook's part of this process. */
  private final class Endpoint {
    private final String tenant;
    private final String id;
    private final Turns turns;
    private final Semaphore slots = new Semaphore(options.slots());
    private final Semaphore ofTenant;

    Endpoint(String tenant, String id) {
      this.tenant = tenant;
      this.id = id;
      this.ofTenant =
          tenants.computeIfAbsent(tenant, name -> new Semaphore(options.slotsOfTenant()));
      this.turns =
          new Turns(
              executor,
              this::round,
              failure ->
                  FailureLog.warn(
                      log, "Deliveries of webhook " + id + " wait; tried again soon.", failure));
    }

    private boolean round() {
      int free = 0;
      while (free < options.slots() && slots.tryAcquire()) {
        if (!ofTenant.tryAcquire()) {
          slots.release();
          break;
        }
        free++;
      }
      int taken = 0;
      try {
        int most = free;
        Found found =
            commands.fenced(TokenChecked.WORK_WEBHOOK, tenant, ACTOR, write -> find(write, most));
        for (WebhookDeliveryRecord delivery : found.claimed()) {
          executor.execute(() -> send(delivery));
          taken++;
        }
        return found.more();
      } catch (RejectedExecutionException e) {
        return false; // The server stops; the claims run out, and they are sent at its next start.
      } finally {
        slots.release(free - taken);
        ofTenant.release(free - taken);
      }
    }

    private Found find(Write write, int most) {
      Optional<WebhookRecord> record = webhooks.find(write.tr(), tenant, id);
      Optional<WebhookStateRecord> state = webhooks.state(write.tr(), tenant, id);
      if (record.isEmpty() || state.isEmpty()) {
        endpoints.remove(tenant + "/" + id);
        return Found.NOTHING;
      }
      if (!WebhookStore.lives(record.get())) {
        return new Found(List.of(), purge(write, state.get()));
      }
      if (!WebhookPump.sends(record.get())) {
        settle(write, record.get());
        return Found.NOTHING;
      }
      List<WebhookDeliveryRecord> claimed = new ArrayList<>();
      int others = 0;
      List<WebhookDeliveryRecord> due =
          deliveries.due(write.tr(), tenant, id, write.nowMillis(), BATCH);
      for (WebhookDeliveryRecord delivery : due) {
        if (delivery.getDelivery().getStatus()
            != WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_WAITING) {
          deliveries.remove(write, delivery);
          others++;
        } else if (Timestamps.toMillis(delivery.getDelivery().getCreatedAt())
            <= state.get().getDroppedUntil()) {
          drop(write, delivery);
          others++;
        } else if (claimed.size() < most) {
          claimed.add(claim(write, delivery));
        }
      }
      settle(write, record.get());
      return new Found(claimed, others > 0);
    }

    private WebhookDeliveryRecord claim(Write write, WebhookDeliveryRecord delivery) {
      WebhookDeliveryRecord claimed =
          delivery.toBuilder()
              .setClaim(write.id("claim"))
              .setDueAt(write.nowMillis() + options.claimTime().toMillis())
              .build();
      deliveries.store(write, delivery, claimed);
      return claimed;
    }

    /** Removes what is left of a deleted webhook, piece by piece. */
    private boolean purge(Write write, WebhookStateRecord state) {
      List<WebhookDeliveryRecord> rest =
          deliveries.page(write.tr(), tenant, id, Optional.empty(), BATCH);
      rest.forEach(delivery -> deliveries.remove(write, delivery));
      if (rest.size() == BATCH) {
        return true;
      }
      webhooks.remove(write.tr(), tenant, state);
      return false;
    }

    private void send(WebhookDeliveryRecord delivery) {
      long began = clock.millis();
      WebhookAttempt.Builder attempt =
          WebhookAttempt.newBuilder().setAt(Timestamps.fromMillis(began));
      try {
        OutboundRequest request = requests.of(tenant, id, delivery.getDelivery(), began / 1000);
        attempt.setRequestBytes(request.body().length);
        var unused =
            client
                .send(request)
                .whenComplete(
                    (answer, failure) ->
                        answered(delivery, attempt, Optional.ofNullable(answer), failure));
      } catch (UnsentException e) {
        attempt.setCode(e.code()).setMessage(e.getMessage());
        done(delivery, attempt, Result.failed(e.passing()));
      } catch (OutboundException e) {
        failed(delivery, attempt, e);
      } catch (StoreException e) {
        release(); // The claim runs out, and it is sent then.
        FailureLog.warn(log, "A delivery of webhook " + id + " waits.", e);
      }
    }

    private void answered(
        WebhookDeliveryRecord delivery,
        WebhookAttempt.Builder attempt,
        Optional<OutboundAnswer> answer,
        Throwable failure) {
      try {
        executor.execute(
            () -> {
              if (answer.isPresent()) {
                answered(delivery, attempt, answer.get());
              } else {
                Throwable cause =
                    failure instanceof CompletionException ? failure.getCause() : failure;
                failed(delivery, attempt, (OutboundException) cause);
              }
            });
      } catch (RejectedExecutionException e) {
        release(); // The server stops; the claim runs out, and it is sent again.
      }
    }

    private void answered(
        WebhookDeliveryRecord delivery, WebhookAttempt.Builder attempt, OutboundAnswer answer) {
      attempt.setStatus(answer.status());
      String text = new String(answer.body(), UTF_8).replace('\0', ' ').strip();
      if (!text.isEmpty()) {
        attempt.setAnswer(
            text.codePointCount(0, text.length()) <= ANSWER_KEPT
                ? text
                : text.substring(0, text.offsetByCodePoints(0, ANSWER_KEPT)));
      }
      if (answer.ok()) {
        done(delivery, attempt, Result.TAKEN);
        return;
      }
      attempt.setCode("refused").setMessage("The answer was " + answer.status() + ".");
      done(delivery, attempt, new Result(true, false, true, asked(answer)));
    }

    private void failed(
        WebhookDeliveryRecord delivery, WebhookAttempt.Builder attempt, OutboundException e) {
      boolean url = e.reason() == OutboundException.Reason.REFUSED_URL;
      attempt
          .setCode(e.reason().name().toLowerCase(Locale.ROOT))
          .setMessage(("The " + (url ? "URL " : "call ") + e.getMessage()) + ".");
      if (e.reason() == OutboundException.Reason.BUSY) {
        done(delivery, attempt, Result.NOT_SENT);
      } else {
        done(delivery, attempt, Result.failed(e.reason() != OutboundException.Reason.TOO_LARGE));
      }
    }

    private void done(
        WebhookDeliveryRecord delivery, WebhookAttempt.Builder attempt, Result result) {
      long took = clock.millis() - Timestamps.toMillis(attempt.getAt());
      attempt.setDurationMs(Math.max(0, took));
      try {
        var unused =
            commands.fenced(
                TokenChecked.WORK_WEBHOOK,
                tenant,
                ACTOR,
                write -> {
                  webhooks
                      .find(write.tr(), tenant, id)
                      .filter(WebhookStore::lives)
                      .ifPresent(
                          webhook ->
                              deliveries
                                  .find(write.tr(), tenant, id, delivery.getDelivery().getId())
                                  .filter(now -> now.getClaim().equals(delivery.getClaim()))
                                  .ifPresent(
                                      now -> record(write, webhook, now, attempt.build(), result)));
                  return true;
                });
      } catch (StoreException e) {
        FailureLog.warn(log, "What came of a delivery was not stored; it is sent again.", e);
      } finally {
        release();
      }
      wake(tenant, id);
    }

    private void release() {
      slots.release();
      ofTenant.release();
    }
  }

  /**
   * What came of an attempt.
   *
   * @param sent whether there was one
   * @param taken whether the other side took it
   * @param passing whether trying again may help
   * @param pause how long the other side asks to wait
   */
  private record Result(boolean sent, boolean taken, boolean passing, Duration pause) {
    static final Result TAKEN = new Result(true, true, false, Duration.ZERO);
    static final Result NOT_SENT = new Result(false, false, true, Duration.ZERO);

    static Result failed(boolean passing) {
      return new Result(true, false, passing, Duration.ZERO);
    }
  }

  private void record(
      Write write,
      WebhookRecord webhook,
      WebhookDeliveryRecord before,
      WebhookAttempt attempt,
      Result result) {
    if (!result.sent()) {
      deliveries.store(write, before, later(write, before, options.firstWait()));
      settle(write, webhook);
      return;
    }
    WebhookDeliveryRecord.Builder tried = before.toBuilder();
    WebhookDelivery.Builder delivery = tried.getDeliveryBuilder();
    List<WebhookAttempt> kept = new ArrayList<>(delivery.getAttemptsList());
    kept.add(attempt);
    delivery
        .clearAttempts()
        .addAllAttempts(kept.subList(Math.max(0, kept.size() - ATTEMPTS_KEPT), kept.size()));
    if (result.taken()) {
      delivery.setStatus(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DELIVERED);
      var unused =
          deliveries.end(write, before, delivery.build(), write.nowMillis() + DONE_KEPT.toMillis());
      took(write, webhook);
    } else {
      int failures = delivery.getFailures() + 1;
      delivery.setFailures(failures);
      Duration wait = pause(failures, result.pause());
      boolean over = write.nowMillis() + wait.toMillis() > before.getGiveUpAt();
      if (result.passing() && !over) {
        deliveries.store(write, before, later(write, tried.build(), wait));
      } else {
        delivery.setStatus(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_FAILED);
        var unused =
            deliveries.end(
                write, before, delivery.build(), write.nowMillis() + DEAD_KEPT.toMillis());
        if (result.passing() && pauses(write, webhook, before)) {
          return;
        }
      }
    }
    settle(write, webhook);
  }

  private void took(Write write, WebhookRecord webhook) {
    webhooks
        .state(write.tr(), write.tenant(), webhook.getWebhook().getId())
        .ifPresent(
            state ->
                webhooks.update(
                    write.tr(),
                    write.tenant(),
                    state,
                    state.toBuilder().setTakenAt(write.nowMillis()).build()));
  }

  /** Pauses a webhook that took nothing since a delivery was made that is given up now. */
  private boolean pauses(Write write, WebhookRecord webhook, WebhookDeliveryRecord dead) {
    long made = Timestamps.toMillis(dead.getDelivery().getCreatedAt());
    boolean tookSome =
        webhooks
            .state(write.tr(), write.tenant(), webhook.getWebhook().getId())
            .filter(state -> state.getTakenAt() >= made)
            .isPresent();
    if (tookSome || !WebhookPump.sends(webhook)) {
      return false;
    }
    Webhook paused =
        webhook.getWebhook().toBuilder()
            .setStatus(WebhookStatus.WEBHOOK_STATUS_FAILED)
            .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()))
            .build();
    WebhookRecord after = webhook.toBuilder().setWebhook(paused).build();
    webhooks.update(write, webhook, after);
    events.tell(
        write,
        paused,
        EventDraft.of(
            EventKinds.WEBHOOK_PAUSED,
            Payload.of()
                .text("status", WebhookEvents.spell(paused.getStatus()))
                .text("delivery_id", dead.getDelivery().getId())
                .number("retry_seconds", paused.getRetrySeconds())));
    settle(write, after);
    return true;
  }

  /** Ends a delivery that is not sent any more. */
  WebhookDeliveryRecord drop(Write write, WebhookDeliveryRecord before) {
    return deliveries.end(
        write,
        before,
        before.getDelivery().toBuilder()
            .setStatus(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DROPPED)
            .build(),
        write.nowMillis() + DONE_KEPT.toMillis());
  }

  private static WebhookDeliveryRecord later(
      Write write, WebhookDeliveryRecord record, Duration wait) {
    long at = write.nowMillis() + wait.toMillis();
    WebhookDeliveryRecord.Builder later = record.toBuilder().setDueAt(at).clearClaim();
    later
        .getDeliveryBuilder()
        .setNextAttemptAt(Timestamps.fromMillis(at))
        .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()));
    return later.build();
  }

  /** Doubles with each failure, with up to half of it left to chance. */
  private Duration pause(int failures, Duration asked) {
    long doubled = options.firstWait().toMillis() << Math.min(failures - 1, 16);
    long bounded = Math.min(doubled, options.longestWait().toMillis());
    long chosen = bounded / 2 + random.nextLong(bounded / 2 + 1);
    return Duration.ofMillis(Math.max(chosen, asked.toMillis()));
  }

  /** Returns how long an answer asks to wait, in seconds; dates are not read. */
  private static Duration asked(OutboundAnswer answer) {
    return answer
        .header("retry-after")
        .filter(value -> value.matches("[0-9]{1,9}"))
        .map(value -> Duration.ofSeconds(Long.parseLong(value)))
        .map(wait -> wait.compareTo(LONGEST_ASKED) > 0 ? LONGEST_ASKED : wait)
        .orElse(Duration.ZERO);
  }
}
