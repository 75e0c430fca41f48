package dev.bridle.core.api.memory;

import static dev.bridle.core.Refusal.assertRefused;
import static dev.bridle.core.Refusal.assertUnsupported;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.RedactionReason;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.CoreFixture;
import dev.bridle.core.kernel.resource.SharedResources;
import dev.bridle.core.work.memory.MemoryStore;
import dev.bridle.memory.v1.CreateMemoryRequest;
import dev.bridle.memory.v1.DeleteMemoryRequest;
import dev.bridle.memory.v1.GetMemoryRequest;
import dev.bridle.memory.v1.ListMemoriesRequest;
import dev.bridle.memory.v1.Memory;
import dev.bridle.memory.v1.MemoryContent;
import dev.bridle.memory.v1.MemoryScope;
import dev.bridle.memory.v1.MemoryServiceGrpc;
import dev.bridle.memory.v1.MemoryServiceGrpc.MemoryServiceBlockingStub;
import dev.bridle.message.v1.ArtifactRefPart;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.MemoryRecord;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import io.grpc.Channel;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MemoryServiceTest {
  private static final String SECRET = "the launch is on Friday";

  @RegisterExtension final CoreFixture core = new CoreFixture();

  private Channel owner;
  private MemoryServiceBlockingStub memories;
  private String session;
  private String other;
  private Memory ofWorkspace;
  private Memory ofSession;
  private Memory ofTenant;

  @BeforeEach
  void someMemories() {
    owner = core.owner();
    memories = MemoryServiceGrpc.newBlockingStub(owner);
    session = core.session(owner, CoreFixture.WORKSPACE);
    other =
        WorkspaceServiceGrpc.newBlockingStub(owner)
            .createWorkspace(
                CreateWorkspaceRequest.newBuilder().setName("other").setRoot("other").build())
            .getId();
    ofWorkspace = memories.createMemory(of(MemoryScope.MEMORY_SCOPE_WORKSPACE, other).build());
    ofSession = memories.createMemory(of(MemoryScope.MEMORY_SCOPE_SESSION, session).build());
    ofTenant =
        memories.createMemory(of(MemoryScope.MEMORY_SCOPE_TENANT, CoreFixture.TENANT).build());
  }

  @Test
  void aMemoryIsReadAsItWasMade() {
    assertThat(ofSession.getOwnerId()).isEqualTo(session);
    assertThat(ofSession.getContent().getText()).isEqualTo(SECRET);
    assertThat(get(memories, ofSession)).isEqualTo(ofSession);
    assertThat(ofSession.getWorkspaceId()).isEqualTo(CoreFixture.WORKSPACE);
    assertThat(ofTenant.hasWorkspaceId()).isFalse();
  }

  @Test
  void whatDescribesAMemoryIsKeptAndReturned() {
    Memory made =
        memories.createMemory(
            of(MemoryScope.MEMORY_SCOPE_SESSION, session)
                .setConfidence(0.5)
                .setEmbeddingRef("vec:7")
                .setVisibility(Visibility.VISIBILITY_PUBLIC)
                .build());

    assertThat(made.getConfidence()).isEqualTo(0.5);
    assertThat(made.getEmbeddingRef()).isEqualTo("vec:7");
    assertThat(made.getVisibility()).isEqualTo(Visibility.VISIBILITY_PUBLIC);
    assertThat(get(memories, made)).isEqualTo(made);
  }

  @Test
  void aMemoryThatIsNotPublicIsShownToCallersWithTheScopeForIt() {
    Memory internal =
        memories.createMemory(
            of(MemoryScope.MEMORY_SCOPE_SESSION, session)
                .setVisibility(Visibility.VISIBILITY_INTERNAL)
                .build());
    var others =
        MemoryServiceGrpc.newBlockingStub(core.scoped(Set.of("memories:read", "memories:write")));

    assertThat(internal.getContent().getText()).isEqualTo(SECRET);
    Memory shown = get(others, internal);
    assertThat(shown.getContent().getJson().toStringUtf8()).isEqualTo("{}");
    assertThat(shown.getRedacted().getReason())
        .isEqualTo(RedactionReason.REDACTION_REASON_INTERNAL);
    assertThat(shown.getRedacted().getSize()).isEqualTo(SECRET.length() + 2);
    assertThat(shown.getRedacted().getCommitment()).matches("sha256:[0-9a-f]{64}");
    Memory forReceipts =
        others.createMemory(
            of(MemoryScope.MEMORY_SCOPE_SESSION, session)
                .setVisibility(Visibility.VISIBILITY_RECEIPT_ONLY)
                .build());
    assertThat(forReceipts.getContent().hasText()).isFalse();
    assertThat(get(memories, forReceipts).getContent().hasText()).isFalse();
  }

  @Test
  void aProtectionThatIsNotEnforcedIsRefused() {
    CreateMemoryRequest good = of(MemoryScope.MEMORY_SCOPE_SESSION, session).build();

    assertUnsupported(
        "redaction_policy",
        () ->
            memories.createMemory(
                good.toBuilder()
                    .setRedactionPolicy(ByteString.copyFromUtf8("{\"pii\":\"mask\"}"))
                    .build()));
    assertThat(
            memories
                .createMemory(
                    good.toBuilder().setRedactionPolicy(ByteString.copyFromUtf8("{}")).build())
                .getOwnerId())
        .isEqualTo(session);
  }

  @Test
  void listsAreFilteredByWorkspaceAndBySession() {
    assertThat(list(ListMemoriesRequest.newBuilder()))
        .containsExactly(ofTenant, ofSession, ofWorkspace);
    assertThat(list(ListMemoriesRequest.newBuilder().setWorkspaceId(other)))
        .containsExactly(ofWorkspace);
    assertThat(list(ListMemoriesRequest.newBuilder().setWorkspaceId(CoreFixture.WORKSPACE)))
        .containsExactly(ofSession);
    assertThat(list(ListMemoriesRequest.newBuilder().setSessionId(session)))
        .containsExactly(ofSession);
    assertThat(list(ListMemoriesRequest.newBuilder().setSessionId(session).setWorkspaceId(other)))
        .isEmpty();
  }

  @Test
  void theOwnerMustBeThere() {
    for (MemoryScope scope :
        List.of(
            MemoryScope.MEMORY_SCOPE_PERSONA,
            MemoryScope.MEMORY_SCOPE_SESSION,
            MemoryScope.MEMORY_SCOPE_WORKSPACE,
            MemoryScope.MEMORY_SCOPE_TENANT)) {
      assertRefused(
          ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
          "owner_id",
          () -> memories.createMemory(of(scope, "nobody").build()));
    }
    String persona = SharedResources.in(owner).persona();
    assertThat(
            memories.createMemory(of(MemoryScope.MEMORY_SCOPE_PERSONA, persona).build()).getScope())
        .isEqualTo(MemoryScope.MEMORY_SCOPE_PERSONA);
  }

  @Test
  void anArtifactThatItPointsAtMustBeThere() {
    MemoryContent pointer =
        MemoryContent.newBuilder()
            .setArtifactRef(
                ArtifactRefPart.newBuilder()
                    .setArtifactId("artifact_none")
                    .setVisibility(Visibility.VISIBILITY_PUBLIC))
            .build();

    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "content.artifact_id",
        () ->
            memories.createMemory(
                of(MemoryScope.MEMORY_SCOPE_SESSION, session).setContent(pointer).build()));
  }

  @Test
  void aDeletedMemoryIsGoneFromEveryReadAndLeavesATombstoneThatSaysNothing() {
    delete(memories, ofSession);

    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> get(memories, ofSession));
    assertThat(list(ListMemoriesRequest.newBuilder())).containsExactly(ofTenant, ofWorkspace);
    MemoryRecord tombstone = stored(ofSession);
    assertThat(tombstone.getDeletedAt()).isPositive();
    assertThat(tombstone.getMemory().getOwnerId()).isEqualTo(session);
    assertThat(tombstone.toString()).doesNotContain("Friday", "event_7");
  }

  @Test
  void deletingAgainChangesNothing() {
    delete(memories, ofSession);
    MemoryRecord before = stored(ofSession);
    delete(memories, ofSession);

    assertThat(stored(ofSession)).isEqualTo(before);
    assertThat(core.events(ofSession.getId()))
        .extracting(EventRecord::getEvent)
        .containsExactly("vendor.bridle.memory_created", "vendor.bridle.memory_deleted");
  }

  @Test
  void noEventSaysWhatIsRememberedAndNoneIsOfTheSession() {
    assertThat(core.events(session))
        .extracting(EventRecord::getEvent)
        .containsExactly("session.created");
    assertThat(core.lastEvent(ofSession.getId()).getPayload().toStringUtf8())
        .isEqualTo("{\"scope\":\"session\",\"owner_id\":\"" + session + "\"}");
    assertThat(core.lastEvent(ofSession.getId()).getWorkspaceId()).isEqualTo(CoreFixture.WORKSPACE);
  }

  @Test
  void whoReachesOneWorkspaceSeesItsMemoriesAndWhatAllShare() {
    MemoryServiceBlockingStub narrow =
        MemoryServiceGrpc.newBlockingStub(core.of(CoreFixture.TENANT, other));

    assertThat(narrow.listMemories(ListMemoriesRequest.getDefaultInstance()).getDataList())
        .containsExactly(ofTenant, ofWorkspace);
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> get(narrow, ofSession));
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> delete(narrow, ofSession));
    assertRefused(ErrorCode.ERROR_CODE_PERMISSION_DENIED, "", () -> delete(narrow, ofTenant));
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () -> narrow.createMemory(of(MemoryScope.MEMORY_SCOPE_TENANT, CoreFixture.TENANT).build()));
    delete(narrow, ofWorkspace);
  }

  @Test
  void anotherTenantSeesNoneOfThem() {
    MemoryServiceBlockingStub stranger = MemoryServiceGrpc.newBlockingStub(core.of("another"));

    assertThat(stranger.listMemories(ListMemoriesRequest.getDefaultInstance()).getDataList())
        .isEmpty();
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> get(stranger, ofTenant));
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> delete(stranger, ofTenant));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "owner_id",
        () ->
            stranger.createMemory(of(MemoryScope.MEMORY_SCOPE_TENANT, CoreFixture.TENANT).build()));
  }

  @Test
  void aSessionIsGivenMemoriesOfItsOwnWorkspaceOrOfAll() {
    var sessions = SessionServiceGrpc.newBlockingStub(owner);
    CreateSessionRequest given =
        CreateSessionRequest.newBuilder()
            .setWorkspaceId(other)
            .addMemoryIds(ofWorkspace.getId())
            .addMemoryIds(ofTenant.getId())
            .build();

    assertThat(sessions.createSession(given).getMemoryIdsList())
        .containsExactly(ofWorkspace.getId(), ofTenant.getId());
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "memory_ids[2]",
        () -> sessions.createSession(given.toBuilder().addMemoryIds(ofSession.getId()).build()));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "memory_ids[0]",
        () ->
            sessions.createSession(
                given.toBuilder().setWorkspaceId(CoreFixture.WORKSPACE).build()));
    delete(memories, ofTenant);
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "memory_ids[1]",
        () -> sessions.createSession(given));
  }

  private MemoryRecord stored(Memory memory) {
    return core.store()
        .read(
            tr -> MemoryStore.MEMORY.store(core.layout).get(tr, CoreFixture.TENANT, memory.getId()))
        .orElseThrow();
  }

  private List<Memory> list(ListMemoriesRequest.Builder request) {
    return memories.listMemories(request.build()).getDataList();
  }

  private static CreateMemoryRequest.Builder of(MemoryScope scope, String owner) {
    return CreateMemoryRequest.newBuilder()
        .setScope(scope)
        .setOwnerId(owner)
        .setContent(MemoryContent.newBuilder().setText(SECRET))
        .setProvenance(ByteString.copyFromUtf8("{\"event_id\":\"event_7\"}"));
  }

  private static Memory get(MemoryServiceBlockingStub memories, Memory memory) {
    return memories.getMemory(GetMemoryRequest.newBuilder().setMemoryId(memory.getId()).build());
  }

  private static void delete(MemoryServiceBlockingStub memories, Memory memory) {
    var unused =
        memories.deleteMemory(DeleteMemoryRequest.newBuilder().setMemoryId(memory.getId()).build());
  }
}
