package dev.bridle.core.integrations.enforcer;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.RequestedActions;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.permission.v1.PermissionOptionKind;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WithdrawQuestionRequest;
import dev.bridle.worker.v1.WithdrawalReason;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Options of an agent that a device signs for, and questions that change while it has them. */
final class SignedOptionTest extends AskedDevices {
  private static PermissionOption option(String id, String name, PermissionOptionKind kind) {
    return PermissionOption.newBuilder().setId(id).setName(name).setKind(kind).build();
  }

  private static RequestPermissionRequest.Builder several(TaskLease lease, String key) {
    PermissionOptionKind once = PermissionOptionKind.PERMISSION_OPTION_KIND_ALLOW_ONCE;
    return wanted(lease, key, "drop")
        .clearOptions()
        .addOptions(option("staging", "Drop staging", once))
        .addOptions(option("production", "Drop production", once))
        .addOptions(
            option("none", "None", PermissionOptionKind.PERMISSION_OPTION_KIND_REJECT_ONCE));
  }

  @Test
  void whereThereIsAChoiceTheDecisionIsSignedForOne() {
    Phone plain = Phone.of(core, "ben", "ben-1");
    Phone phone = Phone.withExtensions(core, "ada", "ada-1");
    TaskLease lease = begin();
    String request = ask(several(lease, "1")).getRequestId();
    Artifact shown = awaitAsked(phone);

    assertThat(shown.payload().path("format").asText()).isEqualTo("bridle-permission-2");
    assertThat(shown.payload().at("/options/1/name").asText()).isEqualTo("Drop production");
    assertThat(RequestedActions.of(shown))
        .extracting(RequestedActions.Action::id)
        .containsExactly("staging", "production", "none");
    assertThat(plain.asked()).as("it can't sign for an option").isEmpty();

    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () -> phone.sendWhole(phone.sign(Phone.once(shown, Answer.ALLOW))));
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () -> phone.sendWhole(phone.sign(Phone.once(shown, Answer.ALLOW).withOption("all"))));
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () -> phone.sendWhole(phone.sign(Phone.once(shown, Answer.ALLOW).withOption("none"))));
    assertThat(read(request).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);

    phone.send(
        shown.requestId(),
        phone.submission(
            phone.sign(Phone.once(shown, Answer.ALLOW).withOption("production")),
            Optional.empty()));
    assertThat(
            awaitStatus(request, PermissionStatus.PERMISSION_STATUS_APPROVED)
                .getResponse()
                .getAnswers(0)
                .getOptionId())
        .isEqualTo("production");
    TaskLease again = next(lease.getTask().getId());
    assertThat(ask(several(again, "1")).getOptionId()).isEqualTo("production");
  }

  @Test
  void aPressedButtonDoesNotChooseAmongSeveral() {
    Phone phone = Phone.withExtensions(core, "ada", "ada-1");
    TaskLease lease = begin();
    String request = ask(several(lease, "1")).getRequestId();
    Artifact shown = awaitAsked(phone);

    phone.send(
        shown.requestId(),
        phone.submission(phone.sign(Phone.once(shown, Answer.ALLOW)), Optional.of("production")));

    await().until(() -> !refusals(lease).isEmpty());
    assertThat(refusals(lease)).allMatch(payload -> payload.contains("HARP_ERR_SCOPE"));
    assertThat(read(request).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
  }

  @Test
  void aSignatureForAQuestionThatHasChangedCountsForNothing() {
    Phone phone = Phone.withExtensions(core, "ada", "ada-1");
    TaskLease lease = begin();
    RequestPermissionRequest.Builder first =
        wanted(lease, "1", "sh deploy.sh").setHold(Durations.fromSeconds(60));
    first.getActionBuilder().setSaid(ByteString.copyFromUtf8("{\"title\":\"Deploy it\"}"));
    var unused = ask(first);
    Artifact old = awaitAsked(phone);
    assertThat(old.payload().path("said").asText()).contains("Deploy it");
    worker.want(1);
    var unusedChange =
        core.workers()
            .withdrawQuestion(
                WithdrawQuestionRequest.newBuilder()
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence())
                    .setStepKey("1")
                    .setReason(WithdrawalReason.WITHDRAWAL_REASON_CHANGED)
                    .build());
    TaskLease next = worker.lease();
    String second = ask(wanted(next, "2", "sh deploy.sh -f").setReplaces("1")).getRequestId();

    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "",
        () -> phone.sendWhole(phone.sign(Phone.once(old, Answer.ALLOW))));

    Artifact shown = awaitAnother(phone, old);
    assertThat(shown.payload().path("replaces").asText()).isNotEmpty();
    assertThat(read(second).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
    phone.decide(shown, Answer.ALLOW);
    awaitStatus(second, PermissionStatus.PERMISSION_STATUS_APPROVED);
  }
}
