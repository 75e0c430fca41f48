package dev.bridle.cli.up;

import dev.bridle.cli.console.LogSetup;
import dev.bridle.cli.console.MemoryExhaustion;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options for the process of a server: its first key, its log and what it prints. */
final class ProcessOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--api-key-file",
      paramLabel = "FILE",
      description =
          "The file of an API key with all scopes. If the file is missing, a new key is created and"
              + " written, readable by its owner only; if it exists, its key must be one of the"
              + " data's.")
  private Optional<Path> apiKeyFile = Optional.empty();

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description =
          "The log level on stderr: error, warn, info, debug or trace (default: ${DEFAULT-VALUE}).",
      defaultValue = "warn")
  private String logLevel = "warn";

  @Option(names = "--json", description = "Print one JSON object when the server is ready.")
  private boolean json;

  /** Returns the file of the API key, if there is one. */
  List<KeyFiles.KeyFile> keyFiles() {
    return KeyFiles.of("--api-key-file", apiKeyFile);
  }

  /** Prepares this process for a server on a directory. */
  ServerRun prepare(Path dataDir) {
    System.setProperty(LogSetup.LEVEL_PROPERTY, logLevel);
    MemoryExhaustion.watchThreads();
    return new ServerRun(
        command.commandLine().getOut(),
        command.commandLine().getErr(),
        json,
        dataDir,
        apiKeyFile.map(ApiKeyFile::new));
  }
}
