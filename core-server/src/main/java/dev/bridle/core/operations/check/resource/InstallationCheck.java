package dev.bridle.core.operations.check.resource;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.record.v1.ReceiptKeyRecord;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.migration.FormatHistory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Checks that the installation's own data can be parsed and has a known format, and that its
 * secrets exist and are complete.
 */
public final class InstallationCheck implements Check {
  private static final int MAX_PARTITIONS = 255;

  /** The secrets that a core creates before there is a tenant. */
  private static final List<String> SECRETS = List.of("request-hash", "cursor");

  private static final int SECRET_BYTES = 32;

  /** The installation's id, which is not a secret. Releases without exports had none. */
  private static final String ID = "id";

  /** The mark of the root folder of workspaces; present once a server had one. */
  private static final String WORKSPACE_ROOT = "workspace-root";

  /** Identifies the master key; present once something has been sealed. */
  private static final String MASTER_KEY = "master-key";

  @Override
  public void run(CheckScope scope) {
    scope.walk().step("installation");
    boolean any = scope.census().keys() > 0;
    if (any && number(scope, SystemSpace.FORMAT, FormatHistory.OURS.current()).isEmpty()) {
      damaged(
          scope,
          "format",
          "The version of the stored format is missing, or later than "
              + FormatHistory.OURS.current()
              + ".");
    }
    if (any && number(scope, SystemSpace.PARTITIONS, MAX_PARTITIONS).isEmpty()) {
      damaged(scope, "partitions", "The number of partitions of the feed is missing or invalid.");
    }
    if (!scope.census().tenants().isEmpty()) {
      SECRETS.stream()
          .filter(name -> get(scope, SystemSpace.INSTALLATION, name).isEmpty())
          .forEach(name -> damaged(scope, name, "A secret of the installation is missing."));
    }
    RowCheck.each(scope, scope.rows().below(SystemSpace.INSTALLATION), (tr, row) -> kept(row));
    RowCheck.each(
        scope,
        scope.rows().below(SystemSpace.COMPROMISED_KEY),
        (tr, row) ->
            isKey(row)
                ? Optional.empty()
                : Optional.of(
                    damaged(row.key().spelled(), "A key that is compromised can't be read.")));
    RowCheck.each(
        scope,
        scope.rows().below(SystemSpace.KEY_INSTALLATION),
        (tr, row) ->
            row.value().length > 0
                ? Optional.empty()
                : Optional.of(
                    damaged(row.key().spelled(), "The installation of a key is missing.")));
    RowCheck.each(
        scope,
        scope.rows().below(SystemSpace.WAKE),
        (tr, row) ->
            row.value().length == Long.BYTES
                ? Optional.empty()
                : Optional.of(
                    damaged(
                        row.key().spelled(), "The counter of a wake key is not 8 bytes long.")));
  }

  private static boolean isKey(Row row) {
    try {
      return ReceiptKeyRecord.parseFrom(row.value()).getId().equals(row.key().text(0));
    } catch (InvalidProtocolBufferException e) {
      return false;
    }
  }

  private static Optional<Fault> kept(Row row) {
    String name = row.key().text(0);
    if (SECRETS.contains(name)) {
      return row.value().length == SECRET_BYTES
          ? Optional.empty()
          : Optional.of(damaged(name, "A secret of the installation is not 32 bytes long."));
    }
    if (name.equals(MASTER_KEY)) {
      return SigningKeysCheck.masterKey(row.value())
          ? Optional.empty()
          : Optional.of(damaged(name, "The id of the master key can't be read."));
    }
    if (!name.equals(ID) && !name.equals(WORKSPACE_ROOT)) {
      return Optional.of(
          Fault.of(FaultKind.KEY_UNKNOWN, "", name, "The installation has no entry of this name."));
    }
    return new String(row.value(), StandardCharsets.UTF_8).startsWith("installation_")
        ? Optional.empty()
        : Optional.of(damaged(name, "The installation's id can't be read."));
  }

  private static Optional<Long> number(CheckScope scope, SystemSpace space, long highest) {
    return get(scope, space).flatMap(scope.rows()::number).filter(is -> is > 0 && is <= highest);
  }

  private static Optional<byte[]> get(CheckScope scope, SystemSpace space, Object... items) {
    return scope.store().read(tr -> tr.get(scope.rows().key(space, items)));
  }

  private static void damaged(CheckScope scope, String subject, String sentence) {
    scope.findings().suspect(damaged(subject, sentence));
  }

  private static Fault damaged(String subject, String sentence) {
    return Fault.of(FaultKind.VALUE_DAMAGED, "", subject, sentence);
  }
}
