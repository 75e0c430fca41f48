package dev.bridle.core.fault;

import dev.bridle.task.v1.TaskStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a scenario was told, and what must therefore stand in the store at its end. */
final class Expectations {
  private final Map<String, End> tasks = new LinkedHashMap<>();
  private final List<String> gone = new ArrayList<>();

  /**
   * How a task must have ended.
   *
   * @param status its last status
   * @param once kinds of events, each as often as it has it
   */
  record End(TaskStatus status, List<String> once) {}

  void task(String id, TaskStatus status, String... once) {
    tasks.put(id, new End(status, List.of(once)));
  }

  /** Expects that a task has completed, with its usual events and more. */
  void completed(String id, String... more) {
    List<String> once = new ArrayList<>(List.of("task.submitted", "task.started"));
    once.addAll(List.of(more));
    once.add("task.completed");
    tasks.put(id, new End(TaskStatus.TASK_STATUS_COMPLETED, once));
  }

  /** Expects that a text is nowhere in the store. */
  void gone(String text) {
    gone.add(text);
  }

  List<String> gone() {
    return gone;
  }

  Map<String, End> tasks() {
    return tasks;
  }
}
