package dev.bridle.core.check;

import dev.bridle.core.record.RecordKind;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.CredentialRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.TenantSpace;
import java.util.Optional;

/** Every API key has its credential, so that its holder is let in, and nobody else. */
final class KeysCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    Records records = new Records(scope.rows(), scope.tenant());
    Installation installation = new Installation(scope.layout());
    RowCheck.each(
        scope,
        scope.rows().below(scope.tenant(), TenantSpace.RECORD, RecordKind.KEY.number()),
        (tr, row) -> {
          String id = row.key().text(1);
          Optional<ApiKeyRecord> key = records.find(tr, RecordKind.KEY, id, ApiKeyRecord.class);
          if (key.isEmpty() || right(scope, installation, tr, key.get())) {
            return Optional.empty();
          }
          byte[] hash = key.get().getSecretHash().toByteArray();
          return Optional.of(
              Fault.of(
                      FaultKind.CREDENTIAL_WRONG,
                      scope.tenant(),
                      id,
                      "The API key has no credential, or one that belongs to another key.")
                  .mendedBy(
                      again ->
                          again.get(row.raw()).isPresent()
                              && !right(scope, installation, again, key.get()),
                      again ->
                          installation.putCredential(
                              again, hash, credential(scope, id).toByteArray())));
        });
  }

  private static boolean right(
      CheckScope scope, Installation installation, ReadTransaction tr, ApiKeyRecord key) {
    return installation
        .credential(tr, key.getSecretHash().toByteArray())
        .flatMap(CredentialsCheck::parse)
        .filter(credential(scope, key.getId())::equals)
        .isPresent();
  }

  private static CredentialRecord credential(CheckScope scope, String id) {
    return CredentialRecord.newBuilder().setTenantId(scope.tenant()).setKeyId(id).build();
  }
}
