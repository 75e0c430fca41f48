package dev.bridle.core.api.memory;

import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.resource.Members;
import dev.bridle.core.kernel.validate.FreeFormJson;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.memory.MemoryEvents;
import dev.bridle.core.work.memory.MemoryStore;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.memory.v1.CreateMemoryRequest;
import dev.bridle.memory.v1.DeleteMemoryRequest;
import dev.bridle.memory.v1.DeleteMemoryResponse;
import dev.bridle.memory.v1.GetMemoryRequest;
import dev.bridle.memory.v1.ListMemoriesRequest;
import dev.bridle.memory.v1.ListMemoriesResponse;
import dev.bridle.memory.v1.Memory;
import dev.bridle.memory.v1.MemoryServiceGrpc;
import dev.bridle.record.v1.MemoryRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import io.grpc.stub.StreamObserver;
import java.time.Clock;
import java.util.Optional;

/**
 * Memories (protocol section "Memory"). Their events tell that there are some and whose, and never
 * what they say: what is deleted is gone, and transcripts and the log hold no memory.
 */
public final class MemoryService extends MemoryServiceGrpc.MemoryServiceImplBase {
  private final KeyValueStore store;
  private final Commands commands;
  private final Places places;
  private final MemoryStore memories;
  private final MemoryEvents events;
  private final Pages pages;
  private final Clock clock;

  public MemoryService(
      KeyValueStore store,
      Commands commands,
      Places places,
      MemoryStore memories,
      Events events,
      Pages pages,
      Clock clock) {
    this.store = store;
    this.commands = commands;
    this.places = places;
    this.memories = memories;
    this.events = new MemoryEvents(events);
    this.pages = pages;
    this.clock = clock;
  }

  /**
   * What memories belong to and point at.
   *
   * @param workspaces workspaces
   * @param sessions sessions
   * @param artifacts artifacts
   * @param owners whose memories are
   */
  public record Places(
      WorkspaceStore workspaces,
      SessionStore sessions,
      ArtifactStore artifacts,
      MemoryOwners owners) {}

  @Override
  public void listMemories(
      ListMemoriesRequest request, StreamObserver<ListMemoriesResponse> response) {
    Caller caller = Caller.current();
    Pages.Page<MemoryRecord> page = store.read(tr -> page(tr, caller, request));
    ListMemoriesResponse.Builder list = ListMemoriesResponse.newBuilder().setPage(page.info());
    page.rows().forEach(record -> list.addData(shown(record)));
    Replies.send(response, list.build());
  }

  private Pages.Page<MemoryRecord> page(
      ReadTransaction tr, Caller caller, ListMemoriesRequest request) {
    long now = clock.millis();
    if (request.hasWorkspaceId()
        && places.workspaces().find(tr, caller, request.getWorkspaceId()).isEmpty()) {
      return Pages.Page.none();
    }
    if (request.hasSessionId()) {
      Optional<Session> of = places.sessions().find(tr, caller, request.getSessionId());
      if (of.isEmpty()) {
        return Pages.Page.none();
      }
      boolean there =
          !request.hasWorkspaceId() || request.getWorkspaceId().equals(of.get().getWorkspaceId());
      return pages.read(
          tr,
          memories.records(),
          Pages.Ask.of(request, MemoryStore.SESSION, request.getSessionId(), true),
          record -> there && MemoryStore.listed(caller, record, now));
    }
    int index = request.hasWorkspaceId() ? MemoryStore.WORKSPACE : MemoryStore.ALL;
    return pages.read(
        tr,
        memories.records(),
        Pages.Ask.of(request, index, request.getWorkspaceId(), true),
        record -> MemoryStore.listed(caller, record, now));
  }

  @Override
  public void createMemory(CreateMemoryRequest request, StreamObserver<Memory> response) {
    Caller caller = Caller.current();
    Memory made =
        commands.run(
            request,
            "",
            write -> workspaceOf(write, caller, request),
            write -> create(write, caller, request),
            Memory.getDefaultInstance());
    Replies.send(response, made);
  }

  private String workspaceOf(Write write, Caller caller, CreateMemoryRequest request) {
    return places
        .owners()
        .workspaceOf(write.tr(), caller, request.getScope(), request.getOwnerId());
  }

  private Memory create(Write write, Caller caller, CreateMemoryRequest request) {
    refuseUnenforced(write, request);
    String workspace = workspaceOf(write, caller, request);
    if (workspace.isEmpty()) {
      caller.needWholeTenant();
    }
    if (request.getContent().hasArtifactRef()) {
      needArtifact(write, caller, request.getContent().getArtifactRef().getArtifactId());
    }
    Memory memory = Members.made(write, write.id("memory"), request, Memory.getDefaultInstance());
    MemoryRecord record =
        MemoryRecord.newBuilder().setMemory(memory).setWorkspaceId(workspace).build();
    memories.insert(write, record);
    events.created(write, memory, workspace);
    return shown(record);
  }

  /** Refuses what would promise a protection that is not there, and what has expired before. */
  private static void refuseUnenforced(Write write, CreateMemoryRequest request) {
    Visibility visibility = request.getVisibility();
    if (visibility != Visibility.VISIBILITY_UNSPECIFIED
        && visibility != Visibility.VISIBILITY_PUBLIC) {
      throw ProtocolException.invalid(
          "visibility",
          "must be public: whoever may read memories of the owner reads this one; leave it out, or"
              + " keep what others must not read in a vault");
    }
    if (!FreeFormJson.isEmptyObject(request.getRedactionPolicy())) {
      throw ProtocolException.invalid(
          "redaction_policy",
          "is not supported: this server redacts no memories; leave it out, and store what is"
              + " redacted already");
    }
    if (request.hasExpiresAt()
        && Timestamps.toMillis(request.getExpiresAt()) <= write.nowMillis()) {
      throw ProtocolException.invalid("expires_at", "must lie in the future");
    }
  }

  /** Returns a memory with the workspace of its owner. */
  private static Memory shown(MemoryRecord record) {
    return record.getWorkspaceId().isEmpty()
        ? record.getMemory()
        : record.getMemory().toBuilder().setWorkspaceId(record.getWorkspaceId()).build();
  }

  private void needArtifact(Write write, Caller caller, String id) {
    try {
      var unused = places.artifacts().need(write.tr(), caller, id);
    } catch (ProtocolException absent) {
      throw absent.blaming("content.artifact_id");
    }
  }

  @Override
  public void getMemory(GetMemoryRequest request, StreamObserver<Memory> response) {
    Caller caller = Caller.current();
    Replies.send(
        response,
        store.read(tr -> shown(memories.need(tr, caller, request.getMemoryId(), clock.millis()))));
  }

  @Override
  public void deleteMemory(
      DeleteMemoryRequest request, StreamObserver<DeleteMemoryResponse> response) {
    Caller caller = Caller.current();
    String id = request.getMemoryId();
    DeleteMemoryResponse done =
        commands.run(
            request,
            id,
            write -> memories.needAny(write.tr(), caller, id).getWorkspaceId(),
            write -> delete(write, caller, memories.needAny(write.tr(), caller, id)),
            DeleteMemoryResponse.getDefaultInstance());
    Replies.send(response, done);
  }

  private DeleteMemoryResponse delete(Write write, Caller caller, MemoryRecord before) {
    if (before.getWorkspaceId().isEmpty()) {
      caller.needWholeTenant();
    }
    if (!MemoryStore.buried(before)) {
      memories.bury(write, before);
      events.deleted(write, before, Optional.empty());
    }
    return DeleteMemoryResponse.getDefaultInstance();
  }
}
