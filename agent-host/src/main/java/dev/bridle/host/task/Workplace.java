package dev.bridle.host.task;

import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

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

  /** Each task in the folder of its workspace. */
  static Workplace ofWorkspaces() {
    return task -> {
      Optional<Path> folder = task.folder().map(Path::of);
      if (folder.filter(Files::isDirectory).isEmpty()) {
        throw new TaskFailure(
            "no_folder",
            folder
                .map(path -> "The workspace's folder " + path + " is not there.")
                .orElse("The task's workspace is no folder of this machine."));
      }
      return folder.get();
    };
  }
}
