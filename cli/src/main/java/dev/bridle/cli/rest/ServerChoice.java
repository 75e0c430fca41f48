package dev.bridle.cli.rest;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import java.io.PrintWriter;
import java.net.URI;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Options that say which server a command talks to, and as whom. */
public final class ServerChoice {

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The server's base URL (default: ${DEFAULT-VALUE}; or BRIDLE_URL).",
      defaultValue = "${env:BRIDLE_URL:-http://127.0.0.1:8080}")
  private URI url = URI.create("http://127.0.0.1:8080");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Mixin private KeyChoice key = new KeyChoice();

  /** Filled by picocli. */
  public ServerChoice() {}

  /**
   * Returns the options by which this command was given its server and key, for commands that the
   * user may run next; each has a space before it. The key itself is left out.
   */
  public String words() {
    ParseResult given = command.commandLine().getParseResult();
    StringBuilder words = new StringBuilder();
    for (String option : List.of("--url", "--api-key-file", "--api-key")) {
      if (given.hasMatchedOption(option)) {
        List<String> values = given.matchedOption(option).originalStringValues();
        boolean secret = option.equals("--api-key");
        words
            .append(' ')
            .append(option)
            .append(' ')
            .append(secret ? "KEY" : quote(values.get(values.size() - 1)));
      }
    }
    return words.toString();
  }

  private static String quote(String word) {
    return word.matches("[\\w./:@%+=,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** Returns a client of that server. */
  public RestClient connect() {
    if (url.getScheme() == null || !url.getScheme().startsWith("http") || url.getHost() == null) {
      throw new CommandFailed(
          ExitCodes.USAGE, "--url is '" + url + "', expected http://HOST:PORT or https://HOST");
    }
    PrintWriter err = command.commandLine().getErr();
    return new RestClient(
        url,
        key.read(),
        notice -> {
          err.println("bridle: " + notice);
          err.flush();
        });
  }
}
