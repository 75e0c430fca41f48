package dev.bridle.core.work.permission;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.permission.v1.PermissionRepeatReason;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ModifiedAnswerTest extends AskedTasks {
  private static final PermissionVerdict ALLOWED = PermissionVerdict.PERMISSION_VERDICT_ALLOWED;
  private static final PermissionVerdict WAITING = PermissionVerdict.PERMISSION_VERDICT_WAITING;
  private static final ByteString ASKED = json("{ \"force\": true, \"path\": \"b.txt\" }");
  private static final ByteString OTHER = json("{\"path\":\"a.txt\",\"force\":false}");

  @Test
  void theActionIsAllowedWithTheArgumentsOfTheAnswerAndNotAsItWasAskedFor() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    String id = ask(change(lease, "s")).getRequestId();
    assertThat(read(id).getRequest().getAcceptsModified()).isTrue();
    assertThat(read(id).getRequest().getArgumentsMember()).isEqualTo("input");

    PermissionRequest approved = respond("ada", modified(id, OTHER));

    String fingerprint = approved.getResponse().getFingerprint();
    assertThat(approved.getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
    assertThat(approved.getResponse().getArguments()).isEqualTo(OTHER);
    assertThat(approved.getResponse().getAnswers(0).getArguments()).isEqualTo(OTHER);
    TaskLease rerun = next(task);
    RequestPermissionResponse allowed = ask(change(rerun, "s"));
    assertThat(allowed.getVerdict()).isEqualTo(ALLOWED);
    assertThat(allowed.getRequestId()).isEqualTo(id);
    assertThat(allowed.getArguments()).isEqualTo(OTHER);
    assertThat(ask(change(rerun, "s"))).as("the same call again").isEqualTo(allowed);
    for (String kind : List.of("tool.approved", "vendor.bridle.permission_used")) {
      assertThat(payload(task, kind))
          .contains("\"fingerprint\":\"" + fingerprint + "\"")
          .contains("\"arguments\":" + OTHER.toStringUtf8());
    }
    TaskLease other = begin();
    assertThat(pendingOf(other.getTask().getId(), direct(other, "d")))
        .as("the fingerprint is that of the action with these arguments")
        .isEqualTo(fingerprint);
  }

  @Test
  void theModifiedActionFindsItsApprovalWhichIsUsedOnce() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    String id = ask(change(lease, "before")).getRequestId();
    respond("ada", modified(id, OTHER));
    TaskLease rerun = next(task);

    RequestPermissionResponse allowed = ask(direct(rerun, "after"));
    assertThat(allowed.getVerdict()).isEqualTo(ALLOWED);
    assertThat(allowed.getRequestId()).isEqualTo(id);
    assertThat(allowed.hasArguments()).as("it asks for what was approved").isFalse();
    assertThat(ask(direct(rerun, "after"))).as("the same call again").isEqualTo(allowed);
    var unused = core.workers().failTask(TestCore.failure(rerun, true));

    TaskLease third = next(task);
    RequestPermissionResponse again = ask(direct(third, "after"));
    assertThat(again.getVerdict()).isEqualTo(WAITING);
    assertThat(read(again.getRequestId()).getRequest().getRepeats().getReason())
        .isEqualTo(PermissionRepeatReason.PERMISSION_REPEAT_REASON_OUTCOME_UNKNOWN);
    assertThat(read(again.getRequestId()).getRequest().getRepeats().getRequestId()).isEqualTo(id);
  }

  @Test
  void aWorkerThatDoesNotObeyOtherArgumentsIsAskedAboutAnew() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    respond("ada", modified(ask(change(lease, "s")).getRequestId(), OTHER));
    TaskLease rerun = next(task);

    RequestPermissionResponse asked =
        ask(change(rerun, "s").clearAcceptsModified().clearArgumentsMember());
    assertThat(asked.getVerdict()).isEqualTo(WAITING);
    assertThat(read(asked.getRequestId()).getRequest().hasRepeats()).isFalse();
    assertThat(read(asked.getRequestId()).getRequest().hasAcceptsModified()).isFalse();
    approve("ada", asked.getRequestId());

    RequestPermissionResponse allowed =
        ask(change(next(task), "s").clearAcceptsModified().clearArgumentsMember());
    assertThat(allowed.getVerdict()).isEqualTo(ALLOWED);
    assertThat(allowed.hasArguments()).isFalse();
  }

  @Test
  void theArgumentsThatWereAskedForChangeNothing() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    String id = ask(change(lease, "s")).getRequestId();

    PermissionRequest approved = respond("ada", modified(id, ASKED));

    assertThat(approved.getResponse().hasArguments()).isFalse();
    assertThat(approved.getResponse().hasFingerprint()).isFalse();
    assertThat(ask(change(next(task), "s")).hasArguments()).isFalse();
  }

  @Test
  void allApprovalsHaveTheSameArguments() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    String id = ask(change(lease, "s").setApproversRequired(2)).getRequestId();
    respond("ada", modified(id, OTHER));
    PermissionRequest before = read(id);
    int events = core.eventsOf(task).size();

    for (RespondPermissionRequestRequest.Builder differs :
        List.of(said(id).setApproved(true), modified(id, json("{\"path\":\"c.txt\"}")))) {
      assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "arguments", () -> respond("ben", differs));
    }
    assertThat(read(id)).isEqualTo(before);
    assertThat(core.eventsOf(task)).hasSize(events);

    PermissionRequest approved =
        respond("ben", modified(id, json("{\"force\":false, \"path\":\"a.txt\"}")));
    assertThat(approved.getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
    assertThat(ask(change(next(task), "s").setApproversRequired(2)).getArguments())
        .isEqualTo(OTHER);
  }

  @Test
  void afterAnApprovalOfWhatWasAskedForNobodyChangesTheArgumentsButAnybodyDenies() {
    TaskLease lease = begin();
    String id = ask(change(lease, "s").setApproversRequired(2)).getRequestId();
    approve("ada", id);

    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT, "arguments", () -> respond("ben", modified(id, OTHER)));
    assertThat(deny("ben", id).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_DENIED);
    assertThat(read(id).getResponse().hasArguments()).isFalse();
  }

  @Test
  void anAnswerThatBreaksARuleHasNoEffect() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    String id = ask(change(lease, "s")).getRequestId();
    PermissionRequest before = read(id);
    int events = core.eventsOf(task).size();
    Map<String, RespondPermissionRequestRequest.Builder> wrong = new LinkedHashMap<>();
    wrong.put("a denial", modified(id, OTHER).setApproved(false));
    wrong.put("a denial by option", modified(id, OTHER).clearApproved().setOutcome("denied"));
    wrong.put("with a grant", modified(id, OTHER).setGrant("this_action"));
    wrong.put("with a grant, unchanged", modified(id, ASKED).setGrant("this_action"));
    wrong.put("a list", modified(id, json("[1]")));
    wrong.put("no JSON", modified(id, json("{\"a\":")));
    wrong.put("a member twice", modified(id, json("{\"a\":1,\"a\":2}")));
    wrong.put("too long", modified(id, json("{\"a\":\"" + "x".repeat(262_144) + "\"}")));
    wrong.put(
        "too long in its place", modified(id, json("{\"a\":\"" + "x".repeat(262_136) + "\"}")));

    wrong.forEach(
        (name, answer) ->
            assertRefused(
                ErrorCode.ERROR_CODE_INVALID_REQUEST, "arguments", () -> respond("ada", answer)));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "approved",
        () -> respond("ada", said(id).setArguments(OTHER)));

    assertThat(read(id)).isEqualTo(before);
    assertThat(core.eventsOf(task)).hasSize(events);
  }

  @Test
  void aRequestThatDoesNotSayThatItAcceptsOtherArgumentsGetsNone() {
    TaskLease lease = begin();
    String id =
        ask(change(lease, "s").clearAcceptsModified().clearArgumentsMember()).getRequestId();

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "arguments",
        () -> respond("ada", modified(id, OTHER)));

    assertThat(read(id).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
    assertThat(read(id).hasResponse()).isFalse();
  }

  @Test
  void aRequestNamesAnObjectOfItsContentOrIsRefused() {
    TaskLease lease = begin();
    for (RequestPermissionRequest.Builder wrong :
        List.of(
            change(lease, "s").clearArgumentsMember(),
            change(lease, "s").setArgumentsMember("tool"),
            change(lease, "s").clearAcceptsModified())) {
      assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "arguments_member", () -> ask(wrong));
    }
    RequestPermissionRequest.Builder byName =
        change(lease, "s")
            .clearArgumentsMember()
            .setAction(action("{\"arguments\":{\"path\":\"b.txt\"}}"));
    assertThat(read(ask(byName).getRequestId()).getRequest().getArgumentsMember())
        .isEqualTo("arguments");
  }

  @Test
  void aConfirmationAsAMessageHasArguments() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    ask(change(lease, "s"));
    var tasks = TaskServiceGrpc.newBlockingStub(core.owner());

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "message.parts.value.arguments",
        () ->
            tasks.appendTaskMessage(
                confirmation(task, "{\"approved\":true,\"arguments\":\"a.txt\"}")));
    var unused =
        tasks.appendTaskMessage(
            confirmation(task, "{\"approved\":true,\"arguments\":{\"force\":1.50}}"));

    assertThat(ask(change(next(task), "s")).getArguments()).isEqualTo(json("{\"force\":1.50}"));
  }

  @Test
  void theContentHashCoversTheMetadataAndWhatMayBeReplacedAndTheFingerprintDoesNot() {
    PermissionRequest plain = asked(wanted -> wanted.setMetadata(json("{ }")));
    PermissionRequest told = asked(wanted -> wanted.setMetadata(json("{\"why\":\"tests\"}")));

    assertThat(plain.getMetadata().isEmpty()).as("an empty object says nothing").isTrue();
    assertThat(told.getMetadata()).isEqualTo(json("{\"why\":\"tests\"}"));
    assertThat(told.getAction().getFingerprint()).isEqualTo(plain.getAction().getFingerprint());
    assertThat(payload(told.getTaskId(), "tool.approval_required"))
        .contains("\"metadata\":{\"why\":\"tests\"}");
    PermissionRequest.Builder member = plain.toBuilder();
    member.getRequestBuilder().setArgumentsMember("tool");
    PermissionRequest.Builder fixed = plain.toBuilder();
    fixed.getRequestBuilder().clearAcceptsModified().clearArgumentsMember();
    assertThat(ActionHashes.shown(plain)).isEqualTo(plain.getRequest().getContentHash());
    assertThat(
            List.of(
                plain,
                plain.toBuilder().setMetadata(told.getMetadata()).build(),
                member.build(),
                fixed.build()))
        .extracting(ActionHashes::shown)
        .doesNotHaveDuplicates();
    TaskLease lease = begin();
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "metadata",
        () -> ask(change(lease, "s").setMetadata(json("{\"a\":\"" + "x".repeat(65_536) + "\"}"))));
  }

  @Test
  void aReceiptSaysThatTheArgumentsWereOthersAndNotWhich() {
    TaskLease lease = begin();
    PermissionRequest approved =
        respond("ada", modified(ask(change(lease, "s")).getRequestId(), OTHER));

    assertThat(ApprovalFacts.part(approved, 0).at("/quorum_proof/modified").asBoolean()).isTrue();
    assertThat(ApprovalFacts.part(approved, 0).toString())
        .doesNotContain("a.txt", approved.getResponse().getFingerprint());
  }

  private PermissionRequest asked(UnaryOperator<RequestPermissionRequest.Builder> how) {
    return read(ask(how.apply(change(begin(), "s"))).getRequestId());
  }

  private String pendingOf(String task, RequestPermissionRequest.Builder wanted) {
    assertThat(ask(wanted).getVerdict()).isEqualTo(WAITING);
    return pendingOf(task).getAction().getFingerprint();
  }

  private String payload(String task, String kind) {
    return core.eventsOf(task).stream()
        .filter(event -> event.getEvent().equals(kind))
        .map(event -> event.getPayload().toStringUtf8())
        .findFirst()
        .orElseThrow();
  }

  private static RequestPermissionRequest.Builder change(TaskLease lease, String step) {
    return WorkerRequests.permission(lease, step)
        .setAction(action("{\"tool\":\"rm\",\"input\":{\"path\":\"b.txt\",\"force\":true}}"))
        .setAcceptsModified(true)
        .setArgumentsMember("input");
  }

  /** Asks for exactly what the answers here approve. */
  private static RequestPermissionRequest.Builder direct(TaskLease lease, String step) {
    return WorkerRequests.permission(lease, step)
        .setAction(action("{\"tool\":\"rm\",\"input\":" + OTHER.toStringUtf8() + "}"));
  }

  private static AskedAction action(String content) {
    return AskedAction.newBuilder()
        .setKind("tool_call")
        .setTool("rm")
        .setContent(json(content))
        .build();
  }

  private static RespondPermissionRequestRequest.Builder modified(String id, ByteString arguments) {
    return said(id).setApproved(true).setArguments(arguments);
  }

  private static ByteString json(String value) {
    return ByteString.copyFromUtf8(value);
  }
}
