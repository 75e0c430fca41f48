package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Counts the usage of quotas, what parties of the relay send, and the children of tasks: {@code
 * tenant / USAGE / owner, measure, period, shard → amount}. Each amount is the sum of a few shards,
 * so that additions do not conflict; a reader that must be exact reads them with a conflict.
 */
public final class UsageStore {
  private static final int SHARDS = 8;

  private final KeyLayout layout;

  public UsageStore(KeyLayout layout) {
    this.layout = layout;
  }

  /**
   * The counted measure of a quota, party or task.
   *
   * @param owner the quota's or task's id, or the party's key
   * @param measure the measure
   * @param period the counting period
   */
  public record Counted(String owner, String measure, long period) {}

  /**
   * Adds to an amount, which may be negative.
   *
   * @param by the source of the amount, which selects the shard
   */
  public void add(Transaction tr, String tenant, Counted counted, String by, long amount) {
    long shard = Math.floorMod(by.hashCode(), SHARDS);
    tr.add(layout.key(key(tenant, counted).add(shard)), amount);
  }

  /** Returns an amount. */
  public long sum(ReadTransaction tr, String tenant, Counted counted) {
    long sum = 0;
    for (KeyValue row : tr.getRange(layout.children(key(tenant, counted)), SHARDS)) {
      sum += amount(row.value());
    }
    return sum;
  }

  /** Deletes the amounts of earlier periods. */
  public void forgetBefore(Transaction tr, String tenant, Counted counted) {
    Tuple measure = measure(tenant, counted);
    byte[] begin = layout.children(measure).begin();
    tr.clear(new KeyRange(begin, layout.key(measure.add(counted.period()))));
  }

  /** Deletes all amounts of an owner. */
  public void forget(Transaction tr, String tenant, String owner) {
    tr.clear(layout.children(layout.tenant(tenant, TenantSpace.USAGE).add(owner)));
  }

  private static long amount(byte[] value) {
    return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private Tuple measure(String tenant, Counted counted) {
    return layout.tenant(tenant, TenantSpace.USAGE).add(counted.owner()).add(counted.measure());
  }

  private Tuple key(String tenant, Counted counted) {
    return measure(tenant, counted).add(counted.period());
  }
}
