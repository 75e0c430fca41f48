package dev.bridle.core.check;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.record.RecordKind;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.CredentialRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.SystemSpace;
import java.util.Arrays;
import java.util.Optional;

/** Every credential is that of a key, which says so too. Hashes of secrets are never told. */
final class CredentialsCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("credentials");
    RowCheck.each(
        scope,
        scope.rows().below(SystemSpace.CREDENTIAL),
        (tr, row) -> {
          Optional<CredentialRecord> credential = parse(row.value());
          if (credential.isEmpty()) {
            return Optional.of(
                Fault.of(FaultKind.VALUE_DAMAGED, "", "credential", "A credential can't be read."));
          }
          String tenant = credential.get().getTenantId();
          String id = credential.get().getKeyId();
          if (known(scope, tr, row, tenant, id)) {
            return Optional.empty();
          }
          return Optional.of(
              Fault.of(
                      FaultKind.CREDENTIAL_ORPHANED,
                      tenant,
                      id,
                      "A credential is that of an API key that is not there, or has another one.")
                  .clearing(row, again -> !known(scope, again, row, tenant, id)));
        });
  }

  private static boolean known(
      CheckScope scope, ReadTransaction tr, Row row, String tenant, String id) {
    return new Records(scope.rows(), tenant)
        .find(tr, RecordKind.KEY, id, ApiKeyRecord.class)
        .filter(key -> Arrays.equals(key.getSecretHash().toByteArray(), row.key().bytes(0)))
        .isPresent();
  }

  static Optional<CredentialRecord> parse(byte[] bytes) {
    try {
      return Optional.of(CredentialRecord.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
