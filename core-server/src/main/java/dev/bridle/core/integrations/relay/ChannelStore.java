package dev.bridle.core.integrations.relay;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.record.v1.RelayChannelRecord;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Mailbox;
import dev.bridle.storage.layer.RecordStore;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Stores which channels are open, for all processes: which one of an enforcer is the newest, and
 * who is there. A process says every {@link #RENEWAL} that its channels are open; one that has not
 * said so for {@link #DEAD} is gone.
 */
final class ChannelStore {
  static final Duration RENEWAL = Duration.ofSeconds(30);
  static final Duration DEAD = Duration.ofSeconds(90);

  /** For how long the presence of a closed channel is kept. */
  static final Duration PRESENCE = Duration.ofMinutes(10);

  private static final int MAX_LISTED = 1000;
  private static final Comparator<RelayChannelRecord> BY_AGE =
      Comparator.comparingLong(RelayChannelRecord::getOpenedAt)
          .thenComparing(RelayChannelRecord::getId);

  private final RecordStore<RelayChannelRecord> records;
  private final Mailbox mailbox;
  private final DueIndex due;

  ChannelStore(KeyLayout layout, DueIndex due) {
    this.records = RelayRecords.CHANNEL.store(layout);
    this.mailbox = new Mailbox(layout);
    this.due = due;
  }

  Optional<RelayChannelRecord> find(
      ReadTransaction tr, String tenant, PartyId party, String channel) {
    return records.get(tr, tenant, RelayRecords.channelId(party, channel));
  }

  /** Returns whether a channel is open, and its process alive. */
  static boolean isOpen(RelayChannelRecord channel, long now) {
    return channel.getClosedAt() == 0 && now - channel.getSeenAt() < DEAD.toMillis();
  }

  /** Returns the newest open channel of a party. */
  Optional<RelayChannelRecord> newest(ReadTransaction tr, String tenant, PartyId party, long now) {
    return of(tr, tenant, party).stream().filter(channel -> isOpen(channel, now)).max(BY_AGE);
  }

  /** Returns the channels of a party, open or not. */
  List<RelayChannelRecord> of(ReadTransaction tr, String tenant, PartyId party) {
    String prefix = RelayRecords.channelId(party, "");
    return records.withPrefix(tr, tenant, prefix, prefix, MAX_LISTED).stream()
        .filter(channel -> RelayRecords.party(channel).equals(party))
        .toList();
  }

  /** Returns the channels of all enforcers, open or not. */
  List<RelayChannelRecord> ofEnforcers(ReadTransaction tr, String tenant) {
    String prefix = PartyId.prefix(PartyRole.PARTY_ROLE_ENFORCER);
    return records.withPrefix(tr, tenant, prefix, prefix, MAX_LISTED);
  }

  void insert(Write write, RelayChannelRecord channel) {
    RelayChannelRecord timed = timed(channel);
    if (find(write.tr(), write.tenant(), RelayRecords.party(timed), timed.getId()).isEmpty()) {
      write.needTenant();
      records.insert(write.tr(), write.tenant(), id(timed), timed);
      RelayRecords.CHANNEL.schedule(due, write.tr(), write.tenant(), timed);
    }
  }

  /** Changes an open channel, and returns whether there is such a one. */
  boolean change(
      Write write,
      PartyId party,
      String channel,
      UnaryOperator<RelayChannelRecord.Builder> change) {
    Optional<RelayChannelRecord> before =
        find(write.tr(), write.tenant(), party, channel).filter(found -> found.getClosedAt() == 0);
    before.ifPresent(found -> update(write, found, change.apply(found.toBuilder()).build()));
    return before.isPresent();
  }

  /** Closes a channel; the newest one of those that stay open goes on. */
  void close(Write write, RelayChannelRecord before, long at) {
    update(write, before, before.toBuilder().setClosedAt(at).clearRefreshRequestIds().build());
  }

  private void update(Write write, RelayChannelRecord before, RelayChannelRecord changed) {
    RelayChannelRecord after = timed(changed);
    if (!after.equals(before)) {
      records.update(write.tr(), write.tenant(), id(after), before, after);
      RelayRecords.CHANNEL.reschedule(due, write.tr(), write.tenant(), before, after);
    }
    boolean concerns =
        after.getClosedAt() != before.getClosedAt()
            || after.getRefreshRequestIdsCount() > before.getRefreshRequestIdsCount();
    if (concerns) {
      mailbox.wake(write.tr(), write.tenant(), RelayRecords.party(after).key());
    }
  }

  /** Closes a channel whose process is gone, or removes one that was closed. */
  void due(Write write, DueEntry entry) {
    Optional<RelayChannelRecord> found =
        records
            .get(write.tr(), write.tenant(), entry.id())
            .filter(channel -> RelayRecords.CHANNEL.isDue(channel, entry));
    if (found.isEmpty()) {
      due.cancel(write.tr(), entry);
    } else if (found.get().getClosedAt() == 0) {
      close(write, found.get(), found.get().getSeenAt());
    } else {
      records.remove(write.tr(), write.tenant(), entry.id());
      RelayRecords.CHANNEL.unschedule(due, write.tr(), write.tenant(), found.get());
    }
  }

  private static RelayChannelRecord timed(RelayChannelRecord channel) {
    long at =
        channel.getClosedAt() == 0
            ? channel.getSeenAt() + DEAD.toMillis()
            : channel.getClosedAt() + PRESENCE.toMillis();
    return channel.toBuilder().setDueAt(at).build();
  }

  private static String id(RelayChannelRecord channel) {
    return RelayRecords.channelId(RelayRecords.party(channel), channel.getId());
  }
}
