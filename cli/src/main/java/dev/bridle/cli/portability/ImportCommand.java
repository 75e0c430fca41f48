package dev.bridle.cli.portability;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.admin.v1.ImportBegin;
import dev.bridle.admin.v1.ImportSummary;
import dev.bridle.cli.admin.DataDirectory;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShellWord;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.receipt.IssuerKeys;
import dev.bridle.core.operations.portability.file.DamagedFileException;
import dev.bridle.core.operations.portability.file.FileCheck;
import dev.bridle.core.operations.portability.file.Header;
import io.grpc.Channel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Imports an export file. */
@Command(
    name = "import",
    description = {
      "Import a file of 'bridle export', with or without a running server.",
      "The whole file is verified before anything is written. Run it again to continue after a"
          + " crash.",
      "A file that contradicts itself ends with exit code 8. One that no server known here has signed"
          + " ends with exit code 9: get the keys of the server that it came from, with 'bridle"
          + " receipt keys --pin FILE' there, and give them with --keys."
    },
    footer = {
      "%nExamples:",
      "  bridle import default.bridle --keys keys.json",
      "  bridle import default.bridle --tenant acme --take-over"
    })
public final class ImportCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private DataDirectory directory;

  @Parameters(paramLabel = "FILE", description = "The file.")
  private Path file = Path.of("");

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      description = "The tenant to import into (default: the one in the file).")
  private Optional<String> tenant = Optional.empty();

  @Option(
      names = "--take-over",
      description =
          "Continue live tasks here; they must no longer run at their origin. Without it, they"
              + " are parked"
              + " until the same file is imported with this option.")
  private boolean takeOver;

  @Option(
      names = "--keep-workspaces",
      description = "Keep existing workspaces if the file has different ones.")
  private boolean keepWorkspaces;

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description = "The public keys (a JWK set) that may have signed the file and its receipts.")
  private Optional<Path> keys = Optional.empty();

  @Option(
      names = "--sha256",
      paramLabel = "HEX",
      description =
          "The SHA-256 that 'bridle export' printed for the file; any other file is refused with"
              + " exit code 8.")
  private Optional<String> expected = Optional.empty();

  @Option(
      names = "--unverified",
      description =
          "Import the file also if it does not verify, into a tenant without sessions. The import is"
              + " marked, and its receipts are not valid here until 'bridle receipt keys --trust KEY'.")
  private boolean unverified;

  @Option(names = "--json", description = "Print a line of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  public ImportCommand() {}

  @Override
  public void run() {
    if (Files.exists(file) && !Files.isRegularFile(file)) { // It is read several times.
      throw new CommandFailed(ExitCodes.USAGE, file + " can't be read: it is no regular file.");
    }
    FileCheck check;
    byte[] sha256;
    try {
      check = ExportFile.read(file);
      sha256 = check.end();
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.USAGE, file + " can't be read: " + e, e);
    } catch (DamagedFileException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, file + " can't be imported: " + e.getMessage() + ".", e);
    }
    requireExpected(sha256);
    ImportBegin begin =
        ImportBegin.newBuilder()
            .setTenantId(tenant.orElse(check.header().tenant()))
            .setTakeOver(takeOver)
            .setKeepWorkspaces(keepWorkspaces)
            .setKeys(keys.map(ImportCommand::document).orElse(ByteString.EMPTY))
            .setUnverified(unverified)
            .setSha256(ByteString.copyFrom(sha256))
            .build();
    print(directory.access().withChannel(channel -> send(channel, begin)), check.header());
  }

  private void requireExpected(byte[] sha256) {
    String found = HexFormat.of().formatHex(sha256);
    if (expected.isPresent() && !expected.get().equalsIgnoreCase(found)) {
      throw new CommandFailed(
          ExitCodes.RECEIPT_NOT_VALID,
          "Nothing was imported: the SHA-256 of " + file + " is " + found + ", not the given one.");
    }
  }

  private static ByteString document(Path keys) {
    return ByteString.copyFrom(IssuerKeys.read(keys).keys().toJson());
  }

  private ImportSummary send(Channel channel, ImportBegin begin) {
    try {
      ProgressLine progress = new ProgressLine(spec.commandLine().getErr());
      return new ImportSender(file, progress).send(channel, begin);
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, file + " can't be read: " + e, e);
    }
  }

  private void print(ImportSummary done, Header header) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(line(done, header));
      return;
    }
    if (done.getAlreadyLoaded()) {
      out.println("The file was already imported into tenant " + done.getTenantId() + ".");
    } else {
      out.println(
          "Imported into tenant "
              + done.getTenantId()
              + ": "
              + done.getRecords()
              + " records, "
              + done.getEvents()
              + " events; its era is "
              + done.getEra()
              + ".");
    }
    origin(out, done, header);
    doubts(out, done);
    if (takeOver) {
      out.println(done.getTakenOver() + " live tasks continue here.");
    } else if (done.getLiveTasks() > 0) {
      out.println(
          done.getLiveTasks()
              + " live tasks are parked; import the file again with --take-over to continue them"
              + " here.");
    }
  }

  private static ObjectNode line(ImportSummary done, Header header) {
    ObjectNode line =
        JsonLines.object()
            .put("tenant", done.getTenantId())
            .put("already_loaded", done.getAlreadyLoaded())
            .put("records", done.getRecords())
            .put("events", done.getEvents())
            .put("era", done.getEra())
            .put("live_tasks", done.getLiveTasks())
            .put("taken_over", done.getTakenOver())
            .put("faults", done.getFaultCount())
            .put("unsigned_receipts", done.getUnsignedReceipts())
            .put("unproven_tasks", done.getUnprovenTasks());
    if (!done.getSignedByKeyId().isEmpty()) {
      line.put("exported_at", header.madeAt())
          .put("signed_by", done.getSignedByKeyId())
          .put("signed_at", done.getSignedAt());
    }
    done.getUnconfirmedKeyIdsList().forEach(line.putArray("unconfirmed_keys")::add);
    return line;
  }

  /** Says who vouches for the file as a whole. */
  private static void origin(PrintWriter out, ImportSummary done, Header header) {
    if (!done.getSignedByKeyId().isEmpty()) {
      out.println(
          "Verified: an export that "
              + ShownText.line(header.installation())
              + " began at "
              + ShownText.line(header.madeAt())
              + ", signed as a whole by the key "
              + ShownText.line(done.getSignedByKeyId())
              + " at "
              + ShownText.line(done.getSignedAt())
              + ".");
    } else if (!done.getAlreadyLoaded()) {
      out.println("Not verified: no key that is trusted here has signed the file as a whole.");
    }
  }

  /** Says what of the file does not verify. */
  private static void doubts(PrintWriter out, ImportSummary done) {
    done.getFaultsList()
        .forEach(fault -> out.println("Not verified: " + ShownText.line(fault) + "."));
    long more = done.getFaultCount() - done.getFaultsCount();
    if (more > 0) {
      out.println("Not verified: " + more + " more.");
    }
    if (done.getUnsignedReceipts() > 0) {
      out.println("Not verified: nobody has signed " + done.getUnsignedReceipts() + " receipts.");
    }
    if (done.getUnprovenTasks() > 0) {
      out.println(
          "Not verified: nothing proves "
              + done.getUnprovenTasks()
              + " tasks, whose receipts or events the file lacks.");
    }
    for (String key : done.getUnconfirmedKeyIdsList()) {
      out.println(
          "Not confirmed: the key "
              + ShownText.line(key)
              + ". If its owner says that it is theirs: bridle receipt keys --trust "
              + ShellWord.quoted(key));
    }
  }
}
