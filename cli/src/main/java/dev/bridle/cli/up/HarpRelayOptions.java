package dev.bridle.cli.up;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.core.integrations.enforcer.remote.RelayTargets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option for HARP relays elsewhere over which this server asks devices. */
final class HarpRelayOptions {
  @Option(
      names = "--harp-relays",
      paramLabel = "FILE",
      description =
          "A JSON file of HARP relays elsewhere over which devices can be asked for decisions, with"
              + " their URLs and the files of their credentials (docs/harp.md).")
  private Optional<Path> file = Optional.empty();

  /** Returns the files of the credentials that the file names. */
  List<KeyFiles.KeyFile> keyFiles() {
    return file.map(HarpRelayFile::tokenFiles).orElse(List.of()).stream()
        .map(token -> new KeyFiles.KeyFile("The token_file in --harp-relays", token))
        .toList();
  }

  RelayTargets targets() {
    try {
      return file.map(HarpRelayFile::read).orElse(RelayTargets.NONE);
    } catch (IllegalArgumentException e) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          "The relays file " + file.orElseThrow() + ": " + e.getMessage() + ".",
          e);
    }
  }
}
