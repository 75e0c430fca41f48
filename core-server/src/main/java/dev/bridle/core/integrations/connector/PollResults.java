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

/** Stores what came of polls: deliveries, the items seen, how far a connector is, failures. */
final class PollResults {
  /** How many pages are asked for in one poll. */
  static final int MOST_PAGES = 10;

  private static final int LONGEST_VALIDATOR = 1024;
  private static final IngressHeader JSON =
      IngressHeader.newBuilder().setName("content-type").setValue("application/json").build();

  private final ConnectorStore connectors;
  private final PollClaims claims;
  private final DeliveryIntake intake;
  private final ConnectorEvents events;
  private final PollWaits waits;

  PollResults(
      ConnectorStore connectors,
      PollClaims claims,
      DeliveryIntake intake,
      ConnectorEvents events,
      PollWaits waits) {
    this.connectors = connectors;
    this.claims = claims;
    this.intake = intake;
    this.events = events;
    this.waits = waits;
  }

  /**
   * What a transaction stored.
   *
   * @param made the deliveries that came in
   * @param next how the poll goes on; empty where it is done
   */
  record Stored(List<String> made, Optional<Poll> next) {}

  /** Stores that nothing changed. */
  void unchanged(Poll poll) {
    var unused =
        claims.under(
            poll,
            (write, record) -> {
              done(write, poll, record, record.getPolls().toBuilder().setBegun(true));
              return true;
            });
  }

  /**
   * Stores some items of a page, and with the last of them how far the connector is. Empty where
   * somebody changed the connector, or the claim ran out.
   */
  Optional<Stored> part(Poll poll, PolledPage page, int from, int end, OutboundResponse answer) {
    boolean skipped =
        !poll.state().getBegun() && poll.polling().getInitial() != InitialItems.INITIAL_ITEMS_ALL;
    return claims.under(
        poll,
        (write, record) -> {
          List<PolledItem> part = page.items().subList(from, end);
          List<String> made = store(write, record.getConnector(), page, part, skipped);
          return end < page.items().size()
              ? new Stored(made, Optional.of(goesOn(write, poll, record)))
              : new Stored(made, turned(write, poll, record, page, answer));
        });
  }

  private List<String> store(
      Write write, Connector connector, PolledPage page, List<PolledItem> part, boolean skipped) {
    SeenItems seen = connectors.seen(write.tr(), write.tenant(), connector.getId());
    List<String> made = new ArrayList<>();
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
          made.add(taken.getDeliveryId());
        }
      }
    }
    connectors.saw(write, connector.getId(), seen, seen.with(page.items(), part));
    return made;
  }

  /** Has the claim last for the next part. */
  private Poll goesOn(Write write, Poll poll, ConnectorRecord record) {
    ConnectorRecord.Builder after = record.toBuilder();
    after.getPollsBuilder().setDueAt(claims.until(write));
    connectors.update(write, record, after.build());
    return poll.at(poll.page(), after.build());
  }

  /** Ends a page: what is asked next, and whether that is at once. */
  private Optional<Poll> turned(
      Write write, Poll poll, ConnectorRecord record, PolledPage page, OutboundResponse answer) {
    PollState.Builder state = record.getPolls().toBuilder().clearEtag().clearLastModified();
    boolean moved =
        page.cursor().isPresent() && !page.cursor().get().equals(record.getPolls().getCursor());
    page.cursor().ifPresent(state::setCursor);
    if (!moved) {
      // They are about this request, and the next one is the same.
      validator(answer, "etag").ifPresent(state::setEtag);
      validator(answer, "last-modified").ifPresent(state::setLastModified);
    }
    if (!page.more() || poll.page() == MOST_PAGES) {
      done(write, poll, record, state.setBegun(state.getBegun() || !page.more()));
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

  private void done(Write write, Poll poll, ConnectorRecord record, PollState.Builder state) {
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

  /** Stores that a poll failed, and tells it. */
  void failed(Poll poll, String code, String message, Duration asked) {
    var unused =
        claims.under(
            poll,
            (write, record) -> {
              failed(write, record, code, message, asked);
              return true;
            });
  }

  private void failed(
      Write write, ConnectorRecord record, String code, String message, Duration asked) {
    int failures = record.getPolls().getFailures() + 1;
    Duration wait = waits.after(failures, record.getConnector().getPolling(), asked);
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
}
