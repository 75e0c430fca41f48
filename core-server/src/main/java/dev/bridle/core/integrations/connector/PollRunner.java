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
 * Runs polls. A due poll is claimed first, so that one process runs it. The request is made outside
 * of transactions, without blocking a thread. Its results are stored under the claim: the
 * deliveries of a page, the items seen, and finally the cursor. After a claim has expired another
 * process may poll; it recognizes the items that were stored.
 */
final class PollRunner {
  /** The maximum length of a response in bytes; longer ones are rejected. */
  static final int MOST_BYTES = 2 << 20;

  private static final Logger log = LoggerFactory.getLogger(PollRunner.class);
  private static final int MOST_STORED = 100;
  private static final int MOST_STORED_BYTES = 2 << 20;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final int REDIRECT = 300;
  private static final int REFUSAL = 400;

  private final KeyValueStore store;
  private final PollClaims claims;
  private final PollResults results;
  private final DeliveryProcessor processor;
  private final ConnectSecrets secrets;
  private final CoreContext context;
  private final PollOptions options;
  private final OutboundCalls calls;
  private final PollSlots slots;

  PollRunner(
      CoreContext context,
      PollClaims claims,
      PollResults results,
      DeliveryProcessor processor,
      ConnectSecrets secrets,
      OutboundCalls calls) {
    this.store = context.store();
    this.claims = claims;
    this.results = results;
    this.processor = processor;
    this.secrets = secrets;
    this.context = context;
    this.options = context.settings(PollOptions.class);
    this.calls = calls;
    this.slots = new PollSlots(options.slots(), options.slotsOfTenant());
  }

  /** Polls for a connector that is due, or whose claim has expired. */
  void due(DueEntry entry) {
    boolean free = slots.tryAcquire(entry.tenant());
    Optional<Poll> poll = Optional.empty();
    try {
      poll = claims.claim(entry, free);
    } catch (ProtocolException e) {
      FailureLog.warn(log, "A poll could not be claimed; the connector stays due.", e);
    } finally {
      if (free && poll.isEmpty()) {
        slots.release(entry.tenant());
      }
    }
    poll.ifPresent(claimed -> on(claimed, this::ask));
  }

  /** Continues a poll on another thread. A failure there ends the poll. */
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
                  slots.release(poll.tenant()); // The connector polls again when the claim expires.
                  FailureLog.warn(log, "A poll of connector " + poll.id() + " is postponed.", e);
                } catch (RuntimeException e) {
                  log.error("A poll of connector {} failed.", poll.id(), e);
                  fail(poll, "internal_error", "The server failed; see its log.");
                }
              });
    } catch (RejectedExecutionException e) {
      slots.release(
          poll.tenant()); // The server stops; the connector polls again when the claim expires.
    }
  }

  private void ask(Poll poll) {
    OutboundRequest request;
    try {
      request =
          PollRequest.of(poll.polling(), poll.connector().getAuth(), poll.state(), secret(poll));
    } catch (ProtocolException e) {
      fail(poll, "secret_unavailable", "The secret of auth does not exist, or may not be used.");
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
      results.storeUnchanged(poll);
      slots.release(poll.tenant());
    } else if (answer.ok()) {
      read(poll, answer);
    } else if (status >= REDIRECT && status < REFUSAL) {
      fail(
          poll,
          "redirected",
          "The answer was " + status + ", a redirect; redirects are not followed.");
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
      fail(poll, "encoded", "The answer is compressed, although no encoding was requested.");
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
      Optional<Stored> stored = results.storeItems(poll, page, from, end, answer);
      if (stored.isEmpty()) {
        slots.release(poll.tenant());
        return;
      }
      stored.get().deliveries().forEach(id -> processor.processSoon(poll.tenant(), poll.id(), id));
      if (end == page.items().size()) {
        stored
            .get()
            .next()
            .ifPresentOrElse(next -> on(next, this::ask), () -> slots.release(poll.tenant()));
        return;
      }
      from = end;
    }
  }

  /** Returns the end of the items that are stored in one transaction. */
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
      results.storeFailure(poll, code, message, asked);
    } catch (RuntimeException e) {
      FailureLog.warn(log, "The failure of a poll could not be stored; the poll is repeated.", e);
    } finally {
      slots.release(poll.tenant());
    }
  }
}
