package dev.bridle.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.cli.Bridle;
import dev.bridle.cli.console.TerminalWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** A command that runs in the background at a terminal, where a test types. */
public final class TypedCommand implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final StringWriter out = new StringWriter();
  private final PipedOutputStream typed = new PipedOutputStream();
  private final InputStream before = System.in;
  private final CompletableFuture<Integer> exit;

  public TypedCommand(String... arguments) throws IOException {
    System.setIn(new PipedInputStream(typed));
    CommandLine line =
        Bridle.commandLine(arguments)
            .setOut(new TerminalWriter(out))
            .setErr(new PrintWriter(out, true));
    exit = CompletableFuture.supplyAsync(() -> line.execute(arguments));
  }

  /** Returns what it has printed so far. */
  public String printed() {
    return out.toString();
  }

  /** Waits for a text and returns its first group. */
  public String shown(Pattern pattern) {
    await().atMost(PATIENCE).until(() -> pattern.matcher(printed()).find());
    return found(pattern, printed());
  }

  /** Returns the first group of a pattern that a text has. */
  public static String found(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as(text).isTrue();
    return matcher.group(1);
  }

  /** Types a line. */
  public void type(String line) throws IOException {
    typed.write((line + "\n").getBytes(Charset.defaultCharset()));
    typed.flush();
  }

  /** Waits for the end and returns the exit code. */
  public int exit() throws Exception {
    return exit.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    System.setIn(before);
  }
}
