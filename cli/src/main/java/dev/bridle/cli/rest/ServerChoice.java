package dev.bridle.cli.rest;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.ShellWord;
import java.io.PrintWriter;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Options that select the server of a command and the API key. */
public final class ServerChoice {
  /** The names of these options. */
  public static final List<String> NAMES =
      List.of("--url", "--ca-cert", "--api-key-file", "--api-key");

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The server's base URL (default: ${DEFAULT-VALUE}; or BRIDLE_URL).",
      defaultValue = "${env:BRIDLE_URL:-http://127.0.0.1:8080}")
  private URI url = URI.create("http://127.0.0.1:8080");

  @Mixin private CaChoice ca = new CaChoice();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Mixin private KeyChoice key = new KeyChoice();

  /** Creates the options with their defaults; picocli sets them. */
  public ServerChoice() {}

  /**
   * Returns the server and key options of this command line, to print commands that the user may
   * run next. Each option has a leading space. The key itself is omitted.
   */
  public String words() {
    ParseResult given = command.commandLine().getParseResult();
    StringBuilder words = new StringBuilder();
    for (String option : NAMES) {
      if (given.hasMatchedOption(option)) {
        List<String> values = given.matchedOption(option).originalStringValues();
        boolean secret = option.equals("--api-key");
        words
            .append(' ')
            .append(option)
            .append(' ')
            .append(secret ? "KEY" : ShellWord.quoted(values.get(values.size() - 1)));
      }
    }
    return words.toString();
  }

  /** Returns whether an option or a variable names a server, so that it is not the default one. */
  public boolean isNamed() {
    String variable = System.getenv("BRIDLE_URL");
    return command.commandLine().getParseResult().hasMatchedOption("--url")
        || (variable != null && !variable.isBlank());
  }

  /** Returns the API key that an option or a variable names. */
  public Optional<String> namedKey() {
    return key.find();
  }

  /** Returns a client of that server. */
  public RestClient connect() {
    return connect("--url", url);
  }

  /**
   * Returns a client of another server, with the same key.
   *
   * @param option the option that names it
   */
  public RestClient connect(String option, URI other) {
    if (other.getScheme() == null
        || !other.getScheme().startsWith("http")
        || other.getHost() == null) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          option + " is '" + other + "', expected http://HOST:PORT or https://HOST");
    }
    PrintWriter err = command.commandLine().getErr();
    return new RestClient(
        other,
        key.read(),
        notice -> {
          err.println("bridle: " + notice);
          err.flush();
        },
        ca.trust());
  }
}
