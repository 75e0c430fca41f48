package dev.bridle.cli.apikey;

import dev.bridle.cli.admin.AdminAccess;
import dev.bridle.cli.admin.DataDirectory;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the data directory and the output format of a command. */
final class DirectoryChoice {

  @Mixin private DataDirectory directory;

  @Option(names = "--json", description = "Print each key as a line of JSON.")
  private boolean json;

  AdminAccess access() {
    return directory.access();
  }

  boolean json() {
    return json;
  }
}
