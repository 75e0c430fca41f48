package dev.bridle.cli.portability;

import com.google.protobuf.ByteString;
import dev.bridle.admin.v1.ExportRequest;
import dev.bridle.cli.admin.DataDirectory;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
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
import picocli.CommandLine.Spec;

/** Exports a tenant, a session or a task to one file. */
@Command(
    name = "export",
    description = {
      "Export a tenant, a session or a task to one checksummed file.",
      "Works on a data directory, with or without a running server. Keys and leases are not"
          + " exported."
    },
    footer = {
      "%nExamples:",
      "  bridle export --tenant default --output default.bridle",
      "  bridle export --session session_01h... --output session.bridle",
      "  bridle export --tenant default --output default.bridle --resume"
    })
public final class ExportCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private DataDirectory directory;

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      description = "The tenant (default: ${DEFAULT-VALUE}).",
      defaultValue = "default")
  private String tenant = "default";

  @Option(names = "--session", paramLabel = "ID", description = "Export only this session.")
  private Optional<String> session = Optional.empty();

  @Option(
      names = "--task",
      paramLabel = "ID",
      description = "Export only this task, with the session that it belongs to.")
  private Optional<String> task = Optional.empty();

  @Option(
      names = "--output",
      paramLabel = "FILE",
      required = true,
      description = "The file; named FILE.part until it is complete.")
  private Path output = Path.of("");

  @Option(names = "--resume", description = "Resume an interrupted export from FILE.part.")
  private boolean resume;

  @Option(names = "--json", description = "Print a line of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  public ExportCommand() {}

  @Override
  public void run() {
    Path target = output.toAbsolutePath();
    if (session.isPresent() && task.isPresent()) {
      throw new CommandFailed(ExitCodes.USAGE, "Expected --session or --task, not both.");
    }
    if (Files.exists(target)) {
      throw new CommandFailed(
          ExitCodes.USAGE, "The file " + output + " already exists. Choose another.");
    }
    FileCheck written = directory.access().withChannel(channel -> export(channel, target));
    print(written);
  }

  private FileCheck export(Channel channel, Path target) {
    try (PartFile part = PartFile.open(target, resume)) {
      part.header().ifPresent(this::requireSameExport);
      return part.finish(fetch(channel, part));
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, output + " can't be written: " + e, e);
    } catch (DamagedFileException e) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          "The file " + output + " can't be read back after writing: " + e.getMessage(),
          e);
    }
  }

  private Optional<byte[]> fetch(Channel channel, PartFile part) throws IOException {
    ExportRequest request =
        ExportRequest.newBuilder()
            .setTenantId(tenant)
            .setSessionId(session.orElse(""))
            .setTaskId(task.orElse(""))
            .setResumeAfter(part.cursor())
            .setResumeUnit(
                part.lastUnit()
                    .map(unit -> ByteString.copyFrom(unit.content()))
                    .orElse(ByteString.EMPTY))
            .setResumeInstallationId(part.header().map(Header::installation).orElse(""))
            .build();
    return new ExportReceiver(new ProgressLine(spec.commandLine().getErr()))
        .receive(channel, request, part);
  }

  private void requireSameExport(Header header) {
    boolean same =
        header.tenant().equals(tenant)
            && header.task().equals(task)
            && (task.isPresent() || header.session().equals(session));
    if (!same) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          output
              + ".part is an export of "
              + header.kind()
              + " "
              + header.task().or(header::session).orElse(header.tenant())
              + ". Name the same export with --resume, or delete the file.");
    }
  }

  private void print(FileCheck file) {
    PrintWriter out = spec.commandLine().getOut();
    String sha256 = HexFormat.of().formatHex(file.end());
    if (json) {
      out.println(
          JsonLines.object()
              .put("file", output.toString())
              .put("kind", file.header().kind())
              .put("records", file.counts().records())
              .put("events", file.counts().events())
              .put("live_tasks", file.counts().liveTasks())
              .put("sha256", sha256)
              .put("signed", file.signed().isPresent()));
    } else {
      out.println(
          output
              + ": "
              + file.counts().records()
              + " records, "
              + file.counts().events()
              + " events, "
              + file.counts().liveTasks()
              + " live tasks, SHA-256 "
              + sha256);
      if (file.signed().isEmpty()) {
        out.println(
            "The file is not signed, so that an import needs --unverified: "
                + (resume
                    ? "an earlier release has begun it."
                    : "this server can't sign, or the tenant has data that nobody vouched for."));
      }
    }
  }
}
