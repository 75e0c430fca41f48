package dev.bridle.core.operations.portability;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.artifact.v1.DownloadArtifactContentRequest;
import dev.bridle.artifact.v1.GetArtifactRequest;
import dev.bridle.artifact.v1.ListArtifactsRequest;
import dev.bridle.branch.v1.BranchServiceGrpc;
import dev.bridle.branch.v1.ListSessionBranchesRequest;
import dev.bridle.core.server.TestCore;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.GetEventRequest;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.event.v1.ListEventsResponse;
import dev.bridle.event.v1.ListSessionEventsRequest;
import dev.bridle.event.v1.ListTaskEventsRequest;
import dev.bridle.memory.v1.ListMemoriesRequest;
import dev.bridle.memory.v1.MemoryServiceGrpc;
import dev.bridle.message.v1.ListSessionMessagesRequest;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.outcome.v1.ListOutcomesRequest;
import dev.bridle.outcome.v1.OutcomeServiceGrpc;
import dev.bridle.permission.v1.ListPermissionRequestsRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.persona.v1.ListPersonasRequest;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.quota.v1.ListQuotasRequest;
import dev.bridle.quota.v1.QuotaServiceGrpc;
import dev.bridle.session.v1.GetSessionRequest;
import dev.bridle.session.v1.ListSessionsRequest;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.skill.v1.GetSkillRequest;
import dev.bridle.skill.v1.ListSkillsRequest;
import dev.bridle.skill.v1.SkillServiceGrpc;
import dev.bridle.task.v1.GetTaskRequest;
import dev.bridle.task.v1.ListTasksRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.vault.v1.ListVaultsRequest;
import dev.bridle.vault.v1.VaultServiceGrpc;
import dev.bridle.workspace.v1.ListWorkspacesRequest;
import dev.bridle.workspace.v1.ReadWorkspaceFileRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All that clients can read of a tenant, by what they ask. */
final class Reads {
  private final Channel channel;
  private final Map<String, Object> all = new LinkedHashMap<>();

  private Reads(Channel channel) {
    this.channel = channel;
  }

  /** Reads everything; events up to and including {@code lastKind} of the tenant's own log. */
  static Map<String, Object> of(Channel channel) {
    Reads reads = new Reads(channel);
    reads.readAll();
    return reads.all;
  }

  static Map<String, Object> of(TestCore core) {
    return of(core.owner());
  }

  static List<Event> events(Channel channel) {
    List<Event> events = new ArrayList<>();
    ListEventsRequest.Builder request = ListEventsRequest.newBuilder().setLimit(200);
    ListEventsResponse page = EventServiceGrpc.newBlockingStub(channel).listEvents(request.build());
    events.addAll(page.getDataList());
    while (page.getPage().getHasMore()) {
      request.setAfterEventId(page.getPage().getNextCursor());
      page = EventServiceGrpc.newBlockingStub(channel).listEvents(request.build());
      events.addAll(page.getDataList());
    }
    return events;
  }

  private void readAll() {
    put(
        "workspaces",
        WorkspaceServiceGrpc.newBlockingStub(channel)
            .listWorkspaces(ListWorkspacesRequest.getDefaultInstance())
            .getDataList());
    for (String path : List.of(".", "notes", "a.txt", "notes/b.txt", "notes/deep/c.txt", "empty")) {
      put("files " + path, file(path));
    }
    put(
        "personas",
        PersonaServiceGrpc.newBlockingStub(channel)
            .listPersonas(ListPersonasRequest.getDefaultInstance())
            .getDataList());
    var skills = SkillServiceGrpc.newBlockingStub(channel);
    put(
        "skills",
        skills.listSkills(ListSkillsRequest.getDefaultInstance()).getDataList().stream()
            .map(
                row ->
                    skills.getSkill(GetSkillRequest.newBuilder().setSkillId(row.getId()).build()))
            .toList());
    put(
        "quotas",
        QuotaServiceGrpc.newBlockingStub(channel)
            .listQuotas(ListQuotasRequest.getDefaultInstance())
            .getDataList()
            .stream()
            .map(quota -> quota.toBuilder().clearUsage().build()) // What is used stays behind.
            .toList());
    put(
        "vaults",
        VaultServiceGrpc.newBlockingStub(channel)
            .listVaults(ListVaultsRequest.getDefaultInstance())
            .getDataList());
    put("memories", memories(ListMemoriesRequest.getDefaultInstance()));
    List<Session> sessions =
        SessionServiceGrpc.newBlockingStub(channel)
            .listSessions(ListSessionsRequest.newBuilder().setLimit(200).build())
            .getDataList();
    put("sessions", sessions);
    sessions.forEach(session -> session(session.getId()));
    List<Artifact> artifacts =
        ArtifactServiceGrpc.newBlockingStub(channel)
            .listArtifacts(ListArtifactsRequest.newBuilder().setLimit(200).build())
            .getDataList();
    put("artifacts", artifacts);
    artifacts.forEach(this::artifact);
    put("outcomes", outcomes(ListOutcomesRequest.getDefaultInstance()));
    put(
        "permission requests",
        PermissionServiceGrpc.newBlockingStub(channel)
            .listPermissionRequests(ListPermissionRequestsRequest.getDefaultInstance())
            .getDataList());
    List<Event> events =
        events(channel).stream().filter(e -> !e.getEvent().startsWith("vendor.bridle.i")).toList();
    put("events", events);
    events.forEach(
        event ->
            put(
                event.getId(),
                EventServiceGrpc.newBlockingStub(channel)
                    .getEvent(GetEventRequest.newBuilder().setEventId(event.getId()).build())));
  }

  /** What is there; the code of the refusal where nothing is. */
  private Object file(String path) {
    try {
      return WorkspaceServiceGrpc.newBlockingStub(channel)
          .readWorkspaceFile(
              ReadWorkspaceFileRequest.newBuilder()
                  .setWorkspaceId("default")
                  .setPath(path)
                  .build());
    } catch (StatusRuntimeException absent) {
      return absent.getStatus().getCode();
    }
  }

  private List<? extends Message> memories(ListMemoriesRequest request) {
    return MemoryServiceGrpc.newBlockingStub(channel).listMemories(request).getDataList();
  }

  private List<? extends Message> outcomes(ListOutcomesRequest request) {
    return OutcomeServiceGrpc.newBlockingStub(channel).listOutcomes(request).getDataList();
  }

  private void session(String id) {
    put(
        id,
        SessionServiceGrpc.newBlockingStub(channel)
            .getSession(GetSessionRequest.newBuilder().setSessionId(id).build()));
    put(
        id + " messages",
        MessageServiceGrpc.newBlockingStub(channel)
            .listSessionMessages(
                ListSessionMessagesRequest.newBuilder().setSessionId(id).setLimit(200).build())
            .getDataList());
    put(
        id + " branches",
        BranchServiceGrpc.newBlockingStub(channel)
            .listSessionBranches(ListSessionBranchesRequest.newBuilder().setSessionId(id).build())
            .getDataList());
    put(id + " memories", memories(ListMemoriesRequest.newBuilder().setSessionId(id).build()));
    put(
        id + " events",
        EventServiceGrpc.newBlockingStub(channel)
            .listSessionEvents(
                ListSessionEventsRequest.newBuilder().setSessionId(id).setLimit(200).build())
            .getDataList());
    List<Task> tasks =
        TaskServiceGrpc.newBlockingStub(channel)
            .listTasks(ListTasksRequest.newBuilder().setSessionId(id).setLimit(200).build())
            .getDataList();
    put(id + " tasks", tasks);
    tasks.forEach(task -> task(task.getId()));
  }

  private void task(String id) {
    put(
        id,
        TaskServiceGrpc.newBlockingStub(channel)
            .getTask(GetTaskRequest.newBuilder().setTaskId(id).build()));
    put(
        id + " events",
        EventServiceGrpc.newBlockingStub(channel)
            .listTaskEvents(ListTaskEventsRequest.newBuilder().setTaskId(id).setLimit(200).build())
            .getDataList());
    put(id + " outcomes", outcomes(ListOutcomesRequest.newBuilder().setTaskId(id).build()));
  }

  private void artifact(Artifact artifact) {
    put(
        artifact.getId(),
        ArtifactServiceGrpc.newBlockingStub(channel)
            .getArtifact(GetArtifactRequest.newBuilder().setArtifactId(artifact.getId()).build()));
    if (artifact.hasSha256()) {
      List<ByteString> content = new ArrayList<>();
      ArtifactServiceGrpc.newBlockingStub(channel)
          .downloadArtifactContent(
              DownloadArtifactContentRequest.newBuilder().setArtifactId(artifact.getId()).build())
          .forEachRemaining(piece -> content.add(piece.getData()));
      put(artifact.getId() + " content", ByteString.copyFrom(content));
    }
  }

  private void put(String what, Object read) {
    all.put(what, read);
  }
}
