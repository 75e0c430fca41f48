package dev.bridle.cli.run;

import dev.bridle.cli.admin.UserData;
import dev.bridle.cli.console.ShellWord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The command that shows what a folder's last task did. */
final class LogHint {
  private LogHint() {}

  /**
   * Returns the command, with the options that it needs where it is run in the same directory as
   * this process.
   *
   * @param environment the environment of this process
   */
  static String command(Path folder, Path data, Map<String, String> environment) {
    return "bridle log last"
        + option("--dir", folder, Path.of(""))
        + option("--data-dir", data, UserData.directory(Optional.empty(), environment));
  }

  private static String option(String name, Path value, Path byDefault) {
    return isSame(value, byDefault) ? "" : " " + name + " " + ShellWord.quoted(value.toString());
  }

  private static boolean isSame(Path value, Path byDefault) {
    try {
      return byDefault.toRealPath().equals(value.toRealPath());
    } catch (IOException e) {
      return false; // The default one is not there.
    }
  }
}
