package dev.bridle.cli.process;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.Bridle;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.fixtures.client.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * {@code bridle up --json} on a thread of this process: all that the command does but to end a
 * process. For tests of what is done with a server, where how its process lives is no part of it.
 */
public final class UpThread implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration STOP = Duration.ofMinutes(3);

  private final FirstLine out = new FirstLine();
  private final StringWriter err = new StringWriter();
  private final CompletableFuture<Integer> ended = new CompletableFuture<>();
  private final FileAppender<ILoggingEvent> logFile;
  private final Thread thread;
  private JsonNode ready = Json.object();

  private UpThread(Path log, List<String> arguments) {
    this.logFile = appendTo(log);
    this.thread = new Thread(() -> run(arguments), "bridle-up");
  }

  /**
   * Starts a server and returns when it is ready.
   *
   * @param log takes what is logged while it runs
   * @param options what follows {@code bridle up --json}
   * @throws CommandFailed if the process ends instead; the message contains its stderr
   */
  static UpThread start(Path log, List<String> options) {
    List<String> arguments = new ArrayList<>(List.of("up", "--json"));
    arguments.addAll(options);
    UpThread server = new UpThread(log, arguments);
    server.thread.start();
    Object first =
        CompletableFuture.anyOf(server.out.line, server.ended)
            .orTimeout(START.toSeconds(), TimeUnit.SECONDS)
            .join();
    if (!(first instanceof String line)) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The server ended during its start: " + server.err.toString().strip());
    }
    server.ready = Json.parse(line);
    return server;
  }

  private static FileAppender<ILoggingEvent> appendTo(Path log) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%level %logger{0}: %msg%n%ex");
    encoder.start();
    FileAppender<ILoggingEvent> file = new FileAppender<>();
    file.setContext(context);
    file.setFile(log.toString());
    file.setEncoder(encoder);
    file.start();
    context.getLogger("ROOT").addAppender(file);
    return file;
  }

  private void run(List<String> arguments) {
    int exitCode =
        Bridle.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments.toArray(String[]::new));
    ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger("ROOT").detachAppender(logFile);
    logFile.stop();
    ended.complete(exitCode);
  }

  /** Returns the URL of its REST and SSE interface. */
  public URI url() {
    return URI.create(ready.path("http_url").asText());
  }

  /** Returns the URL at which it serves HARP. */
  public URI harpUrl() {
    return URI.create(ready.path("harp_url").asText());
  }

  /** Returns the port of its gRPC services. */
  public int grpcPort() {
    return ready.path("grpc_port").asInt();
  }

  /** Stops it and returns its exit code. */
  public int stop() {
    thread.interrupt();
    return ended.orTimeout(STOP.toSeconds(), TimeUnit.SECONDS).join();
  }

  /** Stops it if it still runs. */
  @Override
  public void close() {
    if (!ended.isDone()) {
      stop();
    }
  }

  /** Keeps what is written, and says when its first line is whole. */
  private static final class FirstLine extends StringWriter {
    private final CompletableFuture<String> line = new CompletableFuture<>();

    @Override
    public void flush() {
      toString().lines().findFirst().ifPresent(line::complete);
    }
  }
}
