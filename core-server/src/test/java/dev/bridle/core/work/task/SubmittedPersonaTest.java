package dev.bridle.core.work.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.FieldMask;
import dev.bridle.core.kernel.resource.SharedResources;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.server.WithCore;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.persona.v1.ReceiptPolicy;
import dev.bridle.persona.v1.UpdatePersonaRequest;
import dev.bridle.record.v1.SubmittedPersona;
import dev.bridle.task.v1.Task;
import org.junit.jupiter.api.Test;

/** What a task keeps of its persona. */
class SubmittedPersonaTest extends WithCore {
  @Test
  void aTaskKeepsItsPersonaAsItWasAtTheSubmission() {
    var personas = PersonaServiceGrpc.newBlockingStub(core.owner());
    String persona = personas.createPersona(SharedResources.aPersona().build()).getId();
    Task before = submit(persona);
    var unused =
        personas.updatePersona(
            UpdatePersonaRequest.newBuilder()
                .setPersonaId(persona)
                .setVersion("2.0.0")
                .setAutonomyTier(AutonomyTier.AUTONOMY_TIER_SUGGEST)
                .setReceiptPolicy(ReceiptPolicy.RECEIPT_POLICY_DISABLED)
                .setUpdateMask(
                    FieldMask.newBuilder()
                        .addPaths("version")
                        .addPaths("autonomy_tier")
                        .addPaths("receipt_policy"))
                .build());
    Task after = submit(persona);

    assertThat(core.record(before.getId()).getPersona())
        .isEqualTo(
            SubmittedPersona.newBuilder()
                .setVersion("1.0.0")
                .setAutonomyTier(AutonomyTier.AUTONOMY_TIER_ACT_WITH_APPROVAL)
                .setReceiptPolicy(ReceiptPolicy.RECEIPT_POLICY_OPTIONAL)
                .build());
    assertThat(core.record(after.getId()).getPersona())
        .isEqualTo(
            SubmittedPersona.newBuilder()
                .setVersion("2.0.0")
                .setAutonomyTier(AutonomyTier.AUTONOMY_TIER_SUGGEST)
                .setReceiptPolicy(ReceiptPolicy.RECEIPT_POLICY_DISABLED)
                .build());
  }

  @Test
  void aTaskWithoutAPersonaKeepsNone() {
    assertThat(core.record(core.submit(core.newSession()).getId()).hasPersona()).isFalse();
  }

  private Task submit(String persona) {
    return core.tasks()
        .submitSessionTask(
            TestCore.submission(core.newSession()).toBuilder().setPersonaId(persona).build());
  }
}
