package dev.bridle.host.task;

import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import java.nio.file.Path;

/** Says in which folder the agent of a task works. */
public interface Workplace {
  /**
   * Returns the folder, which is there.
   *
   * @throws TaskFailure if the task can't be worked on here
   */
  Path folder(TaskContext task) throws TaskFailure;

  /** Approvals are shown with the workspace's folder, so the agent must work in no other one. */
  static Workplace only(Path folder) {
    return task -> {
      String given = task.folder().orElse("(none)");
      if (!given.equals(folder.toString())) {
        throw new TaskFailure(
            "wrong_folder",
            "The task is for the folder " + given + "; this agent works in " + folder);
      }
      return folder;
    };
  }
}
