package dev.bridle.worker;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.time.Duration;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Handlers that report to a core in memory, by workers whose reports wait. */
abstract class ReportingHandlers {
  static final Duration LONG = Duration.ofSeconds(5);
  @RegisterExtension final CoreExtension fake = new CoreExtension(Duration.ofSeconds(30));
  final FakeCore core = fake.core();

  static TaskResult report(TaskContext task, String result) {
    task.progress("begin");
    task.event("note", "vendor.note", JsonNodeFactory.instance.objectNode().put("a", 1));
    task.usage("used", Usage.ofModel("model", 1, 2, BigDecimal.ZERO));
    task.progress("end");
    return TaskResult.of(result);
  }

  /** A worker whose reports wait as long as they may. */
  WorkerBuilder slowly(TaskHandler handler) {
    return fake.worker().reportDelay(LONG).handler(handler);
  }
}
