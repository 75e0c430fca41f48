package dev.bridle.cli;

import dev.bridle.cli.console.BuildVersion;

/**
 * Where the process begins. Nothing in its signatures is of the parser of commands, since Java
 * resolves those of the main class before it runs.
 */
public final class Main {
  private Main() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] args) {
    if (args.length == 1 && isVersion(args[0])) {
      // What scripts ask most needs no parser.
      System.out.println(BuildVersion.line());
    } else {
      System.exit(Bridle.run(args));
    }
  }

  private static boolean isVersion(String word) {
    return word.equals("version") || word.equals("--version") || word.equals("-V");
  }
}
