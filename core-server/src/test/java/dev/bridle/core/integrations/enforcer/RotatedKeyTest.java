package dev.bridle.core.integrations.enforcer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The key of a device is rotated by enrolling the device anew and revoking its old enrolment: what
 * is pending then is answered with the new key, and not with the old one.
 */
final class RotatedKeyTest extends AskedDevices {
  @Test
  void whatIsPendingIsRefusedFromTheOldKeyAndAnsweredWithTheNewOne() {
    Phone before = Phone.of(core, "ada", "ada-1");
    TaskLease lease = begin();
    String request = askAda(lease);
    Artifact shownBefore = awaitAsked(before);
    Phone after = Phone.of(core, "ada", "ada-2");
    Phone stranger = Phone.of(core, "eve", "eve-1");
    revoke(before);

    before.decide(shownBefore, Answer.ALLOW);

    Artifact shown = awaitAsked(after);
    assertThat(refusals(lease)).singleElement().asString().contains("The device was revoked.");
    assertThat(read(request).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
    assertThat(stranger.asked()).as("who may not answer").isEmpty();
    assertAnswered(after, shown, lease, request);
  }

  /** Nothing says so to a request whose device was revoked, until its relay is called again. */
  @Test
  @Tag("slow")
  void whatIsPendingIsAskedWithTheNewKeyWithoutAnAnswerByTheOldOne() {
    Phone before = Phone.of(core, "ada", "ada-1");
    TaskLease lease = begin();
    String request = askAda(lease);
    var unused = awaitAsked(before);
    Phone after = Phone.of(core, "ada", "ada-2");
    revoke(before);

    await().atMost(Duration.ofMinutes(1)).until(() -> !after.asked().isEmpty());

    await().until(() -> before.asked().isEmpty());
    assertThat(refusals(lease)).isEmpty();
    assertAnswered(after, after.asked().get(0), lease, request);
  }

  private String askAda(TaskLease lease) {
    return ask(wanted(lease, "1", "make deploy").addApprovers("ada")).getRequestId();
  }

  private void assertAnswered(Phone after, Artifact shown, TaskLease lease, String request) {
    assertThat(shown.payload().get("permissionRequestId").textValue()).isEqualTo(request);
    after.decide(shown, Answer.ALLOW);
    PermissionRequest approved = awaitStatus(request, PermissionStatus.PERMISSION_STATUS_APPROVED);
    PermissionAnswer answer = approved.getResponse().getAnswers(0);
    assertThat(answer.getEvidence().getApprovalDeviceId()).isEqualTo(after.device().getId());
    TaskLease again = next(lease.getTask().getId());
    assertThat(ask(wanted(again, "1", "make deploy").addApprovers("ada")).getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
  }
}
