package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.run.GrantsContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The grants of agents that a server starts. */
@Tag("slow")
final class RuntimeGrantsIT extends GrantsContract {
  @TempDir private Path directory;
  private RuntimeServer server;
  private Path folder;

  @BeforeEach
  void start() throws IOException {
    server = new RuntimeServer(directory);
    server.write(server.runtime("session"));
    server.start();
    folder = Files.createDirectories(server.folder()).toRealPath();
  }

  @AfterEach
  void stop() {
    server.close();
    assertThat(server.agentsLeft()).isEmpty();
  }

  @Override
  protected RestClient client() {
    return server.client();
  }

  @Override
  protected String newSession() {
    return server.session();
  }

  @Override
  protected Path folder() {
    return folder;
  }
}
