package dev.bridle.core.fault;

import dev.bridle.task.v1.TaskStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a scenario was told, and what must therefore stand in the store at its end. */
final class Expectations {
  private final Map<String, End> tasks = new LinkedHashMap<>();

  /**
   * How a task must have ended.
   *
   * @param status its last status
   * @param once kinds of events that it has exactly one of
   */
  record End(TaskStatus status, List<String> once) {}

  void task(String id, TaskStatus status, String... once) {
    tasks.put(id, new End(status, List.of(once)));
  }

  Map<String, End> tasks() {
    return tasks;
  }
}
