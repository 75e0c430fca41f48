package dev.bridle.core.integrations.connector;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.storage.layer.DueEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Claims on polls. A claim is stored with the connector before the request, and results are stored
 * only under a valid claim.
 */
final class PollClaims {
  private final Commands commands;
  private final ConnectorStore connectors;
  private final Duration claimTime;
  private final PollBackoff backoff;

  PollClaims(
      Commands commands, ConnectorStore connectors, Duration claimTime, PollBackoff backoff) {
    this.commands = commands;
    this.connectors = connectors;
    this.claimTime = claimTime;
    this.backoff = backoff;
  }

  /**
   * Claims a poll that is due, or whose claim has expired.
   *
   * @param free whether a slot is free; if not, the poll is postponed
   */
  Optional<Poll> claim(DueEntry entry, boolean free) {
    return commands.fenced(
        FencedWrite.WORK_POLL, entry.tenant(), entry.id(), write -> claim(write, entry, free));
  }

  private Optional<Poll> claim(Write write, DueEntry entry, boolean free) {
    String claim = write.id("claim");
    Optional<ConnectorRecord> found = connectors.find(write.tr(), write.tenant(), entry.id());
    boolean own =
        found.filter(record -> record.getPolls().getDueAt() == entry.dueMillis()).isPresent();
    if (own) {
      ConnectorRecord.Builder after = found.get().toBuilder();
      // Postponed without a slot, so that it does not block other due entries.
      Duration until = free ? claimTime : backoff.putOff();
      after
          .getPollsBuilder()
          .setDueAt(write.nowMillis() + until.toMillis())
          .setClaim(free ? claim : "");
      connectors.update(write, found.get(), after.build());
      return free ? Optional.of(poll(write, claim, after.build())) : Optional.empty();
    }
    // A transaction with an unknown result is retried, and may find its own claim.
    if (found.filter(record -> record.getPolls().getClaim().equals(claim)).isEmpty()) {
      connectors.cancel(write, entry);
      return Optional.empty();
    }
    return found.map(record -> poll(write, claim, record));
  }

  private static Poll poll(Write write, String claim, ConnectorRecord record) {
    return new Poll(write.tenant(), claim, Instant.ofEpochMilli(write.nowMillis()), 1, record);
  }

  /** Writes under a claim; returns empty if the claim has expired or been taken over. */
  <R> Optional<R> under(Poll poll, BiFunction<Write, ConnectorRecord, R> what) {
    return commands.fenced(
        FencedWrite.WORK_POLL,
        poll.tenant(),
        poll.id(),
        write ->
            connectors
                .find(write.tr(), poll.tenant(), poll.id())
                .filter(record -> record.getPolls().getClaim().equals(poll.claim()))
                .map(record -> what.apply(write, record)));
  }

  /** Returns when a claim that is taken or extended now expires, in Unix milliseconds. */
  long until(Write write) {
    return write.nowMillis() + claimTime.toMillis();
  }
}
