package dev.bridle.core.operations.check.rule;

import dev.bridle.core.kernel.record.Catalog;
import dev.bridle.core.operations.check.finding.Findings;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.walk.Census;
import dev.bridle.core.operations.check.walk.Walk;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Rows;

/**
 * What a check needs: the data to check, and where to report.
 *
 * @param store the store
 * @param layout the key layout
 * @param catalog the kinds of records
 * @param rows reads and parses rows
 * @param walk reads ranges of rows page by page
 * @param findings receives faults
 * @param census the counts of rows, taken before the checks
 * @param proofs what the survey has proven, so that it need not be looked up
 * @param partitions the number of partitions of the feed
 * @param tenant the tenant; empty for checks of the installation
 */
public record CheckScope(
    KeyValueStore store,
    KeyLayout layout,
    Catalog catalog,
    Rows rows,
    Walk walk,
    Findings findings,
    Census census,
    Proofs proofs,
    int partitions,
    String tenant) {

  public CheckScope of(String other) {
    return new CheckScope(
        store, layout, catalog, rows, walk, findings, census, proofs, partitions, other);
  }
}
