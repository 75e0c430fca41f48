package dev.bridle.core.work.dispatch;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.resource.SharedResources;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.event.v1.Event;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.vault.v1.DeleteVaultSecretRequest;
import dev.bridle.vault.v1.UpdateVaultRequest;
import dev.bridle.vault.v1.VaultServiceGrpc;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UseSecretRequest;
import dev.bridle.worker.v1.UseSecretResponse;
import dev.bridle.worker.v1.UsedSecret;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SecretUseTest extends LeasedTasks {
  private static final String COMMITMENT = ",\"commitment\":\"sha256:[0-9a-f]{64}\"";

  private static final String VALUE = "swordfish-7";
  private String first;
  private String second;
  private TaskLease lease;

  @BeforeEach
  void aTaskOfASessionWithVaults() {
    first = SampleVaults.made(core.owner(), "default").getId();
    second = SampleVaults.made(core.owner(), "").getId();
    SampleVaults.put(core.owner(), first, "token", VALUE);
    SampleVaults.put(core.owner(), second, "token", "of the second");
    SampleVaults.put(core.owner(), second, "other", "other");
    session = withVaults(first, second);
    lease = leased();
  }

  private String withVaults(String... vaults) {
    return SampleVaults.session(core.owner(), vaults);
  }

  private TaskLease leased() {
    var unused = core.submit(session);
    worker.want(1);
    return worker.lease();
  }

  @Test
  void whoHoldsATaskIsGivenTheSecretsOfItsSessionsVaults() {
    assertThat(use(lease, second, "token").getValue()).isEqualTo("of the second");
    UseSecretResponse found = use(lease, "", "token");
    assertThat(found.getValue()).as("of the first vault that has it").isEqualTo(VALUE);
    assertThat(found.getSecret())
        .isEqualTo(
            UsedSecret.newBuilder()
                .setVaultId(first)
                .setName("token")
                .setVersion(1)
                .setFence(lease.getFence())
                .build());
    assertThat(use(lease, "", "other").getSecret().getVaultId()).isEqualTo(second);
  }

  @Test
  void aUseIsRecordedByNameOnceForALeaseAndAVersion() {
    for (int time = 0; time < 3; time++) {
      var unused = use(lease, first, "token");
    }
    SampleVaults.put(core.owner(), first, "token", "swordfish-8");
    assertThat(use(lease, first, "token").getValue()).isEqualTo("swordfish-8");

    String key = "secret:" + first + "/token";
    assertThat(uses())
        .extracting(event -> event.getPayload().toStringUtf8().replaceAll(COMMITMENT, ""))
        .containsExactly(facts(key, 1), facts(key, 2));
    assertThat(uses())
        .extracting(event -> event.getPayload().toStringUtf8())
        .allMatch(payload -> Pattern.compile(COMMITMENT).matcher(payload).find());
    assertThat(steps(lease)).extracting(RecordedStep::getStepKey).containsExactly(key);
    assertThat(steps(lease).get(0).getSecret().getVersion()).isEqualTo(2);
    assertThat(steps(lease).toString()).doesNotContain("swordfish");
  }

  private String facts(String key, int version) {
    return "{\"step_key\":\""
        + key
        + "\",\"vault_id\":\""
        + first
        + "\",\"name\":\"token\",\"version\":"
        + version
        + "}";
  }

  @Test
  void theNextAttemptUsesItAnew() {
    var unused = use(lease, first, "token");
    fail(lease, true);
    worker.want(1);
    TaskLease again = worker.lease();

    assertThat(again.getTask().getId()).isEqualTo(lease.getTask().getId());
    assertThat(use(again, first, "token").getValue()).isEqualTo(VALUE);
    assertThat(uses()).hasSize(2);
    assertThat(uses().get(1).getPayload())
        .as("one value, one commitment")
        .isEqualTo(uses().get(0).getPayload());
    complete(again, "done");
  }

  @Test
  void whoDoesNotHoldTheTaskIsGivenNothing() {
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_LOCKED,
        "",
        () ->
            core.workers()
                .useSecret(
                    ask(lease, first, "token").toBuilder().setFence(lease.getFence() + 1).build()));
    complete(lease, "done");
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_LOCKED, "", () -> use(lease, first, "token"));
    assertThat(uses()).isEmpty();
  }

  @Test
  void aVaultThatTheSessionDoesNotNameGivesNothing() {
    String unnamed = SampleVaults.made(core.owner(), "default").getId();
    SampleVaults.put(core.owner(), unnamed, "hidden", VALUE);

    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> use(lease, unnamed, "hidden"));
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> use(lease, "", "hidden"));
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> use(lease, first, "nothing"));
    session = core.newSession();
    complete(lease, "done");
    TaskLease without = leased();
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> use(without, "", "token"));
  }

  @Test
  void aVaultThatAgentsMayNotReadGivesNothing() {
    var vaults = VaultServiceGrpc.newBlockingStub(core.owner());
    var unused =
        vaults.updateVault(
            UpdateVaultRequest.newBuilder()
                .setVaultId(first)
                .addCapabilities("write")
                .setUpdateMask(FieldMask.newBuilder().addPaths("capabilities"))
                .build());

    assertRefused(ErrorCode.ERROR_CODE_POLICY_VIOLATION, "", () -> use(lease, "", "token"));
    assertThat(uses()).isEmpty();
  }

  @Test
  void aPersonaThatIsLimitedToOtherCapabilitiesGetsNothing() {
    complete(lease, "done");
    TaskLease without = leasedAs("command");
    assertRefused(ErrorCode.ERROR_CODE_POLICY_VIOLATION, "", () -> use(without, first, "token"));
    complete(without, "done");

    assertThat(use(leasedAs("secrets"), first, "token").getValue()).isEqualTo(VALUE);
  }

  private TaskLease leasedAs(String capability) {
    String persona =
        PersonaServiceGrpc.newBlockingStub(core.owner())
            .createPersona(
                SharedResources.aPersona().clearQuotaId().addCapabilities(capability).build())
            .getId();
    var unused =
        core.tasks()
            .submitSessionTask(
                TestCore.submission(session).toBuilder().setPersonaId(persona).build());
    worker.want(1);
    return worker.lease();
  }

  @Test
  void aDeletedSecretIsGivenToNobody() {
    var unused =
        VaultServiceGrpc.newBlockingStub(core.owner())
            .deleteVaultSecret(
                DeleteVaultSecretRequest.newBuilder()
                    .setVaultId(first)
                    .setSecretName("token")
                    .build());

    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> use(lease, first, "token"));
  }

  @Test
  void aStepThatTookTheKeyIsNotWrittenOver() {
    var unused =
        core.workers()
            .reportStep(
                ReportStepRequest.newBuilder()
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence())
                    .setStepKey("secret:" + first + "/token")
                    .setDependency(
                        DependencyReport.newBuilder().setValue(ByteString.copyFromUtf8("1")))
                    .build());

    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> use(lease, first, "token"));
  }

  private List<Event> uses() {
    return core.eventsOf(lease.getTask().getId()).stream()
        .filter(event -> event.getEvent().equals("vendor.bridle.secret_used"))
        .toList();
  }

  private UseSecretResponse use(TaskLease of, String vault, String name) {
    return core.workers().useSecret(ask(of, vault, name));
  }

  private static UseSecretRequest ask(TaskLease of, String vault, String name) {
    return UseSecretRequest.newBuilder()
        .setTaskId(of.getTask().getId())
        .setFence(of.getFence())
        .setVaultId(vault)
        .setName(name)
        .build();
  }
}
