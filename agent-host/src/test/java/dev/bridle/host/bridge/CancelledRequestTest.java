package dev.bridle.host.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.host.rpc.RawJson;
import dev.bridle.host.rpc.Requests;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a request that the runtime cancels is answered. */
@Timeout(180)
final class CancelledRequestTest {
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final CountDownLatch called = new CountDownLatch(1);

  /** How many answers there were when the tool ended. */
  private final Queue<Integer> answered = new ConcurrentLinkedQueue<>();

  private final HostTools tools =
      new HostTools() {
        @Override
        public List<ToolDescriptor> list() {
          return List.of();
        }

        @Override
        public JsonNode call(String name, JsonNode arguments) throws InterruptedException {
          try {
            called.countDown();
            new CountDownLatch(1).await();
            throw new AssertionError("not cancelled");
          } finally {
            answered.add(answers.size());
          }
        }
      };

  @Test
  void theToolKnowsItBeforeTheRuntimeIsAnswered() throws Exception {
    BridgeServices none = BridgeServices.none();
    BridgeHandler handler =
        new BridgeHandler(
            new BridgeServices(tools, none.search(), none.hostSearch(), none.skills()),
            new Notes());
    handler.request(
        Requests.of(
            "b1",
            "builtin_call",
            JsonNodeFactory.instance.objectNode().put("name", "run_command"),
            line -> answers.add(new String(line, StandardCharsets.UTF_8))));
    called.await();

    RawJson params = RawJson.of(JsonNodeFactory.instance.objectNode().put("requestId", "b1"));
    handler.notification("$/cancel_request", params, params);

    assertThat(answers.poll(60, TimeUnit.SECONDS))
        .isEqualTo(
            "{\"jsonrpc\":\"2.0\",\"id\":\"b1\",\"error\":{\"code\":-32800,"
                + "\"message\":\"The request was cancelled\"}}");
    assertThat(answered).containsExactly(0);
  }
}
