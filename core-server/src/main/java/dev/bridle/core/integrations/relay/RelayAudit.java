package dev.bridle.core.integrations.relay;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.record.v1.PartyRecord;
import dev.bridle.record.v1.RelayAuditRecord;
import dev.bridle.relay.v1.RelayAuditEntry;
import dev.bridle.relay.v1.RelayAuditKind;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The audit log of a tenant's parties and their keys: each entry has the hash of the one before, so
 * that none can be changed or removed from the middle unnoticed. An entry is written in the
 * transaction of the change that it records.
 */
public final class RelayAudit {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final RecordStore<RelayAuditRecord> records;

  RelayAudit(KeyLayout layout) {
    this.records = RelayRecords.AUDIT.store(layout);
  }

  /** Begins an entry about a party. */
  static RelayAuditEntry.Builder about(RelayAuditKind kind, PartyRecord party) {
    return about(kind, new PartyId(party.getRole(), party.getId()));
  }

  /** Begins an entry about a party. */
  static RelayAuditEntry.Builder about(RelayAuditKind kind, PartyId party) {
    return RelayAuditEntry.newBuilder().setKind(kind).setRole(party.role()).setPartyId(party.id());
  }

  /** Appends an entry; its position, time, actor and hashes are set here. */
  void append(Write write, RelayAuditEntry.Builder entry) {
    Optional<RelayAuditEntry> last =
        records.lastWithPrefix(write.tr(), write.tenant(), "", Optional.empty(), 1).stream()
            .map(RelayAuditRecord::getEntry)
            .findFirst();
    last.ifPresent(before -> entry.setPreviousHash(before.getHash()));
    entry
        .setIndex(last.map(RelayAuditEntry::getIndex).orElse(0L) + 1)
        .setCreatedAt(Timestamps.fromMillis(write.nowMillis()))
        .setActor(write.actor());
    RelayAuditEntry whole = entry.setHash(hash(entry.build())).build();
    records.insert(
        write.tr(),
        write.tenant(),
        id(whole.getIndex()),
        RelayAuditRecord.newBuilder().setEntry(whole).build());
  }

  /** Returns up to {@code limit} entries after the one with an id, oldest first. */
  List<RelayAuditRecord> page(ReadTransaction tr, String tenant, Optional<String> id, int limit) {
    return records.withPrefix(tr, tenant, "", id.map(last -> last + "\0").orElse(""), limit);
  }

  /** Returns the id of the entry at a position; ids sort as positions do. */
  public static String id(long index) {
    return String.format(Locale.ROOT, "%019d", index);
  }

  /** Returns the hash that an entry must have. */
  public static String hash(RelayAuditEntry entry) {
    try {
      byte[] json = ResourceJson.nonDefault(entry).toByteArray();
      ObjectNode members = (ObjectNode) MAPPER.readTree(json);
      members.remove("hash");
      return Sha256.of(CanonicalJson.bytes(members)).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
