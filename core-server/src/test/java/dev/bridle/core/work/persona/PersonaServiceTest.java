package dev.bridle.core.work.persona;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.CoreFixture;
import dev.bridle.core.kernel.resource.SharedResources;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.persona.v1.GetPersonaRequest;
import dev.bridle.persona.v1.ListPersonasRequest;
import dev.bridle.persona.v1.Persona;
import dev.bridle.persona.v1.PersonaRule;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.persona.v1.PersonaServiceGrpc.PersonaServiceBlockingStub;
import dev.bridle.persona.v1.ReceiptPolicy;
import dev.bridle.persona.v1.UpdatePersonaRequest;
import dev.bridle.quota.v1.QuotaScope;
import dev.bridle.quota.v1.QuotaServiceGrpc;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import io.grpc.Channel;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PersonaServiceTest {
  @RegisterExtension final CoreFixture core = new CoreFixture();

  private Channel owner;
  private PersonaServiceBlockingStub personas;
  private Persona made;

  @BeforeEach
  void aPersona() {
    owner = core.owner();
    personas = PersonaServiceGrpc.newBlockingStub(owner);
    made =
        personas.createPersona(
            SharedResources.aPersona()
                .setMetadata(json("{\"team\":\"core\"}"))
                .addTools("git")
                .addTriggers(PersonaRule.newBuilder().setMembers(json("{\"on\":\"push\"}")))
                .setOwner("ada")
                .build());
  }

  @Test
  void aPersonaIsReadAsItWasMade() {
    assertThat(made.getId()).startsWith("persona_");
    assertThat(made.getCreatedAt()).isEqualTo(made.getUpdatedAt());
    assertThat(made.getToolsList()).containsExactly("git");
    assertThat(made.getTriggers(0).getMembers()).isEqualTo(json("{\"on\":\"push\"}"));
    assertThat(get(personas, made.getId())).isEqualTo(made);
  }

  @Test
  void aListHasTheNewestFirst() {
    Persona newer = personas.createPersona(SharedResources.aPersona().build());

    assertThat(personas.listPersonas(ListPersonasRequest.getDefaultInstance()).getDataList())
        .containsExactly(newer, made);
    var first = personas.listPersonas(ListPersonasRequest.newBuilder().setLimit(1).build());
    assertThat(first.getPage().getHasMore()).isTrue();
    assertThat(
            personas
                .listPersonas(
                    ListPersonasRequest.newBuilder()
                        .setCursor(first.getPage().getNextCursor())
                        .build())
                .getDataList())
        .containsExactly(made);
  }

  @Test
  void aPatchChangesWhatItNamesClearsWhatIsNullAndLeavesTheRest() {
    Persona changed =
        personas.updatePersona(
            update("description", "owner", "metadata", "tools", "autonomy_tier")
                .setDescription("Reviews everything.")
                .setMetadata(json("{\"a\":1}"))
                .addTools("make")
                .setAutonomyTier(AutonomyTier.AUTONOMY_TIER_ACT_AUTO)
                .setReceiptPolicy(ReceiptPolicy.RECEIPT_POLICY_DISABLED)
                .build());

    assertThat(changed)
        .isEqualTo(
            made.toBuilder()
                .setDescription("Reviews everything.")
                .clearOwner()
                .setMetadata(json("{\"a\":1}"))
                .clearTools()
                .addTools("make")
                .setAutonomyTier(AutonomyTier.AUTONOMY_TIER_ACT_AUTO)
                .setUpdatedAt(changed.getUpdatedAt())
                .build());
    assertThat(get(personas, made.getId())).isEqualTo(changed);
  }

  @Test
  void whatAPersonaCannotBeWithoutCannotBeCleared() {
    for (String member : List.of("description", "receipt_policy", "name", "autonomy_tier")) {
      assertRefused(
          ErrorCode.ERROR_CODE_INVALID_REQUEST,
          member,
          () -> personas.updatePersona(update(member).build()));
    }
    assertThat(get(personas, made.getId())).isEqualTo(made);
  }

  @Test
  void aPatchThatChangesNothingTellsNothing() {
    assertThat(personas.updatePersona(update().build())).isEqualTo(made);
    assertThat(
            personas.updatePersona(
                update("description").setDescription(made.getDescription()).build()))
        .isEqualTo(made);
    assertThat(core.events(made.getId())).hasSize(1);
  }

  @Test
  void eachChangeIsAnEventOfThePersonaWithWhatChanged() {
    personas.updatePersona(update("description", "owner").setDescription("New.").build());

    List<EventRecord> told = core.events(made.getId());
    assertThat(told)
        .extracting(EventRecord::getEvent)
        .containsExactly("vendor.bridle.persona_created", "vendor.bridle.persona_updated");
    assertThat(told).extracting(EventRecord::getSequence).containsExactly(0L, 1L);
    assertThat(told)
        .allSatisfy(event -> assertThat(event.getResourceObject()).isEqualTo("persona"))
        .allSatisfy(event -> assertThat(event.getWorkspaceId()).isEmpty());
    assertThat(told.get(0).getPayload().toStringUtf8())
        .isEqualTo(
            "{\"metadata\":{\"team\":\"core\"},\"name\":\"Reviewer\",\"version\":\"1.0.0\","
                + "\"entry_workflow\":\"review.harn\",\"description\":\"Reviews changes.\","
                + "\"autonomy_tier\":\"act_with_approval\",\"receipt_policy\":\"optional\","
                + "\"tools\":[\"git\"],\"triggers\":[{\"on\":\"push\"}],\"owner\":\"ada\"}");
    assertThat(told.get(1).getPayload().toStringUtf8())
        .isEqualTo("{\"description\":\"New.\",\"owner\":null}");
  }

  @Test
  void aQuotaThatItNamesMustBeThereAndBindPersonas() {
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "quota_id",
        () -> personas.updatePersona(update("quota_id").setQuotaId("quota_none").build()));
    String ofWorkspaces =
        QuotaServiceGrpc.newBlockingStub(owner)
            .createQuota(SharedResources.quota(QuotaScope.QUOTA_SCOPE_WORKSPACE).build())
            .getId();
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "quota_id",
        () -> personas.createPersona(SharedResources.aPersona().setQuotaId(ofWorkspaces).build()));
    String quota = SharedResources.in(owner).quota();
    assertThat(personas.updatePersona(update("quota_id").setQuotaId(quota).build()).getQuotaId())
        .isEqualTo(quota);
    assertThat(personas.updatePersona(update("quota_id").build()).hasQuotaId()).isFalse();
  }

  @Test
  void onlyTheWholeTenantMakesOrChangesOneAndEveryWorkspaceSeesIt() {
    PersonaServiceBlockingStub narrow =
        PersonaServiceGrpc.newBlockingStub(core.of(CoreFixture.TENANT, CoreFixture.WORKSPACE));

    assertThat(get(narrow, made.getId())).isEqualTo(made);
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () -> narrow.createPersona(SharedResources.aPersona().build()));
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () -> narrow.updatePersona(update("owner").build()));
  }

  @Test
  void anotherTenantSeesNoneOfIt() {
    PersonaServiceBlockingStub stranger = PersonaServiceGrpc.newBlockingStub(core.of("another"));

    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> get(stranger, made.getId()));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "",
        () -> stranger.updatePersona(update("owner").build()));
    assertThat(stranger.listPersonas(ListPersonasRequest.getDefaultInstance()).getDataList())
        .isEmpty();
  }

  @Test
  void aSessionIsOfThePersonaThatItNames() {
    var sessions = SessionServiceGrpc.newBlockingStub(owner);
    var request =
        CreateSessionRequest.newBuilder()
            .setWorkspaceId(CoreFixture.WORKSPACE)
            .setPersonaId(made.getId());

    assertThat(sessions.createSession(request.build()).getPersonaId()).isEqualTo(made.getId());
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "persona_id",
        () -> sessions.createSession(request.setPersonaId("persona_none").build()));
  }

  private UpdatePersonaRequest.Builder update(String... members) {
    return UpdatePersonaRequest.newBuilder()
        .setPersonaId(made.getId())
        .setUpdateMask(FieldMask.newBuilder().addAllPaths(List.of(members)));
  }

  private static Persona get(PersonaServiceBlockingStub personas, String id) {
    return personas.getPersona(GetPersonaRequest.newBuilder().setPersonaId(id).build());
  }

  private static ByteString json(String text) {
    return ByteString.copyFromUtf8(text);
  }
}
