package dev.bridle.core.operations.check.resource;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.kernel.auth.ApiKeys;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.work.oauth.OAuthClients;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.CredentialRecord;
import dev.bridle.record.v1.OAuthClientRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.SystemSpace;
import java.util.Arrays;
import java.util.Optional;

/**
 * Checks that every credential belongs to a key or client with the same hash. Hashes of secrets are
 * never reported.
 */
public final class CredentialsCheck implements Check {
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
          boolean client = !credential.get().getClientId().isEmpty();
          String id = client ? credential.get().getClientId() : credential.get().getKeyId();
          if (known(scope, tr, row, tenant, id, client)) {
            return Optional.empty();
          }
          return Optional.of(
              Fault.of(
                      FaultKind.CREDENTIAL_ORPHANED,
                      tenant,
                      id,
                      "A credential is that of an API key or client that is not there, or has"
                          + " another one.")
                  .clearing(row, again -> !known(scope, again, row, tenant, id, client)));
        });
  }

  private static boolean known(
      CheckScope scope, ReadTransaction tr, Row row, String tenant, String id, boolean client) {
    Records records = new Records(scope.rows(), tenant);
    Optional<ByteString> hash =
        client
            ? records.find(tr, OAuthClients.OAUTH_CLIENT, id).map(OAuthClientRecord::getSecretHash)
            : records.find(tr, ApiKeys.KEY, id).map(ApiKeyRecord::getSecretHash);
    return hash.filter(of -> Arrays.equals(of.toByteArray(), row.key().bytes(0))).isPresent();
  }

  public static Optional<CredentialRecord> parse(byte[] bytes) {
    try {
      return Optional.of(CredentialRecord.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
