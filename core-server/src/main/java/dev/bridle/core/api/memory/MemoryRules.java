package dev.bridle.core.api.memory;

import com.google.protobuf.Message;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.DeleteRules;
import dev.bridle.core.kernel.resource.ResourceDef;
import dev.bridle.core.kernel.validate.FreeFormJson;
import dev.bridle.core.kernel.visibility.HiddenContent;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.memory.MemoryEvents;
import dev.bridle.core.work.memory.MemoryStore;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.memory.v1.CreateMemoryRequest;
import dev.bridle.memory.v1.ListMemoriesRequest;
import dev.bridle.memory.v1.Memory;
import dev.bridle.memory.v1.MemoryServiceGrpc;
import dev.bridle.record.v1.MemoryRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.BlobStore;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The rules of memories as a resource (protocol section "Memory"). Events of memories name the
 * owner and never the content, so that a deleted memory leaves no copy in transcripts or the log.
 */
public final class MemoryRules implements DeleteRules<MemoryRecord, Memory> {
  private final WorkspaceStore workspaces;
  private final SessionStore sessions;
  private final ArtifactStore artifacts;
  private final MemoryOwners owners;

  private MemoryRules(CoreContext context) {
    this.workspaces = new WorkspaceStore(context.layout());
    this.sessions = new SessionStore(context.layout(), context.log());
    this.artifacts = new ArtifactStore(context.layout(), new BlobStore(context.layout()));
    this.owners = new MemoryOwners(context);
  }

  /** Returns the definition of the resource. */
  public static ResourceDef<MemoryRecord, Memory> resource(CoreContext context) {
    return ResourceDef.of(
        MemoryStore.MEMORY,
        MemoryServiceGrpc.getServiceDescriptor(),
        Memory.getDefaultInstance(),
        MemoryRecord::getMemory,
        new MemoryRules(context));
  }

  /** Does nothing: the owner decides on access, see {@link #create}. */
  @Override
  public void admit(Caller caller) {}

  @Override
  public String workspaceOfNew(ReadTransaction tr, Caller caller, Message request) {
    CreateMemoryRequest asked = (CreateMemoryRequest) request;
    return owners.workspaceOf(tr, caller, asked.getScope(), asked.getOwnerId());
  }

  @Override
  public String workspaceOf(MemoryRecord record) {
    return record.getWorkspaceId();
  }

  @Override
  public Predicate<MemoryRecord> visible(ReadTransaction tr, Caller caller) {
    return record -> MemoryStore.reached(caller, record);
  }

  @Override
  public boolean deleted(MemoryRecord record) {
    return MemoryStore.buried(record);
  }

  @Override
  public boolean lives(MemoryRecord record, long nowMillis) {
    return MemoryStore.lives(record, nowMillis);
  }

  @Override
  public Optional<Pages.Ask> list(ReadTransaction tr, Caller caller, Message request) {
    ListMemoriesRequest asked = (ListMemoriesRequest) request;
    if (asked.hasWorkspaceId() && workspaces.find(tr, caller, asked.getWorkspaceId()).isEmpty()) {
      return Optional.empty();
    }
    if (!asked.hasSessionId()) {
      int index = asked.hasWorkspaceId() ? RecordDef.BY_WORKSPACE : RecordDef.ALL;
      return Optional.of(Pages.Ask.of(request, index, asked.getWorkspaceId(), true));
    }
    Optional<Session> session = sessions.find(tr, caller, asked.getSessionId());
    return session
        .filter(of -> !asked.hasWorkspaceId() || asked.getWorkspaceId().equals(of.getWorkspaceId()))
        .map(of -> Pages.Ask.of(request, RecordDef.BY_SESSION, of.getId(), true));
  }

  @Override
  public MemoryRecord create(Write write, Caller caller, Message request, Memory memory) {
    CreateMemoryRequest asked = (CreateMemoryRequest) request;
    refuseUnenforced(write, asked);
    String workspace = workspaceOfNew(write.tr(), caller, request);
    if (workspace.isEmpty()) {
      caller.needWholeTenant();
    }
    if (asked.getContent().hasArtifactRef()) {
      needArtifact(write, caller, asked.getContent().getArtifactRef().getArtifactId());
    }
    return MemoryRecord.newBuilder()
        .setMemory(HiddenContent.sealed(write, memory))
        .setWorkspaceId(workspace)
        .build();
  }

  /** Rejects a protection that the server does not enforce, and an expiry in the past. */
  private static void refuseUnenforced(Write write, CreateMemoryRequest request) {
    if (!FreeFormJson.isEmptyObject(request.getRedactionPolicy())) {
      throw ProtocolException.unsupported(
          "redaction_policy",
          "this server redacts no memories; leave it out, and store what is" + " redacted already");
    }
    if (request.hasExpiresAt()
        && Timestamps.toMillis(request.getExpiresAt()) <= write.nowMillis()) {
      throw ProtocolException.invalid("expires_at", "must lie in the future");
    }
  }

  private void needArtifact(Write write, Caller caller, String id) {
    try {
      var unused = artifacts.need(write.tr(), caller, id);
    } catch (ProtocolException absent) {
      throw absent.blaming("content.artifact_id");
    }
  }

  @Override
  public MemoryRecord delete(Write write, Caller caller, MemoryRecord before) {
    if (before.getWorkspaceId().isEmpty()) {
      caller.needWholeTenant();
    }
    return MemoryStore.tombstone(write, before);
  }

  /** Succeeds: deleting a deleted memory is idempotent. */
  @Override
  public void deleteAgain(Caller caller, MemoryRecord before, ProtocolException absent) {
    if (before.getWorkspaceId().isEmpty()) {
      caller.needWholeTenant();
    }
  }

  /** Returns the memory with its owner's workspace. */
  @Override
  public Memory shown(
      ReadTransaction tr, String tenant, MemoryRecord record, Memory memory, long nowMillis) {
    return record.getWorkspaceId().isEmpty()
        ? memory
        : memory.toBuilder().setWorkspaceId(record.getWorkspaceId()).build();
  }

  @Override
  public Payload created(Memory memory) {
    return MemoryEvents.facts(memory);
  }

  @Override
  public Payload deletedFacts(Memory memory) {
    return MemoryEvents.facts(memory);
  }
}
