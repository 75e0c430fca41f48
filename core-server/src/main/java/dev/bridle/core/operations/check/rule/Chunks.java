package dev.bridle.core.operations.check.rule;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.TenantSpace;
import java.util.Optional;

/** Checks that each continuation row of a large value belongs to a value that counts it. */
public final class Chunks {
  private final Rows rows;
  private final String tenant;

  public Chunks(Rows rows, String tenant) {
    this.rows = rows;
    this.tenant = tenant;
  }

  /** Checks a row whose key ends with the number of the continuation row. */
  public Optional<Fault> check(ReadTransaction tr, Row row, String subject) {
    if (!orphaned(tr, row.key())) {
      return Optional.empty();
    }
    return Optional.of(
        Fault.of(
                FaultKind.CHUNK_ORPHANED,
                tenant,
                subject,
                "Row "
                    + row.key().number(row.key().items().size() - 1)
                    + " of a large value in "
                    + row.key().spaceName()
                    + " belongs to no value.")
            .clearing(row, again -> orphaned(again, row.key())));
  }

  private boolean orphaned(ReadTransaction tr, RowKey key) {
    int last = key.items().size() - 1;
    TenantSpace space = key.space().orElseThrow();
    byte[] head = rows.key(tenant, space, key.items().subList(0, last).toArray());
    long number = key.number(last);
    return tr.get(head).filter(first -> rows.furtherRows(first) >= number).isEmpty() || number < 1;
  }
}
