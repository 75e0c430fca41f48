package dev.bridle.cli.run;

import dev.bridle.cli.admin.UserData;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * The folder that an agent works in, and where Bridle keeps the data about it.
 *
 * @param folder the folder, absolute and without links
 * @param name a name for the folder that no other one has
 * @param data the data directory, for all folders, which agents do not see
 * @param settings a folder for the settings that an agent is started with, which it reads
 */
record RunFolder(Path folder, String name, Path data, Path settings) {

  /**
   * Finds and makes the directories.
   *
   * @param folder the folder to work in
   * @param data the data directory, if one is named
   * @param environment the environment of this process
   */
  static RunFolder of(Path folder, Optional<Path> data, Map<String, String> environment) {
    try {
      Path real = folder.toRealPath();
      if (!Files.isDirectory(real)) {
        throw new CommandFailed(ExitCodes.USAGE, folder + " is not a folder.");
      }
      Path base = UserData.directory(data, environment);
      Path made = Files.createDirectories(base, ownerOnly()).toRealPath();
      if (real.startsWith(made) || made.startsWith(real)) {
        throw new CommandFailed(
            ExitCodes.USAGE,
            "The data directory "
                + made
                + " and the folder "
                + real
                + " contain one another, so that the agent could reach Bridle's keys; choose"
                + " another one with --data-dir.");
      }
      String name = name(real);
      Path settings =
          Files.createDirectories(
              made.resolveSibling(made.getFileName() + ".agent").resolve(name), ownerOnly());
      return new RunFolder(real, name, made, settings);
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, "A folder can't be used: " + e, e);
    }
  }

  /** Returns where a version with a server for each folder kept this one's data, if it did. */
  Optional<Path> earlierData() {
    return Optional.of(data.resolve("run").resolve(name)).filter(Files::isDirectory);
  }

  private static FileAttribute<?> ownerOnly() {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  }

  /** Folders of the same name have different data. */
  private static String name(Path folder) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(folder.toString().getBytes(StandardCharsets.UTF_8));
      String last = folder.getFileName() == null ? "root" : folder.getFileName().toString();
      return last.replaceAll("[^A-Za-z0-9._-]", "_") + "-" + HexFormat.of().formatHex(hash, 0, 6);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every JDK has SHA-256.
    }
  }
}
