package dev.bridle.core.operations.check;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.record.RecordKind;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.CredentialRecord;
import dev.bridle.record.v1.OAuthClientRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.Installation;
import java.util.Optional;

/**
 * Every API key and OAuth client has its credential, so that its holder is let in, and nobody else.
 */
final class KeysCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    check(scope, RecordKind.KEY);
    check(scope, RecordKind.OAUTH_CLIENT);
  }

  private static void check(CheckScope scope, RecordKind kind) {
    Records records = new Records(scope.rows(), scope.tenant());
    Installation installation = new Installation(scope.layout());
    RowCheck.each(
        scope,
        scope.rows().recordKeys().recordRange(scope.tenant(), kind.number()),
        (tr, row) -> {
          String id = row.key().text(1);
          Optional<ByteString> hash = hash(records, tr, kind, id);
          CredentialRecord own = credential(scope, kind, id);
          if (hash.isEmpty() || right(installation, tr, hash.get(), own)) {
            return Optional.empty();
          }
          return Optional.of(
              Fault.of(
                      FaultKind.CREDENTIAL_WRONG,
                      scope.tenant(),
                      id,
                      "The " + kind.name() + " has no credential, or one that belongs to another.")
                  .mendedBy(
                      again ->
                          again.get(row.raw()).isPresent()
                              && !right(installation, again, hash.get(), own),
                      again ->
                          installation.putCredential(
                              again, hash.get().toByteArray(), own.toByteArray())));
        });
  }

  private static Optional<ByteString> hash(
      Records records, ReadTransaction tr, RecordKind kind, String id) {
    return kind.equals(RecordKind.KEY)
        ? records.find(tr, kind, id, ApiKeyRecord.class).map(ApiKeyRecord::getSecretHash)
        : records.find(tr, kind, id, OAuthClientRecord.class).map(OAuthClientRecord::getSecretHash);
  }

  private static boolean right(
      Installation installation, ReadTransaction tr, ByteString hash, CredentialRecord own) {
    return installation
        .credential(tr, hash.toByteArray())
        .flatMap(CredentialsCheck::parse)
        .filter(own::equals)
        .isPresent();
  }

  private static CredentialRecord credential(CheckScope scope, RecordKind kind, String id) {
    CredentialRecord.Builder credential = CredentialRecord.newBuilder().setTenantId(scope.tenant());
    return kind.equals(RecordKind.KEY)
        ? credential.setKeyId(id).build()
        : credential.setClientId(id).build();
  }
}
