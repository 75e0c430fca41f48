package dev.bridle.cli.apikey;

import dev.bridle.cli.admin.AdminAccess;
import dev.bridle.cli.admin.DataDirectory;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says which data directory a command works on, and how it prints. */
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
