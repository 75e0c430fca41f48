package dev.bridle.core.work.skill;

import static dev.bridle.core.Refusal.assertRefused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.CoreFixture;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.skill.v1.CreateSkillRequest;
import dev.bridle.skill.v1.GetSkillRequest;
import dev.bridle.skill.v1.ListSkillsRequest;
import dev.bridle.skill.v1.Skill;
import dev.bridle.skill.v1.SkillServiceGrpc;
import dev.bridle.skill.v1.SkillServiceGrpc.SkillServiceBlockingStub;
import dev.bridle.skill.v1.UpdateSkillRequest;
import io.grpc.Channel;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SkillServiceTest {
  private static final ByteString MANIFEST =
      ByteString.copyFromUtf8("{\"when_to_use\":\"for reviews\",\"paths\":[\"src/**\"]}");

  @RegisterExtension final CoreFixture core = new CoreFixture();

  private Channel owner;
  private SkillServiceBlockingStub skills;
  private Skill made;

  @BeforeEach
  void aSkill() {
    owner = core.owner();
    skills = SkillServiceGrpc.newBlockingStub(owner);
    made =
        skills.createSkill(
            CreateSkillRequest.newBuilder()
                .setName("count_words")
                .setDescription("Counts words.")
                .setInputSchema(ByteString.copyFromUtf8("{\"type\":\"object\"}"))
                .addCapabilities("text")
                .setRequiresApproval(true)
                .build());
  }

  @Test
  void aSkillIsReadAndListedAsItWasMade() {
    assertThat(made.hasOutputSchema()).isFalse();
    assertThat(get(skills, made.getId())).isEqualTo(made);
    assertThat(skills.listSkills(ListSkillsRequest.getDefaultInstance()).getDataList())
        .containsExactly(made);
  }

  @Test
  void theEventOfANewSkillSaysAlsoWhatIsFalse() {
    assertThat(core.lastEvent(made.getId()).getPayload().toStringUtf8())
        .contains("\"requires_approval\":true", "\"deprecated\":false");
  }

  @Test
  void anEmptyDescriptionAndAnEmptyListAreValues() {
    Skill bare =
        skills.createSkill(
            CreateSkillRequest.newBuilder().setName("bare").setDescription("").build());
    assertThat(get(skills, bare.getId()).getDescription()).isEmpty();

    Skill changed =
        skills.updateSkill(update("description", "capabilities").setDescription("").build());

    assertThat(changed.getDescription()).isEmpty();
    assertThat(changed.getCapabilitiesList()).isEmpty();
    assertThat(core.lastEvent(made.getId()).getPayload().toStringUtf8())
        .isEqualTo("{\"description\":\"\",\"capabilities\":[]}");
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "description",
        () -> skills.createSkill(CreateSkillRequest.newBuilder().setName("no").build()));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "description",
        () -> skills.updateSkill(update("description").build()));
  }

  @Test
  void aPatchClearsASchemaAndTellsIt() {
    Skill changed =
        skills.updateSkill(
            update("input_schema", "deprecated", "requires_approval").setDeprecated(true).build());

    assertThat(changed.hasInputSchema()).isFalse();
    assertThat(changed.getDeprecated()).isTrue();
    assertThat(changed.getRequiresApproval()).isFalse();
    assertThat(changed.getCapabilitiesList()).containsExactly("text");
    assertThat(get(skills, made.getId())).isEqualTo(changed);
    EventRecord told = core.lastEvent(made.getId());
    assertThat(told.getEvent()).isEqualTo("vendor.bridle.skill_updated");
    assertThat(told.getPayload().toStringUtf8())
        .isEqualTo("{\"input_schema\":null,\"deprecated\":true,\"requires_approval\":false}");
  }

  @Test
  void aBodyAndAManifestAreReadAndListsLeaveTheBodyOut() {
    Skill written =
        skills.createSkill(
            CreateSkillRequest.newBuilder()
                .setName("review")
                .setDescription("Reviews.")
                .setBody("# Review\n\nRead each file.\n")
                .setManifest(MANIFEST)
                .build());

    assertThat(written.getBody()).isEqualTo("# Review\n\nRead each file.\n");
    assertThat(get(skills, written.getId())).isEqualTo(written);
    assertThat(skills.listSkills(ListSkillsRequest.getDefaultInstance()).getDataList())
        .containsExactly(written.toBuilder().clearBody().build(), made);
    assertThat(written.getManifest()).isEqualTo(MANIFEST);
  }

  @Test
  void eventsHaveTheHashOfABodyInsteadOfTheBody() {
    Skill first =
        skills.updateSkill(
            update("body", "deprecated").setBody("Read.").setDeprecated(true).build());
    assertThat(first.getBody()).isEqualTo("Read.");
    assertThat(lastPayload())
        .isEqualTo(
            "{\"deprecated\":true,\"body_hash\":\"" + Sha256.of("Read.".getBytes(UTF_8)) + "\"}");

    skills.updateSkill(update("body", "manifest").setBody("Read.").setManifest(MANIFEST).build());
    assertThat(lastPayload()).isEqualTo("{\"manifest\":" + MANIFEST.toStringUtf8() + "}");

    assertThat(skills.updateSkill(update("body").build()).hasBody()).isFalse();
    assertThat(lastPayload()).isEqualTo("{\"body_hash\":null}");

    Skill made =
        skills.createSkill(
            CreateSkillRequest.newBuilder()
                .setName("review")
                .setDescription("Reviews.")
                .setBody("Read.")
                .build());
    assertThat(core.lastEvent(made.getId()).getPayload().toStringUtf8())
        .contains("\"body_hash\":\"sha256:")
        .doesNotContain("Read.");
  }

  @Test
  void bodiesAndManifestsAreBounded() {
    String longest = "é".repeat(131_072);
    assertThat(get(skills, skills.updateSkill(update("body").setBody(longest).build()).getId()))
        .extracting(Skill::getBody)
        .isEqualTo(longest);
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "body",
        () -> skills.updateSkill(update("body").setBody(longest + "x").build()));
    ByteString large = ByteString.copyFromUtf8("{\"a\":\"" + "x".repeat(65_536) + "\"}");
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "manifest",
        () -> skills.updateSkill(update("manifest").setManifest(large).build()));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "manifest",
        () ->
            skills.updateSkill(
                update("manifest").setManifest(ByteString.copyFromUtf8("[1]")).build()));
    assertThat(get(skills, made.getId()).getBody()).isEqualTo(longest);
  }

  @Test
  void theKeyOfAWorkerReadsSkillsIfItHasTheirScope() {
    SkillServiceBlockingStub worker =
        SkillServiceGrpc.newBlockingStub(core.scoped(Set.of("workers:lease", "skills:read")));
    SkillServiceBlockingStub without =
        SkillServiceGrpc.newBlockingStub(core.scoped(Set.of("workers:lease")));

    assertThat(get(worker, made.getId())).isEqualTo(made);
    assertThat(worker.listSkills(ListSkillsRequest.getDefaultInstance()).getDataList())
        .containsExactly(made);
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () -> worker.updateSkill(update("body").setBody("Mine.").build()));
    assertRefused(ErrorCode.ERROR_CODE_PERMISSION_DENIED, "", () -> get(without, made.getId()));
  }

  private String lastPayload() {
    return core.lastEvent(made.getId()).getPayload().toStringUtf8();
  }

  @Test
  void aSchemaMustBeAnObject() {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "input_schema",
        () ->
            skills.updateSkill(
                update("input_schema").setInputSchema(ByteString.copyFromUtf8("[1]")).build()));
  }

  @Test
  void whoDoesNotReachTheWholeTenantReadsOnlyAndAStrangerSeesNothing() {
    SkillServiceBlockingStub narrow =
        SkillServiceGrpc.newBlockingStub(core.of(CoreFixture.TENANT, CoreFixture.WORKSPACE));
    SkillServiceBlockingStub stranger = SkillServiceGrpc.newBlockingStub(core.of("another"));

    assertThat(get(narrow, made.getId())).isEqualTo(made);
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () -> narrow.updateSkill(update("source").build()));
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> get(stranger, made.getId()));
  }

  @Test
  void aSessionKeepsTheSkillsThatItNamesAndRefusesAbsentOnes() {
    var sessions = SessionServiceGrpc.newBlockingStub(owner);
    var request =
        CreateSessionRequest.newBuilder()
            .setWorkspaceId(CoreFixture.WORKSPACE)
            .addSkillIds(made.getId());

    assertThat(sessions.createSession(request.build()).getSkillIdsList())
        .containsExactly(made.getId());
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "skill_ids[1]",
        () -> sessions.createSession(request.addSkillIds("skill_none").build()));
  }

  private UpdateSkillRequest.Builder update(String... members) {
    FieldMask.Builder mask = FieldMask.newBuilder();
    for (String member : members) {
      mask.addPaths(member);
    }
    return UpdateSkillRequest.newBuilder().setSkillId(made.getId()).setUpdateMask(mask);
  }

  private static Skill get(SkillServiceBlockingStub skills, String id) {
    return skills.getSkill(GetSkillRequest.newBuilder().setSkillId(id).build());
  }
}
