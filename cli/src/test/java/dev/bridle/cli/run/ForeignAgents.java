package dev.bridle.cli.run;

import dev.bridle.cli.process.NodePackages;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Agents that others made, of the versions that {@code fixtures/agents} pins. */
public final class ForeignAgents {
  private static final NodePackages PACKAGES =
      new NodePackages(
          "the agents of others",
          "agents",
          List.of("node_modules/.bin/opencode", "node_modules/.bin/qwen"),
          // It puts the program for this platform in place.
          List.of("node", "node_modules/opencode-ai/postinstall.mjs"));

  private ForeignAgents() {}

  /** Installs them once; returns why they can't be used here, if so. */
  public static Optional<String> missing() throws IOException, InterruptedException {
    return PACKAGES.missing();
  }

  /** The path of an agent's program. */
  public static String program(String name) {
    return PACKAGES.folder().resolve("node_modules").resolve(".bin").resolve(name).toString();
  }
}
