package dev.bridle.core.operations.backup;

import dev.bridle.core.integrations.enforcer.Enforcer;
import dev.bridle.core.integrations.webhook.RestoredWebhooks;
import dev.bridle.core.kernel.auth.CredentialStore;
import dev.bridle.core.kernel.auth.StoredCredential;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.RequestHash;
import dev.bridle.core.kernel.command.StoredAnswers;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.configuration.Configurations;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.context.CoreEnvironment;
import dev.bridle.core.kernel.context.Settings;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.core.kernel.page.Cursors;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.seal.Seals;
import dev.bridle.core.work.dispatch.VoidedLeases;
import dev.bridle.core.work.hosttool.HostCalls;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.permission.GrantRevocation;
import dev.bridle.core.work.permission.GrantStore;
import dev.bridle.core.work.permission.PendingPermission;
import dev.bridle.core.work.quota.Metering;
import dev.bridle.core.work.receipt.OwedReceipts;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.storage.BackupFailedException;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoredBackup;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.RecordRows;
import dev.bridle.storage.layer.RecordRows.Row;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.migration.FormatHistory;
import dev.bridle.storage.layer.migration.Migrations;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Prepares storage that was restored from a backup before it serves requests: starts a new era for
 * each tenant, ends leases, and lists or revokes credentials that the backup has brought back.
 */
public final class Restoration {
  private static final String ACTOR = "operator";
  private static final int WORKSPACE_KIND = 2;
  private static final int WORKSPACES_AT_ONCE = 100;
  private static final int KEYS_AT_ONCE = 200;
  private static final int MAX_ERA = 0xffff;

  private final KeyValueStore store;
  private final EventLog log;
  private final Commands commands;
  private final Events events;
  private final List<CredentialStore<?>> credentials;
  private final StoredGrants grants;
  private final GrantRevocation revocation;
  private final StoredTenants tenants;
  private final RecordRows records;
  private final VoidedLeases leases;
  private final RestoredWebhooks webhooks;

  /** Creates a restoration of storage that no other process uses. */
  public Restoration(KeyValueStore store, Clock clock) {
    this.store = store;
    KeyLayout layout = KeyLayout.root();
    Installation installation = new Installation(layout);
    new Migrations(new Rows(layout), FormatHistory.OURS).run(store);
    this.log = EventLog.open(store, layout);
    IdMint mint = new IdMint(clock, new SecureRandom());
    DueIndex due = new DueIndex(layout);
    RequestHash hash = new RequestHash(mint.bytes(32));
    this.commands =
        new Commands(
            store, log, new IdempotencyStore(layout), mint, clock, hash, StoredAnswers.UNCHANGED);
    this.events = new Events(log);
    this.credentials = StoredTenants.credentials(layout, installation, mint, clock);
    this.grants = new StoredGrants(store, layout, log);
    this.revocation = new GrantRevocation(new GrantStore(layout), events);
    this.tenants = new StoredTenants(store, installation, log, credentials, grants, clock);
    this.records = new RecordRows(layout);
    this.webhooks = new RestoredWebhooks(layout, due, log);
    CoreContext context =
        new CoreContext(
            store,
            layout,
            log,
            commands,
            events,
            new Pages(new Cursors(hash)),
            due,
            new Configurations(layout),
            mint,
            installation,
            new Seals(installation, Optional.empty()),
            Settings.of(TaskOptions.DEFAULT),
            CoreEnvironment.real(clock, Runnable::run, true));
    TaskStores stores = TaskStores.in(context, new Metering(layout, events));
    TaskEndings endings =
        new TaskEndings(
            new OutcomeStore(layout),
            List.of(new HostCalls(due), new PendingPermission(context, Enforcer.listener(context))),
            new OwedReceipts(context, stores));
    this.leases = new VoidedLeases(store, log, commands, stores, endings);
  }

  /**
   * The result of a restoration.
   *
   * @param eras the new era of each tenant
   * @param leases the number of ended leases
   */
  public record Report(Map<String, Integer> eras, int leases) {
    /** Copies the eras. */
    public Report {
      eras = Map.copyOf(eras);
    }
  }

  /** Returns the keys of all tenants, including revoked ones. */
  public List<StoredTenants.Key> keys() {
    return tenants.keys();
  }

  /** Returns the standing grants of all tenants, including ended ones. */
  public List<StoredGrants.Stored> grants() {
    return tenants.grants();
  }

  /**
   * Starts new eras, ends leases, and appends an event to each workspace.
   *
   * @param backup the restored backup
   * @param usedEras the highest era of each tenant that may have been used since the backup
   * @param margin how many further eras may have been used that are not known
   * @throws BackupFailedException if a tenant has no era left
   */
  public Report run(StoredBackup backup, Map<String, Integer> usedEras, int margin) {
    Map<String, Integer> eras = new TreeMap<>();
    for (String tenant : tenants.names()) {
      eras.put(tenant, begin(tenant, usedEras.getOrDefault(tenant, 0), margin));
    }
    int ended = leases.voidAll();
    tenants.names().stream()
        .filter(tenant -> !store.read(tr -> log.isClosed(tr, tenant)))
        .forEach(
            tenant -> {
              webhooks.skipToEnd(tenant, ACTOR, commands);
              appendRestored(tenant, backup);
            });
    return new Report(eras, ended);
  }

  /**
   * The numbers of ended credentials and grants.
   *
   * @param credentials the number of API keys and OAuth clients
   * @param grants the number of standing grants
   */
  public record Ended(int credentials, int grants) {}

  /** Revokes all credentials and all standing grants. */
  public Ended revokeAll() {
    return new Ended(revokeCredentials(), revokeGrants());
  }

  private int revokeGrants() {
    return tenants.names().stream()
        .filter(tenant -> !store.read(tr -> log.isClosed(tr, tenant)))
        .mapToInt(tenant -> grants.end(tenant, ACTOR, commands, revocation))
        .sum();
  }

  private int revokeCredentials() {
    int ended = 0;
    for (String tenant : tenants.names()) {
      for (CredentialStore<?> kind : credentials) {
        Optional<byte[]> after = Optional.empty();
        do {
          Optional<byte[]> from = after;
          RevokedPage page = commands.once(tenant, ACTOR, write -> revoke(kind, write, from));
          ended += page.ended();
          after = page.next();
        } while (after.isPresent());
      }
    }
    return ended;
  }

  private record RevokedPage(int ended, Optional<byte[]> next) {}

  private static RevokedPage revoke(CredentialStore<?> kind, Write write, Optional<byte[]> after) {
    RecordStore.Batch<StoredCredential> page =
        kind.page(write.tr(), write.tenant(), after, KEYS_AT_ONCE);
    List<StoredCredential> active =
        page.records().stream().filter(StoredCredential::isActive).toList();
    active.forEach(each -> kind.revoke(write.tr(), write.tenant(), each.id()));
    return new RevokedPage(active.size(), page.next());
  }

  private int begin(String tenant, int used, int margin) {
    return store.transact(
        tr -> {
          int era = Math.max(used, log.era(tr, tenant)) + 1 + margin;
          if (era > MAX_ERA) {
            throw new BackupFailedException(
                "The tenant "
                    + tenant
                    + " has used up its eras; export it and import it elsewhere.");
          }
          boolean closed = log.isClosed(tr, tenant);
          log.raiseEra(tr, tenant, era);
          if (closed) {
            log.close(tr, tenant); // The log of a deleted tenant stays closed.
          }
          return era;
        });
  }

  private void appendRestored(String tenant, StoredBackup backup) {
    Payload facts =
        Payload.of()
            .number("backup", backup.number())
            .text("backup_made_at", Instant.ofEpochMilli(backup.madeAtMillis()).toString());
    EventDraft draft = EventDraft.of(EventKinds.RESTORED, facts);
    Optional<LogPosition> after = Optional.empty();
    List<Row> page = workspaces(tenant, after);
    while (!page.isEmpty()) {
      List<Row> rows = page;
      commands.once(
          tenant,
          ACTOR,
          write -> {
            rows.forEach(row -> events.ofWorkspace(write, row.id(), draft));
            return true;
          });
      after = Optional.of(page.get(page.size() - 1).place());
      page = workspaces(tenant, after);
    }
  }

  private List<Row> workspaces(String tenant, Optional<LogPosition> after) {
    return store.read(
        tr -> records.page(tr, tenant, WORKSPACE_KIND, 0, "", after, WORKSPACES_AT_ONCE));
  }
}
