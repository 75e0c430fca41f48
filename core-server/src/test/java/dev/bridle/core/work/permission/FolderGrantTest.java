package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.core.work.redaction.ErasedContent;
import dev.bridle.permission.v1.GetPermissionGrantRequest;
import dev.bridle.permission.v1.OfferedGrant;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.RevokePermissionGrantRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.TaskLease;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Grants for edits below a folder; {@link GrantModelTest} has what they cover in all detail. */
class FolderGrantTest extends AskedTasks {
  private static final String ROOT = "/home/ada/project";

  private String folderSession() {
    String workspace = core.hostedFolder(ROOT);
    return SessionServiceGrpc.newBlockingStub(core.owner())
        .createSession(CreateSessionRequest.newBuilder().setWorkspaceId(workspace).build())
        .getId();
  }

  private static RequestPermissionRequest.Builder edit(TaskLease lease, String... files) {
    RequestPermissionRequest.Builder wanted = wanted(lease, "edit", "x");
    wanted
        .getActionBuilder()
        .setKind("edit")
        .setContent(ByteString.copyFromUtf8("{}"))
        .addAllEditedFiles(List.of(files));
    return wanted;
  }

  private String grant() {
    session = folderSession();
    String asked = ask(edit(begin(), ROOT + "/src/A.java")).getRequestId();
    PermissionRequest answered =
        respond("ada", said(asked).setApproved(true).setGrant("edits_below"));
    var unused = next(answered.getTaskId());
    return answered.getResponse().getGrantId();
  }

  @Test
  void theOfferNamesTheFolderOfTheFileAndIsPartOfWhatIsHashed() {
    session = folderSession();

    PermissionRequest request = read(ask(edit(begin(), ROOT + "/src/A.java")).getRequestId());

    assertThat(request.getAction().getEditedFilesList()).containsExactly(ROOT + "/src/A.java");
    OfferedGrant offer = request.getRequest().getOfferedGrants(5);
    assertThat(offer.getId()).isEqualTo("edits_below");
    assertThat(offer.getFolder()).isEqualTo(ROOT + "/src");
    assertThat(offer.getCovers()).contains(" " + ROOT + "/src ");
    assertThat(offer.hasUntil()).isTrue();
    PermissionRequest.Builder wider = request.toBuilder();
    wider.getRequestBuilder().getOfferedGrantsBuilder(5).setFolder(ROOT);
    assertThat(ActionHashes.shown(wider.build()))
        .isNotEqualTo(ActionHashes.shown(request))
        .isNotEqualTo(request.getRequest().getContentHash());
  }

  @Test
  void anotherSessionMayEditInTheFolderAndTheRecordNamesTheGrant() {
    String grant = grant();
    session = folderSession();

    TaskLease lease = begin();
    assertThat(ask(edit(lease, ROOT + "/src/deep/B.java")).getGrantId()).isEqualTo(grant);
    assertThat(
            core.eventsOf(lease.getTask().getId()).stream()
                .filter(event -> event.getEvent().equals("vendor.bridle.permission_used"))
                .map(event -> event.getPayload().toStringUtf8()))
        .singleElement()
        .asString()
        .contains("\"grant_id\":\"" + grant + "\"", "\"scope\":\"edits\"", "/src/deep/B.java");
    assertThat(ask(edit(begin(), ROOT + "/src2/A.java")).getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);

    var revoked =
        people()
            .revokePermissionGrant(
                RevokePermissionGrantRequest.newBuilder().setGrantId(grant).build());
    assertThat(revoked.getFolder()).isEqualTo(ROOT + "/src");
    assertThat(ask(edit(begin(), ROOT + "/src/A.java")).getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
  }

  @Test
  void whatIsRedactedNamesNoFolderAndNoFile() {
    PermissionGrant grant =
        people()
            .getPermissionGrant(GetPermissionGrantRequest.newBuilder().setGrantId(grant()).build());
    PermissionRequest request = read(grant.getRequestId());
    ErasedContent erased = new ErasedContent("redaction_1");

    assertThat(erased.of(grant).toString()).contains("folder").doesNotContain(ROOT);
    assertThat(erased.of(request).toString()).doesNotContain(ROOT);
  }
}
