package dev.bridle.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerFileTest {
  private static final URI URL = URI.create("http://127.0.0.1:1");

  @TempDir private Path directory;

  @Test
  void theFileOfARunningServerIsReadAsItWasWritten() throws IOException {
    ServerFile here =
        ServerFile.here("127.0.0.1", 2, URL, Optional.empty())
            .withHarp(Optional.of(URI.create("http://127.0.0.1:8085")));
    here.write(directory);

    assertThat(ServerFile.read(directory)).contains(here);
    assertThat(here.process()).contains(ProcessHandle.current());
  }

  @Test
  void aProcessThatWasStartedAtAnotherTimeIsNotTheServer() throws IOException {
    ServerFile here = ServerFile.here("127.0.0.1", 2, URL, Optional.empty());
    new ServerFile(
            here.pid(),
            here.startedAt() - 1000,
            here.version(),
            false,
            here.grpcHost(),
            here.grpcPort(),
            here.httpUrl(),
            here.certificate(),
            here.harpUrl())
        .write(directory);

    assertThat(ServerFile.read(directory)).isEmpty();
  }

  @Test
  void theFileOfAnotherProcessIsNotRemoved() throws Exception {
    Process other = new ProcessBuilder("true").start();
    other.waitFor();
    Path file = directory.resolve("server.json");
    Files.writeString(file, "{\"pid\":" + other.pid() + "}");

    ServerFile.removeOwn(directory);
    assertThat(file).exists();
    assertThat(ServerFile.read(directory)).isEmpty();

    ServerFile.here("127.0.0.1", 2, URL, Optional.empty()).write(directory);
    ServerFile.removeOwn(directory);
    assertThat(file).doesNotExist();
  }

  @Test
  void theCertificateInUseIsNotedAndReplaced() throws IOException {
    ServerFile here =
        ServerFile.here(
            "127.0.0.1", 2, URL, Optional.of(new ServerFile.Certificate("/tls/a.crt", "0a")));
    here.write(directory);
    assertThat(ServerFile.read(directory)).contains(here);

    ServerFile.Certificate next = new ServerFile.Certificate("/tls/a.crt", "0b");
    ServerFile.replaceCertificate(directory, next);
    ServerFile.markEndingUnused(directory);
    assertThat(ServerFile.read(directory).orElseThrow().certificate()).contains(next);
    assertThat(ServerFile.read(directory).orElseThrow().endsUnused()).isTrue();
  }
}
