package dev.bridle.core.operations.backup;

import dev.bridle.core.kernel.auth.ApiKeys;
import dev.bridle.core.kernel.auth.CredentialStore;
import dev.bridle.core.kernel.auth.StoredCredential;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.core.work.oauth.OAuthClients;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.migration.FormatHistory;
import dev.bridle.storage.layer.migration.Migrations;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads what a restore needs of storage without changing it: tenants with eras, keys and grants.
 */
public final class StoredTenants {
  private static final int KEYS_AT_ONCE = 1000;

  private final KeyValueStore store;
  private final Installation installation;
  private final EventLog log;
  private final List<CredentialStore<?>> credentials;
  private final StoredGrants grants;
  private final Clock clock;

  StoredTenants(
      KeyValueStore store,
      Installation installation,
      EventLog log,
      List<CredentialStore<?>> credentials,
      StoredGrants grants,
      Clock clock) {
    this.store = store;
    this.installation = installation;
    this.log = log;
    this.credentials = List.copyOf(credentials);
    this.grants = grants;
    this.clock = clock;
  }

  /**
   * An API key or an OAuth client.
   *
   * @param tenant its tenant
   * @param id its id
   * @param actor the actor that it authenticates
   * @param createdAt when it was created, in Unix milliseconds
   * @param revoked whether it has been revoked
   */
  public record Key(String tenant, String id, String actor, long createdAt, boolean revoked) {}

  /**
   * Opens a store that may be used again later; empty if nothing is stored.
   *
   * @throws dev.bridle.storage.layer.migration.UnsupportedFormatException if its format is not the
   *     current one
   */
  public static Optional<StoredTenants> in(KeyValueStore store) {
    KeyLayout layout = KeyLayout.root();
    if (!new Migrations(new Rows(layout), FormatHistory.OURS).holdsData(store)) {
      return Optional.empty();
    }
    Clock clock = Clock.systemUTC();
    Installation installation = new Installation(layout);
    IdMint mint = new IdMint(clock, new SecureRandom());
    EventLog log = EventLog.open(store, layout);
    return Optional.of(
        new StoredTenants(
            store,
            installation,
            log,
            credentials(layout, installation, mint, clock),
            new StoredGrants(store, layout, log),
            clock));
  }

  /** Returns the current era of each tenant. */
  public Map<String, Integer> eras() {
    Map<String, Integer> eras = new TreeMap<>();
    for (String tenant : names()) {
      eras.put(tenant, store.read(tr -> log.era(tr, tenant)));
    }
    return eras;
  }

  /** Returns the stores of all kinds of credentials. */
  static List<CredentialStore<?>> credentials(
      KeyLayout layout, Installation installation, IdMint mint, Clock clock) {
    return List.of(
        new CredentialStore<>(ApiKeys.KIND, layout, installation, mint, clock),
        new CredentialStore<>(OAuthClients.KIND, layout, installation, mint, clock));
  }

  /** Returns the keys and clients of all tenants, including revoked ones. */
  public List<Key> keys() {
    List<Key> all = new ArrayList<>();
    for (String tenant : names()) {
      for (CredentialStore<?> kind : credentials) {
        Optional<byte[]> after = Optional.empty();
        do {
          Optional<byte[]> from = after;
          RecordStore.Batch<StoredCredential> page =
              store.read(tr -> kind.page(tr, tenant, from, KEYS_AT_ONCE));
          page.records().forEach(credential -> all.add(key(tenant, credential)));
          after = page.next();
        } while (after.isPresent());
      }
    }
    return all;
  }

  /** Returns the standing grants of all tenants, including ended ones. */
  public List<StoredGrants.Stored> grants() {
    return names().stream().flatMap(tenant -> grants.of(tenant, clock.millis()).stream()).toList();
  }

  private static Key key(String tenant, StoredCredential credential) {
    return new Key(
        tenant,
        credential.id(),
        credential.actor(),
        credential.createdAt(),
        !credential.isActive());
  }

  /** Returns the names of the tenants in order, including those being deleted. */
  List<String> names() {
    List<String> all = new ArrayList<>();
    Optional<String> next = store.read(tr -> installation.tenantAfter(tr, ""));
    while (next.isPresent()) {
      String at = next.get();
      all.add(at);
      next = store.read(tr -> installation.tenantAfter(tr, at));
    }
    return all;
  }
}
