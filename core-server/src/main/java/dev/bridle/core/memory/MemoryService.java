package dev.bridle.core.memory;

import dev.bridle.core.artifact.ArtifactStore;
import dev.bridle.core.auth.Caller;
import dev.bridle.core.command.Commands;
import dev.bridle.core.command.Replies;
import dev.bridle.core.command.Write;
import dev.bridle.core.error.ProtocolException;
import dev.bridle.core.event.EventDraft;
import dev.bridle.core.event.EventKinds;
import dev.bridle.core.event.Events;
import dev.bridle.core.event.Payload;
import dev.bridle.core.event.ResourceJson;
import dev.bridle.core.page.Pages;
import dev.bridle.core.record.RecordKind;
import dev.bridle.core.resource.Members;
import dev.bridle.core.session.SessionStore;
import dev.bridle.core.workspace.WorkspaceStore;
import dev.bridle.memory.v1.CreateMemoryRequest;
import dev.bridle.memory.v1.DeleteMemoryRequest;
import dev.bridle.memory.v1.DeleteMemoryResponse;
import dev.bridle.memory.v1.GetMemoryRequest;
import dev.bridle.memory.v1.ListMemoriesRequest;
import dev.bridle.memory.v1.ListMemoriesResponse;
import dev.bridle.memory.v1.Memory;
import dev.bridle.memory.v1.MemoryServiceGrpc;
import dev.bridle.record.v1.MemoryRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import io.grpc.stub.StreamObserver;

/**
 * Memories (protocol section "Memory"). Their events tell that there are some and whose, and never
 * what they say: what is deleted is gone, and transcripts and the log hold no memory.
 */
public final class MemoryService extends MemoryServiceGrpc.MemoryServiceImplBase {
  private final KeyValueStore store;
  private final Commands commands;
  private final Places places;
  private final MemoryStore memories;
  private final Events events;
  private final Pages pages;

  public MemoryService(
      KeyValueStore store,
      Commands commands,
      Places places,
      MemoryStore memories,
      Events events,
      Pages pages) {
    this.store = store;
    this.commands = commands;
    this.places = places;
    this.memories = memories;
    this.events = events;
    this.pages = pages;
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
    page.rows().forEach(record -> list.addData(record.getMemory()));
    Replies.send(response, list.build());
  }

  private Pages.Page<MemoryRecord> page(
      ReadTransaction tr, Caller caller, ListMemoriesRequest request) {
    if (request.hasWorkspaceId()) {
      places.workspaces().need(tr, caller, request.getWorkspaceId());
    }
    if (request.hasSessionId()) {
      String of = places.sessions().need(tr, caller, request.getSessionId()).getWorkspaceId();
      boolean there = !request.hasWorkspaceId() || request.getWorkspaceId().equals(of);
      return pages.read(
          tr,
          memories.records(),
          Pages.Ask.of(request, MemoryStore.SESSION, request.getSessionId(), true),
          record -> there && MemoryStore.listed(caller, record));
    }
    int index = request.hasWorkspaceId() ? MemoryStore.WORKSPACE : MemoryStore.ALL;
    return pages.read(
        tr,
        memories.records(),
        Pages.Ask.of(request, index, request.getWorkspaceId(), true),
        record -> MemoryStore.listed(caller, record));
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
    String workspace = workspaceOf(write, caller, request);
    if (workspace.isEmpty()) {
      caller.needWholeTenant();
    }
    if (request.getContent().hasArtifactRef()) {
      needArtifact(write, caller, request.getContent().getArtifactRef().getArtifactId());
    }
    Memory memory = Members.made(write, write.id("memory"), request, Memory.getDefaultInstance());
    memories.insert(
        write, MemoryRecord.newBuilder().setMemory(memory).setWorkspaceId(workspace).build());
    tell(write, memory, workspace, EventKinds.MEMORY_CREATED);
    return memory;
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
        response, store.read(tr -> memories.need(tr, caller, request.getMemoryId()).getMemory()));
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
    if (MemoryStore.lives(before)) {
      memories.bury(write, before);
      tell(write, before.getMemory(), before.getWorkspaceId(), EventKinds.MEMORY_DELETED);
    }
    return DeleteMemoryResponse.getDefaultInstance();
  }

  private void tell(Write write, Memory memory, String workspace, String kind) {
    Payload facts =
        Payload.of()
            .json(
                "scope",
                ResourceJson.member(memory, memory.getDescriptorForType().findFieldByName("scope")))
            .text("owner_id", memory.getOwnerId());
    events.ofResource(
        write,
        workspace,
        "",
        RecordKind.MEMORY.name(),
        memory.getId(),
        memory.getId(),
        EventDraft.of(kind, facts));
  }
}
