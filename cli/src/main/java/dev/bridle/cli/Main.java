package dev.bridle.cli;

import dev.bridle.cli.console.BuildVersion;

/**
 * The entry point of the process. Its signatures use no picocli types, since Java resolves the
 * signatures of the main class before it runs.
 */
public final class Main {
  private Main() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] args) {
    if (args.length == 1 && isVersion(args[0])) {
      // Scripts ask for the version most often, so it does not load the parser.
      System.out.println(BuildVersion.line());
    } else {
      System.exit(Bridle.run(args));
    }
  }

  private static boolean isVersion(String argument) {
    return argument.equals("version") || argument.equals("--version") || argument.equals("-V");
  }
}
