package dev.bridle.cli.log;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.rest.RestClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Finds the newest task of a folder, or of a server. */
final class NewestTask {
  private NewestTask() {}

  /**
   * Returns the newest task of a folder's workspace; of the whole server where the folder is none,
   * or has no task.
   */
  static Optional<String> find(RestClient client, Path folder) {
    return workspace(client, folder)
        .flatMap(workspace -> newest(client, "&workspace_id=" + RestClient.escape(workspace)))
        .or(() -> newest(client, ""));
  }

  private static Optional<String> newest(RestClient client, String filter) {
    return Optional.of(client.get("/v1/tasks?limit=1" + filter).at("/data/0/id").asText(""))
        .filter(id -> !id.isEmpty());
  }

  private static Optional<String> workspace(RestClient client, Path folder) {
    String root;
    try {
      root = "dir:" + folder.toRealPath();
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.USAGE, "The folder " + folder + " can't be read: " + e, e);
    }
    AtomicReference<Optional<String>> found = new AtomicReference<>(Optional.empty());
    client.rows(
        "/v1/workspaces",
        Integer.MAX_VALUE,
        workspace -> {
          if (workspace.path("root").asText().equals(root)) {
            found.set(Optional.of(workspace.path("id").asText()));
          }
        });
    return found.get();
  }
}
