package dev.bridle.core.operations.check.finding;

import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A suspected fault, which is confirmed before it is reported.
 *
 * @param kind the kind of fault
 * @param tenant its tenant
 * @param subject the id of the faulty object
 * @param sentence a description for the report
 * @param still checks again, in one transaction, and returns whether the fault exists
 * @param repair repairs the fault, in a transaction that has just confirmed it, and returns whether
 *     it could; empty if the correct data can't be derived
 */
public record Fault(
    FaultKind kind,
    String tenant,
    String subject,
    String sentence,
    Predicate<ReadTransaction> still,
    Optional<Predicate<Transaction>> repair) {

  /** Creates a fault that was found in one transaction, and needs no confirmation. */
  public static Fault of(FaultKind kind, String tenant, String subject, String sentence) {
    return new Fault(kind, tenant, subject, sentence, tr -> true, Optional.empty());
  }

  /** Returns the same fault, which counts only if {@code wrong} confirms it. */
  public Fault when(Predicate<ReadTransaction> wrong) {
    return new Fault(kind, tenant, subject, sentence, wrong, repair);
  }

  /** Returns the same fault with a repair that runs if {@code wrong} confirms the fault. */
  public Fault repairedBy(Predicate<ReadTransaction> wrong, Consumer<Transaction> repair) {
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

  /** Returns the same fault, repaired by clearing its row if {@code wrong} confirms the fault. */
  public Fault clearing(Row row, Predicate<ReadTransaction> wrong) {
    return repairedBy(
        tr -> tr.get(row.raw()).isPresent() && wrong.test(tr), tr -> tr.clear(row.raw()));
  }

  /** Returns the same fault with a repair that returns whether it was possible. */
  public Fault repairableIf(Predicate<Transaction> repair) {
    return new Fault(kind, tenant, subject, sentence, still, Optional.of(repair));
  }

  public Finding finding() {
    return new Finding(kind, tenant, subject, sentence, repair.isPresent());
  }
}
