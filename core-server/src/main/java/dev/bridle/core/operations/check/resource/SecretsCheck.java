package dev.bridle.core.operations.check.resource;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.work.vault.SecretStore;
import dev.bridle.record.v1.KeptSecret;
import dev.bridle.record.v1.SecretRecord;
import dev.bridle.record.v1.VaultSecretsRecord;
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;

/**
 * Checks that a vault's list of secrets is sorted, that each secret has its value, and that each
 * value is on its vault's list. Values stay sealed.
 */
public final class SecretsCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("secrets of " + scope.tenant());
    Records records = new Records(scope.rows(), scope.tenant());
    RowCheck.eachRecord(
        scope,
        SecretStore.VAULT_SECRETS,
        (tr, id, list) ->
            sound(tr, records, list)
                ? Optional.empty()
                : fault(
                    scope,
                    list.getVaultId(),
                    "The vault's list of secrets is not sorted, or names one that has no value of"
                        + " that version."));
    RowCheck.eachRecord(
        scope,
        SecretStore.SECRET,
        (tr, id, secret) ->
            listed(tr, records, secret)
                ? Optional.empty()
                : fault(scope, id, "The secret is not on the list of its vault."));
  }

  private static boolean sound(ReadTransaction tr, Records records, VaultSecretsRecord list) {
    String before = "";
    for (KeptSecret secret : list.getSecretsList()) {
      boolean there =
          records
              .find(tr, SecretStore.SECRET, SecretStore.id(list.getVaultId(), secret.getName()))
              .filter(value -> value.getVersion() == secret.getVersion())
              .filter(value -> !value.getSealed().isEmpty())
              .isPresent();
      if (!there || before.compareTo(secret.getName()) >= 0) {
        return false;
      }
      before = secret.getName();
    }
    return true;
  }

  private static boolean listed(ReadTransaction tr, Records records, SecretRecord secret) {
    return records
        .find(tr, SecretStore.VAULT_SECRETS, secret.getVaultId())
        .filter(
            list ->
                list.getSecretsList().stream()
                    .anyMatch(kept -> kept.getName().equals(secret.getName())))
        .isPresent();
  }

  private static Optional<Fault> fault(CheckScope scope, String subject, String sentence) {
    return Optional.of(Fault.of(FaultKind.SECRET_WRONG, scope.tenant(), subject, sentence));
  }
}
