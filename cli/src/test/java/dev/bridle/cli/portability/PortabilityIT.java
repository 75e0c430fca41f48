package dev.bridle.cli.portability;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.UpThread;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exports and imports as people type them. */
final class PortabilityIT {
  @TempDir private Path directory;

  @Test
  void aTenantMovesBetweenRunningServersAndIsNotLoadedTwice() throws IOException {
    Commands commands = new Commands(directory);
    String file = commands.path("default.bridle");
    try (UpThread source = commands.start("source");
        UpThread target = commands.start("target")) {
      String task = commands.completedTask(source, "source");

      String exported =
          run(0, "export", "--data-dir", commands.path("source"), "--output", file).out();
      String data = commands.path("target");
      assertThat(run(9, "import", file, "--data-dir", data).err()).contains("--keys FILE");
      String keys = commands.publicKeys("source");
      String other = "00".repeat(32);
      assertThat(
              run(8, "import", file, "--keys", keys, "--sha256", other, "--data-dir", data).err())
          .contains("the SHA-256 of " + file + " is " + sum(exported) + ", not the given one");
      String loaded =
          run(
                  0,
                  "import",
                  file,
                  "--keys",
                  keys,
                  "--sha256",
                  sum(exported),
                  "--data-dir",
                  data,
                  "--json")
              .out();

      assertThat(Json.parse(loaded).get("already_loaded").booleanValue()).isFalse();
      assertThat(Json.parse(loaded).path("signed_by").textValue())
          .as("the server vouches for the file as a whole")
          .isNotEmpty();
      ProtocolClient before = commands.client(source, "source");
      ProtocolClient after = commands.client(target, "target");
      for (String path :
          List.of(
              "/v1/tasks/" + task,
              "/v1/tasks/" + task + "/events",
              "/v1/outcomes?task_id=" + task,
              "/v1/artifacts?task_id=" + task,
              "/v1/sessions")) {
        assertThat(after.get(path).json()).as(path).isEqualTo(before.get(path).json());
      }
      String again = run(0, "import", file, "--data-dir", commands.path("target")).out();
      assertThat(again).contains("already imported");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(file))))
          .isEqualTo("rw-------");
    }
  }

  /** Returns the sum that an export printed. */
  private static String sum(String exported) {
    int at = exported.indexOf("SHA-256 ") + "SHA-256 ".length();
    return exported.substring(at, at + 64);
  }

  @Tag("slow")
  @Test
  void anImportedTaskReplaysToTheSameBytesOnItsNewServer() throws IOException {
    Commands commands = new Commands(directory);
    String file = commands.path("default.bridle");
    try (UpThread source = commands.start("source");
        UpThread target = commands.start("target")) {
      String task = commands.completedTask(source, "source");
      run(0, "export", "--data-dir", commands.path("source"), "--output", file);
      String keys = commands.publicKeys("source");
      run(0, "import", file, "--keys", keys, "--data-dir", commands.path("target"));

      assertThat(replayed(commands, target, "target", task))
          .isEqualTo(replayed(commands, source, "source", task))
          .isNotEmpty();
    }
  }

  @Test
  void anUnverifiedImportProvesNothingUntilItsKeyIsTrusted() throws IOException {
    Commands commands = new Commands(directory);
    String file = commands.path("default.bridle");
    String data = commands.path("target");
    try (UpThread source = commands.start("source");
        UpThread target = commands.start("target")) {
      String task = commands.completedTask(source, "source");
      run(0, "export", "--data-dir", commands.path("source"), "--output", file);

      String said = run(0, "import", file, "--unverified", "--data-dir", data).out();
      String key = said.lines().filter(line -> line.contains("--trust")).findFirst().orElseThrow();
      key = key.substring(key.lastIndexOf(' ') + 1);

      assertThat(verified(commands.client(target, "target"), task)).contains("\"origin: ");
      assertThat(replay(9, commands, target, task).out()).contains("origin: ");
      assertThat(run(0, "oauth", "key", "list", "--data-dir", data).out())
          .contains("imported into default, not confirmed");

      assertThat(run(0, "receipt", "keys", "--trust", key, "--data-dir", data).out())
          .contains("imported into default, confirmed");
      assertThat(verified(commands.client(target, "target"), task)).contains("\"valid\":true");
      replay(0, commands, target, task);
    }
  }

  private static String verified(ProtocolClient client, String task) {
    String receipt = client.get("/v1/tasks/" + task).json().get("receipt_id").textValue();
    return client.post("/v1/receipts/" + receipt + "/verify", Json.object()).text();
  }

  private static Commands.Said replay(int code, Commands commands, UpThread server, String task) {
    List<String> words = new ArrayList<>(List.of("replay", task));
    words.addAll(commands.at(server.url(), "target"));
    return run(code, words.toArray(String[]::new));
  }

  /** Returns the bytes of the receipt that a replay on a server makes. */
  private static byte[] replayed(Commands commands, UpThread server, String name, String task)
      throws IOException {
    String segment = commands.path(name + ".segment");
    run(
        0,
        "replay",
        task,
        "--output",
        segment,
        "--url",
        server.url().toString(),
        "--api-key-file",
        commands.path(name + ".key"));
    return Files.readAllBytes(Path.of(segment));
  }

  @Tag("slow")
  @Test
  void stoppedDirectoriesWillDoAndABrokenExportGoesOn() throws IOException {
    Commands commands = new Commands(directory);
    String task;
    try (UpThread source = commands.start("source")) {
      task = commands.completedTask(source, "source");
      assertThat(source.stop()).isZero();
    }
    commands.make("target");
    String whole = commands.path("whole.bridle");
    String data = commands.path("source");
    run(0, "export", "--data-dir", data, "--output", whole);
    byte[] bytes = Files.readAllBytes(Path.of(whole));
    String broken = commands.path("broken.bridle");
    Files.write(Path.of(broken + ".part"), Arrays.copyOf(bytes, bytes.length * 2 / 3));

    assertThat(run(2, "export", "--data-dir", data, "--output", broken).err()).contains("--resume");
    assertThat(
            run(2, "export", "--data-dir", data, "--tenant", "x", "--output", broken, "--resume")
                .err())
        .contains("is an export of tenant default");
    String elsewhere = commands.path("target");
    assertThat(run(1, "export", "--data-dir", elsewhere, "--output", broken, "--resume").err())
        .contains("was begun on the installation");
    run(0, "export", "--data-dir", data, "--output", broken, "--resume");
    assertThat(Path.of(broken + ".part")).doesNotExist();
    String keys = commands.publicKeys("source");
    run(0, "import", broken, "--keys", keys, "--data-dir", elsewhere);

    try (UpThread target = commands.start("target")) {
      assertThat(commands.client(target, "target").get("/v1/tasks/" + task).status())
          .isEqualTo(200);
    }
  }

  @Test
  void whatCannotBeReadIsRefusedInOneSentence() throws IOException {
    Commands commands = new Commands(directory);
    commands.make("data");
    String data = commands.path("data");
    String file = commands.path("default.bridle");
    run(0, "export", "--data-dir", data, "--output", file);
    byte[] bytes = Files.readAllBytes(Path.of(file));
    bytes[bytes.length / 2] ^= 1;
    Path damaged = Files.write(directory.resolve("damaged"), bytes);

    assertThat(run(1, "import", damaged.toString(), "--data-dir", data).err())
        .contains("can't be imported")
        .contains("checksum");
    assertThat(run(2, "import", commands.path("none"), "--data-dir", data).err())
        .contains("can't be read");
    assertThat(run(2, "export", "--data-dir", data, "--output", file).err())
        .contains("already exists");
    assertThat(
            run(1, "export", "--data-dir", data, "--task", "task_x", "--output", file + "2").err())
        .contains("There is no such task");
    assertThat(Path.of(file + "2.part")).doesNotExist();
  }
}
