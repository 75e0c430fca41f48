package dev.bridle.core.work.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.CoreFixture;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.seal.Seals;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.layer.Installation;
import dev.bridle.vault.v1.Vault;
import io.grpc.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class VaultSecretsTest {
  @RegisterExtension final CoreFixture core = new CoreFixture();

  /** Without a master key, so that an attempt to open a value would fail in its own way. */
  @Test
  void aPolicyIsAskedBeforeAValueIsOpenedAndItsRefusalStands() {
    Channel owner = core.owner();
    Vault vault = SampleVaults.made(owner, "");
    SampleVaults.put(owner, vault.getId(), "token", "swordfish");
    List<SecretPolicy.Use> asked = new ArrayList<>();
    VaultSecrets secrets =
        new VaultSecrets(
            new VaultStore(core.layout),
            new SecretStore(
                core.layout, new Seals(new Installation(core.layout), Optional.empty())),
            (tr, use) -> {
              asked.add(use);
              throw ProtocolException.of(
                  ErrorCode.ERROR_CODE_POLICY_VIOLATION, "Not to this task.");
            });
    Session session = Session.newBuilder().addVaultIds(vault.getId()).build();
    TaskRecord task = TaskRecord.newBuilder().setNextSequence(7).build();

    assertThatThrownBy(
            () ->
                core.store()
                    .read(tr -> secrets.open(tr, CoreFixture.TENANT, task, session, "", "token")))
        .isInstanceOfSatisfying(
            ProtocolException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.ERROR_CODE_POLICY_VIOLATION));
    assertThat(asked)
        .containsExactly(new SecretPolicy.Use(CoreFixture.TENANT, task, vault, "token"));
  }
}
