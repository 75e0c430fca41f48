package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Durations;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.TaskLease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Actions of which the agent does not say exactly what they do. */
class InexactActionTest extends AskedTasks {
  private static RequestPermissionRequest.Builder inexact(TaskLease lease, String key) {
    RequestPermissionRequest.Builder asked =
        wanted(lease, key, "ls -l").setHold(Durations.fromSeconds(60));
    asked.getActionBuilder().setNotExact("The agent does not say which command runs.");
    return asked;
  }

  @Test
  void nothingWiderThanThisOnceIsOffered() {
    PermissionRequest request = read(ask(inexact(begin(), "q:1")).getRequestId());

    assertThat(request.getAction().getNotExact()).contains("does not say");
    assertThat(request.getRequest().getOfferedGrantsList()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"this_action", "this_tool", "this_session", "this_action_today"})
  void noGrantCoversIt(String grant) {
    TaskLease lease = begin();
    String exact =
        ask(wanted(lease, "q:1", "ls -l").setHold(Durations.fromSeconds(60))).getRequestId();
    worker.want(1);
    respond("ada", said(exact).setApproved(true).setGrant(grant));
    TaskLease next = worker.lease();
    var unused = ask(wanted(next, "q:1", "ls -l"));
    assertThat(ask(wanted(next, "q:2", "ls -l")).getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);

    assertThat(ask(inexact(next, "q:3")).getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
  }
}
