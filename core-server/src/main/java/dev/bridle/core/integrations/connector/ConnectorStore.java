package dev.bridle.core.integrations.connector;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.integrations.connector.polling.SeenItems;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.Secrets;
import dev.bridle.core.kernel.auth.TenantSecrets;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.record.v1.IngressRecord;
import dev.bridle.record.v1.PollSeenRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.IngressStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.Optional;

/**
 * Stores connectors and their ingress paths:
 *
 * <pre>
 * tenant / RECORD / CONNECTOR, id                  → ConnectorRecord
 * tenant / INDEX / CONNECTOR, ALL | WORKSPACE, …   → id
 * INGRESS / hash of an ingress id                  → tenant, connector
 * tenant / RECORD / POLL_SEEN, id                  → the keys of the items of its last polls
 * DUE / POLL, id                                   → when it polls, or when the claim of a poll expires
 * </pre>
 *
 * <p>The record of a deleted connector stays in its lists, which skip it.
 */
public final class ConnectorStore extends TenantRecords<ConnectorRecord> implements TenantSecrets {
  /** The definition of connectors. */
  public static final RecordDef<ConnectorRecord> CONNECTOR =
      RecordDef.of(60, "connector", ConnectorRecord.parser())
          .id(record -> record.getConnector().getId())
          .listed()
          .indexed(RecordDef.BY_WORKSPACE, record -> record.getConnector().getWorkspaceId())
          .refersTo("workspace", record -> record.getConnector().getWorkspaceId())
          .refersTo("persona", record -> record.getConnector().getTargetPersonaId())
          .refersTo("session", record -> record.getConnector().getTargetSessionId())
          .withStream()
          .due(DueKind.POLL, record -> record.getPolls().getDueAt())
          .build();

  /** The definition of the items that a polling connector has seen. */
  public static final RecordDef<PollSeenRecord> POLL_SEEN =
      RecordDef.of(64, "items that a connector saw", PollSeenRecord.parser())
          .id(PollSeenRecord::getConnectorId)
          .refersTo("connector", PollSeenRecord::getConnectorId)
          .build();

  private final RecordStore<PollSeenRecord> seen;
  private final IngressStore ingress;

  ConnectorStore(KeyLayout layout) {
    super(layout, CONNECTOR);
    this.seen = POLL_SEEN.store(layout);
    this.ingress = new IngressStore(layout);
  }

  /** Returns a connector that the caller may access; {@code resource_not_found} otherwise. */
  @Override
  public ConnectorRecord need(ReadTransaction tr, Caller caller, String id) {
    return Optional.of(ever(tr, caller, id))
        .filter(ConnectorStore::lives)
        .orElseThrow(() -> ProtocolException.notFound(CONNECTOR.name(), id));
  }

  /** Returns a connector that the caller may access, even if it is deleted. */
  ConnectorRecord ever(ReadTransaction tr, Caller caller, String id) {
    return find(tr, caller, id)
        .filter(record -> caller.reaches(record.getConnector().getWorkspaceId()))
        .orElseThrow(() -> ProtocolException.notFound(CONNECTOR.name(), id));
  }

  /** Returns a connector that is not deleted, without checking access. */
  Optional<ConnectorRecord> find(ReadTransaction tr, String tenant, String id) {
    return records().get(tr, tenant, id).filter(ConnectorStore::lives);
  }

  /** Returns the owner of an ingress id. */
  Optional<IngressRecord> findIngress(ReadTransaction tr, String ingressId) {
    return ingress.find(tr, Secrets.hash(ingressId)).map(ConnectorStore::parse);
  }

  static boolean lives(ConnectorRecord record) {
    return record.getDeletedAt() == 0;
  }

  @Override
  public void insert(Write write, ConnectorRecord record) {
    ConnectorRecord stored = IngressPath.hashed(record);
    super.insert(write, stored);
    open(write, stored);
  }

  @Override
  public void update(Write write, ConnectorRecord before, ConnectorRecord record) {
    ConnectorRecord stored = IngressPath.hashed(record);
    super.update(write, before, stored);
    Optional<ByteString> was = IngressHash.of(before).map(ByteString::copyFrom);
    if (!was.equals(IngressHash.of(stored).map(ByteString::copyFrom))) {
      was.ifPresent(hash -> ingress.remove(write.tr(), hash.toByteArray()));
      open(write, stored);
    }
  }

  /** Returns the items that a connector saw last. */
  SeenItems seen(ReadTransaction tr, String tenant, String id) {
    return SeenItems.of(
        seen.get(tr, tenant, id).map(PollSeenRecord::getKeys).orElse(ByteString.EMPTY));
  }

  /** Stores the items that a connector saw last, if they have changed. */
  void updateSeen(Write write, String id, SeenItems before, SeenItems now) {
    ByteString keys = now.stored();
    if (!keys.equals(before.stored())) {
      seen.remove(write.tr(), write.tenant(), id);
      seen.insert(
          write.tr(),
          write.tenant(),
          id,
          PollSeenRecord.newBuilder().setConnectorId(id).setKeys(keys).build());
    }
  }

  /** Removes the items that a connector saw. */
  void forgetSeen(Write write, String id) {
    seen.remove(write.tr(), write.tenant(), id);
  }

  private void open(Write write, ConnectorRecord record) {
    byte[] owner =
        IngressRecord.newBuilder()
            .setTenantId(write.tenant())
            .setConnectorId(record.getConnector().getId())
            .build()
            .toByteArray();
    IngressHash.of(record).ifPresent(hash -> ingress.put(write.tr(), hash, owner));
  }

  @Override
  public Optional<byte[]> forgetSecrets(
      Transaction tr, String tenant, Optional<byte[]> after, int limit) {
    RecordStore.Batch<ConnectorRecord> page =
        records().batch(tr, tenant, RecordDef.ALL, "", after, limit);
    page.records().stream()
        .map(IngressHash::of)
        .flatMap(Optional::stream)
        .forEach(hash -> ingress.remove(tr, hash));
    return page.next();
  }

  private static IngressRecord parse(byte[] bytes) {
    try {
      return IngressRecord.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored ingress id is damaged", e);
    }
  }
}
