package dev.bridle.core.integrations.enforcer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.server.TestCore;
import dev.bridle.harp.core.Answer;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Devices are asked only where their person's answer could count. */
final class AskedApproversTest extends AskedDevices {
  @Test
  void whoHasSubmittedTheTaskIsNotAskedWhereARuleExcludesThat() {
    Phone ben = Phone.of(core, "ben", "ben-1");
    Phone eve = Phone.of(core, "eve", "eve-1");
    rule("four eyes", rule -> rule.setNotSubmitter(true));
    Task task =
        TaskServiceGrpc.newBlockingStub(core.as("ben", List.of("*"), List.of()))
            .submitSessionTask(TestCore.submission(session));

    String request = ask(next(task.getId()), "1", "make deploy").getRequestId();
    eve.decide(awaitAsked(eve), Answer.ALLOW);

    awaitStatus(request, PermissionStatus.PERMISSION_STATUS_APPROVED);
    assertThat(
            core.eventsOf(task.getId()).stream()
                .filter(event -> event.getEvent().equals("vendor.bridle.decision_requested")))
        .singleElement()
        .satisfies(
            event -> assertThat(event.getPayload().toStringUtf8()).contains(eve.device().getId()));
    assertThat(ben.asked()).isEmpty();
  }
}
