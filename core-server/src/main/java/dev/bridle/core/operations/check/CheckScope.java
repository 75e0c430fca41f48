package dev.bridle.core.operations.check;

import dev.bridle.core.kernel.record.Catalog;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Rows;

/**
 * What a check looks at, and whom it tells.
 *
 * @param store the store
 * @param layout where things lie
 * @param catalog the kinds of records
 * @param rows all that is stored
 * @param walk goes through it
 * @param findings takes what looks wrong
 * @param census what was counted before
 * @param partitions the partitions of the feed
 * @param tenant the tenant; empty where the installation itself is looked at
 */
record CheckScope(
    KeyValueStore store,
    KeyLayout layout,
    Catalog catalog,
    Rows rows,
    Walk walk,
    Findings findings,
    Census census,
    int partitions,
    String tenant) {

  CheckScope of(String other) {
    return new CheckScope(store, layout, catalog, rows, walk, findings, census, partitions, other);
  }
}
