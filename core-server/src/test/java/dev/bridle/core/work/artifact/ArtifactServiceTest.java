package dev.bridle.core.work.artifact;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.artifact.v1.GetArtifactRequest;
import dev.bridle.artifact.v1.ListArtifactsRequest;
import dev.bridle.artifact.v1.ListArtifactsResponse;
import dev.bridle.artifact.v1.RegisterArtifactRequest;
import dev.bridle.core.CoreFixture;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import io.grpc.Channel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ArtifactServiceTest {
  private static final String WORKSPACE = CoreFixture.WORKSPACE;

  @RegisterExtension final CoreFixture core = new CoreFixture();

  private Channel owner;
  private String session;

  @BeforeEach
  void aSession() {
    owner = core.owner();
    session = core.session(owner, WORKSPACE);
  }

  @Test
  void anArtifactTakesSessionAndWorkspaceFromItsTask() {
    Task task = core.task(session, WORKSPACE, TaskStatus.TASK_STATUS_SUBMITTED);

    Artifact made = register(Uploading.described().setTaskId(task.getId()));

    assertThat(made.getSessionId()).isEqualTo(session);
    assertThat(made.getWorkspaceId()).isEqualTo(WORKSPACE);
    assertThat(made.hasSha256()).isFalse();
    assertThat(get(owner, made.getId())).isEqualTo(made);
    EventRecord told = core.lastEvent(session);
    assertThat(told.getEvent()).isEqualTo("artifact.created");
    assertThat(told.getResourceObject()).isEqualTo("task");
    assertThat(told.getPayload().toStringUtf8())
        .isEqualTo(
            "{\"artifact_id\":\""
                + made.getId()
                + "\",\"kind\":\"dataset\",\"mime_type\":\"text/csv\"}");
  }

  @Test
  void anArtifactOfASessionIsItsEventsResourceInTheSessionsLog() {
    register(Uploading.described().setSessionId(session));

    EventRecord told = core.lastEvent(session);
    assertThat(told.getEvent()).isEqualTo("artifact.created");
    assertThat(told.getResourceObject()).isEqualTo("artifact");
    assertThat(told.getSessionId()).isEqualTo(session);
  }

  @Test
  void anArtifactOfAWorkspaceHasAStreamOfItsOwn() {
    Artifact made =
        register(
            Uploading.described()
                .setWorkspaceId(WORKSPACE)
                .setUri("https://example.invalid/a.csv")
                .setMetadata(ByteString.copyFromUtf8("{\"n\":1}")));

    assertThat(made.hasSessionId()).isFalse();
    assertThat(made.getUri()).isEqualTo("https://example.invalid/a.csv");
    assertThat(core.events(made.getId()))
        .singleElement()
        .satisfies(
            told -> {
              assertThat(told.getResourceObject()).isEqualTo("artifact");
              assertThat(told.getResourceId()).isEqualTo(made.getId());
            });
  }

  @Test
  void anEndedTaskTakesNoArtifact() {
    Task task = core.task(session, WORKSPACE, TaskStatus.TASK_STATUS_CANCELED);

    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "",
        () -> register(Uploading.described().setTaskId(task.getId())));
    assertThat(list(ListArtifactsRequest.newBuilder()).getDataList()).isEmpty();
  }

  @Test
  void whatAnArtifactRefersToMustBeThere() {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "workspace_id",
        () -> register(Uploading.described()));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "workspace_id",
        () -> register(Uploading.described().setWorkspaceId("nowhere")));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "session_id",
        () -> register(Uploading.described().setSessionId("none").setWorkspaceId(WORKSPACE)));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "task_id",
        () -> register(Uploading.described().setTaskId("none").setSessionId(session)));
  }

  @Test
  void whatAnArtifactRefersToMustAgree() {
    Task task = core.task(session, WORKSPACE, TaskStatus.TASK_STATUS_SUBMITTED);
    String other = core.session(owner, WORKSPACE);

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "session_id",
        () -> register(Uploading.described().setTaskId(task.getId()).setSessionId(other)));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "workspace_id",
        () -> register(Uploading.described().setSessionId(session).setWorkspaceId("another")));
  }

  @Test
  void aListIsFilteredByWhatArtifactsBelongTo() {
    Task task = core.task(session, WORKSPACE, TaskStatus.TASK_STATUS_SUBMITTED);
    String ofTask = register(Uploading.described().setTaskId(task.getId())).getId();
    String ofSession = register(Uploading.described().setSessionId(session)).getId();
    String ofWorkspace = register(Uploading.described().setWorkspaceId(WORKSPACE)).getId();

    assertThat(ids(ListArtifactsRequest.newBuilder()))
        .containsExactly(ofWorkspace, ofSession, ofTask);
    assertThat(ids(ListArtifactsRequest.newBuilder().setWorkspaceId(WORKSPACE)))
        .containsExactly(ofWorkspace, ofSession, ofTask);
    assertThat(ids(ListArtifactsRequest.newBuilder().setSessionId(session)))
        .containsExactly(ofSession, ofTask);
    assertThat(ids(ListArtifactsRequest.newBuilder().setTaskId(task.getId())))
        .containsExactly(ofTask);
    assertThat(
            ids(
                ListArtifactsRequest.newBuilder()
                    .setTaskId(task.getId())
                    .setSessionId(core.session(owner, WORKSPACE))))
        .isEmpty();
  }

  @Test
  void pagesShowEachArtifactOnce() {
    List<String> made = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      made.add(0, register(Uploading.described().setSessionId(session)).getId());
    }
    List<String> seen = new ArrayList<>();
    ListArtifactsRequest.Builder ask = ListArtifactsRequest.newBuilder().setLimit(2);
    ListArtifactsResponse page;
    do {
      page = list(ask);
      page.getDataList().forEach(row -> seen.add(row.getId()));
      ask.setCursor(page.getPage().getNextCursor());
    } while (page.getPage().getHasMore());

    assertThat(seen).isEqualTo(made);
  }

  @Test
  void aFilterThatTheCallerDoesNotReachGivesAnEmptyList() {
    register(Uploading.described().setSessionId(session));
    String other = workspace();
    Task task = core.task(session, WORKSPACE, TaskStatus.TASK_STATUS_SUBMITTED);
    Channel stranger = core.of(CoreFixture.TENANT, other);
    for (ListArtifactsRequest.Builder filter :
        List.of(
            ListArtifactsRequest.newBuilder().setWorkspaceId(WORKSPACE),
            ListArtifactsRequest.newBuilder().setSessionId(session),
            ListArtifactsRequest.newBuilder().setTaskId(task.getId()))) {
      assertThat(
              ArtifactServiceGrpc.newBlockingStub(stranger)
                  .listArtifacts(filter.build())
                  .getDataList())
          .isEmpty();
    }
  }

  @Test
  void artifactsOfOtherWorkspacesAndTenantsAreHidden() {
    String id = register(Uploading.described().setSessionId(session)).getId();
    String other = workspace();
    core.operatorMakesTenant("globex");

    for (Channel stranger : List.of(core.of(CoreFixture.TENANT, other), core.of("globex"))) {
      assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> get(stranger, id));
      assertThat(
              ArtifactServiceGrpc.newBlockingStub(stranger)
                  .listArtifacts(ListArtifactsRequest.getDefaultInstance())
                  .getDataList())
          .isEmpty();
    }
  }

  private String workspace() {
    return WorkspaceServiceGrpc.newBlockingStub(owner)
        .createWorkspace(CreateWorkspaceRequest.newBuilder().setName("b").setRoot("/b").build())
        .getId();
  }

  private Artifact register(RegisterArtifactRequest.Builder request) {
    return Uploading.registered(owner, request);
  }

  private List<String> ids(ListArtifactsRequest.Builder request) {
    return list(request).getDataList().stream().map(Artifact::getId).toList();
  }

  private ListArtifactsResponse list(ListArtifactsRequest.Builder request) {
    return ArtifactServiceGrpc.newBlockingStub(owner).listArtifacts(request.build());
  }

  private static Artifact get(Channel caller, String id) {
    return ArtifactServiceGrpc.newBlockingStub(caller)
        .getArtifact(GetArtifactRequest.newBuilder().setArtifactId(id).build());
  }
}
