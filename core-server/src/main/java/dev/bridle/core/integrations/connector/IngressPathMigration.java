package dev.bridle.core.integrations.connector;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.RecordStore;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the ingress paths that earlier releases stored by their hashes. Runs once after each
 * start, in the background.
 */
final class IngressPathMigration {
  private static final Logger log = LoggerFactory.getLogger(IngressPathMigration.class);
  private static final int PAGE = 100;
  private static final String ACTOR = "bridle";

  private final KeyValueStore store;
  private final Installation installation;
  private final Commands commands;
  private final ConnectorStore connectors;

  IngressPathMigration(
      KeyValueStore store,
      Installation installation,
      Commands commands,
      ConnectorStore connectors) {
    this.store = store;
    this.installation = installation;
    this.commands = commands;
    this.connectors = connectors;
  }

  /** Hashes all stored paths. A failure is retried at the next start. */
  void hashAll() {
    try {
      Optional<String> tenant = store.read(tr -> installation.tenantAfter(tr, ""));
      while (tenant.isPresent()) {
        String at = tenant.get();
        hashOf(at);
        tenant = store.read(tr -> installation.tenantAfter(tr, at));
      }
    } catch (RuntimeException e) {
      FailureLog.warn(log, "Not all ingress paths were hashed; retried at the next start.", e);
    }
  }

  private void hashOf(String tenant) {
    Optional<byte[]> after = Optional.empty();
    do {
      Optional<byte[]> from = after;
      RecordStore.Batch<ConnectorRecord> page =
          store.read(tr -> connectors.records().batch(tr, tenant, RecordDef.ALL, "", from, PAGE));
      List<String> held =
          page.records().stream()
              .filter(IngressHash::holdsPath)
              .map(record -> record.getConnector().getId())
              .toList();
      held.forEach(id -> hash(tenant, id));
      after = page.next();
    } while (after.isPresent());
  }

  private void hash(String tenant, String id) {
    boolean unused =
        commands.once(
            tenant,
            ACTOR,
            write -> {
              Optional<ConnectorRecord> found =
                  connectors.find(write.tr(), tenant, id).filter(IngressHash::holdsPath);
              found.ifPresent(record -> connectors.update(write, record, record));
              return found.isPresent();
            });
  }
}
