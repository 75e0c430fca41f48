package dev.bridle.core.api.workspace;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.resource.TenantLimits;
import dev.bridle.core.kernel.validate.FreeFormJson;
import dev.bridle.core.work.quota.QuotaStore;
import dev.bridle.core.work.workspace.FilePath;
import dev.bridle.core.work.workspace.FilesByRoot;
import dev.bridle.core.work.workspace.MachineFolder;
import dev.bridle.core.work.workspace.PathContent;
import dev.bridle.core.work.workspace.WorkspaceEvents;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.quota.v1.QuotaScope;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.GetWorkspaceRequest;
import dev.bridle.workspace.v1.ListWorkspacesRequest;
import dev.bridle.workspace.v1.ListWorkspacesResponse;
import dev.bridle.workspace.v1.ReadWorkspaceFileRequest;
import dev.bridle.workspace.v1.ReadWorkspaceFileResponse;
import dev.bridle.workspace.v1.UpdateWorkspaceRequest;
import dev.bridle.workspace.v1.Workspace;
import dev.bridle.workspace.v1.WorkspaceFile;
import dev.bridle.workspace.v1.WorkspaceFileListing;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import dev.bridle.workspace.v1.WriteWorkspaceFileRequest;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** Workspaces (protocol section "Workspace"). */
public final class WorkspaceService extends WorkspaceServiceGrpc.WorkspaceServiceImplBase {
  private final KeyValueStore store;
  private final Commands commands;
  private final WorkspaceStore workspaces;
  private final WorkspaceConnectorIds connectors;
  private final FilesByRoot files;
  private final QuotaStore quotas;
  private final Events events;
  private final Pages pages;
  private final int most;

  public WorkspaceService(CoreContext context, FilesByRoot files) {
    this.store = context.store();
    this.commands = context.commands();
    this.workspaces = new WorkspaceStore(context.layout());
    this.connectors = new WorkspaceConnectorIds(context.layout());
    this.files = files;
    this.quotas = new QuotaStore(context.layout());
    this.events = context.events();
    this.pages = context.pages();
    this.most = context.settings(TenantLimits.class).workspaces();
  }

  @Override
  public void listWorkspaces(
      ListWorkspacesRequest request, StreamObserver<ListWorkspacesResponse> response) {
    Caller caller = Caller.current();
    ListWorkspacesResponse listed =
        store.read(
            tr -> {
              Pages.Page<Workspace> page =
                  pages.read(
                      tr,
                      workspaces.records(),
                      Pages.Ask.of(request, WorkspaceStore.ALL, "", true),
                      workspace -> caller.reaches(workspace.getId()));
              ListWorkspacesResponse.Builder list =
                  ListWorkspacesResponse.newBuilder().setPage(page.info());
              page.rows()
                  .forEach(
                      row -> list.addData(connectors.withConnectors(tr, caller.tenant(), row)));
              return list.build();
            });
    Replies.send(response, listed);
  }

  @Override
  public void createWorkspace(CreateWorkspaceRequest request, StreamObserver<Workspace> response) {
    Caller.current().needWholeTenant();
    Workspace made =
        commands.run(
            request,
            "",
            write -> "",
            write -> create(write, request),
            Workspace.getDefaultInstance());
    Replies.send(response, made);
  }

  private Workspace create(Write write, CreateWorkspaceRequest request) {
    refuseMachineFolder(request);
    var unused = files.of(request.getRoot());
    refuseUnenforced(request);
    TenantLimits.needRoom(write, workspaces.records(), WorkspaceStore.WORKSPACE, most);
    Timestamp now = Timestamps.fromMillis(write.nowMillis());
    Workspace.Builder workspace =
        Workspace.newBuilder()
            .setId(write.id("workspace"))
            .setCreatedAt(now)
            .setUpdatedAt(now)
            .setMetadata(request.getMetadata())
            .setName(request.getName())
            .setRoot(request.getRoot())
            .setTenantId(write.tenant());
    if (request.hasQuotaId()) {
      needQuota(write, request.getQuotaId());
      workspace.setQuotaId(request.getQuotaId());
    }
    Workspace made = workspace.build();
    workspaces.insert(write, made);
    events.ofWorkspace(write, made.getId(), WorkspaceEvents.created(made));
    return made;
  }

  private void needQuota(Write write, String id) {
    quotas.needBinding(write.tr(), Caller.current(), id, QuotaScope.QUOTA_SCOPE_WORKSPACE);
  }

  private static void refuseMachineFolder(CreateWorkspaceRequest request) {
    if (MachineFolder.isRoot(request.getRoot())) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PERMISSION_DENIED,
              "Only the operator of the machine opens one of its folders as a workspace, with"
                  + " 'bridle run'.")
          .blaming("root");
    }
  }

  /**
   * Rejects environments that the server does not create, and protections that it does not enforce.
   */
  private static void refuseUnenforced(CreateWorkspaceRequest request) {
    if (!request.getImage().isEmpty()) {
      throw ProtocolException.unsupported(
          "image",
          "this server starts no containers; leave it out and start the agents in their image");
    }
    if (request.getPackagesCount() > 0) {
      throw ProtocolException.unsupported(
          "packages",
          "this server installs nothing; leave it out and install them where the agents run");
    }
    if (!FreeFormJson.isEmptyObject(request.getNetworkPolicy())) {
      throw ProtocolException.unsupported(
          "network_policy",
          "this server enforces no network policy; leave it out and restrict the"
              + " network where the agents run");
    }
    if (request.hasSandboxBackend()) {
      throw ProtocolException.unsupported(
          "sandbox_backend",
          "this server runs no sandboxes; leave it out and isolate the agents" + " where they run");
    }
  }

  @Override
  public void getWorkspace(GetWorkspaceRequest request, StreamObserver<Workspace> response) {
    Caller caller = Caller.current();
    Replies.send(
        response,
        store.read(
            tr ->
                connectors.withConnectors(
                    tr, caller.tenant(), workspaces.need(tr, caller, request.getWorkspaceId()))));
  }

  @Override
  public void updateWorkspace(UpdateWorkspaceRequest request, StreamObserver<Workspace> response) {
    Caller caller = Caller.current();
    String id = request.getWorkspaceId();
    Workspace changed =
        commands.run(
            request,
            id,
            write -> workspaces.need(write.tr(), caller, id).getId(),
            write -> update(write, workspaces.need(write.tr(), caller, id), request),
            Workspace.getDefaultInstance());
    Replies.send(response, changed);
  }

  private Workspace update(Write write, Workspace before, UpdateWorkspaceRequest request) {
    Workspace.Builder after = before.toBuilder();
    Payload changes = Payload.of();
    for (String member : request.getUpdateMask().getPathsList()) {
      switch (member) {
        case "name" -> {
          if (request.getName().isEmpty()) {
            throw ProtocolException.invalid("name", "must not be empty");
          }
          after.setName(request.getName());
          changes.text("name", request.getName());
        }
        case "capabilities" ->
            after.clearCapabilities().addAllCapabilities(request.getCapabilitiesList());
        case "quota_id" -> {
          if (request.hasQuotaId()) {
            needQuota(write, request.getQuotaId());
            after.setQuotaId(request.getQuotaId());
          } else {
            after.clearQuotaId();
          }
          changes.anyText(
              "quota_id", after.hasQuotaId() ? Optional.of(after.getQuotaId()) : Optional.empty());
        }
        case "metadata" -> {
          after.setMetadata(request.getMetadata());
          changes.json("metadata", request.getMetadata());
        }
        default -> {} // Other members of the mask are ignored.
      }
    }
    after.setUpdatedAt(Timestamps.fromMillis(write.nowMillis()));
    Workspace workspace = after.build();
    workspaces.update(write, before, workspace);
    events.ofWorkspace(
        write, workspace.getId(), EventDraft.of(EventKinds.WORKSPACE_UPDATED, changes));
    return connectors.withConnectors(write.tr().snapshot(), write.tenant(), workspace);
  }

  @Override
  public void readWorkspaceFile(
      ReadWorkspaceFileRequest request, StreamObserver<ReadWorkspaceFileResponse> response) {
    Caller caller = Caller.current();
    FilePath path = FilePath.parse(request.getPath());
    String id = request.getWorkspaceId();
    Replies.send(
        response,
        store.read(
            tr -> {
              Workspace workspace = workspaces.need(tr, caller, id);
              return files
                  .of(workspace.getRoot())
                  .find(tr, caller.tenant(), workspace, path)
                  .map(found -> toResponse(id, path, found))
                  .orElseThrow(WorkspaceService::absent);
            }));
  }

  private static ProtocolException absent() {
    return ProtocolException.of(
            ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "There is no such file or directory.")
        .blaming("path");
  }

  private static ReadWorkspaceFileResponse toResponse(
      String workspace, FilePath path, PathContent found) {
    if (found instanceof PathContent.TextFile file) {
      return ReadWorkspaceFileResponse.newBuilder()
          .setFile(file(workspace, path, file.bytes()).setContent(file.content()))
          .build();
    }
    return ReadWorkspaceFileResponse.newBuilder()
        .setListing(
            WorkspaceFileListing.newBuilder()
                .setWorkspaceId(workspace)
                .setPath(path.displayText())
                .addAllEntries(((PathContent.Directory) found).entries()))
        .build();
  }

  @Override
  public void writeWorkspaceFile(
      WriteWorkspaceFileRequest request, StreamObserver<WorkspaceFile> response) {
    Caller caller = Caller.current();
    FilePath path = FilePath.parse(request.getPath());
    if (path.isRoot()) {
      throw ProtocolException.invalid("path", "must name a file");
    }
    String id = request.getWorkspaceId();
    byte[] content = request.getContent().getBytes(StandardCharsets.UTF_8);
    byte[] sha256 = sha256(content);
    WorkspaceFile written =
        commands.run(
            request,
            id,
            write -> workspaces.need(write.tr(), caller, id).getId(),
            write -> {
              Workspace workspace = workspaces.need(write.tr(), caller, id);
              files.of(workspace.getRoot()).write(write, workspace, path, content, sha256);
              events.ofWorkspace(write, id, written(path, content.length, sha256, request));
              return file(id, path, content.length).build();
            },
            WorkspaceFile.getDefaultInstance());
    Replies.send(response, written);
  }

  private static EventDraft written(
      FilePath path, long bytes, byte[] sha256, WriteWorkspaceFileRequest request) {
    return EventDraft.of(
        EventKinds.WORKSPACE_FILE_WRITTEN,
        Payload.of()
            .text("path", path.text())
            .number("size", bytes)
            .text("sha256", HexFormat.of().formatHex(sha256))
            .json("metadata", request.getMetadata()));
  }

  private static WorkspaceFile.Builder file(String workspace, FilePath path, long bytes) {
    return WorkspaceFile.newBuilder()
        .setWorkspaceId(workspace)
        .setPath(path.text())
        .setEncoding("utf-8")
        .setBytes(bytes);
  }

  private static byte[] sha256(byte[] content) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
