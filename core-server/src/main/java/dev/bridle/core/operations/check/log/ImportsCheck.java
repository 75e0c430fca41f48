package dev.bridle.core.operations.check.log;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.operations.check.walk.Walk;
import dev.bridle.record.v1.ImportRecord;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.layer.TenantSpace;
import java.util.Optional;

/** Checks that the record of each import can be parsed, and refers to a file. */
public final class ImportsCheck implements Check {
  private static final int SHA256_BYTES = 32;

  @Override
  public void run(CheckScope scope) {
    scope.walk().step("imports of " + scope.tenant());
    RowCheck.each(
        scope,
        scope.rows().below(scope.tenant(), TenantSpace.IMPORT),
        (tr, row) ->
            parse(row.value()).isPresent() && row.key().bytes(0).length == SHA256_BYTES
                ? Optional.empty()
                : Optional.of(
                    Fault.of(
                        FaultKind.VALUE_DAMAGED,
                        scope.tenant(),
                        row.key().spelled(),
                        "What is kept of an import can't be read, or is of no file.")));
  }

  /** Returns whether an import into the tenant has started and not ended. */
  public static boolean isUnderWay(CheckScope scope) {
    KeyRange imports = scope.rows().below(scope.tenant(), TenantSpace.IMPORT);
    return scope.store().read(tr -> tr.getRange(imports, Walk.PAGE)).stream()
        .anyMatch(
            row ->
                parse(row.value())
                    .filter(record -> record.getStartedAt() != 0 && record.getFinishedAt() == 0)
                    .isPresent());
  }

  public static Optional<ImportRecord> parse(byte[] value) {
    try {
      return Optional.of(ImportRecord.parseFrom(value));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
