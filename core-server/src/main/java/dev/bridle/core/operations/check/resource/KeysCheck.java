package dev.bridle.core.operations.check.resource;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.ApiKeys;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.work.oauth.OAuthClients;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.CredentialRecord;
import dev.bridle.record.v1.OAuthClientRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.Installation;
import java.util.Optional;

/**
 * Checks that every API key and OAuth client has its credential, so that it authenticates its
 * holder alone.
 */
public final class KeysCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    check(scope, ApiKeys.KEY);
    check(scope, OAuthClients.OAUTH_CLIENT);
  }

  private static void check(CheckScope scope, RecordDef<?> kind) {
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
                  .repairedBy(
                      again ->
                          again.get(row.raw()).isPresent()
                              && !right(installation, again, hash.get(), own),
                      again ->
                          installation.putCredential(
                              again, hash.get().toByteArray(), own.toByteArray())));
        });
  }

  private static Optional<ByteString> hash(
      Records records, ReadTransaction tr, RecordDef<?> kind, String id) {
    return kind.equals(ApiKeys.KEY)
        ? records.find(tr, ApiKeys.KEY, id).map(ApiKeyRecord::getSecretHash)
        : records.find(tr, OAuthClients.OAUTH_CLIENT, id).map(OAuthClientRecord::getSecretHash);
  }

  private static boolean right(
      Installation installation, ReadTransaction tr, ByteString hash, CredentialRecord own) {
    return installation
        .credential(tr, hash.toByteArray())
        .flatMap(CredentialsCheck::parse)
        .filter(own::equals)
        .isPresent();
  }

  private static CredentialRecord credential(CheckScope scope, RecordDef<?> kind, String id) {
    CredentialRecord.Builder credential = CredentialRecord.newBuilder().setTenantId(scope.tenant());
    return kind.equals(ApiKeys.KEY)
        ? credential.setKeyId(id).build()
        : credential.setClientId(id).build();
  }
}
