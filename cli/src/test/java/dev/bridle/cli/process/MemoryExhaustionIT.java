package dev.bridle.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.cli.demo.JavaCommand;
import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.cli.up.SuiteEngine;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server whose memory ends: it ends too. */
@Tag("slow")
final class MemoryExhaustionIT {
  private static final Duration LONG = Duration.ofMinutes(3);

  @TempDir private Path directory;

  @Test
  void aServerWithoutDirectMemoryEndsAndSaysWhy() throws IOException {
    Path log = directory.resolve("server.log");
    List<Socket> open = new ArrayList<>();
    try (ServerProcess server =
        ServerProcess.start(
            with(BuiltBridle.java(), "-Dio.netty.maxDirectMemory=" + (2 << 20)),
            log,
            Stream.concat(
                    SuiteEngine.arguments(directory.resolve("data")).stream(),
                    Stream.of("--http-port", "0", "--grpc-port", "0"))
                .toList())) {
      ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
      // Answers that nobody reads.
      byte[] requests =
          "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
              .repeat(100)
              .getBytes(StandardCharsets.US_ASCII);
      await()
          .atMost(LONG)
          .pollInterval(Duration.ofMillis(5))
          .until(
              () -> {
                fill(server, requests, open);
                return !process.isAlive();
              });
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
    assertThat(Files.readString(log)).contains("bridle: Out of memory (");
  }

  @ParameterizedTest
  @ValueSource(strings = {"up", "demo"})
  void theScriptHasJavaEndWhereTheHeapIsFull(String command) throws Exception {
    // A tree that looks built, and a Java that tells its arguments.
    Path script = directory.resolve("bridle");
    Files.copy(Path.of("..", "bridle"), script);
    Files.createDirectories(directory.resolve("cli/target"));
    Files.createFile(directory.resolve("cli/target/built"));
    Path java = Files.createDirectories(directory.resolve("jdk/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));

    List<String> given =
        lines(List.of("sh", script.toString(), command), directory.resolve("jdk").toString());
    List<String> flags = given.subList(0, given.indexOf("-cp"));
    List<String> asked = new ArrayList<>(JavaCommand.of(flags, directory.toString()).words());
    asked.addAll(List.of("-XX:+PrintFlagsFinal", "-version"));

    assertThat(lines(asked, System.getProperty("java.home")))
        .anyMatch(line -> line.matches(".* ExitOnOutOfMemoryError +:?= true .*"))
        .as("an agent that it hosts reads nothing of its memory")
        .anyMatch(line -> line.matches(".* DisableAttachMechanism +:?= true .*"));
  }

  private static void fill(ServerProcess server, byte[] requests, List<Socket> open) {
    try {
      Socket socket = new Socket(server.url().getHost(), server.url().getPort());
      open.add(socket);
      socket.getOutputStream().write(requests);
    } catch (IOException e) {
      // The server is ending.
      assertThat(e).isNotNull();
    }
  }

  private static JavaCommand with(JavaCommand java, String option) {
    List<String> words = new ArrayList<>(java.words());
    words.add(1, option);
    return new JavaCommand(words);
  }

  private static List<String> lines(List<String> command, String javaHome) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", javaHome);
    builder.environment().remove("BRIDLE_JAVA_OPTS");
    Process process = builder.start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertThat(process.waitFor()).as("%s", lines).isZero();
    return lines;
  }
}
