package dev.bridle.storage.kit.count;

/**
 * What some work did to a store. Attempts that did not commit count as well.
 *
 * @param transactions transactions that wrote and committed
 * @param sets values set, stamped ones among them
 * @param adds atomic additions
 * @param clears keys and ranges cleared
 * @param bytes bytes of the keys and values that were set
 * @param gets keys read
 * @param ranges ranges read
 */
public record Cost(
    long transactions, long sets, long adds, long clears, long bytes, long gets, long ranges) {

  /** Returns sets, adds and clears. */
  public long mutations() {
    return sets + adds + clears;
  }

  /** Returns keys and ranges read. */
  public long reads() {
    return gets + ranges;
  }

  /** Returns what was done since an earlier count. */
  public Cost since(Cost before) {
    return new Cost(
        transactions - before.transactions,
        sets - before.sets,
        adds - before.adds,
        clears - before.clears,
        bytes - before.bytes,
        gets - before.gets,
        ranges - before.ranges);
  }
}
