package dev.bridle.cli.run;

import dev.bridle.cli.rest.RestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A conversation with an agent that works in a new folder. */
final class HostedTalk implements AutoCloseable {
  private static final String DATA = "data";

  private final Path folder;
  private final HostedFolder hosted;
  private final Talk talk;

  /**
   * Begins a conversation.
   *
   * @param directory where the folder is made, and what the server of all such folders keeps
   * @param program the agent
   */
  HostedTalk(Path directory, Path program) throws Exception {
    folder = Files.createTempDirectory(directory, "project").toRealPath();
    hosted = new HostedFolder(folder, directory.resolve(DATA), program);
    talk = new Talk(hosted);
  }

  /** Stops the server of a directory, which outlives conversations. */
  static void stopServer(Path directory) throws IOException {
    ScriptedProject.stopServer(directory.resolve(DATA));
  }

  /** Returns the folder that the agent works in. */
  Path folder() {
    return folder;
  }

  HostedFolder hosted() {
    return hosted;
  }

  RestClient client() {
    return hosted.client();
  }

  SeenText seen() {
    return talk.seen();
  }

  void type(String text) throws IOException {
    talk.type(text);
  }

  @Override
  public void close() throws IOException {
    try (hosted) {
      talk.close();
    }
  }
}
