package dev.bridle.core.connector;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.connector.v1.IngestResponse;
import dev.bridle.connector.v1.IngressHeader;
import dev.bridle.connector.v1.InitialItems;
import dev.bridle.connector.v1.PollFailure;
import dev.bridle.core.command.Commands;
import dev.bridle.core.command.TokenChecked;
import dev.bridle.core.command.Write;
import dev.bridle.core.connector.polling.PageException;
import dev.bridle.core.connector.polling.PollRequest;
import dev.bridle.core.connector.polling.PollTimes;
import dev.bridle.core.connector.polling.PolledItem;
import dev.bridle.core.connector.polling.PolledPage;
import dev.bridle.core.connector.polling.RetryAfter;
import dev.bridle.core.connector.polling.SeenItems;
import dev.bridle.core.error.FailureLog;
import dev.bridle.core.error.ProtocolException;
import dev.bridle.core.event.EventDraft;
import dev.bridle.core.event.EventKinds;
import dev.bridle.core.event.Payload;
import dev.bridle.core.outbound.OutboundAnswer;
import dev.bridle.core.outbound.OutboundException;
import dev.bridle.core.outbound.OutboundRequest;
import dev.bridle.core.vault.ConnectSecrets;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.record.v1.PollState;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.layer.DueEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
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

  /** How many pages are asked for in one poll. */
  static final int MOST_PAGES = 10;

  private static final Logger log = LoggerFactory.getLogger(PollWork.class);
  private static final int MOST_STORED = 100;
  private static final int MOST_STORED_BYTES = 2 << 20;
  private static final int LONGEST_VALIDATOR = 1024;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final int REDIRECT = 300;
  private static final int REFUSAL = 400;

  private final KeyValueStore store;
  private final Commands commands;
  private final ConnectorStore connectors;
  private final DeliveryIntake intake;
  private final DeliveryWork work;
  private final ConnectSecrets secrets;
  private final ConnectorEvents events;
  private final Connectors.Working means;
  private final Semaphore slots;

  PollWork(
      KeyValueStore store,
      Commands commands,
      ConnectorStore connectors,
      DeliveryIntake intake,
      DeliveryWork work,
      ConnectSecrets secrets,
      ConnectorEvents events,
      Connectors.Working means) {
    this.store = store;
    this.commands = commands;
    this.connectors = connectors;
    this.intake = intake;
    this.work = work;
    this.secrets = secrets;
    this.events = events;
    this.means = means;
    this.slots = new Semaphore(means.polls().slots());
  }

  /** Looks at a connector that is due to poll, or whose poll under way is given up. */
  void due(DueEntry entry) {
    boolean free = slots.tryAcquire();
    Optional<Poll> poll = Optional.empty();
    try {
      poll =
          commands.fenced(
              TokenChecked.WORK_POLL,
              entry.tenant(),
              entry.id(),
              write -> claim(write, entry, free));
    } catch (ProtocolException e) {
      FailureLog.warn(log, "A connector stays due; it could not be claimed.", e);
    } finally {
      if (free && poll.isEmpty()) {
        slots.release();
      }
    }
    poll.ifPresent(claimed -> on(claimed, this::ask));
  }

  /** A poll that this process has claimed. */
  private final class Poll {
    private final String tenant;
    private final String claim;
    private final Instant began;
    private final ConnectorPolling polling;
    private final int page;
    private final Connector connector;
    private final PollState state;

    Poll(String tenant, String claim, Instant began, int page, ConnectorRecord record) {
      this.tenant = tenant;
      this.claim = claim;
      this.began = began;
      this.page = page;
      this.connector = record.getConnector();
      this.polling = connector.getPolling();
      this.state = record.getPolls();
    }

    String id() {
      return connector.getId();
    }

    /** Stores something under the claim; empty where that is another's by now. */
    <R> Optional<R> under(BiFunction<Write, ConnectorRecord, R> what) {
      return commands.fenced(
          TokenChecked.WORK_POLL,
          tenant,
          id(),
          write ->
              connectors
                  .find(write.tr(), tenant, id())
                  .filter(record -> record.getPolls().getClaim().equals(claim))
                  .map(record -> what.apply(write, record)));
    }
  }

  private Optional<Poll> claim(Write write, DueEntry entry, boolean free) {
    String claim = write.id("claim");
    Optional<ConnectorRecord> found = connectors.find(write.tr(), write.tenant(), entry.id());
    boolean own =
        found.filter(record -> record.getPolls().getDueAt() == entry.dueMillis()).isPresent();
    if (own) {
      ConnectorRecord.Builder after = found.get().toBuilder();
      // One that finds no room is put off, so that it stands before nothing else that is due.
      Duration until =
          free ? means.polls().claimTime() : wait(means.polls().firstWait(), Duration.ZERO);
      after
          .getPollsBuilder()
          .setDueAt(write.nowMillis() + until.toMillis())
          .setClaim(free ? claim : "");
      connectors.update(write, found.get(), after.build());
      return free
          ? Optional.of(poll(write, claim, write.nowMillis(), 1, after.build()))
          : Optional.empty();
    }
    // A transaction whose outcome was not known is tried again, and may find its own claim.
    if (found.filter(record -> record.getPolls().getClaim().equals(claim)).isEmpty()) {
      connectors.cancel(write, entry);
      return Optional.empty();
    }
    return found.map(record -> poll(write, claim, write.nowMillis(), 1, record));
  }

  private Poll poll(Write write, String claim, long began, int page, ConnectorRecord record) {
    return new Poll(write.tenant(), claim, Instant.ofEpochMilli(began), page, record);
  }

  /** Goes on with a poll on another thread. Whatever fails in there ends the poll. */
  private void on(Poll poll, Consumer<Poll> step) {
    try {
      means
          .executor()
          .execute(
              () -> {
                try {
                  step.accept(poll);
                } catch (StoreException e) {
                  slots.release(); // The claim runs out, and it is polled then.
                  FailureLog.warn(log, "A poll of connector " + poll.id() + " waits.", e);
                } catch (RuntimeException e) {
                  log.error("A poll of connector {} failed.", poll.id(), e);
                  fail(poll, "internal_error", "The server failed; its log has more.");
                }
              });
    } catch (RejectedExecutionException e) {
      slots.release(); // The server stops; the claim runs out, and it is polled then.
    }
  }

  private void ask(Poll poll) {
    OutboundRequest request;
    try {
      request = PollRequest.of(poll.polling, poll.connector.getAuth(), poll.state, secret(poll));
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
        means
            .calls()
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
    return poll.connector.hasAuth()
        ? store.read(
            tr ->
                Optional.of(
                    secrets.open(tr, poll.tenant, poll.connector.getAuth().getSecret()).value()))
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

  private void answered(Poll poll, OutboundAnswer answer) {
    int status = answer.status();
    if (status == NOT_MODIFIED || status == NO_CONTENT) {
      unchanged(poll);
    } else if (answer.ok()) {
      read(poll, answer);
    } else if (status >= REDIRECT && status < REFUSAL) {
      fail(
          poll,
          "redirected",
          "The answer was " + status + ", which leads elsewhere; redirects are not followed.");
    } else {
      Duration asked = RetryAfter.of(answer, means.clock().instant());
      fail(poll, "refused", "The answer was " + status + ".", asked);
    }
  }

  private void unchanged(Poll poll) {
    var unused =
        poll.under(
            (write, record) -> {
              done(write, poll, record, record.getPolls().toBuilder().setBegun(true));
              return true;
            });
    slots.release();
  }

  private void read(Poll poll, OutboundAnswer answer) {
    if (answer.cut()) {
      fail(poll, "too_large", "The answer has more than " + MOST_BYTES + " bytes.");
      return;
    }
    if (answer.header("content-encoding").filter(code -> !code.equals("identity")).isPresent()) {
      fail(poll, "encoded", "The answer is compressed, which was not asked for.");
      return;
    }
    Optional<String> sent =
        poll.state.hasCursor() ? Optional.of(poll.state.getCursor()) : Optional.empty();
    PolledPage page;
    try {
      page = PolledPage.read(poll.polling, sent, answer.body());
    } catch (PageException e) {
      fail(poll, e.code(), e.getMessage());
      return;
    }
    boolean skipped =
        !poll.state.getBegun() && poll.polling.getInitial() != InitialItems.INITIAL_ITEMS_ALL;
    int from = 0;
    do {
      int begin = from;
      int end = part(page.items(), begin);
      Optional<Stored> stored =
          poll.under(
              (write, record) -> {
                List<PolledItem> part = page.items().subList(begin, end);
                List<String> made = store(write, record, page, part, skipped);
                return end < page.items().size()
                    ? new Stored(made, Optional.of(goesOn(write, poll, record)))
                    : new Stored(made, turned(write, poll, record, page, answer));
              });
      if (stored.isEmpty()) {
        slots.release();
        return; // Somebody changed the connector, or the claim ran out.
      }
      stored.get().made().forEach(id -> work.soon(poll.tenant, poll.id(), id));
      from = end;
      if (from >= page.items().size()) {
        stored.get().next().ifPresentOrElse(next -> on(next, this::ask), slots::release);
      }
    } while (from < page.items().size());
  }

  /**
   * What a transaction stored.
   *
   * @param made the deliveries that came in
   * @param next how the poll goes on; empty where it is done
   */
  private record Stored(List<String> made, Optional<Poll> next) {}

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

  private List<String> store(
      Write write,
      ConnectorRecord record,
      PolledPage page,
      List<PolledItem> part,
      boolean skipped) {
    Connector connector = record.getConnector();
    SeenItems seen = connectors.seen(write.tr(), write.tenant(), connector.getId());
    List<String> made = new ArrayList<>();
    for (PolledItem item : part) {
      if (!skipped && !seen.contains(item)) {
        IngestResponse taken =
            intake.take(
                write,
                connector,
                item.key(),
                item.json().getBytes(UTF_8),
                List.of(
                    IngressHeader.newBuilder()
                        .setName("content-type")
                        .setValue("application/json")
                        .build()),
                true);
        if (!taken.getDuplicate()) {
          made.add(taken.getDeliveryId());
        }
      }
    }
    connectors.saw(write, connector.getId(), seen, seen.with(page.items(), part));
    return made;
  }

  /** Has the claim last for the next part, or the next page. */
  private Poll goesOn(Write write, Poll poll, ConnectorRecord record) {
    ConnectorRecord.Builder after = record.toBuilder();
    after.getPollsBuilder().setDueAt(write.nowMillis() + means.polls().claimTime().toMillis());
    connectors.update(write, record, after.build());
    return poll(write, poll.claim, poll.began.toEpochMilli(), poll.page, after.build());
  }

  /** Ends a page: what is asked next, and whether that is at once. */
  private Optional<Poll> turned(
      Write write, Poll poll, ConnectorRecord record, PolledPage page, OutboundAnswer answer) {
    PollState.Builder state = record.getPolls().toBuilder().clearEtag().clearLastModified();
    boolean moved =
        page.cursor().isPresent() && !page.cursor().get().equals(record.getPolls().getCursor());
    page.cursor().ifPresent(state::setCursor);
    if (!moved) {
      // They are about this request, and the next one is the same.
      validator(answer, "etag").ifPresent(state::setEtag);
      validator(answer, "last-modified").ifPresent(state::setLastModified);
    }
    if (!page.more() || poll.page == MOST_PAGES) {
      done(write, poll, record, state.setBegun(state.getBegun() || !page.more()));
      return Optional.empty();
    }
    state.setDueAt(write.nowMillis() + means.polls().claimTime().toMillis());
    ConnectorRecord after = record.toBuilder().setPolls(state).build();
    connectors.update(write, record, after);
    return Optional.of(poll(write, poll.claim, poll.began.toEpochMilli(), poll.page + 1, after));
  }

  private static Optional<String> validator(OutboundAnswer answer, String name) {
    return answer
        .header(name)
        .filter(value -> !value.isEmpty() && value.length() <= LONGEST_VALIDATOR)
        .filter(value -> value.chars().allMatch(c -> c >= ' ' && c < 0x7f));
  }

  private void done(Write write, Poll poll, ConnectorRecord record, PollState.Builder state) {
    Instant now = Instant.ofEpochMilli(write.nowMillis());
    state
        .setDueAt(
            PollTimes.next(record.getConnector().getPolling(), poll.began, now).toEpochMilli())
        .clearClaim()
        .setLastPollAt(write.nowMillis())
        .clearFailures()
        .clearLastError();
    connectors.update(write, record, record.toBuilder().setPolls(state).build());
  }

  private void fail(Poll poll, String code, String message) {
    fail(poll, code, message, Duration.ZERO);
  }

  private void fail(Poll poll, String code, String message, Duration asked) {
    try {
      var unused =
          poll.under(
              (write, record) -> {
                fail(write, record, code, message, asked);
                return true;
              });
    } catch (RuntimeException e) {
      FailureLog.warn(log, "A failed poll was not told; it is made again.", e);
    } finally {
      slots.release();
    }
  }

  private void fail(
      Write write, ConnectorRecord record, String code, String message, Duration asked) {
    int failures = record.getPolls().getFailures() + 1;
    long again = write.nowMillis() + pause(record, failures, asked).toMillis();
    ConnectorRecord.Builder after = record.toBuilder();
    after
        .getPollsBuilder()
        .setDueAt(again)
        .clearClaim()
        .setLastPollAt(write.nowMillis())
        .setFailures(failures)
        .setLastError(PollFailure.newBuilder().setCode(code).setMessage(message));
    connectors.update(write, record, after.build());
    events.tell(
        write,
        record.getConnector(),
        EventDraft.of(
            EventKinds.CONNECTOR_FAILED,
            Payload.of()
                .text("code", code)
                .text("message", message)
                .number("failures", failures)
                .text("next_poll_at", Instant.ofEpochMilli(again).toString())));
  }

  /**
   * Doubles with each failure in a row, up to the longest, or to the interval if that is longer.
   */
  private Duration pause(ConnectorRecord record, int failures, Duration asked) {
    Duration every = PollTimes.every(record.getConnector().getPolling());
    Duration longest = means.polls().longestWait();
    Duration bound = every.compareTo(longest) > 0 ? every : longest;
    Duration doubled = means.polls().firstWait().multipliedBy(1L << Math.min(failures - 1, 16));
    return wait(doubled.compareTo(bound) > 0 ? bound : doubled, asked);
  }

  /** Leaves up to half of a time to chance, but keeps to what was asked for. */
  private Duration wait(Duration most, Duration asked) {
    long half = most.toMillis() / 2;
    long chosen = half + means.random().nextLong(half + 1);
    return Duration.ofMillis(Math.max(chosen, asked.toMillis()));
  }
}
