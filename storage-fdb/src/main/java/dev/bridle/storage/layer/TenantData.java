package dev.bridle.storage.layer;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Deletes all data of a tenant. */
public final class TenantData {
  private static final int PAGE = 500;

  private final KeyLayout layout;
  private final DueIndex due;
  private final QueueKeys queue;
  private final EventKeys events;

  public TenantData(KeyLayout layout) {
    this.layout = layout;
    this.due = new DueIndex(layout);
    this.queue = new QueueKeys(layout);
    this.events = new EventKeys(layout);
  }

  /**
   * Removes the tenant's entries of the due index and the queues, which are outside its subspace.
   * After a crash, running this again removes the rest.
   *
   * @param deleted whether the tenant is still deleted, checked in each transaction
   */
  public void removeFromSystem(
      KeyValueStore store, String tenant, Predicate<ReadTransaction> deleted) {
    removeRows(store, due.range(), due::parseTenant, tenant, deleted);
    removeRows(store, queue.entryRange(), queue::parseEntryTenant, tenant, deleted);
  }

  /**
   * Removes the tenant's whole subspace. Only its era stays, so that a new tenant of the same name
   * never repeats event ids.
   */
  public void clear(Transaction tr, String tenant) {
    KeyRange all = layout.children(layout.tenants().add(tenant));
    byte[] era = events.eraKey(tenant);
    tr.clear(new KeyRange(all.begin(), era));
    tr.clear(new KeyRange(KeyRange.after(era), all.end()));
  }

  private void removeRows(
      KeyValueStore store,
      KeyRange all,
      Function<byte[], String> parseTenant,
      String tenant,
      Predicate<ReadTransaction> deleted) {
    Optional<byte[]> begin = Optional.of(all.begin());
    while (begin.isPresent()) {
      KeyRange range = new KeyRange(begin.get(), all.end());
      begin =
          store.transact(
              tr -> {
                if (!deleted.test(tr)) {
                  return Optional.<byte[]>empty();
                }
                List<KeyValue> rows = tr.snapshot().getRange(range, PAGE);
                rows.stream()
                    .map(KeyValue::key)
                    .filter(key -> parseTenant.apply(key).equals(tenant))
                    .forEach(tr::clear);
                return rows.size() < PAGE
                    ? Optional.<byte[]>empty()
                    : Optional.of(KeyRange.after(rows.get(PAGE - 1).key()));
              });
    }
  }
}
