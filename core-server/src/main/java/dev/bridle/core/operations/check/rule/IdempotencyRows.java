package dev.bridle.core.operations.check.rule;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.record.v1.CommandRecord;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.TenantSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rows of one command with a client's key: its stamp under the head, its record under the head
 * and 0. The head is a generation and the scope's hash; of earlier releases' rows only the hash.
 */
public final class IdempotencyRows {
  private static final Object RECORD = 0L;

  private final Rows rows;
  private final String tenant;
  private final TenantSpace space;
  private final List<Object> head;

  private IdempotencyRows(Rows rows, String tenant, TenantSpace space, List<Object> head) {
    this.rows = rows;
    this.tenant = tenant;
    this.space = space;
    this.head = head;
  }

  /** Returns the rows among which a row is, whose key fits the layout. */
  public static IdempotencyRows around(CheckScope scope, Row row) {
    TenantSpace space = row.key().space().orElseThrow();
    int length = space == TenantSpace.KEYED_COMMAND ? 2 : 1;
    return new IdempotencyRows(
        scope.rows(), scope.tenant(), space, row.key().items().subList(0, length));
  }

  /** Returns the rows that a due entry deletes. */
  public static IdempotencyRows ofDueEntry(CheckScope scope, DueEntry entry) {
    return new IdempotencyRows(
        scope.rows(), scope.tenant(), TenantSpace.IDEMPOTENCY, List.of(entry.id()));
  }

  /** Returns what the keys of these rows begin with. */
  public List<Object> head() {
    return head;
  }

  /** Returns the hash of the scope. */
  public String id() {
    return (String) head.get(head.size() - 1);
  }

  /** Returns the generation; empty for rows of earlier releases, which have due entries. */
  public Optional<Long> generation() {
    return head.size() == 1 ? Optional.empty() : Optional.of((Long) head.get(0));
  }

  /** Returns how many items the key of a row of these has after the head. */
  public int itemsAfterHead(Row row) {
    return row.key().items().size() - head.size();
  }

  public byte[] stamp() {
    return rows.key(tenant, space, head.toArray());
  }

  private byte[] record() {
    return rows.key(tenant, space, recordItems());
  }

  /** Returns the range of the further rows of a large record. */
  public KeyRange furtherRows() {
    return rows.below(tenant, space, recordItems());
  }

  private Object[] recordItems() {
    List<Object> items = new ArrayList<>(head);
    items.add(RECORD);
    return items.toArray();
  }

  /** Returns the command's record; empty where it is not there, or damaged. */
  public Optional<CommandRecord> find(ReadTransaction tr) {
    byte[] key = record();
    return tr.get(key).flatMap(first -> rows.whole(tr, key, first)).flatMap(IdempotencyRows::parse);
  }

  /** Returns whether something may go then. A record that can't be read is swept by its entry. */
  public boolean mayExpire(ReadTransaction tr, long at) {
    return find(tr)
        .map(record -> record.getExpiresAt() == at)
        .orElseGet(() -> tr.get(stamp()).isPresent());
  }

  public static Optional<CommandRecord> parse(byte[] bytes) {
    try {
      return Optional.of(CommandRecord.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
