package dev.bridle.core.api.receipt;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.core.work.receipt.ReceiptIssuer;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.receipt.SessionTree;
import dev.bridle.core.work.receipt.SubjectReceipts;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.receipt.v1.ExportEvidenceRequest;
import dev.bridle.receipt.v1.ExportReceiptsRequest;
import dev.bridle.receipt.v1.GetInclusionProofRequest;
import dev.bridle.receipt.v1.GetReceiptKeysRequest;
import dev.bridle.receipt.v1.GetReceiptRequest;
import dev.bridle.receipt.v1.InclusionProof;
import dev.bridle.receipt.v1.IssueApprovalReceiptRequest;
import dev.bridle.receipt.v1.IssueArtifactReceiptRequest;
import dev.bridle.receipt.v1.ListReceiptsRequest;
import dev.bridle.receipt.v1.ListReceiptsResponse;
import dev.bridle.receipt.v1.ListTaskReceiptsRequest;
import dev.bridle.receipt.v1.Receipt;
import dev.bridle.receipt.v1.ReceiptExportPiece;
import dev.bridle.receipt.v1.ReceiptKeySet;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.receipt.v1.ReceiptVerification;
import dev.bridle.receipt.v1.VerifyReceiptRequest;
import dev.bridle.record.v1.ReceiptChainRecord;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.BlobStore;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Receipts (protocol section "Receipt"). */
public final class ReceiptService extends ReceiptServiceGrpc.ReceiptServiceImplBase {
  private final CoreContext context;
  private final KeyValueStore store;
  private final Commands commands;
  private final ReceiptStore receipts;
  private final ReceiptKeys keys;
  private final SubjectReceipts subjects;
  private final ReceiptResources resources;
  private final ReceiptVerifications verifications;
  private final String installation;

  public ReceiptService(CoreContext context, ReceiptKeys keys, ReceiptIssuer issuer) {
    this.context = context;
    this.store = context.store();
    this.commands = context.commands();
    this.receipts = new ReceiptStore(context.layout());
    this.keys = keys;
    this.installation = issuer.installation();
    this.subjects = new SubjectReceipts(context, issuer);
    this.resources = new ReceiptResources(context.layout());
    this.verifications = new ReceiptVerifications(context, receipts, resources, installation);
  }

  @Override
  public void listTaskReceipts(
      ListTaskReceiptsRequest request, StreamObserver<ListReceiptsResponse> response) {
    Caller caller = Caller.current();
    TaskStore tasks = new TaskStore(context.layout());
    Replies.send(
        response,
        store.read(
            tr -> {
              var unused = tasks.need(tr, caller, request.getTaskId());
              return list(
                  tr,
                  caller,
                  Pages.Ask.of(request, ReceiptStore.RECEIPTS_BY_TASK, request.getTaskId(), false),
                  record -> true);
            }));
  }

  @Override
  public void listReceipts(
      ListReceiptsRequest request, StreamObserver<ListReceiptsResponse> response) {
    Caller caller = Caller.current();
    Pages.Ask all = Pages.Ask.of(request, RecordDef.ALL, "", false);
    Pages.Ask ofSession =
        request.hasSessionId()
            ? Pages.Ask.of(request, RecordDef.BY_SESSION, request.getSessionId(), false)
            : all;
    Pages.Ask ask =
        request.hasTaskId()
            ? Pages.Ask.of(request, ReceiptStore.RECEIPTS_BY_TASK, request.getTaskId(), false)
            : ofSession;
    Predicate<ReceiptRecord> ofBoth =
        record -> !request.hasSessionId() || record.getSessionId().equals(request.getSessionId());
    Replies.send(response, store.read(tr -> list(tr, caller, ask, ofBoth)));
  }

  private ListReceiptsResponse list(
      ReadTransaction tr, Caller caller, Pages.Ask ask, Predicate<ReceiptRecord> which) {
    Pages.Page<ReceiptRecord> page =
        context
            .pages()
            .read(
                tr,
                receipts.records(),
                ask,
                record -> caller.reaches(record.getWorkspaceId()) && which.test(record));
    ListReceiptsResponse.Builder list = ListReceiptsResponse.newBuilder().setPage(page.info());
    page.rows().forEach(row -> list.addData(resources.toResource(tr, caller.tenant(), row)));
    return list.build();
  }

  @Override
  public void getReceipt(GetReceiptRequest request, StreamObserver<Receipt> response) {
    Caller caller = Caller.current();
    Replies.send(
        response,
        store.read(
            tr ->
                resources.toResource(
                    tr, caller.tenant(), receipts.need(tr, caller, request.getReceiptId()))));
  }

  @Override
  public void verifyReceipt(
      VerifyReceiptRequest request, StreamObserver<ReceiptVerification> response) {
    Caller caller = Caller.current();
    String id = request.getReceiptId();
    Replies.send(
        response,
        commands.run(
            request,
            id,
            write -> receipts.need(write.tr(), caller, id).getWorkspaceId(),
            write -> verifications.verify(write, receipts.need(write.tr(), caller, id), request),
            ReceiptVerification.getDefaultInstance()));
  }

  @Override
  public void getInclusionProof(
      GetInclusionProofRequest request, StreamObserver<InclusionProof> response) {
    Caller caller = Caller.current();
    Replies.send(response, store.read(tr -> proof(tr, caller, request)));
  }

  private InclusionProof proof(
      ReadTransaction tr, Caller caller, GetInclusionProofRequest request) {
    ReceiptRecord record = receipts.need(tr, caller, request.getReceiptId());
    ReceiptChainRecord chain =
        receipts
            .chain(tr, caller.tenant(), record.getSessionId())
            .filter(found -> !found.getPartial())
            .orElseThrow(() -> incomplete(record));
    long size = request.hasTreeSize() ? request.getTreeSize() : chain.getCount();
    if (size <= record.getIndex() || size > chain.getCount()) {
      throw ProtocolException.invalid(
          "tree_size", "must be from " + (record.getIndex() + 1) + " to " + chain.getCount());
    }
    SessionTree tree = new SessionTree(receipts, tr, caller.tenant(), record.getSessionId());
    try {
      InclusionProof.Builder proof =
          InclusionProof.newBuilder()
              .setReceiptId(record.getId())
              .setReceiptHash(ReceiptStore.hash(record.getHash()).toString())
              .setIndex(record.getIndex())
              .setTreeSize(size)
              .setMerkleRoot(tree.peaks(size).root().toString());
      tree.path(record.getIndex(), size).stream().map(Sha256::toString).forEach(proof::addPath);
      return proof.build();
    } catch (SessionTree.MissingNodeException e) {
      throw incomplete(record);
    }
  }

  private static ProtocolException incomplete(ReceiptRecord record) {
    return ProtocolException.notFound("chain of session", record.getSessionId());
  }

  @Override
  public void exportReceipts(
      ExportReceiptsRequest request, StreamObserver<ReceiptExportPiece> response) {
    Caller caller = Caller.current();
    Optional<String> session =
        request.hasSessionId() ? Optional.of(request.getSessionId()) : Optional.empty();
    SessionStore sessions = new SessionStore(context.layout(), context.log());
    session.ifPresent(id -> store.read(tr -> sessions.need(tr, caller, id)));
    ServerCallStreamObserver<ReceiptExportPiece> call =
        (ServerCallStreamObserver<ReceiptExportPiece>) response;
    call.setOnReadyHandler(
        new ReceiptExportStream(context, receipts, signed(caller), caller, session, call)::pump);
  }

  @Override
  public void exportEvidence(
      ExportEvidenceRequest request, StreamObserver<ReceiptExportPiece> response) {
    Caller caller = Caller.current();
    ReceiptRecord record = store.read(tr -> receipts.need(tr, caller, request.getReceiptId()));
    ServerCallStreamObserver<ReceiptExportPiece> call =
        (ServerCallStreamObserver<ReceiptExportPiece>) response;
    call.setOnReadyHandler(
        new EvidenceStream(context, receipts, signed(caller), caller, record, call)::pump);
  }

  private SignedLines signed(Caller caller) {
    return new SignedLines(context, keys, installation, caller);
  }

  @Override
  public void getReceiptKeys(
      GetReceiptKeysRequest request, StreamObserver<ReceiptKeySet> response) {
    Replies.send(
        response,
        ReceiptKeySet.newBuilder()
            .setDocument(ByteString.copyFrom(keys.published().toJson()))
            .build());
  }

  @Override
  public void issueApprovalReceipt(
      IssueApprovalReceiptRequest request, StreamObserver<Receipt> response) {
    Caller caller = Caller.current();
    PermissionStore permissions = new PermissionStore(context.layout());
    String id = request.getRequestId();
    Function<Write, PermissionRequest> asked =
        write -> permissions.needRequest(write.tr(), caller, id);
    Replies.send(
        response,
        commands.run(
            request,
            id,
            write -> asked.apply(write).getWorkspaceId(),
            write -> toResource(write, subjects.ofApproval(write, caller, asked.apply(write))),
            Receipt.getDefaultInstance()));
  }

  @Override
  public void issueArtifactReceipt(
      IssueArtifactReceiptRequest request, StreamObserver<Receipt> response) {
    Caller caller = Caller.current();
    ArtifactStore artifacts = new ArtifactStore(context.layout(), new BlobStore(context.layout()));
    String id = request.getArtifactId();
    Function<Write, Artifact> named =
        write ->
            artifacts
                .withContent(write.tr(), caller, id)
                .orElseThrow(
                    () ->
                        ProtocolException.of(
                            ErrorCode.ERROR_CODE_CONFLICT,
                            "The artifact has no content yet, which a receipt would prove."));
    Replies.send(
        response,
        commands.run(
            request,
            id,
            write -> named.apply(write).getWorkspaceId(),
            write -> toResource(write, subjects.ofArtifact(write, caller, named.apply(write))),
            Receipt.getDefaultInstance()));
  }

  private Receipt toResource(Write write, ReceiptRecord record) {
    return resources.toResource(write.tr(), write.tenant(), record);
  }
}
