package dev.bridle.core.work.permission;

import static dev.bridle.permission.v1.PermissionOptionKind.PERMISSION_OPTION_KIND_ALLOW_ALWAYS;
import static dev.bridle.permission.v1.PermissionOptionKind.PERMISSION_OPTION_KIND_ALLOW_ONCE;
import static dev.bridle.permission.v1.PermissionOptionKind.PERMISSION_OPTION_KIND_REJECT_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.Refusal;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.permission.v1.PermissionOptionKind;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Options of an agent, of which an answer chooses one. */
class OptionChoiceTest extends AskedTasks {
  private static final PermissionOption STAGING =
      option("staging", PERMISSION_OPTION_KIND_ALLOW_ONCE);
  private static final PermissionOption PRODUCTION =
      option("production", PERMISSION_OPTION_KIND_ALLOW_ONCE);
  private static final PermissionOption ALWAYS =
      option("always", PERMISSION_OPTION_KIND_ALLOW_ALWAYS);
  private static final PermissionOption NONE = option("none", PERMISSION_OPTION_KIND_REJECT_ONCE);
  private static final List<PermissionOption> SEVERAL = List.of(STAGING, PRODUCTION, NONE);

  private static PermissionOption option(String id, PermissionOptionKind kind) {
    return PermissionOption.newBuilder().setId(id).setName("Drop " + id).setKind(kind).build();
  }

  private static RequestPermissionRequest.Builder asked(
      TaskLease lease, String key, List<PermissionOption> options) {
    return wanted(lease, key, "drop")
        .clearOptions()
        .addAllOptions(options)
        .setHold(Durations.fromSeconds(60));
  }

  private RequestPermissionResponse answered(
      List<PermissionOption> options,
      UnaryOperator<RespondPermissionRequestRequest.Builder> answer) {
    TaskLease lease = begin();
    String id = ask(asked(lease, "q:1", options)).getRequestId();
    worker.want(1);
    respond("ada", answer.apply(said(id)));
    return ask(asked(worker.lease(), "q:1", options));
  }

  @Test
  void anAnswerNamesOneOfSeveralByAnyOfItsMembers() {
    assertThat(answered(SEVERAL, said -> said.setOptionId("production")).getOptionId())
        .isEqualTo("production");
    assertThat(
            answered(SEVERAL, said -> said.setAnswer(ByteString.copyFromUtf8("\"staging\"")))
                .getOptionId())
        .isEqualTo("staging");
    assertThat(
            answered(
                    SEVERAL,
                    said -> said.setAnswer(ByteString.copyFromUtf8("{\"optionId\":\"staging\"}")))
                .getOptionId())
        .isEqualTo("staging");
  }

  @Test
  void anApprovalThatNamesNoneOfSeveralIsRefusedAndChangesNothing() {
    String id = ask(asked(begin(), "q:1", SEVERAL)).getRequestId();

    Refusal.assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, "option_id", () -> approve("ada", id));

    assertThat(read(id).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
    assertThat(read(id).getRequest().getOfferedGrantsList()).isEmpty();
    assertThat(deny("ada", id).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_DENIED);
  }

  @Test
  void ofOneWayToAllowABareApprovalMeansThatAndAlwaysMeansOnce() {
    List<PermissionOption> one = List.of(ALWAYS, STAGING, NONE);
    assertThat(answered(one, said -> said.setApproved(true)).getOptionId()).isEqualTo("staging");
    assertThat(answered(one, said -> said.setOptionId("always")).getOptionId())
        .isEqualTo("staging");
    assertThat(answered(one, said -> said.setApproved(false)).getOptionId()).isEqualTo("none");
  }

  @Test
  void alwaysAloneIsSentOnlyIfNamed() {
    List<PermissionOption> alone = List.of(ALWAYS, NONE);
    String id = ask(asked(begin(), "q:1", alone)).getRequestId();
    Refusal.assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, "option_id", () -> approve("ada", id));

    RequestPermissionResponse allowed = answered(alone, said -> said.setOptionId("always"));
    assertThat(allowed.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    assertThat(allowed.getOptionId()).isEqualTo("always");
  }

  @Test
  void alwaysAloneIsNotForAnActionThatIsNotKnownExactly() {
    RequestPermissionRequest.Builder wanted = asked(begin(), "q:1", List.of(ALWAYS, NONE));
    wanted.getActionBuilder().setNotExact("It has no input.");
    String id = ask(wanted).getRequestId();

    Refusal.assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "option_id",
        () -> respond("ada", said(id).setOptionId("always")));
  }

  @Test
  void nothingIsApprovedThatTheAgentOffersNoWayToAllow() {
    String id = ask(asked(begin(), "q:1", List.of(NONE))).getRequestId();
    Refusal.assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, "option_id", () -> approve("ada", id));
  }

  @Test
  void approversHaveToNameTheSameOne() {
    String id = ask(asked(begin(), "q:1", SEVERAL).setApproversRequired(2)).getRequestId();
    respond("ada", said(id).setOptionId("staging"));

    Refusal.assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "option_id",
        () -> respond("bob", said(id).setOptionId("production")));

    assertThat(respond("bob", said(id).setOptionId("staging")).getStatus())
        .isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
  }

  @Test
  void noGrantChoosesAmongSeveral() {
    TaskLease lease = begin();
    String id = ask(asked(lease, "q:1", List.of(STAGING, NONE))).getRequestId();
    worker.want(1);
    respond("ada", said(id).setApproved(true).setGrant("this_session"));
    TaskLease next = worker.lease();
    var unused = ask(asked(next, "q:1", List.of(STAGING, NONE)));

    assertThat(ask(asked(next, "q:2", SEVERAL)).getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
  }

  @Test
  void anUnusedApprovalOfOneOptionIsNotOneOfAnother() {
    TaskLease lease = begin();
    String id = ask(asked(lease, "q:1", SEVERAL)).getRequestId();
    worker.want(1);
    respond("ada", said(id).setOptionId("staging"));
    TaskLease next = worker.lease();

    assertThat(ask(asked(next, "q:2", List.of(PRODUCTION, NONE))).getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
  }
}
