package dev.bridle.core.integrations.connector;

import dev.bridle.core.integrations.connector.PollResults.Stored;
import dev.bridle.core.integrations.connector.polling.PageException;
import dev.bridle.core.integrations.connector.polling.PollOptions;
import dev.bridle.core.integrations.connector.polling.PollRequest;
import dev.bridle.core.integrations.connector.polling.PolledItem;
import dev.bridle.core.integrations.connector.polling.PolledPage;
import dev.bridle.core.integrations.connector.polling.RetryAfter;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.outbound.OutboundCalls;
import dev.bridle.core.kernel.outbound.OutboundException;
import dev.bridle.core.kernel.outbound.OutboundRequest;
import dev.bridle.core.kernel.outbound.OutboundResponse;
import dev.bridle.core.work.vault.ConnectSecrets;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.layer.DueEntry;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls. A poll that is due is claimed first, so that one process makes it; the call is made in no
 * transaction and on no thread that others wait for; and what came is stored under the claim: the
 * deliveries of a page, which items were seen, and at last how far the connector is. A claim that
 * runs out lets another process poll, which finds what was stored to be known.
 */
final class PollWork {
  /** How much of an answer is read; one that is longer is none. */
  static final int MOST_BYTES = 2 << 20;

  private static final Logger log = LoggerFactory.getLogger(PollWork.class);
  private static final int MOST_STORED = 100;
  private static final int MOST_STORED_BYTES = 2 << 20;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final int REDIRECT = 300;
  private static final int REFUSAL = 400;

  private final KeyValueStore store;
  private final PollClaims claims;
  private final PollResults results;
  private final DeliveryWork work;
  private final ConnectSecrets secrets;
  private final CoreContext context;
  private final PollOptions options;
  private final OutboundCalls calls;
  private final PollSlots slots;

  PollWork(
      CoreContext context,
      PollClaims claims,
      PollResults results,
      DeliveryWork work,
      ConnectSecrets secrets,
      OutboundCalls calls) {
    this.store = context.store();
    this.claims = claims;
    this.results = results;
    this.work = work;
    this.secrets = secrets;
    this.context = context;
    this.options = context.settings(PollOptions.class);
    this.calls = calls;
    this.slots = new PollSlots(options.slots(), options.slotsOfTenant());
  }

  /** Looks at a connector that is due to poll, or whose poll under way is given up. */
  void due(DueEntry entry) {
    boolean free = slots.tryTake(entry.tenant());
    Optional<Poll> poll = Optional.empty();
    try {
      poll = claims.claim(entry, free);
    } catch (ProtocolException e) {
      FailureLog.warn(log, "A connector stays due; it could not be claimed.", e);
    } finally {
      if (free && poll.isEmpty()) {
        slots.giveBack(entry.tenant());
      }
    }
    poll.ifPresent(claimed -> on(claimed, this::ask));
  }

  /** Goes on with a poll on another thread. Whatever fails in there ends the poll. */
  private void on(Poll poll, Consumer<Poll> step) {
    try {
      context
          .environment()
          .background()
          .execute(
              () -> {
                try {
                  step.accept(poll);
                } catch (StoreException e) {
                  slots.giveBack(poll.tenant()); // The claim runs out, and it is polled then.
                  FailureLog.warn(log, "A poll of connector " + poll.id() + " waits.", e);
                } catch (RuntimeException e) {
                  log.error("A poll of connector {} failed.", poll.id(), e);
                  fail(poll, "internal_error", "The server failed; its log has more.");
                }
              });
    } catch (RejectedExecutionException e) {
      slots.giveBack(poll.tenant()); // The server stops; the claim runs out, and it is polled then.
    }
  }

  private void ask(Poll poll) {
    OutboundRequest request;
    try {
      request =
          PollRequest.of(poll.polling(), poll.connector().getAuth(), poll.state(), secret(poll));
    } catch (ProtocolException e) {
      fail(poll, "secret_unavailable", "The secret of auth is not there, or may not be used.");
      return;
    } catch (PageException e) {
      fail(poll, e.code(), e.getMessage());
      return;
    } catch (OutboundException e) {
      failed(poll, e);
      return;
    }
    var unused =
        calls
            .send(request, MOST_BYTES)
            .whenComplete(
                (answer, failure) ->
                    on(
                        poll,
                        same -> {
                          if (failure == null) {
                            answered(same, answer);
                          } else {
                            failed(same, failure);
                          }
                        }));
  }

  private Optional<String> secret(Poll poll) {
    return poll.connector().hasAuth()
        ? store.read(
            tr ->
                Optional.of(
                    secrets
                        .open(tr, poll.tenant(), poll.connector().getAuth().getSecret())
                        .value()))
        : Optional.empty();
  }

  private void failed(Poll poll, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof OutboundException known) {
      boolean url = known.reason() == OutboundException.Reason.REFUSED_URL;
      fail(
          poll,
          known.reason().name().toLowerCase(Locale.ROOT),
          "The " + (url ? "URL " : "call ") + known.getMessage() + ".");
    } else {
      throw new IllegalStateException("a call failed", cause);
    }
  }

  private void answered(Poll poll, OutboundResponse answer) {
    int status = answer.status();
    if (status == NOT_MODIFIED || status == NO_CONTENT) {
      results.unchanged(poll);
      slots.giveBack(poll.tenant());
    } else if (answer.ok()) {
      read(poll, answer);
    } else if (status >= REDIRECT && status < REFUSAL) {
      fail(
          poll,
          "redirected",
          "The answer was " + status + ", which leads elsewhere; redirects are not followed.");
    } else {
      Duration asked = RetryAfter.of(answer, context.clock().instant());
      fail(poll, "refused", "The answer was " + status + ".", asked);
    }
  }

  private void read(Poll poll, OutboundResponse answer) {
    if (answer.cut()) {
      fail(poll, "too_large", "The answer has more than " + MOST_BYTES + " bytes.");
      return;
    }
    if (answer.header("content-encoding").filter(code -> !code.equals("identity")).isPresent()) {
      fail(poll, "encoded", "The answer is compressed, which was not asked for.");
      return;
    }
    Optional<String> sent =
        poll.state().hasCursor() ? Optional.of(poll.state().getCursor()) : Optional.empty();
    PolledPage page;
    try {
      page = PolledPage.read(poll.polling(), sent, answer.body());
    } catch (PageException e) {
      fail(poll, e.code(), e.getMessage());
      return;
    }
    int from = 0;
    while (true) {
      int end = part(page.items(), from);
      Optional<Stored> stored = results.part(poll, page, from, end, answer);
      if (stored.isEmpty()) {
        slots.giveBack(poll.tenant());
        return;
      }
      stored.get().made().forEach(id -> work.soon(poll.tenant(), poll.id(), id));
      if (end == page.items().size()) {
        stored
            .get()
            .next()
            .ifPresentOrElse(next -> on(next, this::ask), () -> slots.giveBack(poll.tenant()));
        return;
      }
      from = end;
    }
  }

  /** Returns where the part of a page ends that one transaction takes. */
  private static int part(List<PolledItem> items, int from) {
    int end = from;
    long bytes = 0;
    while (end < items.size() && end - from < MOST_STORED) {
      bytes += items.get(end).json().length();
      if (end > from && bytes > MOST_STORED_BYTES) {
        break;
      }
      end++;
    }
    return end;
  }

  private void fail(Poll poll, String code, String message) {
    fail(poll, code, message, Duration.ZERO);
  }

  private void fail(Poll poll, String code, String message, Duration asked) {
    try {
      results.failed(poll, code, message, asked);
    } catch (RuntimeException e) {
      FailureLog.warn(log, "A failed poll was not told; it is made again.", e);
    } finally {
      slots.giveBack(poll.tenant());
    }
  }
}
