package dev.bridle.core.work.artifact;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactContent;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.artifact.v1.DownloadArtifactContentRequest;
import dev.bridle.artifact.v1.GetArtifactRequest;
import dev.bridle.artifact.v1.ListArtifactsRequest;
import dev.bridle.artifact.v1.ListArtifactsResponse;
import dev.bridle.artifact.v1.RegisterArtifactRequest;
import dev.bridle.artifact.v1.UploadArtifactContentRequest;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.visibility.Redactions;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.BlobStore;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/** Artifacts (protocol section "Message, part, and artifact"). */
public final class ArtifactService extends ArtifactServiceGrpc.ArtifactServiceImplBase {
  private final KeyValueStore store;
  private final Commands commands;
  private final ArtifactOwners owners;
  private final ArtifactStore artifacts;
  private final ArtifactUploads uploads;
  private final BlobStore blobs;
  private final ContentAccess access;
  private final ArtifactEvents events;
  private final Pages pages;
  private final TaskStore tasks;

  public ArtifactService(CoreContext context, ArtifactUploads uploads, TaskStores stores) {
    this.store = context.store();
    this.commands = context.commands();
    this.owners = new ArtifactOwners(context);
    this.blobs = new BlobStore(context.layout());
    this.artifacts = new ArtifactStore(context.layout(), blobs);
    this.uploads = uploads;
    this.access = new ContentAccess(stores.tasks());
    this.events = new ArtifactEvents(stores);
    this.pages = context.pages();
    this.tasks = stores.tasks();
  }

  @Override
  public void listArtifacts(
      ListArtifactsRequest request, StreamObserver<ListArtifactsResponse> response) {
    Caller caller = Caller.current();
    Replies.send(response, store.read(tr -> list(tr, caller, request)));
  }

  private ListArtifactsResponse list(
      ReadTransaction tr, Caller caller, ListArtifactsRequest request) {
    if (!owners.reachFilters(tr, caller, request)) {
      return ListArtifactsResponse.newBuilder().setPage(Pages.Page.none().info()).build();
    }
    Pages.Ask ask = Pages.Ask.of(request, ArtifactStore.ALL, "", true);
    if (request.hasTaskId()) {
      ask = Pages.Ask.of(request, ArtifactStore.TASK, request.getTaskId(), true);
    } else if (request.hasSessionId()) {
      ask = Pages.Ask.of(request, ArtifactStore.SESSION, request.getSessionId(), true);
    } else if (request.hasWorkspaceId()) {
      ask = Pages.Ask.of(request, ArtifactStore.WORKSPACE, request.getWorkspaceId(), true);
    }
    Pages.Page<ArtifactRecord> page =
        pages.read(
            tr,
            artifacts.records(),
            ask,
            record ->
                caller.reaches(record.getArtifact().getWorkspaceId())
                    && fits(record.getArtifact(), request));
    ListArtifactsResponse.Builder list = ListArtifactsResponse.newBuilder().setPage(page.info());
    page.rows().forEach(row -> list.addData(covered(tr, caller, row.getArtifact())));
    return list.build();
  }

  /** Returns an artifact with the receipt of its task, if that covers it. */
  private Artifact covered(ReadTransaction tr, Caller caller, Artifact artifact) {
    return tasks
        .receiptOf(tr, caller.tenant(), artifact.getTaskId(), artifact.getCreatedAt())
        .map(receipt -> artifact.toBuilder().setReceiptId(receipt).build())
        .orElse(artifact);
  }

  private static boolean fits(Artifact artifact, ListArtifactsRequest request) {
    return (!request.hasWorkspaceId() || artifact.getWorkspaceId().equals(request.getWorkspaceId()))
        && (!request.hasSessionId() || artifact.getSessionId().equals(request.getSessionId()));
  }

  @Override
  public void registerArtifact(RegisterArtifactRequest request, StreamObserver<Artifact> response) {
    Caller caller = Caller.current();
    Artifact made =
        commands.run(
            request,
            "",
            write -> owners.of(write.tr(), caller, request).workspace(),
            write -> register(write, owners.of(write.tr(), caller, request), request),
            Artifact.getDefaultInstance());
    Replies.send(response, made);
  }

  private Artifact register(
      Write write, ArtifactOwners.Owner owner, RegisterArtifactRequest request) {
    owner.needRunningTask();
    Timestamp now = Timestamps.fromMillis(write.nowMillis());
    Artifact.Builder artifact =
        Artifact.newBuilder()
            .setId(write.id("artifact"))
            .setCreatedAt(now)
            .setUpdatedAt(now)
            .setMetadata(request.getMetadata())
            .setKind(request.getKind())
            .setMimeType(request.getMimeType())
            .setVisibility(request.getVisibility())
            .setWorkspaceId(owner.workspace());
    owner.session().ifPresent(artifact::setSessionId);
    if (request.hasTaskId()) {
      artifact.setTaskId(request.getTaskId());
    }
    if (request.hasUri()) {
      artifact.setUri(request.getUri());
    }
    if (request.hasSha256()) {
      artifact.setSha256(request.getSha256());
    }
    Artifact made = artifact.build();
    artifacts.insert(write, ArtifactRecord.newBuilder().setArtifact(made).build());
    events.created(write, made);
    return made;
  }

  @Override
  public void getArtifact(GetArtifactRequest request, StreamObserver<Artifact> response) {
    Caller caller = Caller.current();
    Replies.send(
        response,
        store.read(tr -> covered(tr, caller, artifacts.need(tr, caller, request.getArtifactId()))));
  }

  @Override
  public void downloadArtifactContent(
      DownloadArtifactContentRequest request, StreamObserver<ArtifactContent> response) {
    Caller caller = Caller.current();
    ArtifactRecord record =
        store.read(
            tr -> {
              ArtifactRecord found = artifacts.needRecord(tr, caller, request.getArtifactId());
              access.need(tr, caller, found.getArtifact(), request);
              return found;
            });
    if (record.getBlobId().isEmpty()) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
              Redactions.isErased(record.getArtifact())
                  ? "The artifact's content was redacted."
                  : "The artifact has no content here.")
          .with("artifact_id", request.getArtifactId());
    }
    ServerCallStreamObserver<ArtifactContent> call =
        (ServerCallStreamObserver<ArtifactContent>) response;
    call.setOnReadyHandler(new Download(store, blobs, caller.tenant(), record, call)::pump);
  }

  @Override
  public StreamObserver<UploadArtifactContentRequest> uploadArtifactContent(
      StreamObserver<Artifact> response) {
    ServerCallStreamObserver<Artifact> call = (ServerCallStreamObserver<Artifact>) response;
    call.disableAutoRequest();
    call.request(1);
    return new UploadStream(uploads, Caller.current(), call);
  }
}
