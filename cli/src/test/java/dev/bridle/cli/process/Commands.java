package dev.bridle.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.Bridle;
import dev.bridle.cli.console.TerminalWriter;
import dev.bridle.cli.demo.JavaCommand;
import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import picocli.CommandLine;

/** Servers in a folder, on threads of this process, and commands as people type them beside it. */
public final class Commands {
  private final Path directory;

  public Commands(Path directory) {
    this.directory = directory;
  }

  /**
   * What a command said.
   *
   * @param out on stdout
   * @param err on stderr
   */
  public record Said(String out, String err) {}

  /** Runs a command and checks its exit code. */
  public static Said run(int exitCode, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line =
        Bridle.commandLine(arguments).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    assertThat(line.execute(arguments)).as("%s%n%s", out, err).isEqualTo(exitCode);
    return new Said(out.toString(), err.toString());
  }

  /** Runs a command at a terminal and returns what it said there. */
  public static String runAtTerminal(String... arguments) {
    return runTyping("", 0, arguments);
  }

  /** Runs a command at a terminal where something is typed, and returns what it said there. */
  public static String runTyping(String typed, int exitCode, String... arguments) {
    StringWriter out = new StringWriter();
    CommandLine line = Bridle.commandLine(arguments).setOut(new TerminalWriter(out));
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(typed.getBytes(Charset.defaultCharset())));
    try {
      assertThat(line.execute(arguments)).as("%s", out).isEqualTo(exitCode);
    } finally {
      System.setIn(before);
    }
    return out.toString();
  }

  /** Starts a server on a thread of this process. */
  public UpThread start(String data, String... more) {
    return UpThread.start(log(data), options(data, more));
  }

  /** Starts a server in a process of its own. */
  public ServerProcess startProcess(String data, String... more) {
    return startProcess(BuiltBridle.java(), data, more);
  }

  /** Starts a server in a process of its own, with the Java of a command. */
  public ServerProcess startProcess(JavaCommand java, String data, String... more) {
    return ServerProcess.start(java, log(data), options(data, more));
  }

  private Path log(String data) {
    return directory.resolve(data + ".log");
  }

  private List<String> options(String data, String... more) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--data-dir",
                path(data),
                "--api-key-file",
                path(data + ".key"),
                "--http-port",
                "0",
                "--grpc-port",
                "0"));
    options.addAll(List.of(more));
    return options;
  }

  /** Makes a data directory by a first start, and returns once its server has ended. */
  public void make(String data) {
    try (UpThread server = start(data)) {
      assertThat(server.stop()).isZero();
    }
  }

  /** Returns a client with the key of a server that was started on a directory. */
  public ProtocolClient client(UpThread server, String data) throws IOException {
    return new ProtocolClient(server.url(), key(data));
  }

  /** Returns a client with the key of a server that was started on a directory. */
  public ProtocolClient client(ServerProcess server, String data) throws IOException {
    return new ProtocolClient(server.url(), key(data));
  }

  public String key(String data) throws IOException {
    return Files.readString(directory.resolve(data + ".key")).strip();
  }

  public String path(String name) {
    return directory.resolve(name).toString();
  }

  /** Returns a new file with the public keys of a directory's receipts. */
  public String publicKeys(String data) {
    String file = path(data + ".public-keys-" + UUID.randomUUID());
    run(0, "receipt", "keys", "--data-dir", path(data), "--pin", file);
    return file;
  }

  /** Returns the options that lead a command to a server, with the key of its directory. */
  public List<String> at(URI url, String data) {
    return List.of("--url", url.toString(), "--api-key-file", path(data + ".key"));
  }

  /** Submits a task of the demo agent, which ends, and waits for its end. */
  public String completedTask(UpThread server, String data) {
    return completedTask(server.url(), data);
  }

  /** Submits a task of the demo agent, which ends, and waits for its end. */
  public String completedTask(URI url, String data) {
    List<String> words =
        new ArrayList<>(List.of("task", "submit", "--text", "one two one", "--watch", "--json"));
    words.addAll(at(url, data));
    String said = run(0, words.toArray(String[]::new)).out();
    return Json.parse(said.lines().findFirst().orElseThrow()).get("id").textValue();
  }
}
