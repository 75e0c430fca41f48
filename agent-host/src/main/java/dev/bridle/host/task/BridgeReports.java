package dev.bridle.host.task;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.bridge.BridgeListener;
import dev.bridle.host.rpc.RawJson;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes events of what an agent notifies beside its sessions, in the task that it works on. */
final class BridgeReports implements BridgeListener {
  private static final Logger log = LoggerFactory.getLogger(BridgeReports.class);
  private static final int MOST_TEXT = 16 << 10;

  private final Supplier<Optional<AgentTurn>> turn;

  BridgeReports(Supplier<Optional<AgentTurn>> turn) {
    this.turn = turn;
  }

  @Override
  public void idle(long iteration, long backoffMillis) {
    turn.get().ifPresent(now -> now.idle(iteration, backoffMillis));
  }

  @Override
  public void output(String text) {
    report("output", JsonNodeFactory.instance.objectNode().put("text", cut(text)));
  }

  @Override
  public void progress(RawJson params) {
    whole("progress", params);
  }

  @Override
  public void log(RawJson params) {
    whole("log", params);
  }

  /** The text of what is thrown may have an argument in it, so that only its place is named. */
  @Override
  public void failed(String method, RuntimeException why) {
    StackTraceElement[] places = why.getStackTrace();
    log.warn(
        "{} of an agent failed here: {}{}",
        method,
        why.getClass().getName(),
        places.length == 0 ? "" : " at " + places[0]);
  }

  private void whole(String kind, RawJson params) {
    ObjectNode payload = JsonNodeFactory.instance.objectNode();
    if (params.isPresent()) {
      KeptText.json(params, MOST_TEXT)
          .ifPresentOrElse(
              kept -> payload.set("params", kept), () -> payload.put("bytes", params.length()));
    }
    report(kind, payload);
  }

  private static String cut(String text) {
    return KeptText.of(text, MOST_TEXT);
  }

  private void report(String kind, ObjectNode payload) {
    turn.get().ifPresent(now -> now.notified(kind, payload));
  }
}
