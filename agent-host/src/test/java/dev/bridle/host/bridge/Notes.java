package dev.bridle.host.bridge;

import dev.bridle.host.rpc.RawJson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongConsumer;

/** Writes down what a runtime notifies, in short lines. */
final class Notes implements BridgeListener {
  final List<String> lines = Collections.synchronizedList(new ArrayList<>());

  /** Run when the runtime is idle. */
  volatile LongConsumer whenIdle = iteration -> {};

  @Override
  public void idle(long iteration, long backoffMillis) {
    whenIdle.accept(iteration);
    lines.add("idle " + iteration + " " + backoffMillis);
  }

  @Override
  public void output(String text) {
    lines.add("output " + text);
  }

  @Override
  public void progress(RawJson params) {
    lines.add("progress " + params);
  }

  @Override
  public void log(RawJson params) {
    lines.add("log " + params);
  }

  @Override
  public void failed(String method, RuntimeException why) {
    lines.add("failed " + method + " " + why.getMessage());
  }
}
