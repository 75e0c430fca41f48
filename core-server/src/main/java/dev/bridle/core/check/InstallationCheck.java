package dev.bridle.core.check;

import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.migration.FormatHistory;
import java.util.Optional;

/** What the installation keeps of itself can be read, and is of a format that is known. */
final class InstallationCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("installation");
    Optional<byte[]> format =
        scope.store().read(tr -> tr.get(scope.rows().key(SystemSpace.FORMAT)));
    boolean known =
        format
            .map(
                value ->
                    scope.rows().number(value).filter(is -> is <= FormatHistory.OURS.current()))
            .map(Optional::isPresent)
            .orElse(scope.census().keys() == 0);
    if (!known) {
      scope
          .findings()
          .suspect(
              Fault.of(
                  FaultKind.VALUE_DAMAGED,
                  "",
                  "format",
                  "The version of the stored format is missing, or later than "
                      + FormatHistory.OURS.current()
                      + "."));
    }
    Optional<byte[]> partitions =
        scope.store().read(tr -> tr.get(scope.rows().key(SystemSpace.PARTITIONS)));
    if (partitions.isEmpty() && scope.census().keys() > 0) {
      scope
          .findings()
          .suspect(
              Fault.of(
                  FaultKind.VALUE_DAMAGED,
                  "",
                  "partitions",
                  "The number of partitions of the feed is not there."));
    }
    RowCheck.each(
        scope,
        scope.rows().below(SystemSpace.WAKE),
        (tr, row) ->
            row.value().length == Long.BYTES
                ? Optional.empty()
                : Optional.of(
                    Fault.of(
                        FaultKind.VALUE_DAMAGED,
                        "",
                        row.key().spelled(),
                        "The counter of a wake key is not 8 bytes long.")));
  }
}
