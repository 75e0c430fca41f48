package dev.bridle.core.integrations.connector;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.IngestResponse;
import dev.bridle.connector.v1.IngressHeader;
import dev.bridle.connector.v1.InitialItems;
import dev.bridle.connector.v1.PollFailure;
import dev.bridle.core.integrations.connector.polling.PollTimes;
import dev.bridle.core.integrations.connector.polling.PolledItem;
import dev.bridle.core.integrations.connector.polling.PolledPage;
import dev.bridle.core.integrations.connector.polling.SeenItems;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.outbound.OutboundResponse;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.record.v1.PollState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Stores results of polls: deliveries, items seen, the cursor, failures. */
final class PollResults {
  /** The maximum number of pages per poll. */
  static final int MOST_PAGES = 10;

  private static final int LONGEST_VALIDATOR = 1024;
  private static final IngressHeader JSON =
      IngressHeader.newBuilder().setName("content-type").setValue("application/json").build();

  private final ConnectorStore connectors;
  private final PollClaims claims;
  private final DeliveryIntake intake;
  private final ConnectorEvents events;
  private final PollBackoff backoff;

  PollResults(
      ConnectorStore connectors,
      PollClaims claims,
      DeliveryIntake intake,
      ConnectorEvents events,
      PollBackoff backoff) {
    this.connectors = connectors;
    this.claims = claims;
    this.intake = intake;
    this.events = events;
    this.backoff = backoff;
  }

  /**
   * The result of a transaction.
   *
   * @param deliveries ids of the new deliveries
   * @param next the poll to continue with; empty if it is finished
   */
  record Stored(List<String> deliveries, Optional<Poll> next) {}

  /** Stores a poll without new items. */
  void storeUnchanged(Poll poll) {
    var unused =
        claims.under(
            poll,
            (write, record) -> {
              finishPoll(write, poll, record, record.getPolls().toBuilder().setBegun(true));
              return true;
            });
  }

  /**
   * Stores some items of a page, and with the last of them the connector's cursor. Returns empty if
   * the connector was changed or the claim has expired.
   */
  Optional<Stored> storeItems(
      Poll poll, PolledPage page, int from, int end, OutboundResponse answer) {
    boolean skipped =
        !poll.state().getBegun() && poll.polling().getInitial() != InitialItems.INITIAL_ITEMS_ALL;
    return claims.under(
        poll,
        (write, record) -> {
          List<PolledItem> part = page.items().subList(from, end);
          List<String> deliveries = store(write, record.getConnector(), page, part, skipped);
          return end < page.items().size()
              ? new Stored(deliveries, Optional.of(extendClaim(write, poll, record)))
              : new Stored(deliveries, finishPage(write, poll, record, page, answer));
        });
  }

  private List<String> store(
      Write write, Connector connector, PolledPage page, List<PolledItem> part, boolean skipped) {
    SeenItems seen = connectors.seen(write.tr(), write.tenant(), connector.getId());
    List<String> deliveries = new ArrayList<>();
    for (PolledItem item : part) {
      if (!skipped && !seen.contains(item)) {
        IngestResponse taken =
            intake.take(
                write,
                connector,
                DeliveryKeys.of(item.key()),
                item.json().getBytes(UTF_8),
                List.of(JSON),
                true);
        if (!taken.getDuplicate()) {
          deliveries.add(taken.getDeliveryId());
        }
      }
    }
    connectors.updateSeen(write, connector.getId(), seen, seen.with(page.items(), part));
    return deliveries;
  }

  /** Extends the claim for the next items. */
  private Poll extendClaim(Write write, Poll poll, ConnectorRecord record) {
    ConnectorRecord.Builder after = record.toBuilder();
    after.getPollsBuilder().setDueAt(claims.until(write));
    connectors.update(write, record, after.build());
    return poll.at(poll.page(), after.build());
  }

  /** Finishes a page, and returns the poll of the next one; empty if the poll is finished. */
  private Optional<Poll> finishPage(
      Write write, Poll poll, ConnectorRecord record, PolledPage page, OutboundResponse answer) {
    PollState.Builder state = record.getPolls().toBuilder().clearEtag().clearLastModified();
    // Compared with the cursor of the request: the stored one is already the page's if an earlier
    // attempt of this write was applied although its outcome was unknown.
    boolean moved =
        page.cursor().isPresent() && !page.cursor().get().equals(poll.state().getCursor());
    page.cursor().ifPresent(state::setCursor);
    if (!moved) {
      // Validators apply to this request, which the next poll repeats.
      validator(answer, "etag").ifPresent(state::setEtag);
      validator(answer, "last-modified").ifPresent(state::setLastModified);
    }
    if (!page.more() || poll.page() == MOST_PAGES) {
      finishPoll(write, poll, record, state.setBegun(state.getBegun() || !page.more()));
      return Optional.empty();
    }
    state.setDueAt(claims.until(write));
    ConnectorRecord after = record.toBuilder().setPolls(state).build();
    connectors.update(write, record, after);
    return Optional.of(poll.at(poll.page() + 1, after));
  }

  private static Optional<String> validator(OutboundResponse answer, String name) {
    return answer
        .header(name)
        .filter(value -> !value.isEmpty() && value.length() <= LONGEST_VALIDATOR)
        .filter(value -> value.chars().allMatch(c -> c >= ' ' && c < 0x7f));
  }

  private void finishPoll(Write write, Poll poll, ConnectorRecord record, PollState.Builder state) {
    Instant now = Instant.ofEpochMilli(write.nowMillis());
    state
        .setDueAt(
            PollTimes.next(record.getConnector().getPolling(), poll.began(), now).toEpochMilli())
        .clearClaim()
        .setLastPollAt(write.nowMillis())
        .clearFailures()
        .clearLastError();
    connectors.update(write, record, record.toBuilder().setPolls(state).build());
  }

  /** Stores that a poll failed, and appends an event. */
  void storeFailure(Poll poll, String code, String message, Duration asked) {
    var unused =
        claims.under(
            poll,
            (write, record) -> {
              storeFailure(write, record, code, message, asked);
              return true;
            });
  }

  private void storeFailure(
      Write write, ConnectorRecord record, String code, String message, Duration asked) {
    int failures = record.getPolls().getFailures() + 1;
    Duration wait = backoff.after(failures, record.getConnector().getPolling(), asked);
    long again = write.nowMillis() + wait.toMillis();
    ConnectorRecord.Builder after = record.toBuilder();
    after
        .getPollsBuilder()
        .setDueAt(again)
        .clearClaim()
        .setLastPollAt(write.nowMillis())
        .setFailures(failures)
        .setLastError(PollFailure.newBuilder().setCode(code).setMessage(message));
    connectors.update(write, record, after.build());
    events.append(
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
}
