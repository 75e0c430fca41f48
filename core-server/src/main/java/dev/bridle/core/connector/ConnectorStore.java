package dev.bridle.core.connector;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.connector.v1.Connector;
import dev.bridle.core.auth.Caller;
import dev.bridle.core.auth.Secrets;
import dev.bridle.core.auth.TenantSecrets;
import dev.bridle.core.command.Write;
import dev.bridle.core.error.ProtocolException;
import dev.bridle.core.record.RecordKind;
import dev.bridle.core.record.RecordTypes;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.record.v1.IngressRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.IngressStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.Optional;

/**
 * Keeps connectors, and where their deliveries come in:
 *
 * <pre>
 * tenant / RECORD / CONNECTOR, id                  → ConnectorRecord
 * tenant / INDEX / CONNECTOR, ALL | WORKSPACE, …   → id
 * INGRESS / hash of an ingress id                  → tenant, connector
 * </pre>
 *
 * <p>A deleted connector leaves its record in its lists, and is passed over there.
 */
public final class ConnectorStore implements TenantSecrets {
  static final int ALL = RecordKind.ALL;
  static final int WORKSPACE = RecordKind.BY_WORKSPACE;
  static final String PATH = "/v1/ingress/";

  private final RecordStore<ConnectorRecord> records;
  private final IngressStore ingress;

  public ConnectorStore(KeyLayout layout) {
    this.records = new RecordStore<>(layout, RecordTypes.CONNECTOR);
    this.ingress = new IngressStore(layout);
  }

  /** Returns a connector that the caller reaches; {@code resource_not_found} otherwise. */
  ConnectorRecord need(ReadTransaction tr, Caller caller, String id) {
    return Optional.of(ever(tr, caller, id))
        .filter(ConnectorStore::lives)
        .orElseThrow(() -> ProtocolException.notFound(RecordKind.CONNECTOR.name(), id));
  }

  /** Returns a connector that the caller reaches, or what is left of it. */
  ConnectorRecord ever(ReadTransaction tr, Caller caller, String id) {
    return records
        .get(tr, caller.tenant(), id)
        .filter(record -> caller.reaches(record.getConnector().getWorkspaceId()))
        .orElseThrow(() -> ProtocolException.notFound(RecordKind.CONNECTOR.name(), id));
  }

  /** Returns a connector that is not deleted, whoever acts. */
  Optional<ConnectorRecord> find(ReadTransaction tr, String tenant, String id) {
    return records.get(tr, tenant, id).filter(ConnectorStore::lives);
  }

  /** Returns whose an ingress id is. */
  Optional<IngressRecord> at(ReadTransaction tr, String ingressId) {
    return ingress.find(tr, Secrets.hash(ingressId)).map(ConnectorStore::parse);
  }

  static boolean lives(ConnectorRecord record) {
    return record.getDeletedAt() == 0;
  }

  /** Returns the connector as its readers see it. */
  static Connector told(ConnectorRecord record) {
    Connector.Builder connector = record.getConnector().toBuilder();
    connector.getWebhookBuilder().setPath(PATH + record.getIngressId());
    return connector.build();
  }

  void insert(Write write, ConnectorRecord record) {
    String id = record.getConnector().getId();
    records.insert(write.tr(), write.tenant(), id, record);
    RecordKind.CONNECTOR.index(records, write.tr(), write.tenant(), record, write.order());
    open(write, record);
  }

  void update(Write write, ConnectorRecord before, ConnectorRecord record) {
    records.update(write.tr(), write.tenant(), record.getConnector().getId(), before, record);
    if (!before.getIngressId().equals(record.getIngressId())) {
      ingress.remove(write.tr(), Secrets.hash(before.getIngressId()));
      if (lives(record)) {
        open(write, record);
      }
    }
  }

  private void open(Write write, ConnectorRecord record) {
    ingress.put(
        write.tr(),
        Secrets.hash(record.getIngressId()),
        IngressRecord.newBuilder()
            .setTenantId(write.tenant())
            .setConnectorId(record.getConnector().getId())
            .build()
            .toByteArray());
  }

  @Override
  public Optional<byte[]> forgetSecrets(
      Transaction tr, String tenant, Optional<byte[]> after, int limit) {
    RecordStore.Batch<ConnectorRecord> page = records.batch(tr, tenant, ALL, "", after, limit);
    page.records().forEach(record -> ingress.remove(tr, Secrets.hash(record.getIngressId())));
    return page.next();
  }

  RecordStore<ConnectorRecord> records() {
    return records;
  }

  private static IngressRecord parse(byte[] bytes) {
    try {
      return IngressRecord.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored ingress id is damaged", e);
    }
  }
}
