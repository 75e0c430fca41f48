package dev.bridle.cli.harp;

import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.harp.seal.KeyFile;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The keys of the device that this command is. */
final class KeyOptions {
  @Option(
      names = "--keys",
      paramLabel = "FILE",
      required = true,
      description = "The device's keys, as 'bridle harp keys create' makes them.")
  private Path file = Path.of("");

  @Option(
      names = "--passphrase-file",
      paramLabel = "FILE",
      description = "A file with the passphrase (default: asked for at the terminal).")
  private Optional<Path> passphrase = Optional.empty();

  private Optional<DeviceKeys> opened = Optional.empty();

  /** Returns the keys; the passphrase is asked for once. */
  DeviceKeys open() {
    if (opened.isEmpty()) {
      try {
        opened = Optional.of(KeyFile.open(HarpFiles.read(file), Passphrase.read(passphrase, file)));
      } catch (HarpException e) {
        throw HarpFiles.refused(file, e);
      }
    }
    return opened.get();
  }
}
