package dev.bridle.core.work.tenant;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.CredentialStore;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.work.workspace.WorkspaceEvents;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.TenantRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.Installation;
import dev.bridle.workspace.v1.Workspace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Manages tenants. A tenant is created together with its workspace {@value #WORKSPACE}, in the
 * transaction that creates its first API key.
 */
public final class Tenants {
  /** The default tenant. */
  public static final String DEFAULT = "default";

  /** The id of the workspace that every tenant begins with. */
  public static final String WORKSPACE = "default";

  /** The actor of keys that name none. */
  public static final String OWNER = "owner";

  /** Leaves three quarters of all eras for imports and restores. */
  private static final int MAX_FIRST_ERA = 0x3fff;

  private static final List<String> ALL_SCOPES = List.of(Caller.ALL_SCOPES);

  private final KeyValueStore store;
  private final Commands commands;
  private final Installation installation;
  private final CredentialStore<ApiKeyRecord> keys;
  private final WorkspaceStore workspaces;
  private final Events events;
  private final EventLog log;
  private final Consumer<String> onTenant;

  /**
   * Creates the manager of an installation's tenants.
   *
   * @param onTenant called with each new tenant, after its commit
   */
  public Tenants(
      CoreContext context, CredentialStore<ApiKeyRecord> keys, Consumer<String> onTenant) {
    this.store = context.store();
    this.commands = context.commands();
    this.installation = context.installation();
    this.keys = keys;
    this.workspaces = new WorkspaceStore(context.layout());
    this.events = context.events();
    this.log = context.log();
    this.onTenant = onTenant;
  }

  /**
   * Creates the first credentials: if there is no API key at all, creates an owner's key with all
   * scopes for {@value #DEFAULT}, and the tenant if it is missing, and returns the key's secret.
   */
  public Optional<String> ensureDefault() {
    if (store.read(installation::hasCredentials)) {
      return Optional.empty();
    }
    CredentialStore.Created key = keys.prepare(OWNER, ALL_SCOPES, List.of());
    boolean made =
        commands.once(
            DEFAULT,
            OWNER,
            write -> {
              Optional<TenantRecord> found = record(write.tr(), DEFAULT);
              boolean deleting = found.filter(one -> one.getDeletingAt() != 0).isPresent();
              if (deleting || installation.hasCredentials(write.tr())) {
                return false;
              }
              if (found.isEmpty()) {
                make(write);
              }
              keys.insert(write.tr(), DEFAULT, key, write.order());
              return true;
            });
    if (made) {
      onTenant.accept(DEFAULT);
    }
    return made ? Optional.of(key.secret()) : Optional.empty();
  }

  /**
   * Creates a key, and its tenant if it is the first one. {@code resource_not_found} for a missing
   * workspace.
   *
   * @param scopes its scopes; empty: all but administration
   * @param reached the workspaces that it can access; empty: all
   */
  public CredentialStore.Created createKey(
      String tenant, String actor, List<String> scopes, List<String> reached) {
    CredentialStore.Created key =
        keys.prepare(actor, scopes.isEmpty() ? ALL_SCOPES : scopes, reached);
    boolean made =
        commands.once(
            tenant,
            actor,
            write -> {
              boolean isNew = record(write.tr(), tenant).isEmpty();
              if (isNew) {
                make(write);
              }
              needWorkspaces(write, reached);
              keys.insert(write.tr(), tenant, key, write.order());
              return isNew;
            });
    if (made) {
      onTenant.accept(tenant);
    }
    return key;
  }

  /** Creates a tenant without a key, if it does not exist. */
  public void ensure(String tenant) {
    if (store.read(tr -> installation.tenant(tr, tenant)).isPresent()) {
      return;
    }
    boolean made =
        commands.once(
            tenant,
            OWNER,
            write -> {
              boolean isNew = installation.tenant(write.tr(), tenant).isEmpty();
              if (isNew) {
                make(write);
              }
              return isNew;
            });
    if (made) {
      notifyCreated(tenant);
    }
  }

  /** Notifies listeners of a new tenant, after its commit. */
  public void notifyCreated(String tenant) {
    onTenant.accept(tenant);
  }

  /** Returns up to {@code limit} tenants in name order. */
  public List<String> all(int limit) {
    List<String> tenants = new ArrayList<>();
    Optional<String> next = store.read(tr -> installation.tenantAfter(tr, ""));
    while (next.isPresent() && tenants.size() < limit) {
      String last = next.get();
      tenants.add(last);
      next = store.read(tr -> installation.tenantAfter(tr, last));
    }
    return tenants;
  }

  /**
   * Returns the record of a tenant; {@code resource_not_found} if there is none or it is being
   * deleted.
   */
  public TenantRecord need(ReadTransaction tr, String tenant) {
    return record(tr, tenant)
        .filter(found -> found.getDeletingAt() == 0)
        .orElseThrow(() -> ProtocolException.notFound("tenant", tenant).blaming("tenant_id"));
  }

  /** Returns whether there is a tenant that is not being deleted. */
  public boolean isThere(String tenant) {
    return store.read(tr -> record(tr, tenant)).filter(is -> is.getDeletingAt() == 0).isPresent();
  }

  /** Returns the record of a tenant, even if it is being deleted. */
  public Optional<TenantRecord> record(ReadTransaction tr, String tenant) {
    return installation.tenant(tr, tenant).map(Tenants::parse);
  }

  private static TenantRecord parse(byte[] bytes) {
    try {
      return TenantRecord.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored tenant is damaged", e);
    }
  }

  private void make(Write write) {
    log.reopen(write.tr(), write.tenant());
    // A random first era keeps event ids of two installations apart, since both count from 1.
    byte[] random = write.salt(2);
    int era = 1 + (ByteBuffer.wrap(random).getShort() & MAX_FIRST_ERA);
    log.raiseEra(write.tr(), write.tenant(), era);
    installation.putTenant(
        write.tr(),
        write.tenant(),
        TenantRecord.newBuilder().setCreatedAt(write.nowMillis()).build().toByteArray());
    Timestamp now = Timestamps.fromMillis(write.nowMillis());
    Workspace workspace =
        Workspace.newBuilder()
            .setId(WORKSPACE)
            .setCreatedAt(now)
            .setUpdatedAt(now)
            .setName(WORKSPACE)
            .setRoot("workspace://default")
            .setTenantId(write.tenant())
            .build();
    workspaces.insert(write, workspace);
    events.ofWorkspace(write, WORKSPACE, WorkspaceEvents.created(workspace));
  }

  /** Checks that the workspaces of a new credential exist. */
  public void needWorkspaces(Write write, List<String> ids) {
    Caller anybody = new Caller(write.tenant(), write.actor(), Set.of(), Set.of(), false);
    for (int i = 0; i < ids.size(); i++) {
      try {
        workspaces.need(write.tr(), anybody, ids.get(i));
      } catch (ProtocolException e) {
        throw e.blaming("workspace_ids[" + i + "]");
      }
    }
  }
}
