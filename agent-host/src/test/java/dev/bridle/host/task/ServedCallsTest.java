package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.rpc.RawJson;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent's word that the host ran a tool is believed once for each call that it served. */
final class ServedCallsTest {
  private final ServedCalls served = new ServedCalls();

  private static ToolCall call(String id, String tool, String status, String executor) {
    ObjectNode members =
        JsonNodeFactory.instance
            .objectNode()
            .put("toolName", tool)
            .put("status", status)
            .put("executor", executor);
    Map<String, RawJson> raw = new HashMap<>();
    members.properties().forEach(member -> raw.put(member.getKey(), RawJson.of(member.getValue())));
    return new ToolCall(id, raw);
  }

  private void serve(String tool, boolean succeeded) {
    HostCall call = new HostCall(tool, JsonNodeFactory.instance.objectNode());
    served.begin(call);
    assertThat(served.end(call, succeeded)).isTrue();
  }

  private static ToolCall completed(String id) {
    return call(id, "run_command", "completed", "host_bridge");
  }

  @Test
  void aReportIsBelievedOnlyAfterTheHostHasServedACallOfThatTool() {
    assertThat(served.take(completed("t1"))).as("before").isFalse();
    serve("write_file", true);
    assertThat(served.take(completed("t2"))).as("another tool").isFalse();
    serve("run_command", true);

    assertThat(served.take(completed("t3"))).isTrue();
    assertThat(served.has("t3")).isTrue();
    assertThat(served.take(completed("t4"))).as("one report for each call").isFalse();
    assertThat(served.has("t1")).isFalse();
  }

  @Test
  void aCallThatFailedIsNotReportedAsDone() {
    serve("run_command", false);

    assertThat(served.take(completed("t1"))).isFalse();
    assertThat(served.take(call("t2", "run_command", "failed", "host_bridge"))).isTrue();
  }

  @Test
  void aCallCountsOnceByItsFirstEnd() {
    HostCall call = new HostCall("run_command", JsonNodeFactory.instance.objectNode());
    served.begin(call);
    assertThat(served.end(call, false)).isTrue();
    assertThat(served.end(call, true)).isFalse();

    assertThat(served.take(completed("t1"))).isFalse();
    assertThat(served.take(call("t2", "run_command", "failed", "host_bridge"))).isTrue();
    assertThat(served.take(call("t3", "run_command", "failed", "host_bridge"))).isFalse();
  }

  @Test
  void aCallThatEndsAfterItsTurnDoesNotCount() {
    HostCall call = new HostCall("run_command", JsonNodeFactory.instance.objectNode());
    served.begin(call);
    served.clear();

    assertThat(served.end(call, false)).isFalse();
    assertThat(served.take(call("t1", "run_command", "failed", "host_bridge"))).isFalse();
  }

  @Test
  void anIdThatIsUsedAgainIsAnotherCall() {
    serve("run_command", true);
    assertThat(served.take(completed("t1"))).isTrue();

    assertThat(served.take(completed("t1"))).isFalse();
    assertThat(served.has("t1")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"harn_builtin", ""})
  void whatTheAgentDoesNotCallTheHostsIsItsOwn(String executor) {
    serve("run_command", true);

    assertThat(served.take(call("t1", "run_command", "completed", executor))).isFalse();
  }
}
