package dev.bridle.cli.storage;

import dev.bridle.cli.admin.DataDirectory;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the data directory and the output format of a command. */
final class StorageChoice {

  @Mixin private DataDirectory directory;

  @Option(names = "--json", description = "Print each line as JSON.")
  private boolean json;

  StorageAccess access() {
    return new StorageAccess(directory.path());
  }

  Path dataDir() {
    return directory.path();
  }

  boolean json() {
    return json;
  }
}
