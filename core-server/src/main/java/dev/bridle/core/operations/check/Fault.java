package dev.bridle.core.operations.check;

import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A suspicion: something that looked wrong.
 *
 * @param kind what looks wrong
 * @param tenant whose it is
 * @param subject the id of what it is about
 * @param sentence what was seen
 * @param still looks again, in one transaction, and tells whether it is wrong
 * @param repair repairs it, in a transaction that has just found it wrong, and tells whether it
 *     could; empty where what should be there can't be derived
 */
record Fault(
    FaultKind kind,
    String tenant,
    String subject,
    String sentence,
    Predicate<ReadTransaction> still,
    Optional<Predicate<Transaction>> repair) {

  /** A fault that was seen whole in one transaction. */
  static Fault of(FaultKind kind, String tenant, String subject, String sentence) {
    return new Fault(kind, tenant, subject, sentence, tr -> true, Optional.empty());
  }

  /** Returns the same, to be believed only where it is still so. */
  Fault when(Predicate<ReadTransaction> wrong) {
    return new Fault(kind, tenant, subject, sentence, wrong, repair);
  }

  /** Returns the same, with what repairs it where {@code wrong} still holds. */
  Fault repairedBy(Predicate<ReadTransaction> wrong, Consumer<Transaction> repair) {
    return new Fault(
        kind,
        tenant,
        subject,
        sentence,
        wrong,
        Optional.of(
            tr -> {
              repair.accept(tr);
              return true;
            }));
  }

  /** Returns the same, to be repaired by clearing its row, where {@code wrong} still holds. */
  Fault clearing(Row row, Predicate<ReadTransaction> wrong) {
    return repairedBy(
        tr -> tr.get(row.raw()).isPresent() && wrong.test(tr), tr -> tr.clear(row.raw()));
  }

  /** Returns the same, with what looks whether it can repair it, and does. */
  Fault repairableIf(Predicate<Transaction> repair) {
    return new Fault(kind, tenant, subject, sentence, still, Optional.of(repair));
  }

  Finding finding() {
    return new Finding(kind, tenant, subject, sentence, repair.isPresent());
  }
}
