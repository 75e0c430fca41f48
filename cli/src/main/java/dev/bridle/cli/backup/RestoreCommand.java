package dev.bridle.cli.backup;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.admin.DataDirectory;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.StoreTrouble;
import dev.bridle.permission.v1.PermissionGrant;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Restores a backup to a new data directory. */
@Command(
    name = "restore",
    description = {
      "Restore a backup to a data directory that is absent or empty.",
      "Leases end, new event ids are greater than all earlier ones, and the command lists the"
          + " API keys,"
          + " OAuth clients and standing grants that are valid, including those valid again."
    },
    footer = {
      "%nExamples:",
      "  bridle restore --from /backups/bridle --data-dir data2",
      "  bridle restore --from /backups/bridle --data-dir data2 --backup 3 --revoke-credentials"
    })
public final class RestoreCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private DataDirectory directory;

  @Option(
      names = "--from",
      paramLabel = "DIR",
      required = true,
      description = "The folder of backups.")
  private Path from = Path.of("");

  @Option(
      names = "--backup",
      paramLabel = "N",
      description =
          "The backup's number (default: the newest that is whole; newer ones are reported).")
  private Optional<Integer> backup = Optional.empty();

  @Option(
      names = "--old-data-dir",
      paramLabel = "DIR",
      description =
          "The directory that this one replaces, if it can still be read: used to report which"
              + " keys and grants"
              + " were revoked since the backup.")
  private Optional<Path> old = Optional.empty();

  @Option(
      names = "--revoke-credentials",
      description = "Revoke all API keys, OAuth clients and standing grants.")
  private boolean revoke;

  @Option(names = "--json", description = "Print a line of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  public RestoreCommand() {}

  @Override
  public void run() {
    Path target = directory.path().toAbsolutePath().normalize();
    Restore restore = new Restore(from.toAbsolutePath().normalize(), target, old);
    print(
        StoreTrouble.inOneLine(
            target,
            () -> {
              requireEmpty(target);
              return restore.run(backup, revoke);
            }));
  }

  private static void requireEmpty(Path target) throws IOException {
    if (!Files.exists(target)) {
      return;
    }
    boolean empty = false;
    if (Files.isDirectory(target)) {
      try (Stream<Path> files = Files.list(target)) {
        empty = files.findAny().isEmpty();
      }
    }
    if (!empty) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          target + " is not empty. Choose a directory that is absent or empty with --data-dir.");
    }
  }

  private void print(Restore.Result done) {
    warn(done);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(json(done));
      return;
    }
    out.println(
        "Backup "
            + done.backup().number()
            + " of "
            + Instant.ofEpochMilli(done.backup().madeAtMillis())
            + " is in "
            + directory.path()
            + ". Start it with 'bridle up --data-dir "
            + directory.path()
            + "'.");
    done.masterKey()
        .ifPresent(
            id ->
                out.println(
                    "Its secrets and signing keys are sealed with the master key "
                        + id
                        + ", which backups do not contain: copy that master.key into "
                        + directory.path()
                        + " before the start."));
    out.println(done.report().leases() + " leases ended; their tasks are queued again.");
    if (revoke) {
      out.println(
          done.revoked().credentials()
              + " API keys and OAuth clients and "
              + done.revoked().grants()
              + " standing grants were revoked. Create new keys with 'bridle apikey create'.");
      return;
    }
    out.println("Valid API keys and OAuth clients:");
    for (Restore.AliveKey alive : done.alive()) {
      out.println(
          "  "
              + alive.key().id()
              + " of "
              + alive.key().actor()
              + ", tenant "
              + alive.key().tenant()
              + ", created "
              + Instant.ofEpochMilli(alive.key().createdAt())
              + again(alive.again()));
    }
    out.println(
        "'bridle apikey revoke' and 'bridle oauth client revoke' revoke one; --revoke-credentials"
            + " revokes all during the restore.");
    if (!done.grants().isEmpty()) {
      out.println("Valid standing grants:");
      for (Restore.AliveGrant alive : done.grants()) {
        PermissionGrant grant = alive.grant().grant();
        out.println(
            "  "
                + grant.getId()
                + " in session "
                + grant.getSessionId()
                + ", tenant "
                + alive.grant().tenant()
                + ": "
                + grant.getCovers()
                + again(alive.again()));
      }
      out.println("'bridle grant revoke' revokes one.");
    }
  }

  private void warn(Restore.Result done) {
    if (done.passedOver().isEmpty()) {
      return;
    }
    PrintWriter err = spec.commandLine().getErr();
    done.passedOver()
        .forEach(
            backup ->
                err.println(
                    "Backup "
                        + backup.number()
                        + " is newer and was not restored: it "
                        + backup.reason()
                        + "."));
    err.println(
        "What was stored after "
            + Instant.ofEpochMilli(done.backup().madeAtMillis())
            + ", the time of backup "
            + done.backup().number()
            + ", is missing.");
  }

  private static String again(boolean again) {
    return again ? " - REVOKED AFTER THE BACKUP, VALID AGAIN" : "";
  }

  private ObjectNode json(Restore.Result done) {
    ObjectNode object =
        JsonLines.object()
            .put("backup", done.backup().number())
            .put("data_dir", directory.path().toString())
            .put("leases_ended", done.report().leases())
            .put("keys_revoked", done.revoked().credentials())
            .put("grants_revoked", done.revoked().grants());
    done.masterKey().ifPresent(id -> object.put("master_key_id", id));
    ArrayNode passedOver = object.putArray("passed_over");
    done.passedOver()
        .forEach(
            backup ->
                passedOver
                    .addObject()
                    .put("backup", backup.number())
                    .put("reason", backup.reason()));
    ObjectNode eras = object.putObject("eras");
    done.report().eras().forEach(eras::put);
    ArrayNode keys = object.putArray("keys_alive");
    done.alive()
        .forEach(
            alive ->
                keys.addObject()
                    .put("id", alive.key().id())
                    .put("tenant", alive.key().tenant())
                    .put("actor", alive.key().actor())
                    .put("alive_again", alive.again()));
    ArrayNode grants = object.putArray("grants_alive");
    done.grants()
        .forEach(
            alive ->
                grants
                    .addObject()
                    .put("id", alive.grant().grant().getId())
                    .put("tenant", alive.grant().tenant())
                    .put("session_id", alive.grant().grant().getSessionId())
                    .put("covers", alive.grant().grant().getCovers())
                    .put("alive_again", alive.again()));
    return object;
  }
}
