package dev.bridle.core.operations.backup;

import dev.bridle.core.integrations.webhook.RestoredWebhooks;
import dev.bridle.core.kernel.auth.ApiKeys;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.RequestHash;
import dev.bridle.core.kernel.command.Write;
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
import dev.bridle.core.work.oauth.OAuthClients;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.permission.GrantRevocation;
import dev.bridle.core.work.permission.GrantStore;
import dev.bridle.core.work.permission.PendingPermission;
import dev.bridle.core.work.quota.Metering;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.OAuthClientRecord;
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
 * What storage goes through that was put back from a backup, before anybody is served from it: its
 * tenants begin a new era, leases end, and credentials that are alive again are told or ended.
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
  private final ApiKeys keys;
  private final OAuthClients clients;
  private final StoredGrants grants;
  private final GrantRevocation revocation;
  private final StoredTenants tenants;
  private final RecordRows records;
  private final VoidedLeases leases;
  private final RestoredWebhooks webhooks;

  /** Works on storage that nobody else uses. */
  public Restoration(KeyValueStore store, Clock clock) {
    this.store = store;
    KeyLayout layout = KeyLayout.root();
    Installation installation = new Installation(layout);
    new Migrations(new Rows(layout), FormatHistory.OURS).run(store);
    this.log = EventLog.open(store, layout);
    IdMint mint = new IdMint(clock, new SecureRandom());
    DueIndex due = new DueIndex(layout);
    RequestHash hash = new RequestHash(mint.bytes(32));
    this.commands = new Commands(store, log, new IdempotencyStore(layout), due, mint, clock, hash);
    this.events = new Events(log);
    this.keys = new ApiKeys(store, layout, installation, mint, clock);
    this.clients = new OAuthClients(store, layout, installation, mint, clock);
    this.grants = new StoredGrants(store, layout, log);
    this.revocation = new GrantRevocation(new GrantStore(layout), events);
    this.tenants = new StoredTenants(store, installation, log, keys, clients, grants, clock);
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
            mint,
            installation,
            new Seals(installation, Optional.empty()),
            Settings.of(TaskOptions.DEFAULT),
            CoreEnvironment.real(clock, Runnable::run, true));
    TaskStores stores = TaskStores.in(context, new Metering(layout, events));
    TaskEndings endings =
        new TaskEndings(
            new OutcomeStore(layout), List.of(new HostCalls(due), new PendingPermission(context)));
    this.leases = new VoidedLeases(store, log, commands, stores, endings);
  }

  /**
   * What was done.
   *
   * @param eras the era of each tenant from now on
   * @param leases how many leases were ended
   */
  public record Report(Map<String, Integer> eras, int leases) {
    /** Copies the eras. */
    public Report {
      eras = Map.copyOf(eras);
    }
  }

  /** Returns the keys of all tenants, those that were revoked among them. */
  public List<StoredTenants.Key> keys() {
    return tenants.keys();
  }

  /** Returns the standing grants of all tenants, those that have ended among them. */
  public List<StoredGrants.Stored> grants() {
    return tenants.grants();
  }

  /**
   * Begins new eras, ends leases, and tells both in each workspace.
   *
   * @param backup what was put back
   * @param usedEras the highest era that may have been used of each tenant since the backup
   * @param margin how many more may have been used that nobody knows of
   * @throws BackupFailedException where a tenant has no era left
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
              webhooks.goOn(tenant, ACTOR, commands);
              tell(tenant, backup);
            });
    return new Report(eras, ended);
  }

  /**
   * What was ended.
   *
   * @param credentials how many API keys and OAuth clients
   * @param grants how many standing grants
   */
  public record Ended(int credentials, int grants) {}

  /** Ends all credentials and all standing grants. */
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
      Optional<byte[]> after = Optional.empty();
      do {
        Optional<byte[]> from = after;
        RevokedPage page = commands.once(tenant, ACTOR, write -> revoke(write, from));
        ended += page.ended();
        after = page.next();
      } while (after.isPresent());
      do {
        Optional<byte[]> from = after;
        RevokedPage page = commands.once(tenant, ACTOR, write -> revokeClients(write, from));
        ended += page.ended();
        after = page.next();
      } while (after.isPresent());
    }
    return ended;
  }

  private record RevokedPage(int ended, Optional<byte[]> next) {}

  private RevokedPage revoke(Write write, Optional<byte[]> after) {
    RecordStore.Batch<ApiKeyRecord> page =
        keys.page(write.tr(), write.tenant(), after, KEYS_AT_ONCE);
    List<ApiKeyRecord> alive =
        page.records().stream().filter(key -> key.getRevokedAt() == 0).toList();
    alive.forEach(key -> keys.revoke(write.tr(), write.tenant(), key.getId()));
    return new RevokedPage(alive.size(), page.next());
  }

  private RevokedPage revokeClients(Write write, Optional<byte[]> after) {
    RecordStore.Batch<OAuthClientRecord> page =
        clients.page(write.tr(), write.tenant(), after, KEYS_AT_ONCE);
    List<OAuthClientRecord> alive =
        page.records().stream().filter(client -> client.getRevokedAt() == 0).toList();
    alive.forEach(client -> clients.revoke(write.tr(), write.tenant(), client.getId()));
    return new RevokedPage(alive.size(), page.next());
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
            log.close(tr, tenant); // Its tenant is deleted, and stays so.
          }
          return era;
        });
  }

  private void tell(String tenant, StoredBackup backup) {
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
