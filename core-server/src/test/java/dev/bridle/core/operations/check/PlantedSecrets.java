package dev.bridle.core.operations.check;

import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.record.v1.SecretRecord;
import dev.bridle.record.v1.VaultSecretsRecord;
import dev.bridle.storage.layer.TenantSpace;
import java.util.List;

/** Faults in vaults and what they keep. */
final class PlantedSecrets {
  private static final long VAULT = 50;
  private static final long LIST = 51;
  private static final long SECRET = 52;

  private PlantedSecrets() {}

  static List<Plant> all() {
    return List.of(
        Plant.of(
            FaultKind.SECRET_WRONG,
            "the value of a secret lost",
            (tenant, stored) -> {
              stored.clear(stored.key(TenantSpace.RECORD, SECRET, tenant.vault + "/token"));
              return tenant.vault;
            }),
        Plant.of(
            FaultKind.SECRET_WRONG,
            "the value of a secret of another version than its list says",
            (tenant, stored) -> {
              stored.<SecretRecord>changed(
                  SECRET,
                  tenant.vault + "/token",
                  SecretRecord.parser(),
                  record -> record.toBuilder().setVersion(7).build());
              return tenant.vault;
            }),
        Plant.of(
            FaultKind.SECRET_WRONG,
            "a secret that its vault's list forgot",
            (tenant, stored) -> {
              stored.<VaultSecretsRecord>changed(
                  LIST,
                  tenant.vault,
                  VaultSecretsRecord.parser(),
                  record -> record.toBuilder().clearSecrets().build());
              return tenant.vault + "/token";
            }),
        Plant.of(
            FaultKind.RECORD_MISPLACED,
            "a secret under another name than its own",
            (tenant, stored) -> {
              stored.<SecretRecord>changed(
                  SECRET,
                  tenant.vault + "/token",
                  SecretRecord.parser(),
                  record -> record.toBuilder().setName("other").build());
              return tenant.vault + "/token";
            }),
        Plant.of(
                FaultKind.REFERENCE_BROKEN,
                "a vault lost that a session was given",
                (tenant, stored) -> {
                  stored.clear(stored.key(TenantSpace.RECORD, VAULT, tenant.vault));
                  return tenant.vaultSession;
                })
            .mendedBeside("index"),
        Plant.of(
                FaultKind.INDEX_MISSING,
                "a vault that its workspace's list lacks",
                (tenant, stored) -> {
                  stored.list(TenantSpace.INDEX, VAULT, 1L).forEach(row -> stored.clear(row.raw()));
                  return tenant.vault;
                })
            .mended("index"));
  }
}
