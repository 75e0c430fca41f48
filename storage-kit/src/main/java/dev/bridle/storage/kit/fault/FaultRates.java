package dev.bridle.storage.kit.fault;

/**
 * How often something goes wrong: parts of 1.
 *
 * @param commits of the commits that write
 * @param reads of the reads
 * @param others of all other operations
 */
public record FaultRates(double commits, double reads, double others) {
  /** Every tenth commit, a hundredth of the reads, a tenth of the watches. */
  public static final FaultRates MODERATE = new FaultRates(0.1, 0.01, 0.1);

  double of(Operation operation) {
    if (operation.writes()) {
      return commits;
    }
    return operation.kind().reads() ? reads : others;
  }
}
