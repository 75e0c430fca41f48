package dev.bridle.core.kernel.auth;

import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Which actors of a tenant hold a scope by credentials that are stored and not revoked. */
public final class ScopeHolders {
  private static final int AT_ONCE = 100;

  /** Who has more credentials than this is not read to the end, and not taken for alone. */
  private static final int MOST_PAGES = 20;

  private final KeyLayout layout;
  private final List<CredentialKind<?>> kinds;

  public ScopeHolders(KeyLayout layout, List<CredentialKind<?>> kinds) {
    this.layout = layout;
    this.kinds = List.copyOf(kinds);
  }

  /** Returns whether an actor that a condition is true of holds a scope. */
  public boolean any(ReadTransaction tr, String tenant, String scope, Predicate<String> actor) {
    return kinds.stream().anyMatch(kind -> any(kind, tr, tenant, scope, actor));
  }

  private <M extends MessageLite> boolean any(
      CredentialKind<M> kind,
      ReadTransaction tr,
      String tenant,
      String scope,
      Predicate<String> actor) {
    RecordStore<M> records = kind.record().store(layout);
    Optional<byte[]> after = Optional.empty();
    for (int page = 0; page < MOST_PAGES; page++) {
      RecordStore.Batch<M> batch = records.batch(tr, tenant, RecordDef.ALL, "", after, AT_ONCE);
      boolean found =
          batch.records().stream()
              .map(kind.toCredential())
              .filter(StoredCredential::isActive)
              .map(one -> caller(tenant, one))
              .filter(one -> one.holds(scope))
              .anyMatch(one -> actor.test(one.actor()));
      if (found || batch.next().isEmpty()) {
        return found;
      }
      after = batch.next();
    }
    return true;
  }

  private static Caller caller(String tenant, StoredCredential one) {
    return new Caller(
        tenant, one.actor(), Set.copyOf(one.scopes()), Set.copyOf(one.workspaces()), false);
  }
}
