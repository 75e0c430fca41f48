package dev.bridle.cli.run;

import dev.bridle.cli.rest.RestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The grants of an agent of {@code bridle run}. */
@Tag("slow")
final class RunGrantsIT extends GrantsContract {
  @TempDir private Path directory;
  private Path project;
  private HostedFolder hosted;

  @BeforeEach
  void start() throws Exception {
    project = Files.createDirectory(directory.resolve("project")).toRealPath();
    hosted =
        new HostedFolder(project, directory.resolve("data"), AgentProgram.make(directory, "agent"));
  }

  @AfterEach
  void stop() throws IOException {
    hosted.close();
    ScriptedProject.stopServer(directory.resolve("data"));
  }

  @Override
  protected RestClient client() {
    return hosted.client();
  }

  @Override
  protected String newSession() {
    return hosted.server().newSession();
  }

  @Override
  protected Path folder() {
    return project;
  }
}
