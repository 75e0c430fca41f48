package dev.bridle.cli.backup;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.Bridle;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.UpThread;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups and restores as people type them. */
final class BackupIT {
  @TempDir private Path directory;

  @Test
  void aRunningServerIsBackedUpAndRestoredWithNewEras() throws IOException {
    Commands commands = new Commands(directory);
    String backups = commands.path("backups");
    String data = commands.path("data");
    String task;
    String lastSeen;
    String second;
    try (UpThread server = commands.start("data")) {
      task = commands.completedTask(server, "data");
      second = run(0, "apikey", "create", "--data-dir", data, "--actor", "second").out().strip();
      run(0, "backup", "--data-dir", data, "--output", backups, "--keep", "2", "--verify");
      JsonNode made =
          Json.parse(
              run(0, "backup", "--data-dir", data, "--output", backups, "--keep", "2", "--json")
                  .out());
      assertThat(made.get("backup").intValue()).isEqualTo(2);
      String id =
          run(0, "apikey", "list", "--data-dir", data, "--json")
              .out()
              .lines()
              .map(Json::parse)
              .filter(key -> key.get("actor").textValue().equals("second"))
              .map(key -> key.get("id").textValue())
              .findFirst()
              .orElseThrow();
      run(0, "apikey", "revoke", id, "--data-dir", data);
      String late = commands.completedTask(server, "data");
      lastSeen = lastEvent(commands.client(server, "data"), late);
      assertThat(server.stop()).isZero();
    }

    String restored =
        run(
                0,
                "restore",
                "--from",
                backups,
                "--data-dir",
                commands.path("new"),
                "--old-data-dir",
                data)
            .out();

    assertThat(restored)
        .contains("second")
        .contains("VALID AGAIN")
        .contains("copy that master.key");
    Files.copy(directory.resolve("data/master.key"), directory.resolve("new/master.key"));
    Files.copy(directory.resolve("data.key"), directory.resolve("new.key"));
    try (UpThread server = commands.start("new")) {
      ProtocolClient client = commands.client(server, "new");
      assertThat(client.get("/v1/tasks/" + task).status()).isEqualTo(200);
      assertThat(new ProtocolClient(server.url(), second).get("/v1/workspaces").status())
          .isEqualTo(200);
      String next = commands.completedTask(server, "new");
      assertThat(lastEvent(client, next)).isGreaterThan(lastSeen);
    }
    assertThat(directory.resolve("backups/operator.key")).doesNotExist();
  }

  @Tag("slow")
  @Test
  void aRestoreNeedsAnEmptyPlaceAndCanEndAllKeys() throws IOException {
    Commands commands = new Commands(directory);
    String backups = commands.path("backups");
    String data = commands.path("data");
    commands.make("data");
    run(0, "backup", "--data-dir", data, "--output", backups);

    assertThat(run(2, "restore", "--from", backups, "--data-dir", data).err())
        .contains("is not empty");
    assertThat(run(1, "restore", "--from", data, "--data-dir", commands.path("new")).err())
        .contains("holds no backup");
    assertThat(
            run(
                    1,
                    "restore",
                    "--from",
                    backups,
                    "--data-dir",
                    commands.path("new"),
                    "--backup",
                    "9")
                .err())
        .contains("holds no backup 9");
    assertThat(directory.resolve("new")).doesNotExist();
    JsonNode first = restore(commands, "new");
    JsonNode second = restore(commands, "newer");
    assertThat(second.at("/eras/default").intValue())
        .isGreaterThan(first.at("/eras/default").intValue());
    assertThat(second.get("keys_revoked").intValue()).isEqualTo(1);
    Files.copy(directory.resolve("data.key"), directory.resolve("newer.key"));
    assertThatThrownBy(() -> commands.start("newer")).hasMessageContaining("newer/master.key");
    Files.copy(directory.resolve("data/master.key"), directory.resolve("newer/master.key"));
    assertThatThrownBy(() -> commands.start("newer")).hasMessageContaining("newer.key");
    Files.delete(directory.resolve("newer.key"));
    try (UpThread server = commands.start("newer")) {
      ProtocolClient revoked = new ProtocolClient(server.url(), commands.key("data"));
      assertThat(revoked.get("/v1/workspaces").status()).isEqualTo(401);
    }
  }

  @Tag("slow")
  @Test
  void aTenantWithoutErasLeftAndAnOldDirectoryWithoutDataAreToldInOneLine() throws IOException {
    Commands commands = new Commands(directory);
    commands.make("data");
    run(0, "backup", "--data-dir", commands.path("data"), "--output", commands.path("backups"));
    Files.createDirectory(directory.resolve("empty"));

    assertThat(refused(commands, "--old-data-dir", commands.path("empty")))
        .contains("contains no data");
    assertThat(directory.resolve("empty")).isEmptyDirectory();
    Files.writeString(directory.resolve("backups/eras.json"), "{\"default\":65535}");
    assertThat(refused(commands)).contains("The tenant default has used up its eras");
  }

  @Test
  void newerBackupsThatAreNotWholeAreReportedAndFailWhereOneIsNamed() throws IOException {
    Commands commands = new Commands(directory);
    String backups = commands.path("backups");
    commands.make("data");
    for (int i = 0; i < 4; i++) {
      run(0, "backup", "--data-dir", commands.path("data"), "--output", backups);
    }
    Path folder = directory.resolve("backups");
    Files.delete(folder.resolve("private/2/CURRENT"));
    Files.writeString(folder.resolve("meta/3"), "nonsense");
    Files.move(folder.resolve("meta/4"), folder.resolve("meta/.4.tmp"));

    Commands.Said done = run(0, "restore", "--from", backups, "--data-dir", commands.path("new"));

    String time = done.out().substring(0, done.out().indexOf(" is in ")).substring(12);
    assertThat(done.out()).startsWith("Backup 1 of ");
    assertThat(done.err().lines())
        .containsExactly(
            "Backup 2 is newer and was not restored: it lacks its file private/2/CURRENT.",
            "Backup 3 is newer and was not restored: it has a damaged meta/3.",
            "Backup 4 is newer and was not restored: it was not finished, or its meta/4 is"
                + " missing.",
            "What was stored after " + time + ", the time of backup 1, is missing.");
    assertThat(restore(commands, "newer").at("/passed_over/1/backup").intValue()).isEqualTo(3);
    assertThat(refused(commands, "--backup", "3")).contains("backup 3 has a damaged meta/3");
    assertThat(refused(commands, "--backup", "4")).contains("backup 4 was not finished");
    assertThat(directory.resolve("refused")).doesNotExist();

    Files.writeString(folder.resolve("meta/1"), "nonsense");
    assertThat(refused(commands)).contains("backup 1 has a damaged meta/1").contains("holds []");
  }

  private static String refused(Commands commands, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("restore", "--from", commands.path("backups")));
    arguments.addAll(List.of("--data-dir", commands.path("refused")));
    arguments.addAll(List.of(more));
    StringWriter err = new StringWriter();
    int exitCode =
        Bridle.commandLine().setErr(new PrintWriter(err)).execute(arguments.toArray(String[]::new));
    assertThat(exitCode).isBetween(1, 2);
    assertThat(err.toString().lines()).singleElement().asString().startsWith("bridle: ");
    return err.toString();
  }

  private static JsonNode restore(Commands commands, String into) {
    return Json.parse(
        run(
                0,
                "restore",
                "--from",
                commands.path("backups"),
                "--data-dir",
                commands.path(into),
                "--revoke-credentials",
                "--json")
            .out());
  }

  private static String lastEvent(ProtocolClient client, String task) {
    JsonNode events = client.get("/v1/tasks/" + task + "/events").json().get("data");
    return events.get(events.size() - 1).get("id").textValue();
  }
}
