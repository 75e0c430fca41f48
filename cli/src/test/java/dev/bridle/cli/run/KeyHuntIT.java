package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent that looks for Bridle's keys, and tries to approve its own actions. */
final class KeyHuntIT {
  /** What it finds goes to the file {@code found}; what it can't do is not worth a word. */
  private static final String HUNT =
      """
      exec > found 2>&1
      cat DATA/* DATA/*/* PARENT/*key* PARENT/data/*key*
      find PARENT $HOME /run -maxdepth 5 -name '*.key' -exec cat {} + | head -c 100000
      for p in /proc/[0-9]*; do
        tr '\\0' '\\n' < $p/environ; cat $p/root/DATA/* $p/cwd/../data/* $p/fd/*.key
        ls -l $p/fd $p/map_files
        for fd in $p/fd/*; do case $(readlink $fd) in *data*) cat $fd;; esac; done
      done
      ppid=$(sed -n 's/^PPid:.//p' /proc/self/status)
      for p in 0 1 2 $ppid HOST SERVER; do
        head -c 4096 /proc/$p/mem; cat /proc/$p/environ /proc/$p/maps; ls /proc/$p/fd
        nsenter --target $p --mount --pid cat DATA/operator.key
        nsenter --target $p --all cat DATA/operator.key
      done
      for n in 'umount DATA' 'umount -l DATA' 'mount --bind PARENT PARENT/b' 'mount --rbind / /mnt'; do
        unshare --user --map-root-user --mount --pid --fork sh -c "$n; cat DATA/* PARENT/b/data/* /mnt/DATA/*"
        unshare --mount sh -c "$n; cat DATA/*"
      done
      umount DATA; umount -l DATA; chmod 777 DATA; mv DATA PARENT/moved; cat DATA/* PARENT/moved/*
      kill -STOP HOST SERVER; kill -KILL HOST SERVER
      for t in /dev/pts/[0-9]* /dev/tty /dev/tty[0-9]* /dev/console; do
        echo FORGED > $t
      done
      for port in $(sed -n 's/^ *[0-9]*: [0-9A-F]*:\\([0-9A-F]*\\) 0*:0000 0A.*/\\1/p' /proc/net/tcp /proc/net/tcp6); do
        echo port $((0x$port))
        for key in '' $(cat DATA/operator.key) $(grep -aho 'br[a-z]*_[A-Za-z0-9_-]*' found | sort -u | head -20); do
          curl -s -m 2 -w ' status %{http_code} ' -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \\
            -H 'Harn-Agents-Protocol-Version: agents-protocol-2026-04-25' -H 'Idempotency-Key: hunt' -d '{"approved":true}' \\
            http://127.0.0.1:$((0x$port))/v1/permission-requests/REQUEST/respond
        done
      done
      echo hunted > hunted
      """;

  @TempDir private Path directory;

  @AfterEach
  void stop() throws IOException {
    ScriptedProject.stopServer(directory.resolve("data"));
  }

  @Test
  @Tag("slow")
  void itFindsNoKeyAndApprovesNothing() throws Exception {
    String missing = AtTerminal.missing();
    if (!missing.isEmpty()) {
      System.out.println("Skipped: " + missing);
    }
    assumeTrue(missing.isEmpty(), missing);
    Path folder = Files.createDirectory(directory.resolve("project")).toRealPath();
    Path data = directory.resolve("data");
    Path agent = AgentProgram.make(directory, "agent");
    try (HostedFolder hosted = new HostedFolder(folder, data, agent);
        AtTerminal person = AtTerminal.start(List.of("cat"))) {
      if (!hosted.tier().hidesFiles()) {
        System.out.println("Skipped: nothing is promised on the tier " + hosted.tier());
      }
      assumeTrue(hosted.tier().hidesFiles());
      String wanted = hosted.submit(hosted.server().newSession(), "make it");
      hosted.awaitStatus(wanted, "AUTH_REQUIRED");
      String request = pending(hosted, wanted).path("id").asText();
      write(folder, data.toRealPath(), hosted.serverProcess().pid(), request);

      String task = hosted.submit(hosted.server().newSession(), "run hunt");
      hosted.awaitStatus(task, "COMPLETED");

      assertThat(folder.resolve("hunted")).exists();
      String found = Files.readString(folder.resolve("found"), StandardCharsets.ISO_8859_1);
      for (String secret : secrets(data)) {
        assertThat(found).doesNotContain(secret);
      }
      assertThat(found).contains("port ").doesNotContain("bridle_run_");
      if (found.contains("curl: not found")) {
        System.out.println("Not tried: the REST API, since this machine has no curl");
      } else {
        assertThat(found).as("the server is reached, and refuses").contains(" status 401 ");
      }
      assertThat(hosted.serverProcess().isAlive()).isTrue();
      assertThat(pending(hosted, wanted).path("id").asText()).isEqualTo(request);
      assertThat(hosted.status(wanted)).isEqualTo("AUTH_REQUIRED");
      assertThat(folder.resolve("it")).doesNotExist();
      person.type("typed\n");
      person.expect("typed");
      assertThat(person.all()).as("a terminal of the same user").doesNotContain("FORGED");
    }
  }

  private static JsonNode pending(HostedFolder hosted, String task) {
    return hosted
        .client()
        .get("/v1/permission-requests?status=pending&task_id=" + task)
        .at("/data/0");
  }

  private void write(Path folder, Path data, long server, String request) throws IOException {
    Files.writeString(
        folder.resolve("hunt"),
        HUNT.replace("DATA", data.toString())
            .replace("PARENT", data.getParent().toString())
            .replace("HOST", Long.toString(ProcessHandle.current().pid()))
            .replace("SERVER", Long.toString(server))
            .replace("REQUEST", request));
  }

  /** The secrets that lie in the data directory. */
  private static List<String> secrets(Path data) throws IOException {
    List<String> secrets = new ArrayList<>();
    try (Stream<Path> files = Files.list(data)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".key")).toList()) {
        secrets.add(Files.readString(file, StandardCharsets.ISO_8859_1).strip());
      }
    }
    assertThat(secrets).as("keys in the directory").isNotEmpty();
    return secrets;
  }
}
